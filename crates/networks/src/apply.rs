//! A model on data: the score of each row, and why.

use crate::effects::inputs_of;
use crate::error::NetworkError;
use crate::model::NetworkModel;
use pellucid_data::{Dataset, MISSING, Values};
use pellucid_device::Machine;
use pellucid_learn::learner::{Actual, Applied, BoxError, Explanation};
use pellucid_ruleset::conform::conform;
use serde_json::json;
use std::fmt::Write as _;

/// Columns that an explanation tells, unless all are asked for.
const TOLD: usize = 5;

/// The class that a score stands for.
pub(crate) fn predicted(score: f64) -> u32 {
    u32::from(score > 0.0)
}

/// A model on data.
pub struct AppliedNetworks {
    model: NetworkModel,
    data: Dataset,
    /// Prepared rows, by input.
    columns: Vec<Vec<f32>>,
    scores: Vec<f64>,
    actual: Vec<Actual>,
}

impl AppliedNetworks {
    /// Scores the rows of some data.
    ///
    /// # Errors
    /// When the data does not fit the model, the model makes no sense, or the devices fail.
    pub fn new(
        model: &NetworkModel,
        data: &Dataset,
        machine: &Machine,
    ) -> Result<AppliedNetworks, NetworkError> {
        model.model.check(model.schema.classes.len())?;
        let data = conform(data, &model.schema)?;
        let columns = model.model.preparation.apply(&data)?;
        let scores = model.model.scores(&columns, machine)?;
        let own = data.target.as_ref().map_or(&[][..], |target| &target.classes);
        let actual = Actual::of_classes(own, &model.schema.classes);
        Ok(AppliedNetworks { model: model.clone(), data, columns, scores, actual })
    }

    /// The score of each row.
    #[must_use]
    pub fn scores(&self) -> &[f64] {
        &self.scores
    }

    /// How much of the score each column gives: what it is more than with the column's inputs at 0, its usual place. The most
    /// first.
    fn shares(&self, example: usize) -> Vec<(String, f64)> {
        let row: Vec<f64> = self.columns.iter().map(|column| f64::from(column[example])).collect();
        let (model, whole) = (&self.model.model, self.model.model.score_of(&row));
        let of_column = |column: &pellucid_data::Column| {
            let mut usual = row.clone();
            inputs_of(model, &column.name).into_iter().for_each(|input| usual[input] = 0.0);
            (column.name.clone(), whole - model.score_of(&usual))
        };
        let mut shares: Vec<(String, f64)> = self.data.columns.iter().map(of_column).collect();
        shares.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()).then(a.0.cmp(&b.0)));
        shares
    }

    /// A value of a row as a person reads it.
    fn value(&self, column: &str, row: usize) -> String {
        let Some(found) = self.data.columns.iter().find(|known| known.name == column) else {
            return String::new();
        };
        match &found.values {
            Values::Numeric(numbers) if numbers[row].is_nan() => "missing".to_owned(),
            Values::Numeric(numbers) => match self.model.schema.reading.date(column) {
                Some(format) => format.show(numbers[row]),
                None => numbers[row].to_string(),
            },
            Values::Nominal { codes, .. } if codes[row] == MISSING => "missing".to_owned(),
            Values::Nominal { codes, categories } => {
                categories.get(codes[row] as usize).map_or("missing", String::as_str).to_owned()
            }
            Values::Boolean(truths) => {
                truths[row].map_or("missing".to_owned(), |truth| truth.to_string())
            }
        }
    }

    fn told(&self, example: usize, most: usize) -> Explanation {
        let shares = self.shares(example);
        let positive = self.model.schema.classes.get(1).map_or("positive", String::as_str);
        let score = self.scores[example];
        let (heading, name) = (self.heading(), self.name(example));
        let mut text = format!("{heading} {name}: score {score:+.3} for '{positive}'");
        let mut columns = Vec::new();
        for (column, share) in shares.iter().take(most).filter(|(_, share)| share.abs() >= 0.0005) {
            let value = self.value(column, example);
            let _ = write!(text, "\n  {share:+.3}  {column} = {value}");
            columns.push(json!({"column": column, "value": value, "share": share}));
        }
        text.push('\n');
        Explanation { text, json: json!({"score": score, "columns": columns}) }
    }
}

impl Applied for AppliedNetworks {
    fn len(&self) -> usize {
        self.scores.len()
    }

    fn heading(&self) -> String {
        self.data.heading().to_owned()
    }

    fn name(&self, example: usize) -> String {
        self.data.example_name(example)
    }

    fn predicted(&self, example: usize) -> u32 {
        predicted(self.scores[example])
    }

    fn has_votes(&self) -> bool {
        true
    }

    fn votes(&self, example: usize) -> Option<Vec<f64>> {
        Some(vec![0.0, self.scores[example]])
    }

    fn explain(&self, example: usize) -> Result<Explanation, BoxError> {
        Ok(self.told(example, TOLD))
    }

    fn explain_fully(&self, example: usize) -> Result<Explanation, BoxError> {
        Ok(self.told(example, usize::MAX))
    }

    fn actual(&self, example: usize) -> Option<Actual> {
        let code = *self.data.target.as_ref()?.codes.get(example)?;
        self.actual.get(code as usize).cloned()
    }
}
