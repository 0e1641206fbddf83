//! A monitoring as text.

use super::{Monitoring, NamedDrift, QualityChange};
use crate::compare::{aligned, p_text, shown};
use crate::learn::digits::{grouped, percent, significant};
use crate::learn::metrics::Estimate;
use crate::learn::profile::{BinCounts, Severity};
use crate::learn::suggest::listed;
use std::fmt::{self, Display, Formatter};

/// The most columns that are named in a sentence.
const MOST_NAMED: usize = 8;

impl Monitoring {
    /// Returns the findings in sentences.
    #[must_use]
    pub fn sentences(&self) -> Vec<String> {
        let mut sentences = vec![self.column_sentence()];
        if let Some(predictions) = &self.predictions {
            sentences.push(match predictions.severity() {
                Severity::Stable => "The predictions are stable.".to_owned(),
                _ if predictions.change.is_empty() => "The predictions drift.".to_owned(),
                _ => format!("The predictions drift ({}).", predictions.change),
            });
        }
        if let Some(actual) = self.actual.as_ref().filter(|one| one.severity() > Severity::Stable) {
            sentences.push(format!("The actual values drift ({}).", actual.change));
        }
        let main = self.quality.iter().find(|one| one.key == "accuracy" || one.key == "mae");
        if let Some((one, better)) = main.map(|one| (one, one.is_better())) {
            let than = match &self.reference {
                Some(name) => format!("on {}", shown(name)),
                None => "on held-out training data".to_owned(),
            };
            let (new, old) = (sentence_value(one, one.new.value), one.reference);
            let old = old.map_or_else(String::new, |old| sentence_value(one, old.value));
            sentences.push(match better {
                _ if old.is_empty() => format!("The {} is {new}.", one.name()),
                Some(true) => {
                    format!("The {} is better than {than}: {new}, was {old}.", one.name())
                }
                Some(false) => {
                    format!("The {} is worse than {than}: {new}, was {old}.", one.name())
                }
                None => {
                    format!("The {} is {new}, similar to that {than} ({old}).", one.name())
                }
            });
        }
        sentences
    }

    fn column_sentence(&self) -> String {
        let names: Vec<String> =
            self.drifting().map(|column| shown(&column.distribution.name)).collect();
        let all = grouped(self.columns.len() as u64);
        match names.len() {
            0 => format!("No drift in {all} columns."),
            1 => format!("1 of {all} columns drifts: {}.", names[0]),
            count => {
                let named = listed(names.iter().map(String::as_str), MOST_NAMED);
                format!("{count} of {all} columns drift: {named}.")
            }
        }
    }

    fn drift_table(&self) -> String {
        let mut rows =
            vec![["column", "PSI", "test", "p-value", "missing", "change", ""].map(str::to_owned)];
        rows.extend(self.columns.iter().map(cells));
        aligned(&rows)
    }

    fn quality_table(&self) -> String {
        let old = if self.reference.is_some() { "reference" } else { "training, held-out" };
        let mut rows = vec![["figure", "new data", old, "difference", ""].map(str::to_owned)];
        for one in &self.quality {
            let interval = |of: Estimate| {
                let text = |number| value_text(one, number);
                format!("{} ({} to {})", text(of.value), text(of.low), text(of.high))
            };
            let verdict = match one.is_better() {
                Some(true) => "better",
                Some(false) => "worse",
                None => "",
            };
            rows.push([
                one.name().to_owned(),
                interval(one.new),
                one.reference.map_or_else(|| "-".to_owned(), interval),
                one.difference().map_or_else(|| "-".to_owned(), interval),
                verdict.to_owned(),
            ]);
        }
        aligned(&rows)
    }
}

impl Display for Monitoring {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let rows = grouped(self.rows as u64);
        let reference_rows = grouped(self.reference_rows);
        let reference = match &self.reference {
            Some(name) => format!("{} ({reference_rows} rows)", shown(name)),
            None => format!("the training data of {} ({reference_rows} rows)", shown(&self.model)),
        };
        writeln!(out, "{} ({rows} rows), compared with {reference}.", shown(&self.data))?;
        for sentence in self.sentences() {
            writeln!(out, "{sentence}")?;
        }
        writeln!(out, "\nColumns\n{}", self.drift_table())?;
        let others: Vec<&NamedDrift> = self.predictions.iter().chain(&self.actual).collect();
        if !others.is_empty() {
            let mut rows =
                vec![["", "PSI", "test", "p-value", "missing", "change", ""].map(str::to_owned)];
            rows.extend(others.into_iter().map(cells));
            writeln!(out, "Predictions and actual values\n{}", aligned(&rows))?;
        }
        if !self.quality.is_empty() {
            let evaluated = grouped(self.evaluated as u64);
            writeln!(out, "Quality ({evaluated} rows with an actual value, 95 % intervals)")?;
            writeln!(out, "{}", self.quality_table())?;
        }
        if !self.skipped.is_empty() {
            let names = listed(self.skipped.iter().map(String::as_str), MOST_NAMED);
            writeln!(
                out,
                "Not compared, because the reference has no profile of them: {names}.\n"
            )?;
        }
        for unseen in &self.unseen {
            writeln!(out, "warning: {unseen}")?;
        }
        writeln!(
            out,
            "PSI is the population stability index: below 0.1 stable, 0.1 to 0.25 some drift, above 0.25 \
             drift.\n\
             A difference whose p-value is at least 0.01 is not called drift."
        )
    }
}

/// Returns the row of a drift.
fn cells(one: &NamedDrift) -> [String; 7] {
    let drift = &one.drift;
    let missing = |counts: &BinCounts| {
        #[expect(clippy::cast_precision_loss, reason = "counts of rows")]
        percent(counts.missing as f64 / counts.total().max(1) as f64)
    };
    let missing = match (drift.reference.missing, drift.new.missing) {
        (0, 0) => "-".to_owned(),
        _ => format!("{} to {}", missing(&drift.reference), missing(&drift.new)),
    };
    let test = match drift.result {
        Some(result) => format!("{} {}", drift.test.name(), significant(result.statistic, 3)),
        None => "-".to_owned(),
    };
    [
        shown(&one.distribution.name),
        format!("{:.3}", drift.psi),
        test,
        drift.result.map_or_else(|| "-".to_owned(), |result| p_text(result.p)),
        missing,
        if one.change.is_empty() { "-".to_owned() } else { one.change.clone() },
        one.severity().name().to_owned(),
    ]
}

/// Returns a metric for a sentence: an accuracy in percent.
fn sentence_value(one: &QualityChange, number: f64) -> String {
    match one.key.as_str() {
        "accuracy" => percent(number),
        _ => value_text(one, number),
    }
}

/// Returns a metric with three decimals, or four digits if it has the unit of the target.
fn value_text(one: &QualityChange, number: f64) -> String {
    match one.key.as_str() {
        "mae" | "rmse" => significant(number, 4),
        _ => format!("{:.3}", (number * 1000.0).round() / 1000.0 + 0.0),
    }
}
