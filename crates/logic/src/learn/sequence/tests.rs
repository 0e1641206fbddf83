use super::nominee::{Comparison, Nominee};
use super::preferred::is_clearly_better;
use super::stages::{Stage, comparison_splits, stages};
use crate::learn::{LearningTask, Method};
use pellucid_learn::metrics::Metric;
use proptest::prelude::*;

/// A task with these numbers of examples, and its comparison.
fn comparison(positives: u32, negatives: u32, seed: u64) -> Comparison {
    let positive = (0..positives).collect();
    let negative = (positives..positives + negatives).collect();
    let task = LearningTask::of("x".to_owned(), positive, negative);
    let splits = comparison_splits(&task, seed);
    Comparison::new(&task, splits)
}

/// A nominee that covers the test examples for which a function is true.
fn nominee(
    comparison: &Comparison,
    method: Method,
    is_covered: impl Fn(usize, u32) -> bool,
) -> Nominee {
    let covered = comparison.splits.iter().enumerate().map(|(split, of)| {
        of.test.iter().copied().filter(|&example| is_covered(split, example)).collect()
    });
    let covered = covered.collect();
    Nominee { method, text: method.to_string(), length: 1, quality: 0.5, covered }
}

#[test]
fn the_other_methods_run_on_every_training_fold() {
    let all = stages(Method::Auto, 5);
    assert_eq!(all.len(), 3 + 5 * 2);
    assert!(all[..3].iter().all(|stage| stage.split.is_none()));
    let split =
        |method| all.iter().filter(move |stage| stage.method == method && stage.split.is_some());
    assert_eq!((split(Method::Refine).count(), split(Method::Evolve).count()), (5, 5));
    assert_eq!(stages(Method::Refine, 5), [Stage { method: Method::Refine, split: None }]);
}

proptest! {
    #[test]
    fn the_choice_for_a_split_does_not_depend_on_its_labels(
        positives in 5u32..40,
        negatives in 5u32..40,
        seed in any::<u64>(),
        drawn in any::<u64>(),
        which in 0usize..5,
    ) {
        let comparison = comparison(positives, negatives, seed);
        let bit = |example: u32, shift: u32| drawn.rotate_left(example * 7 + shift) & 1 == 1;
        let one = nominee(&comparison, Method::Instant, |_, example| bit(example, 0));
        let other = nominee(&comparison, Method::Evolve, |_, example| bit(example, 3));
        let chosen = |nominees: &[Nominee]| -> Method {
            comparison.choices(nominees, Metric::Accuracy).expect("complete")[which].method
        };
        let before = chosen(&[one.clone(), other.clone()]);
        // The answers of the one become right in this split, and those of the other become wrong.
        let (mut better, mut worse) = (one, other);
        let test = &comparison.splits[which].test;
        better.covered[which] = test.iter().copied().filter(|&one| one < positives).collect();
        worse.covered[which] = test.iter().copied().filter(|&one| one >= positives).collect();
        prop_assert_eq!(chosen(&[better, worse]), before);
    }

    #[test]
    fn a_flawless_nominee_ranks_first(
        positives in 5u32..40,
        negatives in 5u32..40,
        seed in any::<u64>(),
        wrong in any::<prop::sample::Index>(),
    ) {
        let comparison = comparison(positives, negatives, seed);
        let wrong = u32::try_from(wrong.index((positives + negatives) as usize)).expect("few");
        let right = nominee(&comparison, Method::Evolve, |_, example| example < positives);
        let flawed = nominee(&comparison, Method::Refine, |_, example| {
            (example < positives) != (example == wrong)
        });
        prop_assert!(comparison.is_flawless(&right) && !comparison.is_flawless(&flawed));
        let all: Vec<usize> = (0..comparison.splits.len()).collect();
        for measure in [Metric::Accuracy, Metric::F1, Metric::Mcc] {
            let both = [flawed.clone(), right.clone()];
            let ranked = comparison.ranked(&both, &all, measure);
            prop_assert_eq!(ranked[0].0.method, Method::Evolve);
            let held_out = ranked[1].1.expect("it is complete");
            prop_assert_eq!(held_out.positives + held_out.negatives, u64::from(positives + negatives));
        }
    }
}

proptest! {
    #[test]
    fn evolve_ranks_first_unless_another_method_is_better_on_average(
        positives in 10u32..40,
        negatives in 10u32..40,
        seed in any::<u64>(),
        wrong in 1usize..5,
    ) {
        // Refine makes errors only in the first fold; evolve makes the same ones and some in other folds.
        let comparison = comparison(positives, negatives, seed);
        let right = |example| example < positives;
        let refine = nominee(&comparison, Method::Refine, |split, example| split != 0 && right(example));
        let evolve =
            nominee(&comparison, Method::Evolve, |split, example| split > wrong && right(example));
        let all: Vec<usize> = (0..comparison.splits.len()).collect();
        for metric in [Metric::Accuracy, Metric::F1] {
            let first = |nominees: &[Nominee]| comparison.ranked(nominees, &all, metric)[0].0.method;
            prop_assert_eq!(first(&[evolve.clone(), refine.clone()]), Method::Refine);
            // A method that is better in one fold only by as much as it is worse in another.
            let instant = nominee(&comparison, Method::Instant, |split, example| {
                if split == 0 { right(example) } else { split != wrong && right(example) }
            });
            let evolve = Nominee { method: Method::Evolve, ..refine.clone() };
            prop_assert_eq!(first(&[instant, evolve]), Method::Evolve);
        }
    }
}

#[test]
fn a_method_is_clearly_better_beyond_half_a_standard_error() {
    let shifted = |mean: f64| [mean - 1.0, mean + 1.0, mean - 1.0, mean + 1.0, mean];
    assert!(!is_clearly_better(&shifted(0.0)) && !is_clearly_better(&shifted(-1.0)));
    let standard_error = (4.0f64 / 4.0 / 5.0).sqrt();
    assert!(!is_clearly_better(&shifted(0.49 * standard_error)));
    assert!(is_clearly_better(&shifted(0.51 * standard_error)));
    assert!(is_clearly_better(&[0.0; 5]), "equal methods keep their order");
    assert!(is_clearly_better(&[0.1; 5]) && !is_clearly_better(&[-0.1; 5]));
}

#[test]
fn without_a_comparison_the_quality_on_all_examples_decides() {
    let comparison = comparison(4, 40, 1);
    let nominee = |method, length, quality| Nominee {
        length,
        quality,
        ..nominee(&comparison, method, |_, _| false)
    };
    let short = nominee(Method::Instant, 3, 0.9);
    let right = nominee(Method::Refine, 5, 1.0);
    let long = nominee(Method::Evolve, 9, 1.0);
    let all = [short, long, right];
    let ranked = comparison.ranked(&all, &[], Metric::Accuracy);
    let order: Vec<Method> = ranked.iter().map(|(nominee, _)| nominee.method).collect();
    assert_eq!(order, [Method::Refine, Method::Evolve, Method::Instant]);
}

#[test]
fn incomplete_and_forged_nominees_are_recognized() {
    let comparison = comparison(10, 12, 3);
    let whole = nominee(&comparison, Method::Refine, |_, example| example % 2 == 0);
    let mut part = nominee(&comparison, Method::Evolve, |_, example| example < 10);
    part.covered.pop();
    assert!(comparison.are_possible(&whole) && comparison.are_possible(&part));
    let both = [part.clone(), whole.clone()];
    let ranked = comparison.ranked(&both, &[0, 1, 2, 3, 4], Metric::Accuracy);
    assert_eq!(ranked[0].0.method, Method::Refine, "only it was judged on every split");
    assert!(ranked[1].1.is_none());
    assert!(comparison.choices(&both, Metric::Accuracy).is_none());
    let mut forged = whole.clone();
    forged.covered[0] = vec![comparison.splits[1].test[0]];
    assert!(!comparison.are_possible(&forged), "an example of another split");
    forged.covered[0] = vec![7, 7];
    assert!(!comparison.are_possible(&forged), "an example twice");
    forged.covered = vec![Vec::new(); 6];
    assert!(!comparison.are_possible(&forged), "more splits than there are");
}
