//! What rules cover in test folds agrees with the folds in which they were found, and with the data.

use crate::cases::{learned, noisy, plain_machine, small};
use pellucid_data::Dataset;
use pellucid_learn::learner::Examples;
use pellucid_rules::params::Mode;

fn check(data: &Dataset, mode: Mode) {
    let found = learned(data, small(mode, 0), &plain_machine()).unwrap();
    let coverage = found.out_of_fold.expect("scores").coverage;
    let rules = &found.model.body.rules;
    assert_eq!(coverage.len(), rules.len());
    assert!(!rules.is_empty());
    let mut classes = vec![0_u64; 2];
    Examples::codes(data).iter().for_each(|&code| classes[code as usize] += 1);
    for (rule, own) in rules.iter().zip(&coverage) {
        let (own, found) =
            (own.as_ref().expect("a rule of the path"), rule.found_in.expect("folds"));
        // The order of the rules is the same, and so are their folds.
        assert_eq!((own.folds, own.of), (found.folds as usize, found.of as usize));
        assert!(own.covered.iter().zip(&own.examples).all(|(covered, all)| covered <= all));
        if own.folds == own.of {
            // Every example is in one test fold of each repetition.
            let repeats = own.examples[0] / classes[0];
            assert!(repeats > 0);
            let all: Vec<u64> = classes.iter().map(|count| repeats * count).collect();
            assert_eq!(own.examples, all);
            // Rules of the folds are like those of the model, so they cover about as much.
            let share = |part: &[u64], whole: &[u64]| {
                part.iter().sum::<u64>() as f64 / whole.iter().sum::<u64>() as f64
            };
            let (trained, held) =
                (share(&rule.covered, &classes), share(&own.covered, &own.examples));
            assert!((trained - held).abs() < 0.2, "{rule:?}: {own:?}");
        }
    }
    let always = coverage.iter().flatten().filter(|own| own.folds == own.of).count();
    assert!(always > 0, "no rule is found in every fold");
}

#[test]
fn rules_and_their_test_folds_agree() {
    for has_bags in [false, true] {
        for mode in [Mode::Default, Mode::Scorecard] {
            check(&noisy(3, has_bags), mode);
        }
    }
}

#[test]
fn lists_have_no_coverage_of_test_folds() {
    let found = learned(&noisy(3, false), small(Mode::List, 0), &plain_machine()).unwrap();
    assert!(found.out_of_fold.is_none_or(|scores| scores.coverage.is_empty()));
}
