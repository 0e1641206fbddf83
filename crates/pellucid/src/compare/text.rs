//! A comparison as text.

use super::{ComparedAnswer, Comparison, Disagreement};
use crate::learn::digits::{grouped, percent, significant};
use crate::learn::metrics::{Estimate, PairedFigure, PairedSummary};
use pellucid_data::{shorten, visible_line};
use std::fmt::Write as _;

/// A difference that is more likely than this by chance may be chance.
const LEVEL: f64 = 0.05;

impl Comparison {
    /// Returns the comparison as text, with at most `limit` of the examples on which the models disagree.
    #[must_use]
    pub fn text(&self, limit: usize) -> String {
        let mut text = String::new();
        for (letter, model) in ["A", "B"].iter().zip(&self.models) {
            let _ = writeln!(text, "{letter}: {} ({})", shown(&model.name), model.learner);
        }
        let noun = self.noun();
        let _ = writeln!(
            text,
            "Both predict {} for {} {noun}{}.\n",
            shown(&self.target),
            grouped(self.examples as u64),
            if self.examples == 1 { "" } else { "s" },
        );
        match &self.summary {
            Some(summary) => text += &self.figures(summary),
            None => text += "The data has no actual values, so there are no figures.\n\n",
        }
        text += &self.listed(limit);
        text
    }

    fn figures(&self, summary: &PairedSummary) -> String {
        let mut text = format!(
            "{:<24}{:<26}{:<26}{:<30}p-value\n",
            "", "A (95 % interval)", "B (95 % interval)", "B - A (95 % interval)"
        );
        for figure in &summary.figures {
            let digits = |number: f64| value_text(figure, number);
            let interval = |of: &Estimate, value: String| {
                format!("{value} ({} to {})", digits(of.low), digits(of.high))
            };
            let difference = &figure.difference;
            let sign = if difference.value > 0.0 { "+" } else { "" };
            let _ = writeln!(
                text,
                "{:<24}{:<26}{:<26}{:<30}{}",
                figure.name,
                interval(&figure.a, digits(figure.a.value)),
                interval(&figure.b, digits(figure.b.value)),
                interval(difference, format!("{sign}{}", digits(difference.value))),
                p_text(figure.p),
            );
        }
        text.push('\n');
        for sentence in self.sentences(summary) {
            text += &sentence;
            text.push('\n');
        }
        text.push('\n');
        text
    }

    /// Returns what the figures mean.
    pub(super) fn sentences(&self, summary: &PairedSummary) -> Vec<String> {
        let mut sentences = Vec::new();
        if let Some(correct) = &summary.correct {
            let [both, a, b, neither] =
                [correct.both, correct.only_a, correct.only_b, correct.neither].map(grouped);
            sentences.push(format!(
                "Both are right for {both}, only A for {a}, only B for {b}, neither for {neither}."
            ));
        }
        let main = summary.figure("accuracy").or_else(|| summary.figure("mae"));
        if let Some(figure) = main {
            sentences.push(verdict(figure));
        }
        for (letter, model) in ["A", "B"].iter().zip(&self.models) {
            if model.looks_like_training {
                sentences.push(format!(
                    "The data has as many {}s of each class as the training data of {letter}. If it is the \
                     training data, the figures of {letter} are too good.",
                    self.noun()
                ));
            }
        }
        sentences
    }

    fn listed(&self, limit: usize) -> String {
        let noun = self.noun();
        let (differing, all) = (self.differing as u64, self.examples as u64);
        if differing == 0 {
            return format!("The models agree on all {} {noun}s.\n", grouped(all));
        }
        #[expect(clippy::cast_precision_loss, reason = "counts of examples")]
        let share = percent(differing as f64 / all.max(1) as f64);
        let mut text = format!(
            "The predictions differ for {} of {} {noun}s ({share}).",
            grouped(differing),
            grouped(all)
        );
        let listed = &self.disagreements[..limit.min(self.disagreements.len())];
        if listed.is_empty() {
            return text + "\n";
        }
        if listed.len() < self.disagreements.len() {
            let _ = write!(text, " The {} largest differences:", listed.len());
        }
        text.push_str("\n\n");
        let mut rows = vec![[self.heading.clone(), "actual".into(), "A".into(), "B".into()]];
        rows.extend(listed.iter().map(cells));
        text + &aligned(&rows)
    }
}

/// Returns the row of an example.
fn cells(one: &Disagreement) -> [String; 4] {
    let answer = |answer: &ComparedAnswer| match answer {
        ComparedAnswer::Number(number) => significant(*number, 6),
        ComparedAnswer::Class(class, None) => shown(class),
        ComparedAnswer::Class(class, Some(share)) => {
            format!("{} ({})", shown(class), percent(*share))
        }
    };
    let actual = one.actual.as_ref().map_or_else(|| "-".to_owned(), |actual| shown(actual));
    [shown(&one.example), actual, answer(&one.answers[0]), answer(&one.answers[1])]
}

/// Returns rows with aligned columns.
pub(crate) fn aligned<const N: usize>(rows: &[[String; N]]) -> String {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
    let widths: Vec<usize> = (0..N).map(|column| width(column).unwrap_or(0)).collect();
    let mut text = String::new();
    for row in rows {
        let cells = row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:<width$}"));
        let line: Vec<String> = cells.collect();
        text += line.join("  ").trim_end();
        text.push('\n');
    }
    text
}

/// Returns a name on one line.
pub(crate) fn shown(name: &str) -> String {
    shorten(&visible_line(name)).into()
}

/// Returns a figure with three decimals, or four digits if it has the unit of the target.
fn value_text(figure: &PairedFigure, number: f64) -> String {
    match figure.key {
        "mae" | "rmse" => significant(number, 4),
        // Adding 0 turns -0 into 0.
        _ => format!("{:.3}", (number * 1000.0).round() / 1000.0 + 0.0),
    }
}

/// Returns a p-value.
pub(crate) fn p_text(p: f64) -> String {
    if p < 0.001 { "< 0.001".to_owned() } else { format!("{p:.3}") }
}

/// Returns which model is better, and whether that may be chance.
fn verdict(figure: &PairedFigure) -> String {
    let difference = figure.difference.value;
    let test = match figure.key {
        "accuracy" => "McNemar's exact test",
        _ => "Student's test of the paired differences",
    };
    let name = match figure.key {
        "accuracy" => "accuracy",
        _ => "mean absolute error",
    };
    if difference == 0.0 {
        return format!("Both have the same {name}.");
    }
    let better = if (difference > 0.0) == figure.higher_is_better { "B" } else { "A" };
    let p = match figure.p {
        p if p < 0.001 => "p < 0.001".to_owned(),
        p => format!("p = {p:.3}"),
    };
    let comparative = if figure.higher_is_better { "higher" } else { "lower" };
    match figure.p < LEVEL {
        true => format!("{better} has the {comparative} {name} ({test}, {p})."),
        false => format!(
            "{better} has the {comparative} {name}, but the difference may be chance ({test}, {p})."
        ),
    }
}
