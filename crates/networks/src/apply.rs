//! Applies a model to data: the score of each row and its explanation.

use crate::decide::Decision;
use crate::effects::inputs_of;
use crate::error::NetworkError;
use crate::model::NetworkModel;
use pellucid_data::{Dataset, MISSING, Values, visible_line};
use pellucid_device::Machine;
use pellucid_export::conform::conform;
use pellucid_learn::learner::{
    Actuals, Applied, BoxError, DecisionReason, Explanation, ExplanationRequest, Predicted,
};
use pellucid_learn::score_matrix::ScoreMatrix;
use serde_json::json;
use std::fmt::Write as _;

/// The number of columns in a short explanation.
const SHOWN_COLUMNS: usize = 5;

/// A model applied to data.
pub struct AppliedNetworks {
    model: NetworkModel,
    data: Dataset,
    /// The prepared rows, input by input.
    columns: Vec<Vec<f32>>,
    scores: Vec<f64>,
    /// The scores of both classes; that of the first is 0.
    by_class: ScoreMatrix,
    decision: Decision,
    predicted: Vec<u32>,
    actual: Actuals,
}

impl AppliedNetworks {
    /// Computes the score of each row.
    ///
    /// # Errors
    /// When the data does not match the model, the model is invalid, or a device fails.
    pub fn new(
        model: &NetworkModel,
        data: &Dataset,
        machine: &Machine,
    ) -> Result<AppliedNetworks, NetworkError> {
        model.body.check(model.schema.classes.len())?;
        let data = conform(data, &model.schema)?;
        let columns = model.body.preparation.apply(&data)?;
        let scores = model.body.scores(&columns, machine)?;
        let by_class = ScoreMatrix::new(2, scores.iter().flat_map(|&one| [0.0, one]).collect());
        let decision = Decision::of(model);
        let predicted = scores.iter().map(|&score| decision.class(score)).collect();
        let (actual, model) = (Actuals::of_table(&data, &model.schema.classes), model.clone());
        Ok(AppliedNetworks { model, data, columns, scores, by_class, decision, predicted, actual })
    }

    /// Returns the score of each row.
    #[must_use]
    pub fn scores(&self) -> &[f64] {
        &self.scores
    }

    /// Returns the contribution of each column, largest absolute value first: the score minus the
    /// score with the inputs of the column set to 0, the center of their scale.
    fn contributions(&self, example: usize) -> Vec<(String, f64)> {
        let row: Vec<f64> = self.columns.iter().map(|column| f64::from(column[example])).collect();
        let (model, whole) = (&self.model.body, self.model.body.score_of(&row));
        let of_column = |column: &pellucid_data::Column| {
            let mut neutral = row.clone();
            inputs_of(model, &column.name).into_iter().for_each(|input| neutral[input] = 0.0);
            (column.name.clone(), whole - model.score_of(&neutral))
        };
        let mut contributions: Vec<(String, f64)> =
            self.data.columns.iter().map(of_column).collect();
        contributions.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()).then(a.0.cmp(&b.0)));
        contributions
    }

    /// Formats a value of a row.
    fn value(&self, column: &str, row: usize) -> String {
        let Some(found) = self.data.columns.iter().find(|other| other.name == column) else {
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

    fn class(&self, code: u32) -> &str {
        self.model.schema.classes.get(code as usize).map_or("positive", String::as_str)
    }

    /// Describes the prediction for an example and the score behind it. `decided` is set if
    /// something other than the score decided.
    fn prediction_line(&self, example: usize, decided: Option<&DecisionReason>) -> String {
        let (score, positive) = (self.scores[example], visible_line(self.class(1)));
        let predicted = visible_line(self.class(self.decision.class(score)));
        match (decided, self.decision.threshold()) {
            (Some(decided), _) => {
                let decided = decided.to_string();
                format!("{}; score {score:+.3} for '{positive}'", visible_line(&decided))
            }
            (None, Some(threshold)) => {
                format!("{predicted}; score {score:+.3} ('{positive}' if above {threshold:+.3})")
            }
            (None, None) => {
                format!("{predicted}; score {score:+.3} (every score predicts '{predicted}')")
            }
        }
    }

    fn explanation(
        &self,
        example: usize,
        most: usize,
        decided: Option<&DecisionReason>,
    ) -> Explanation {
        let contributions = self.contributions(example);
        let (heading, name) = (self.heading(), self.name(example));
        let (heading, name) = (visible_line(heading), visible_line(&name));
        let mut text = format!("{heading} {name}: {}", self.prediction_line(example, decided));
        let mut columns = Vec::new();
        let is_visible = |(_, contribution): &&(String, f64)| contribution.abs() >= 0.0005;
        for (column, contribution) in contributions.iter().take(most).filter(is_visible) {
            let value = self.value(column, example);
            let (shown, is) = (visible_line(column), visible_line(&value));
            let _ = write!(text, "\n  {contribution:+.3}  {shown} = {is}");
            columns.push(json!({"column": column, "value": value, "share": contribution}));
        }
        text.push('\n');
        let (score, threshold) = (self.scores[example], self.decision.threshold());
        let json = json!({"score": score, "threshold": threshold, "columns": columns});
        Explanation { text, json }
    }
}

impl Applied for AppliedNetworks {
    fn predicted(&self) -> Predicted<'_> {
        Predicted::Classes(&self.predicted)
    }

    fn scores(&self) -> Option<&ScoreMatrix> {
        Some(&self.by_class)
    }

    fn actual(&self) -> &Actuals {
        &self.actual
    }

    fn explain(
        &self,
        example: usize,
        request: &ExplanationRequest<'_>,
    ) -> Result<Explanation, BoxError> {
        let most = if request.in_full { usize::MAX } else { SHOWN_COLUMNS };
        Ok(self.explanation(example, most, request.decision))
    }

    fn heading(&self) -> &str {
        self.data.heading()
    }

    fn name(&self, example: usize) -> String {
        self.data.example_name(example)
    }
}
