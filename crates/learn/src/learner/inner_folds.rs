//! How data is split into inner folds: their number, and the strata that every fold has its share of.

use super::Examples;
use crate::split::{Folds, with_rare_classes_joined};
use std::collections::HashSet;

/// The number of inner folds for the held-out estimate and the calibration.
pub const INNER_FOLDS: usize = 5;
/// From this number of units on, fewer folds are enough.
const MANY_UNITS: usize = 5_000;
/// The number of folds for many units.
const FEW_FOLDS: usize = 3;

/// Returns the number of inner folds for some data, at most `wanted`; less than two if there is too
/// little data.
///
/// Examples of one group count once: a hundred people with sixty rows each are a hundred units. With two
/// classes, each fold has units of both. A rare class among several does not reduce the number of folds.
#[must_use]
pub fn inner_folds<D: Examples>(data: &D, wanted: usize) -> usize {
    let wanted = if unit_count(data) >= MANY_UNITS { wanted.min(FEW_FOLDS) } else { wanted };
    if data.numbers().is_some() {
        // Each fold needs at least two units.
        return wanted.min(unit_count(data) / 2);
    }
    let mut units = units_by_class(data, wanted);
    units.sort_unstable();
    units.retain(|&count| count > 0);
    match units[..] {
        [.., second, _] => wanted.min(second),
        [all] => wanted.min(all),
        [] => 0,
    }
}

/// Plans inner folds of some data; `None` if there is too little data.
///
/// A class with a single unit has no share for every fold, so it is assigned together with the largest class.
#[must_use]
pub fn plan_inner_folds<D: Examples>(
    data: &D,
    wanted: usize,
    repeats: usize,
    seed: u64,
) -> Option<Folds> {
    let mut strata = data.strata();
    let units = if data.numbers().is_some() { Vec::new() } else { units_by_class(data, 2) };
    if units.contains(&1) {
        strata = with_rare_classes_joined(&strata, |class| units.get(class as usize) == Some(&1));
    }
    let number = inner_folds(data, wanted);
    Folds::grouped(&strata, data.groups().as_deref(), number, repeats, seed).ok()
}

/// Returns the number of units of each class, at most `most`, because a set of millions is slow.
fn units_by_class<D: Examples>(data: &D, most: usize) -> Vec<usize> {
    let (codes, groups) = (data.codes(), data.groups());
    let unit = |example: u32| {
        groups.as_ref().and_then(|groups| groups.get(example as usize)).copied().unwrap_or(example)
    };
    let mut seen: Vec<HashSet<u32>> = vec![HashSet::new(); data.classes().len()];
    for (example, code) in (0_u32..).zip(&codes) {
        if let Some(seen) = seen.get_mut(*code as usize).filter(|seen| seen.len() < most) {
            seen.insert(unit(example));
        }
    }
    seen.iter().map(HashSet::len).collect()
}

/// Returns the number of independent units: groups if there are any, otherwise examples.
#[must_use]
pub fn unit_count<D: Examples>(data: &D) -> usize {
    match data.groups() {
        Some(groups) => groups.iter().collect::<HashSet<_>>().len(),
        None => data.codes().len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pellucid_data::{ClassTarget, Dataset};

    /// Returns a table whose classes have these numbers of rows, or of groups with two rows each.
    fn table(sizes: &[u32], is_grouped: bool) -> Dataset {
        let rows_of = if is_grouped { 2 } else { 1 };
        let codes: Vec<u32> = (0..)
            .zip(sizes)
            .flat_map(|(class, &size)| std::iter::repeat_n(class, (size * rows_of) as usize))
            .collect();
        let groups = (0..).take(codes.len()).map(|row| row / rows_of).collect();
        let classes = sizes.iter().map(ToString::to_string).collect();
        Dataset {
            rows: codes.len(),
            groups: is_grouped.then_some(groups),
            target: Some(ClassTarget { name: "class".to_owned(), classes, codes }),
            ..Dataset::default()
        }
    }

    #[test]
    fn a_rare_class_among_several_does_not_reduce_the_number_of_folds() {
        let cases: [(&[u32], Option<usize>); 9] = [
            (&[40, 40], Some(5)),
            (&[3, 40], Some(3)),
            (&[0, 3, 40], Some(3)),
            (&[2, 40, 40], Some(5)),
            (&[1, 1, 40, 40], Some(5)),
            (&[2, 4, 40], Some(4)),
            (&[7], Some(5)),
            (&[1, 40], None),
            (&[0, 0], None),
        ];
        for (sizes, folds) in cases {
            for data in [table(sizes, false), table(sizes, true)] {
                let plan = plan_inner_folds(&data, 5, 2, 1);
                assert_eq!(plan.as_ref().map(Folds::folds), folds, "{sizes:?}");
                // Every unit is tested, and all classes with several units are in every training fold.
                let splits: Vec<_> = plan.iter().flat_map(Folds::iter).collect();
                let tested: usize = splits.iter().map(|split| split.test.len()).sum();
                assert_eq!(tested, if folds.is_some() { 2 * data.rows } else { 0 }, "{sizes:?}");
                let codes = data.codes();
                for split in splits.iter().filter(|_| data.groups.is_none()) {
                    let known: HashSet<u32> =
                        split.train.iter().map(|&row| codes[row as usize]).collect();
                    let several = (0..).zip(sizes).filter(|(_, size)| **size > 1);
                    assert!(
                        several.map(|(class, _)| class).all(|class| known.contains(&class)),
                        "{sizes:?}"
                    );
                }
            }
        }
    }
}
