//! The inputs of a formula: scaled numbers, and tables of categories and bins.

use super::rounding::{Decimals, largest_input};
use crate::model::NetworkModel;
use crate::prepare::{Encoding, Input};
use pellucid_data::visible_line;

/// An input with rounded numbers.
pub(super) struct FormulaInput {
    /// The column.
    pub(super) column: String,
    pub(super) kind: InputKind,
}

/// How an input is computed.
pub(super) enum InputKind {
    /// (quantity - middle) / half of the range; 0 if the value is missing. The quantity is the column,
    /// or the time until its date.
    Scaled { quantity: String, middle: String, half_range: String },
    /// A value for each of some cases: the condition and the input.
    Table(Vec<(Case, String)>),
}

/// A case of a table.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Case {
    /// The column has this value.
    Is(String),
    /// The number is above the first and up to the second bound; a bound that is absent is not tested.
    Within(Option<String>, Option<String>),
    /// The value is missing.
    Missing,
    /// Any other value.
    Other,
}

impl FormulaInput {
    /// Returns all inputs of a model.
    pub(super) fn all(model: &NetworkModel, decimals: &Decimals) -> Vec<FormulaInput> {
        let inputs = model.body.preparation.inputs.iter();
        let input = |input: &Input| FormulaInput {
            column: visible_line(&input.column).into_owned(),
            kind: kind(model, input, decimals),
        };
        inputs.map(input).collect()
    }

    /// Returns the number of numbers.
    pub(super) fn numbers(&self) -> usize {
        match &self.kind {
            InputKind::Scaled { .. } => 2,
            InputKind::Table(cases) => cases.len(),
        }
    }
}

fn kind(model: &NetworkModel, input: &Input, decimals: &Decimals) -> InputKind {
    let scale = input.scale(model.body.preparation.clip);
    let value = |number: f64| decimals.input(f64::from(scale.of(number)));
    let missing = |number: f64| (Case::Missing, value(number));
    match &input.encoding {
        Encoding::Number => scaled(model, input, decimals),
        Encoding::Truth => InputKind::Table(vec![
            (Case::Is("yes".to_owned()), value(1.0)),
            (Case::Is("no".to_owned()), value(0.0)),
            (Case::Missing, "0".to_owned()),
        ]),
        Encoding::LogOdds { values, missing: absent }
        | Encoding::Means { values, missing: absent } => {
            let known = values.iter().map(|(word, &number)| {
                (Case::Is(format!("'{}'", visible_line(word))), value(number))
            });
            InputKind::Table(known.chain([missing(*absent), (Case::Other, value(0.0))]).collect())
        }
        Encoding::Steps { cuts, log_odds: values, missing: absent }
        | Encoding::MeanSteps { cuts, means: values, missing: absent } => {
            let bound = |&cut: &f64| bound_text(model, &input.column, cut);
            let bounds: Vec<String> = cuts.iter().map(bound).collect();
            let mut cases: Vec<(Case, String)> = Vec::new();
            for (bin, &number) in values.iter().enumerate() {
                let upper = bounds.get(bin).cloned();
                let own = value(number);
                match cases.last_mut() {
                    // Bins with the same rounded value are one.
                    Some((Case::Within(_, end), last)) if *last == own => *end = upper,
                    _ => {
                        let lower = bin.checked_sub(1).and_then(|before| bounds.get(before));
                        cases.push((Case::Within(lower.cloned(), upper), own));
                    }
                }
            }
            cases.push(missing(*absent));
            InputKind::Table(cases)
        }
    }
}

/// Returns a bound with all its digits; with fewer, rows could move to another bin.
fn bound_text(model: &NetworkModel, column: &str, bound: f64) -> String {
    match model.schema.reading.date(column) {
        Some(format) => format.show(bound),
        None => bound.to_string(),
    }
}

fn scaled(model: &NetworkModel, input: &Input, decimals: &Decimals) -> InputKind {
    let (middle, half_range) = decimals.scale(input, largest_input(model, input));
    let column = visible_line(&input.column);
    let quantity = match model.schema.reading.date(&input.column) {
        Some(format) if format.has_time() => format!("seconds from 1970-01-01 to {column}"),
        Some(_) => format!("days from 1970-01-01 to {column}"),
        None => column.into_owned(),
    };
    InputKind::Scaled { quantity, middle, half_range }
}
