//! The output of `pellucid predict` for a model that predicts a number.

use super::predict::PredictionOutput;
use anyhow::Result;
use pellucid::learn::digits::significant;
use pellucid::learn::learner::Applied;
use pellucid::learn::metrics::Middle;
use pellucid_terminal::out::{json_line, say};
use serde_json::{Map, Value, json};
use std::io::Write;

/// The significant digits of a prediction error.
const DIGITS: usize = 4;

impl PredictionOutput<'_> {
    /// Prints the number of every example, and metrics where the data has the actual numbers.
    pub(super) fn write_numbers(&self, out: &mut impl Write, baseline: Middle) -> Result<()> {
        let applied = self.predictions.applied();
        let json = self.args.json;
        let (numbers, has_actual) = (predicted_numbers(applied), applied.actual().has_any());
        if !json && !self.args.explain {
            let actual = if has_actual { ",actual" } else { "" };
            writeln!(out, "{},predicted{actual}", self.cell(applied.heading()))?;
        }
        self.write_each(
            out,
            |example| self.number_line(example),
            |out, example| {
                write!(out, "{},{}", self.cell(&applied.name(example)), numbers[example])?;
                match applied.actual().number(example) {
                    Some(actual) => writeln!(out, ",{actual}")?,
                    None => writeln!(out, "{}", if has_actual { "," } else { "" })?,
                }
                Ok(())
            },
        )?;
        let summary = self.predictions.numbers(baseline).map(|decisions| decisions.summary());
        if json {
            let mut line = Map::new();
            line.insert(format!("{}s", self.model.kind().example()), json!(applied.len()));
            if let Some(summary) = &summary {
                line.insert("judged".to_owned(), json!(summary.evaluated));
                let figures = [("r2", summary.r2), ("mae", summary.mae), ("rmse", summary.rmse)];
                for (name, figure) in figures {
                    let value = figure.map(|figure| figure.estimate.value);
                    line.insert(name.to_owned(), json!(value));
                }
                line.insert("summary".to_owned(), json!(summary));
            }
            json_line(out, &Value::Object(line))?;
        }
        out.flush()?;
        if let Some(summary) = summary.filter(|_| !self.args.quiet && !json) {
            say(format_args!("\n{} examples evaluated\n\n{summary}", summary.evaluated));
        }
        Ok(())
    }

    /// Prints one example with a full explanation of its number.
    pub(super) fn explain_number(&self, out: &mut impl Write, example: usize) -> Result<()> {
        self.write_explanation(out, example, |example| self.number_line(example))?;
        if self.args.json {
            return Ok(());
        }
        let applied = self.predictions.applied();
        let predicted = predicted_numbers(applied)[example];
        if let Some(actual) = applied.actual().number(example) {
            let off = significant((predicted - actual).abs(), DIGITS);
            let side = if predicted < actual { "too low" } else { "too high" };
            match predicted == actual {
                true => writeln!(out, "actual: {actual} (equal to the prediction)")?,
                false => writeln!(out, "actual: {actual}; the prediction is {off} {side}")?,
            }
        }
        Ok(())
    }

    fn number_line(&self, example: usize) -> Map<String, Value> {
        let applied = self.predictions.applied();
        let mut line = Map::new();
        line.insert(self.model.kind().example().to_owned(), json!(applied.name(example)));
        line.insert("predicted".to_owned(), json!(predicted_numbers(applied)[example]));
        if let Some(actual) = applied.actual().number(example) {
            line.insert("actual".to_owned(), json!(actual));
        }
        line
    }
}

/// Returns the predicted numbers.
fn predicted_numbers(applied: &dyn Applied) -> &[f64] {
    applied.predicted().numbers().unwrap_or_default()
}
