//! The rules of a population that a model is selected from.

use crate::compact::{Candidate, WeightedRows};
use crate::conditions::Conditions;
use crate::encode::Encoded;
use crate::generalize::{BalancedClass, generalize};
use crate::train::TableRun;
use pellucid_bits::words;
use pellucid_matching::{Coverage, Test};
use std::collections::HashSet;

/// The maximum number of conditions of a rule whose parts are candidates too.
const MOST_CONDITIONS: usize = 6;

/// Returns the rules that can be selected, each generalized and without duplicates. With more than two
/// classes, a rule has points for all of them, so its class does not matter, and parts of a condition are
/// candidates too: they are true of several classes, which no rule of the population predicts.
pub(crate) fn candidates<C: Conditions>(
    run: &TableRun<'_, C>,
    encoded: &Encoded,
    slots: &[usize],
    rows: Vec<u32>,
    known: WeightedRows<'_>,
    is_late: &dyn Fn() -> bool,
) -> Vec<Candidate> {
    let has_several = encoded.schema.classes.len() > 2;
    let targets = BalancedClass::all(known, encoded.schema.classes.len());
    let level = run.system().matcher.level();
    let mut coverage = Coverage::new(level, &encoded.examples, rows);
    let mut seen = HashSet::new();
    let mut candidates = Vec::with_capacity(slots.len());
    for &slot in slots {
        if is_late() {
            break;
        }
        let class = run.system().rule(pellucid_bits::as_u32(slot)).class;
        let mut tests = run.tests(slot);
        generalize(&mut tests, &targets[class as usize], encoded.examples.domains(), &mut coverage);
        for tests in if has_several { parts(&tests) } else { vec![tests] } {
            if seen.insert((if has_several { 0 } else { class }, tests.clone())) {
                let covered: Vec<u64> =
                    coverage.of(&tests).iter().flat_map(|block| block.0).collect();
                let members = words::members(&covered).map(pellucid_bits::as_u32).collect();
                candidates.push(Candidate { class, slot, tests, members });
            }
        }
    }
    candidates
}

/// Returns the parts of a condition, the whole one included, the shortest first; of a long one only itself.
fn parts(tests: &[Test]) -> Vec<Vec<Test>> {
    if tests.len() > MOST_CONDITIONS {
        return vec![tests.to_vec()];
    }
    let part = |chosen: u32| -> Vec<Test> {
        let places = (0..tests.len()).filter(|place| chosen & (1 << place) != 0);
        places.map(|place| tests[place]).collect()
    };
    let mut all: Vec<Vec<Test>> = (1..1_u32 << tests.len()).map(part).collect();
    all.sort_by_key(Vec::len);
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn parts_are_all_subsets_once(columns in prop::collection::btree_set(0_u32..20, 1..9)) {
            let tests: Vec<Test> = columns.iter().map(|&column| Test::between(column, 1, 2)).collect();
            let found = parts(&tests);
            let distinct: HashSet<&Vec<Test>> = found.iter().collect();
            prop_assert_eq!(distinct.len(), found.len());
            prop_assert_eq!(found.last(), Some(&tests));
            let expected = if tests.len() > MOST_CONDITIONS { 1 } else { (1 << tests.len()) - 1 };
            prop_assert_eq!(found.len(), expected);
            let is_part = |part: &Vec<Test>| part.iter().all(|test| tests.contains(test));
            prop_assert!(found.iter().all(is_part));
        }
    }
}
