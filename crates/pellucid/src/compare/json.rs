//! A comparison as JSON, and as a page.

use super::{ComparedAnswer, Comparison, Disagreement};
use crate::report::page::{comparison_page, curves};
use serde_json::{Map, Value, json};

/// The most examples with different predictions in a page.
const MOST_IN_PAGE: usize = 500;

impl Comparison {
    /// Returns the comparison as a JSON object, with at most `limit` examples.
    #[must_use]
    pub fn to_json(&self, limit: usize) -> Value {
        let model = |place: usize| {
            let one = &self.models[place];
            json!({
                "model": one.name,
                "learner": one.learner,
                "looks_like_training": one.looks_like_training,
            })
        };
        let mut object = Map::new();
        let mut put = |name: &str, value: Value| object.insert(name.to_owned(), value);
        put("a", model(0));
        put("b", model(1));
        put("target", json!(self.target));
        put("examples", json!(self.examples));
        if let Some(summary) = &self.summary {
            put("evaluated", json!(summary.evaluated));
            put("figures", json!(summary.figures));
            put("correct", json!(summary.correct));
        }
        if !self.classes.is_empty() {
            put("classes", json!(self.classes));
            put("predicted", json!(self.predicted));
        }
        put("differing", json!(self.differing));
        let listed = self.disagreements.iter().take(limit);
        put("disagreements", listed.map(|one| self.disagreement(one)).collect());
        Value::Object(object)
    }

    fn disagreement(&self, one: &Disagreement) -> Value {
        let mut object = Map::new();
        let noun = if self.noun() == "individual" { "individual" } else { "example" };
        object.insert(noun.to_owned(), json!(one.example));
        object.insert("actual".to_owned(), json!(one.actual));
        for (key, answer) in ["a", "b"].iter().zip(&one.answers) {
            let answer = match answer {
                ComparedAnswer::Number(number) => json!({ "predicted": number }),
                ComparedAnswer::Class(class, probability) => {
                    json!({ "predicted": class, "probability": probability })
                }
            };
            object.insert((*key).to_owned(), answer);
        }
        Value::Object(object)
    }

    /// Returns the comparison as an HTML page. `data` is the name of the data, `date` the date of the page
    /// and
    /// `command` the command that wrote it.
    #[must_use]
    pub fn to_html(&self, data: &str, date: &str, command: Option<&str>) -> String {
        let mut content = self.to_json(MOST_IN_PAGE);
        content["version"] = json!(env!("CARGO_PKG_VERSION"));
        content["provenance"] = json!({ "data": data, "date": date, "command": command });
        content["heading"] = json!(self.heading);
        if let Some([a, b]) = &self.decisions {
            content["curves"] = json!([curves(a), curves(b)]);
            content["probabilities"] = json!(a.has_probabilities() && b.has_probabilities());
        }
        comparison_page(&format!("Comparison: {}", self.target), &content)
    }
}
