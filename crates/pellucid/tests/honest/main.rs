//! Reported scores agree with scores on new data. For every learner, on noise and on data with a
//! known distribution, the held-out accuracy, AUC and Brier score, their intervals and the
//! probabilities are compared with new data.
//!
//! `cargo xtask test` makes about a hundred small runs, and `--full` ten times as many. `PELLUCID_FULL=1
//! cargo nextest run --package pellucid --test honest --no-capture` prints the table in
//! `docs/numbers.md`.

mod problems;
mod study;

use pellucid::registry::Settings;
use problems::Truth;
use study::{Agreement, Study};

/// Returns the number of runs, which is ten times as large with `--full`.
fn runs(usual: u32) -> u32 {
    if std::env::var_os("PELLUCID_FULL").is_some() { 10 * usual } else { usual }
}

fn check(learner: &str, settings: &Settings, truth: Truth, examples: usize, usual: u32) {
    let runs = runs(usual);
    let study = Study::new(learner, settings, truth, examples, runs);
    let Study { accuracy, auc, brier, ranges } = &study;
    eprintln!(
        "{learner:<8} {:<17} {examples:>4} {runs:>5} {accuracy} {auc} {brier}",
        format!("{truth:?}")
    );
    let name = format!("{learner} on {truth:?}");
    assert_eq!(accuracy.runs, f64::from(runs), "{name}");
    // Class expressions have no scores and no probabilities.
    let scored = if learner == "logic" { 0.0 } else { f64::from(runs) };
    assert_eq!((auc.runs, brier.runs), (scored, scored), "{name}");
    check_figure(&format!("{name}: accuracy"), accuracy, 1.0);
    check_figure(&format!("{name}: AUC"), auc, 1.0);
    // A smaller Brier score is better.
    check_figure(&format!("{name}: Brier score"), brier, -1.0);
    let all: f64 = ranges.iter().map(|range| range.0).sum();
    let off: f64 = ranges.iter().map(|(_, sum, happened)| (sum - happened).abs()).sum();
    // Each run has its own calibration curve, fitted on few examples.
    let allowed = 0.03 + 0.3 / f64::from(runs).sqrt();
    assert!(off <= allowed * all, "{name}: probabilities are off by {:.3} on average", off / all);
}

/// Checks one score. `better` is 1 if a larger score is better, and -1 if a smaller one is.
fn check_figure(name: &str, agreement: &Agreement, better: f64) {
    if agreement.runs == 0.0 {
        return;
    }
    let (excess, error) = agreement.excess();
    // Models of folds are trained on four fifths of the examples, so a score may be slightly
    // pessimistic, but must not be optimistic.
    let bias = better * excess;
    assert!(
        bias < 4.0 * error + 0.01,
        "{name}: optimistic by {bias:.3} (standard error {error:.3})"
    );
    assert!(
        bias > -4.0 * error - 0.05,
        "{name}: pessimistic by {:.3} (standard error {error:.3})",
        -bias
    );
    let tolerance = 4.0 * (0.95 * 0.05 / agreement.runs).sqrt();
    let coverage = agreement.coverage();
    assert!(
        coverage > 0.95 - tolerance,
        "{name}: {:.1} % of the intervals contain the true score",
        100.0 * coverage
    );
}

/// Returns settings that train in a fraction of a second.
fn quick_rules() -> Settings {
    Settings::new().with("most_rules", 8)
}

fn quick_xcs() -> Settings {
    Settings::new().with("iterations", 3000).with("population", 200)
}

fn quick_network() -> Settings {
    Settings::new().with("nodes", 3).with("islands", 3).with("rounds", 12).with("generations", 2)
}

#[test]
fn rules_on_noise() {
    check("rules", &quick_rules(), Truth::Noise, 120, 16);
}

#[test]
fn rules_on_noise_in_groups() {
    check("rules", &quick_rules(), Truth::GroupedNoise(8), 400, 10);
}

/// There are 6,000 rows, but only 100 independent groups.
#[test]
fn rules_on_noise_of_a_hundred_people() {
    check("rules", &quick_rules(), Truth::GroupedNoise(60), 6000, 3);
}

#[test]
fn rules_on_a_known_distribution() {
    check("rules", &quick_rules(), Truth::Known, 150, 12);
}

#[test]
fn lists_on_noise() {
    check("rules", &quick_rules().with("mode", "list"), Truth::Noise, 120, 10);
}

#[test]
fn balanced_rules_on_a_known_distribution() {
    let settings = quick_rules().with("decide", "balanced-accuracy");
    check("rules", &settings, Truth::Known, 150, 8);
}

#[test]
fn xcs_on_noise() {
    check("xcs", &quick_xcs(), Truth::Noise, 120, 12);
}

#[test]
fn xcs_on_a_known_distribution() {
    check("xcs", &quick_xcs(), Truth::Known, 150, 8);
}

#[test]
fn networks_on_noise() {
    check("network", &quick_network(), Truth::Noise, 120, 10);
}

#[test]
fn networks_on_noise_in_groups() {
    check("network", &quick_network(), Truth::GroupedNoise(8), 400, 6);
}

#[test]
fn networks_on_a_known_distribution() {
    check("network", &quick_network(), Truth::Known, 150, 8);
}

#[test]
fn class_expressions_on_noise() {
    check("logic", &Settings::new(), Truth::Noise, 60, 6);
}

#[test]
fn class_expressions_on_a_known_distribution() {
    check("logic", &Settings::new(), Truth::Known, 60, 6);
}
