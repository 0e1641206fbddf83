//! The result of a cross-validation as text.

use crate::learn::split::{CrossValidation, Spread};
use std::fmt::Write;

/// The metrics that the table of all held-out predictions shows, so the lines below it leave them out.
const IN_TABLE: [&str; 10] = [
    "accuracy",
    "balanced_accuracy",
    "f1",
    "baseline_f1",
    "train_f1",
    "r2",
    "mae",
    "rmse",
    "baseline_mae",
    "train_mae",
];

/// Returns the metrics over all held-out predictions, then the mean and the deviation over the folds. The
/// text is empty if no fold was finished.
#[must_use]
pub fn text(result: &CrossValidation) -> String {
    let (metrics, evaluated, units) = match (result.summary(), result.number_summary()) {
        (_, Some(summary)) => (summary.to_string(), summary.evaluated, summary.units),
        (Some(summary), None) => (summary.to_string(), summary.evaluated, summary.units),
        (None, None) => return String::new(),
    };
    let folds = result.scores().len();
    let mut text = format!("{folds} folds, {evaluated} held-out predictions");
    if evaluated != units {
        let _ = write!(text, " for {units} independent units");
    }
    let _ = writeln!(text, "\n\n{metrics}");
    if folds > 1 {
        text.push_str("mean ± standard deviation over folds\n");
    }
    let others = result.metrics().into_iter().filter(|name| !IN_TABLE.contains(name));
    for name in ["accuracy", "r2"].into_iter().chain(others) {
        let Some(values) = result.metric(name) else { continue };
        let label = name.replace("train_", "training ").replace("r2", "R²").replace('_', " ");
        let _ = writeln!(text, "{label:<20}{}", mean_and_deviation(&values));
    }
    let _ = writeln!(text, "\n{:<20}{:.2} s", "total time", result.seconds);
    text
}

fn mean_and_deviation(spread: &Spread) -> String {
    match spread.std {
        Some(std) => format!("{:.3} ± {std:.3}", spread.mean),
        None => format!("{:.3}", spread.mean),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cross_validation_without_a_finished_fold_has_no_text() {
        assert_eq!(text(&CrossValidation::new()), "");
    }
}
