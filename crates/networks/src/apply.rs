//! A model on data: the score of each row, and why.

use crate::decide::Decision;
use crate::effects::inputs_of;
use crate::error::NetworkError;
use crate::model::NetworkModel;
use pellucid_data::{Dataset, MISSING, Values, visible_line};
use pellucid_device::Machine;
use pellucid_learn::learner::{Actual, Applied, BoxError, Decided, Explanation};
use pellucid_ruleset::conform::conform;
use serde_json::json;
use std::fmt::Write as _;

/// Columns that an explanation shows, unless all are asked for.
const TOLD: usize = 5;

/// A model on data.
pub struct AppliedNetworks {
    model: NetworkModel,
    data: Dataset,
    /// Prepared rows, by input.
    columns: Vec<Vec<f32>>,
    scores: Vec<f64>,
    decision: Decision,
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
        let decision = Decision::of(model);
        Ok(AppliedNetworks { model: model.clone(), data, columns, scores, decision, actual })
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

    fn class(&self, place: u32) -> &str {
        self.model.schema.classes.get(place as usize).map_or("positive", String::as_str)
    }

    /// What was predicted for an example, and why: by its score, or by whatever else decided.
    fn verdict(&self, example: usize, decided: Option<&Decided>) -> String {
        let (score, positive) = (self.scores[example], visible_line(self.class(1)));
        let predicted = visible_line(self.class(self.decision.class(score)));
        let score = format!("score {score:+.3} for '{positive}'");
        match (decided, self.decision.threshold()) {
            (Some(decided), _) => format!("{}; {score}", visible_line(&decided.to_string())),
            (None, Some(threshold)) => {
                format!("{predicted}; {score}, which is predicted above {threshold:+.3}")
            }
            (None, None) => format!("{predicted}; {score}, and all scores are predicted the same"),
        }
    }

    fn explained(&self, example: usize, most: usize, decided: Option<&Decided>) -> Explanation {
        let shares = self.shares(example);
        let (heading, name) = (self.heading(), self.name(example));
        let (heading, name) = (visible_line(&heading), visible_line(&name));
        let mut text = format!("{heading} {name}: {}", self.verdict(example, decided));
        let mut columns = Vec::new();
        for (column, share) in shares.iter().take(most).filter(|(_, share)| share.abs() >= 0.0005) {
            let value = self.value(column, example);
            let (shown, is) = (visible_line(column), visible_line(&value));
            let _ = write!(text, "\n  {share:+.3}  {shown} = {is}");
            columns.push(json!({"column": column, "value": value, "share": share}));
        }
        text.push('\n');
        let (score, threshold) = (self.scores[example], self.decision.threshold());
        let json = json!({"score": score, "threshold": threshold, "columns": columns});
        Explanation { text, json }
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
        self.decision.class(self.scores[example])
    }

    fn has_votes(&self) -> bool {
        true
    }

    fn votes(&self, example: usize) -> Option<Vec<f64>> {
        Some(vec![0.0, self.scores[example]])
    }

    fn explain(&self, example: usize) -> Result<Explanation, BoxError> {
        Ok(self.explained(example, TOLD, None))
    }

    fn explain_fully(&self, example: usize) -> Result<Explanation, BoxError> {
        Ok(self.explained(example, usize::MAX, None))
    }

    fn explain_decided(
        &self,
        example: usize,
        decided: &Decided,
        fully: bool,
    ) -> Result<Explanation, BoxError> {
        Ok(self.explained(example, if fully { usize::MAX } else { TOLD }, Some(decided)))
    }

    fn actual(&self, example: usize) -> Option<Actual> {
        let code = *self.data.target.as_ref()?.codes.get(example)?;
        self.actual.get(code as usize).cloned()
    }
}
