//! Groups of examples that are never split.

use super::SplitError;
use crate::rng::Stream;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

/// Groups of examples, and the class counts of each.
#[derive(Clone, Debug)]
pub(super) struct Groups {
    /// The group of each example, numbered from 0 by first appearance.
    of: Vec<u32>,
    /// By group: the number of examples of each class, by the index of the class.
    class_counts: Vec<Vec<(usize, u32)>>,
    /// By class: the total number of examples.
    totals: Vec<f64>,
}

impl Groups {
    /// Creates groups from one number per example.
    pub(super) fn new(
        classes: &BTreeMap<u32, Vec<u32>>,
        numbers: &[u32],
        folds: usize,
    ) -> Result<Groups, SplitError> {
        let mut known: HashMap<u32, u32> = HashMap::new();
        let mut number = |given: u32| {
            let next = u32::try_from(known.len()).unwrap_or(u32::MAX);
            *known.entry(given).or_insert(next)
        };
        let of: Vec<u32> = numbers.iter().map(|&given| number(given)).collect();
        let groups = known.len();
        if folds > groups {
            return Err(SplitError::TooFewGroups { folds, groups });
        }
        let mut counts: Vec<BTreeMap<usize, u32>> = vec![BTreeMap::new(); groups];
        for (class, (code, members)) in classes.iter().enumerate() {
            for &example in members {
                let group = of.get(example as usize).copied().unwrap_or(0);
                *counts[group as usize].entry(class).or_default() += 1;
            }
            if counts.iter().filter(|counts| counts.contains_key(&class)).count() == 1 {
                return Err(SplitError::SingleGroup { class: code.to_string(), folds });
            }
        }
        let class_counts = counts.into_iter().map(|counts| counts.into_iter().collect()).collect();
        let totals = classes.values().map(|members| members.len() as f64).collect();
        Ok(Groups { of, class_counts, totals })
    }

    /// Assigns each example to a fold. The largest groups come first, and each goes to the fold with
    /// the smallest share of its classes. In a tie the smallest fold is used, then the first.
    pub(super) fn assign(&self, folds: usize, stream: &mut Stream) -> Vec<u32> {
        let mut order: Vec<usize> = (0..self.class_counts.len()).collect();
        stream.shuffle(&mut order);
        let size =
            |group: usize| self.class_counts[group].iter().map(|(_, count)| count).sum::<u32>();
        order.sort_by_key(|&group| Reverse(size(group)));
        let mut has = vec![vec![0.0; self.totals.len()]; folds];
        let mut sizes = vec![0_u32; folds];
        let mut fold_of_group = vec![0_u32; self.class_counts.len()];
        for group in order {
            let share = |fold: usize| -> f64 {
                let part = |&(class, count): &(usize, u32)| {
                    f64::from(count) * has[fold][class] / self.totals[class]
                };
                self.class_counts[group].iter().map(part).sum()
            };
            let best = (0..folds).min_by(|&a, &b| {
                share(a).total_cmp(&share(b)).then(sizes[a].cmp(&sizes[b])).then(a.cmp(&b))
            });
            let best = best.unwrap_or(0);
            for &(class, count) in &self.class_counts[group] {
                has[best][class] += f64::from(count);
            }
            sizes[best] += size(group);
            fold_of_group[group] = u32::try_from(best).unwrap_or(u32::MAX);
        }
        self.of.iter().map(|&group| fold_of_group[group as usize]).collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::split::{Folds, SplitError};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn groups_are_never_split_and_every_example_is_tested_once(
            examples in prop::collection::vec((0_u32..3, 0_u32..25), 20..200),
            seed: u64,
        ) {
            let (codes, groups): (Vec<u32>, Vec<u32>) = examples.into_iter().unzip();
            let Ok(folds) = Folds::grouped(&codes, Some(&groups), 4, 2, seed) else { return Ok(()) };
            for repeat in 0..2 {
                let mut tested = vec![0; codes.len()];
                for split in folds.iter().filter(|split| split.repeat == repeat) {
                    for &example in &split.test {
                        tested[example as usize] += 1;
                        let group = groups[example as usize];
                        prop_assert!(split.train.iter().all(|&other| groups[other as usize] != group));
                    }
                }
                prop_assert!(tested.iter().all(|&times| times == 1));
            }
        }
    }

    #[test]
    fn classes_and_sizes_stay_even() {
        // Fifty people with one to five visits; a fifth of them is ill.
        let (mut codes, mut groups) = (Vec::new(), Vec::new());
        for person in 0..50_u32 {
            for _ in 0..1 + person % 5 {
                codes.push(u32::from(person % 5 == 0 || person % 7 == 0));
                groups.push(person);
            }
        }
        let ill = codes.iter().filter(|&&code| code == 1).count() as f64 / codes.len() as f64;
        let folds = Folds::grouped(&codes, Some(&groups), 5, 1, 3).expect("enough groups");
        for split in folds.iter() {
            let own = split.test.iter().filter(|&&e| codes[e as usize] == 1).count() as f64;
            assert!(
                (own / split.test.len() as f64 - ill).abs() < 0.08,
                "{own} of {}",
                split.test.len()
            );
            assert!(
                (26..=34).contains(&split.test.len()),
                "{} of {}",
                split.test.len(),
                codes.len()
            );
        }
    }

    #[test]
    fn impossible_groups_are_rejected() {
        let few = Folds::grouped(&[0, 1, 0, 1], Some(&[7, 7, 9, 9]), 3, 1, 0);
        assert_eq!(few.err(), Some(SplitError::TooFewGroups { folds: 3, groups: 2 }));
        let single = Folds::grouped(&[0, 0, 1, 1, 0], Some(&[1, 2, 3, 3, 1]), 2, 1, 0);
        assert_eq!(single.err(), Some(SplitError::SingleGroup { class: "1".into(), folds: 2 }));
        let many = Folds::stratified(&[0, 1, 0, 1], 2, usize::MAX, 0);
        assert!(matches!(many, Err(SplitError::TooManySplits { .. })), "{many:?}");
        let largest = Folds::stratified(&[0, 1, 0, 1], 4, 1_000_000_000, 0).expect("only planned");
        assert_eq!(largest.split(3_999_999_999).repeat, 999_999_999);
    }
}
