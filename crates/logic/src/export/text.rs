//! A model as a page for people.

use crate::learn::{Model, SavedAnswer};
use pellucid_learn::metrics::{Confusion, Metric};
use std::fmt::Write;

/// The answers, the best first, each with what it covers and how good that is; the trivial ones beside them.
#[must_use]
pub fn text(model: &Model) -> String {
    let found = &model.model;
    let problem = match found.problem.as_str() {
        "" => String::new(),
        name => format!(" of '{name}'"),
    };
    // A string takes whatever is written into it.
    let mut page = String::new();
    let _ = writeln!(
        page,
        "{} positive and {} negative examples{problem} in '{}'\n",
        found.positives, found.negatives, found.ontology
    );
    let scores = |answer: &SavedAnswer| {
        let (positives, negatives) = (found.positives, found.negatives);
        let counts =
            Confusion::from_covered(answer.positive, answer.negative, positives, negatives);
        (Metric::F1.of(&counts), 100.0 * counts.accuracy())
    };
    if let Some(best) = found.answers.first() {
        let (f1, accuracy) = scores(best);
        let _ = writeln!(page, "{}", best.expression);
        let _ = writeln!(
            page,
            "    covers {} of {} positive and {} of {} negative: F1 {f1:.3}, accuracy {accuracy:.1} %",
            best.positive, found.positives, best.negative, found.negatives
        );
    }
    let _ = writeln!(
        page,
        "    trivial: everybody has F1 {:.3}, the more common side accuracy {:.1} %",
        found.baseline.f1,
        100.0 * found.baseline.accuracy
    );
    if found.answers.len() > 1 {
        let _ = writeln!(page, "\nalso found\n  pos  neg     F1  accuracy");
    }
    for answer in found.answers.iter().skip(1) {
        let (f1, accuracy) = scores(answer);
        let _ = writeln!(
            page,
            "{:>5}{:>5}  {f1:.3}  {accuracy:>6.1} %  {}",
            answer.positive, answer.negative, answer.expression
        );
    }
    page
}
