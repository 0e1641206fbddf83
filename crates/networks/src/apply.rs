//! Applies a model to data: the scores of each row and their explanation.

use crate::decide::{Decision, curve_of, likeliest};
use crate::effects::inputs_of;
use crate::error::NetworkError;
use crate::model::NetworkModel;
use crate::score::log_odds;
use crate::task::NetworkTask;
use pellucid_data::{Dataset, MISSING, Values, visible_line};
use pellucid_device::Machine;
use pellucid_export::conform::conform;
use pellucid_learn::digits::significant;
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
    /// The scores of each row, output by output.
    scores: Vec<Vec<f64>>,
    /// The scores of all classes; of two classes, that of the first is 0.
    by_class: ScoreMatrix,
    task: NetworkTask,
    /// The decision between two classes.
    decision: Decision,
    /// The predicted classes; empty if numbers are predicted.
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
        model.body.check(&model.schema)?;
        let data = conform(data, &model.schema)?;
        let columns = model.body.preparation.apply(&data)?;
        let scores = model.body.scores(&columns, machine)?;
        let (task, decision) = (NetworkTask::of_schema(&model.schema), Decision::of(model));
        let by_class = score_matrix(task, &scores);
        let predicted = match task {
            NetworkTask::TwoClasses => {
                scores[0].iter().map(|&score| decision.class(score)).collect()
            }
            NetworkTask::Classes(_) => {
                let curve = curve_of(model);
                by_class.iter().map(|scores| likeliest(scores, &curve)).collect()
            }
            NetworkTask::Number => Vec::new(),
        };
        let (actual, model) = (Actuals::of_table(&data, &model.schema.classes), model.clone());
        Ok(AppliedNetworks {
            model,
            data,
            columns,
            scores,
            by_class,
            task,
            decision,
            predicted,
            actual,
        })
    }

    /// Returns the scores of the first output: the log odds of the second of two classes, or the
    /// predicted numbers.
    pub(crate) fn first_scores(&self) -> &[f64] {
        &self.scores[0]
    }

    /// Returns what the contributions of columns add up to approximately: the score, the log odds of
    /// the predicted class, or the predicted number.
    fn explained(&self, example: usize, row: &[f64]) -> f64 {
        let scores = self.model.body.scores_of(row);
        match self.task {
            NetworkTask::Classes(_) => {
                log_odds(scores.iter().copied(), self.predicted[example] as usize)
            }
            _ => scores[0],
        }
    }

    /// Returns the contribution of each column, largest absolute value first: the explained number
    /// minus this number with the inputs of the column set to 0, the center of their scale.
    fn contributions(&self, example: usize) -> Vec<(String, f64)> {
        let row: Vec<f64> = self.columns.iter().map(|column| f64::from(column[example])).collect();
        let (model, whole) = (&self.model.body, self.explained(example, &row));
        let of_column = |column: &pellucid_data::Column| {
            let mut neutral = row.clone();
            inputs_of(model, &column.name).into_iter().for_each(|input| neutral[input] = 0.0);
            (column.name.clone(), whole - self.explained(example, &neutral))
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
        match self.task {
            NetworkTask::TwoClasses => self.two_class_line(example, decided),
            NetworkTask::Classes(_) => {
                let predicted = self.class(self.predicted[example]);
                let head = decided.map_or_else(|| predicted.to_owned(), ToString::to_string);
                let scores = self.scores.iter().map(|scores| scores[example]);
                let odds = log_odds(scores, self.predicted[example] as usize);
                let (head, predicted) = (visible_line(&head), visible_line(predicted));
                format!("{head}; log odds {odds:+.3} for '{predicted}' against the other classes")
            }
            NetworkTask::Number => {
                let target = self.model.schema.target.as_deref().unwrap_or("target");
                let predicted = significant(self.scores[0][example], 6);
                format!("{} = {predicted}", visible_line(target))
            }
        }
    }

    fn two_class_line(&self, example: usize, decided: Option<&DecisionReason>) -> String {
        let (score, positive) = (self.scores[0][example], visible_line(self.class(1)));
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

    /// Formats a contribution: in log odds, or in the unit of the predicted number.
    fn contribution_text(&self, contribution: f64) -> String {
        match self.task {
            NetworkTask::Number if contribution >= 0.0 => {
                format!("+{}", significant(contribution, 4))
            }
            NetworkTask::Number => significant(contribution, 4),
            _ => format!("{contribution:+.3}"),
        }
    }

    /// Whether a contribution is large enough to be shown.
    fn is_visible(&self, contribution: f64) -> bool {
        let number = self.model.schema.number.filter(|_| self.task == NetworkTask::Number);
        let unit = number.map_or(1.0, |number| number.high - number.low);
        contribution.abs() >= 0.0005 * unit && contribution != 0.0
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
        let is_visible = |(_, contribution): &&(String, f64)| self.is_visible(*contribution);
        for (column, contribution) in contributions.iter().take(most).filter(is_visible) {
            let value = self.value(column, example);
            let (shown, is) = (visible_line(column), visible_line(&value));
            let by = self.contribution_text(*contribution);
            let _ = write!(text, "\n  {by}  {shown} = {is}");
            columns.push(json!({"column": column, "value": value, "share": contribution}));
        }
        text.push('\n');
        let scores: Vec<f64> = self.scores.iter().map(|scores| scores[example]).collect();
        let json = match self.task {
            NetworkTask::TwoClasses => {
                let threshold = self.decision.threshold();
                json!({"score": scores[0], "threshold": threshold, "columns": columns})
            }
            NetworkTask::Classes(_) => json!({"scores": scores, "columns": columns}),
            NetworkTask::Number => json!({"number": scores[0], "columns": columns}),
        };
        Explanation { text, json }
    }
}

/// Returns the scores of each class.
fn score_matrix(task: NetworkTask, scores: &[Vec<f64>]) -> ScoreMatrix {
    let rows = scores[0].len();
    match task {
        NetworkTask::Classes(classes) => {
            let of_row = |row: usize| scores.iter().map(move |scores| scores[row]);
            ScoreMatrix::new(classes, (0..rows).flat_map(of_row).collect())
        }
        _ => ScoreMatrix::new(2, scores[0].iter().flat_map(|&score| [0.0, score]).collect()),
    }
}

impl Applied for AppliedNetworks {
    fn predicted(&self) -> Predicted<'_> {
        match self.task {
            NetworkTask::Number => Predicted::Numbers(&self.scores[0]),
            _ => Predicted::Classes(&self.predicted),
        }
    }

    fn scores(&self) -> Option<&ScoreMatrix> {
        (self.task != NetworkTask::Number).then_some(&self.by_class)
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
