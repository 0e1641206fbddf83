use super::super::{Decision, NumberDecision, NumberDecisions};
use super::*;
use crate::rng::Streams;

/// Returns the decisions about two classes of a model that ranks by these scores.
fn ranked(scores: &[f64], labels: &[bool]) -> Decisions {
    let mut decisions = Decisions::new(vec!["no".into(), "yes".into()]);
    for ((unit, &score), &label) in (0..).zip(scores).zip(labels) {
        let decision = Decision {
            unit,
            model: 0,
            actual: u32::from(label),
            predicted: u32::from(score > 0.5),
        };
        decisions.push(decision, Backing::Probabilities(&[1.0 - score, score]));
    }
    decisions
}

/// Returns scores of two models that share half of their signal, and the labels.
fn scores(seed: u64, count: usize, gap: f64) -> (Vec<f64>, Vec<f64>, Vec<bool>) {
    let mut stream = Streams::new(seed).stream(&[]);
    let labels: Vec<bool> = (0..count).map(|_| stream.chance(0.4)).collect();
    let (mut one, mut other) = (Vec::new(), Vec::new());
    for &label in &labels {
        let common = stream.normal();
        let mut score = |shift: f64| {
            let raw = common + stream.normal() + if label { shift } else { 0.0 };
            1.0 / (1.0 + (-raw).exp())
        };
        one.push(score(1.0));
        other.push(score(1.0 + gap));
    }
    (one, other, labels)
}

#[test]
fn the_interval_of_the_accuracy_is_newcombes() {
    // Computed independently from the formulas of Newcombe (1998), method 10.
    let counts = CorrectCounts { both: 20, only_a: 2, only_b: 12, neither: 16 };
    let Estimate { value, low, high } = proportions::paired_difference(&counts);
    assert!((value - 0.2).abs() < 1e-12);
    assert!((low - 0.0562).abs() < 5e-4 && (high - 0.3290).abs() < 5e-4, "{low} {high}");
    let none = CorrectCounts { both: 30, only_a: 0, only_b: 0, neither: 0 };
    let Estimate { value, low, high } = proportions::paired_difference(&none);
    assert!(value == 0.0 && low < 0.0 && high > 0.0, "{low} {high}");
}

#[test]
fn the_test_of_the_auc_is_delongs() {
    let a = [0.9, 0.8, 0.3, 0.6, 0.4, 0.2, 0.55, 0.1];
    let b = [0.7, 0.4, 0.6, 0.8, 0.5, 0.3, 0.2, 0.1];
    let labels = [true, true, true, true, false, false, false, false];
    let pair =
        PairedSummary::of_classes(&ranked(&a, &labels), &ranked(&b, &labels)).expect("a pair");
    let auc = pair.figure("auc").expect("both classes occur");
    // By hand: placements of DeLong with denominators 3.
    let placements = |scores: &[f64]| -> (Vec<f64>, Vec<f64>) {
        let beats = |one: usize, other: usize| f64::from(u8::from(scores[one] > scores[other]));
        let of_positive =
            (0..4).map(|one| (4..8).map(|other| beats(one, other)).sum::<f64>() / 4.0);
        let of_negative =
            (4..8).map(|other| (0..4).map(|one| beats(one, other)).sum::<f64>() / 4.0);
        (of_positive.collect(), of_negative.collect())
    };
    let ((one, two), (three, four)) = (placements(&a), placements(&b));
    let variance = |one: &[f64], other: &[f64]| {
        let gaps: Vec<f64> = one.iter().zip(other).map(|(one, other)| other - one).collect();
        let mean = gaps.iter().sum::<f64>() / 4.0;
        gaps.iter().map(|gap| (gap - mean).powi(2)).sum::<f64>() / 3.0 / 4.0
    };
    let error = (variance(&one, &three) + variance(&two, &four)).sqrt();
    let Estimate { value, low, .. } = auc.difference;
    assert!((value - (auc.b.value - auc.a.value)).abs() < 1e-12);
    assert!(((value - low) / super::super::estimate::Z - error).abs() < 1e-12);
    assert!((auc.p - normal_tails(value / error)).abs() < 1e-12);
}

#[test]
fn intervals_cover_the_true_difference_and_tests_keep_their_level() {
    let keys = ["accuracy", "balanced_accuracy", "auc", "f1", "brier", "log_loss"];
    let mut rejected = vec![0; keys.len()];
    let runs = 200;
    for seed in 0..runs {
        let (a, b, labels) = scores(seed, 150, 0.0);
        let pair = PairedSummary::of_classes(&ranked(&a, &labels), &ranked(&b, &labels));
        let pair = pair.expect("a pair");
        for (count, key) in rejected.iter_mut().zip(keys) {
            let figure = pair.figure(key).expect("every figure");
            let outside = figure.difference.low > 0.0 || figure.difference.high < 0.0;
            *count += u32::from(outside);
            let is_normal = key != "accuracy";
            assert!(!is_normal || outside == (figure.p < 0.05), "{key}: {figure:?}");
        }
    }
    // 5 % of 200 are 10; more than 22 has a probability below 0.001.
    assert!(rejected.iter().all(|&count| count <= 22), "{keys:?} {rejected:?}");
}

#[test]
fn a_better_model_is_found() {
    let (a, b, labels) = scores(3, 2000, 1.0);
    let pair =
        PairedSummary::of_classes(&ranked(&a, &labels), &ranked(&b, &labels)).expect("a pair");
    for figure in &pair.figures {
        let is_better = (figure.difference.value > 0.0) == figure.higher_is_better;
        assert!(is_better && figure.p < 0.01, "{figure:?}");
        assert!(figure.difference.low <= figure.difference.value);
    }
    let CorrectCounts { both, only_a, only_b, neither } = pair.correct.expect("classes");
    assert_eq!(both + only_a + only_b + neither, 2000);
}

#[test]
fn a_model_does_not_differ_from_itself() {
    let (a, _, labels) = scores(5, 60, 0.0);
    let one = ranked(&a, &labels);
    let pair = PairedSummary::of_classes(&one, &one).expect("a pair");
    assert!(pair.figures.iter().all(|figure| figure.p == 1.0 && figure.difference.value == 0.0));
}

#[test]
fn other_examples_are_not_compared() {
    let (a, _, labels) = scores(5, 60, 0.0);
    let one = ranked(&a, &labels);
    let flipped: Vec<bool> = labels.iter().map(|label| !label).collect();
    assert_eq!(PairedSummary::of_classes(&one, &ranked(&a, &flipped)), None);
    assert_eq!(PairedSummary::of_classes(&one, &ranked(&a[1..], &labels[1..])), None);
}

#[test]
fn numbers_are_compared_by_their_errors() {
    let mut stream = Streams::new(1).stream(&[]);
    let (mut a, mut b) = (NumberDecisions::default(), NumberDecisions::default());
    for unit in 0..300 {
        let actual = stream.normal() * 10.0;
        let baseline = super::super::Middle { mean: 0.0, median: 0.0 };
        let mut push = |to: &mut NumberDecisions, error: f64| {
            let predicted = actual + error * stream.normal();
            to.push(NumberDecision { unit, actual, predicted, baseline });
        };
        push(&mut a, 4.0);
        push(&mut b, 2.0);
    }
    let pair = PairedSummary::of_numbers(&a, &b).expect("a pair");
    let keys: Vec<&str> = pair.figures.iter().map(|figure| figure.key).collect();
    assert_eq!(keys, ["r2", "mae", "rmse"]);
    for figure in &pair.figures {
        let Estimate { value, low, high } = figure.difference;
        assert!((value - (figure.b.value - figure.a.value)).abs() < 1e-9);
        assert!(low < value && value < high && figure.p < 1e-6, "{figure:?}");
        assert_eq!(value > 0.0, figure.higher_is_better, "{figure:?}");
    }
}
