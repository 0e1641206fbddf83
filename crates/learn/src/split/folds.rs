//! Repeated stratified cross-validation.

use super::groups::Groups;
use super::{Split, SplitError, by_class};
use crate::rng::Streams;
use std::collections::BTreeMap;

/// Repeated stratified cross-validation: each example is in exactly one test fold per repeat.
///
/// The examples of each class are shuffled and assigned to the folds in turn; the next class
/// continues where the last one ended. So folds differ by at most one example per class and by at
/// most one example in total. The seed alone decides; each repeat has its own random stream.
///
/// Groups are assigned as a whole, the largest first, each to the fold with the fewest examples of
/// the same classes.
///
/// Splits are computed on demand: a plan for a million repeats is no larger than for one.
#[derive(Clone, Debug)]
pub struct Folds {
    classes: BTreeMap<u32, Vec<u32>>,
    groups: Option<Groups>,
    examples: usize,
    folds: usize,
    repeats: usize,
    streams: Streams,
}

impl Folds {
    /// Plans `repeats` times `folds` splits of the examples with the given class codes.
    ///
    /// # Errors
    /// If there are fewer than 2 folds, more folds than examples, no repeat, or a class with a single
    /// example.
    pub fn stratified(
        codes: &[u32],
        folds: usize,
        repeats: usize,
        seed: u64,
    ) -> Result<Self, SplitError> {
        let examples = codes.len();
        if folds < 2 {
            return Err(SplitError::TooFewFolds(folds));
        }
        if folds > examples {
            return Err(SplitError::TooManyFolds { folds, examples });
        }
        if repeats == 0 {
            return Err(SplitError::NoRepeats);
        }
        let splits = folds.checked_mul(repeats).and_then(|splits| u32::try_from(splits).ok());
        if splits.is_none() {
            return Err(SplitError::TooManySplits { folds, repeats });
        }
        let classes = by_class(codes)?;
        if let Some((code, _)) = classes.iter().find(|(_, members)| members.len() == 1) {
            return Err(SplitError::SingleExample { class: code.to_string(), folds });
        }
        let streams = Streams::new(seed).at("folds");
        Ok(Self { classes, groups: None, examples, folds, repeats, streams })
    }

    /// Plans splits that keep groups together: `groups` has a number for each example, and examples
    /// with the same number are never on both sides of a split.
    ///
    /// # Errors
    /// As [`Folds::stratified`], and if there are more folds than groups, or a class occurs in one
    /// group only.
    pub fn grouped(
        codes: &[u32],
        groups: Option<&[u32]>,
        folds: usize,
        repeats: usize,
        seed: u64,
    ) -> Result<Self, SplitError> {
        let mut plan = Self::stratified(codes, folds, repeats, seed)?;
        if let Some(numbers) = groups {
            plan.groups = Some(Groups::new(&plan.classes, numbers, folds)?);
        }
        Ok(plan)
    }

    /// Returns the total number of splits.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "it is never empty")]
    pub fn len(&self) -> usize {
        self.folds * self.repeats
    }

    /// Returns the number of folds per repeat.
    #[must_use]
    pub fn folds(&self) -> usize {
        self.folds
    }

    /// Returns the number of repeats.
    #[must_use]
    pub fn repeats(&self) -> usize {
        self.repeats
    }

    /// Returns warnings about classes with fewer examples than folds.
    ///
    /// `names` are the classes by code; a code beyond its end is shown as a number.
    #[must_use]
    pub fn warnings(&self, names: &[impl AsRef<str>]) -> Vec<String> {
        let small = self.classes.iter().filter(|(_, members)| members.len() < self.folds);
        small
            .map(|(code, members)| {
                let name = names.get(*code as usize).map(|name| name.as_ref().to_owned());
                format!(
                    "class '{}' has {} examples, fewer than the {} folds; some test folds lack it",
                    name.unwrap_or_else(|| code.to_string()),
                    members.len(),
                    self.folds
                )
            })
            .collect()
    }

    /// Assigns each example to a fold, for one repeat.
    fn assign(&self, repeat: usize) -> Vec<u32> {
        if let Some(groups) = &self.groups {
            return groups.assign(self.folds, &mut self.streams.stream(&[repeat.into()]));
        }
        let mut fold_of = vec![0; self.examples];
        let mut folds = (0_u32..).take(self.folds).cycle();
        let mut stream = self.streams.stream(&[repeat.into()]);
        for members in self.classes.values() {
            let mut members = members.clone();
            stream.shuffle(&mut members);
            for (example, fold) in members.into_iter().zip(&mut folds) {
                fold_of[example as usize] = fold;
            }
        }
        fold_of
    }

    /// Returns the split at an index below [`Folds::len`], counted repeat by repeat.
    #[must_use]
    pub fn split(&self, index: usize) -> Split {
        let (repeat, fold) = (index / self.folds, index % self.folds);
        let fold_of = self.assign(repeat);
        let is_test = |example: &u32| fold_of[*example as usize] as usize == fold;
        let (test, train) = (0_u32..).take(fold_of.len()).partition(is_test);
        Split { repeat, fold, train, test }
    }

    /// Iterates over all splits, repeat by repeat.
    pub fn iter(&self) -> impl Iterator<Item = Split> {
        (0..self.len()).map(|index| self.split(index))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// At least two examples of each class that occurs.
    fn codes() -> impl Strategy<Value = Vec<u32>> {
        prop::collection::vec((0_u32..5, any::<u32>()), 1..60).prop_map(|draws| {
            let mut keyed: Vec<(u32, u32)> =
                draws.into_iter().flat_map(|(code, key)| [(key, code), (!key, code)]).collect();
            keyed.sort_unstable();
            keyed.into_iter().map(|(_, code)| code).collect()
        })
    }

    proptest! {
        #[test]
        fn every_example_is_tested_once_and_folds_are_even(
            codes in codes(),
            folds in 2_usize..12,
            seed: u64,
        ) {
            prop_assume!(folds <= codes.len());
            let plan = Folds::stratified(&codes, folds, 2, seed).expect("enough examples");
            let splits: Vec<Split> = plan.iter().collect();
            prop_assert_eq!(splits.len(), 2 * folds);
            for repeat in splits.chunks(folds) {
                let mut tested: Vec<u32> =
                    repeat.iter().flat_map(|split| split.test.clone()).collect();
                tested.sort_unstable();
                prop_assert!(tested.iter().map(|&e| e as usize).eq(0..codes.len()));
                let even = |counts: Vec<usize>| {
                    let ends = counts.iter().max().zip(counts.iter().min());
                    ends.is_some_and(|(most, least)| most - least <= 1)
                };
                prop_assert!(even(repeat.iter().map(|split| split.test.len()).collect()));
                for class in 0..5 {
                    let of_class = |split: &Split| {
                        split.test.iter().filter(|&&e| codes[e as usize] == class).count()
                    };
                    prop_assert!(even(repeat.iter().map(of_class).collect()), "class {}", class);
                }
                for split in repeat {
                    prop_assert_eq!(split.train.len() + split.test.len(), codes.len());
                    prop_assert!(split.train.iter().all(|e| !split.test.contains(e)));
                    prop_assert!(split.train.is_sorted() && split.test.is_sorted());
                }
            }
            let again = Folds::stratified(&codes, folds, 2, seed).expect("enough");
            prop_assert_eq!(again.iter().collect::<Vec<_>>(), splits);
        }
    }

    #[test]
    fn repeats_and_seeds_differ() {
        let codes: Vec<u32> = (0..100).map(|i| i % 2).collect();
        let tests = |seed| -> Vec<Vec<u32>> {
            let folds = Folds::stratified(&codes, 5, 2, seed).expect("enough examples");
            folds.iter().map(|split| split.test).collect()
        };
        let one = tests(1);
        assert_ne!(one[0], one[5]);
        assert_ne!(one, tests(2));
    }

    #[test]
    fn impossible_plans_are_rejected() {
        let error = |codes: &[u32], folds, repeats| {
            Folds::stratified(codes, folds, repeats, 0).map(|_| ()).expect_err("impossible")
        };
        assert_eq!(error(&[0, 0], 1, 1), SplitError::TooFewFolds(1));
        assert_eq!(error(&[0, 0], 3, 1), SplitError::TooManyFolds { folds: 3, examples: 2 });
        assert_eq!(error(&[], 2, 1), SplitError::TooManyFolds { folds: 2, examples: 0 });
        assert_eq!(error(&[0, 0], 2, 0), SplitError::NoRepeats);
        assert_eq!(
            error(&[0, 0, 1], 2, 1).named(&["a", "b"]).to_string(),
            "class 'b' has 1 example; 2 folds need at least 2; add examples of it or drop it"
        );
        let small = Folds::stratified(&[0, 0, 0, 1, 1], 3, 1, 0).expect("allowed");
        assert_eq!(
            small.warnings(&["a", "b"]),
            ["class 'b' has 2 examples, fewer than the 3 folds; some test folds lack it"]
        );
        assert!(Folds::stratified(&[u32::MAX; 4], 2, 1, 0).is_ok(), "codes need not be small");
    }

    #[test]
    fn folds_are_stable() {
        let codes = [0, 0, 0, 0, 0, 0, 1, 1, 1, 1];
        let folds = Folds::stratified(&codes, 3, 1, 7).expect("enough examples");
        let tests: Vec<Vec<u32>> = folds.iter().map(|split| split.test).collect();
        assert_eq!(tests, KNOWN.map(<[u32]>::to_vec));
    }

    const KNOWN: [&[u32]; 3] = [&[0, 2, 6, 9], &[3, 5, 7], &[1, 4, 8]];
}
