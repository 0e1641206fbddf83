//! The model in the JSON of a page, by learner.

use super::network::network;
use super::packed;
use super::rules::rules;
use crate::networks;
use pellucid_data::visible_line;
use pellucid_learn::model::{ModelError, Schema, StoredModel};
use pellucid_networks::model::{NetworkEnsemble, NetworkModel};
use pellucid_ruleset::export::sentences::header;
use pellucid_ruleset::model::RuleSet;
use pellucid_xcs::export::remarks;
use pellucid_xcs::model::{Classifiers, ColumnImportance, XcsModel, as_rules, as_selected_rules};
use serde_json::{Value, json};

/// A model for a page.
pub(super) struct PageModel {
    /// What the page needs of it.
    pub(super) json: Value,
    pub(super) schema: Schema,
    /// The number of training examples by class; empty if unknown.
    pub(super) examples: Vec<u64>,
    /// The first sentences, if the learner has them.
    pub(super) answer: Option<String>,
    /// The names of the columns that the model uses.
    pub(super) used: Vec<String>,
}

impl PageModel {
    /// Reads a model. A learner that has no page of its own gets one with its text.
    ///
    /// # Errors
    /// If a field of the model is missing or invalid.
    pub(super) fn read(
        stored: &StoredModel,
        schema: &Schema,
        text: &str,
    ) -> Result<PageModel, ModelError> {
        match stored.learner() {
            "rules" => {
                let model = stored.read::<pellucid_rules::params::Params, RuleSet>("rules")?;
                let notes: Vec<String> =
                    pellucid_rules::learner::decided_for(&model).into_iter().collect();
                let own = pellucid_rules::learner::with_own_columns(&model);
                let json = json!({ "kind": "rules", "rules": rules(&model, &notes) });
                Ok(PageModel {
                    json,
                    examples: model.body.examples.clone(),
                    answer: Some(header(&own)),
                    used: names(&own.schema),
                    schema: model.schema,
                })
            }
            "xcs" => Ok(of_classifiers(&stored.read("xcs")?)),
            "network" => Ok(of_network(&stored.read("network")?, text)),
            "logic" => {
                Ok(of_expressions(schema, &stored.read::<Value, Value>("logic")?.body, text))
            }
            _ => Ok(of_text(schema, text)),
        }
    }
}

fn names(schema: &Schema) -> Vec<String> {
    schema.columns.iter().map(|column| column.name.clone()).collect()
}

fn of_classifiers(model: &XcsModel) -> PageModel {
    let set: &Classifiers = &model.body;
    let (plain, own) = (as_rules(model), as_selected_rules(model));
    let shares = |columns: &[ColumnImportance]| -> Vec<(String, f64)> {
        columns.iter().map(|one| (one.column.clone(), one.share)).collect()
    };
    let groups = set.groups.iter();
    let groups: Vec<Value> = groups
        .map(|group| json!({ "examples": group.examples, "columns": shares(&group.columns) }))
        .collect();
    let json = json!({
        "kind": "rules",
        "rules": rules(&plain, &remarks(model)),
        "importance": shares(&set.importance),
        "example_groups": groups,
    });
    PageModel {
        json,
        schema: plain.schema.clone(),
        examples: set.set.examples.clone(),
        answer: Some(header(&own)),
        used: names(&own.schema),
    }
}

fn of_network(model: &NetworkModel, text: &str) -> PageModel {
    let body: &NetworkEnsemble = &model.body;
    // Of more than two classes, the effects on all probabilities are shown with the data.
    let shown = if body.outputs > 1 { &[][..] } else { &body.effects };
    let effects: Vec<Value> = shown
        .iter()
        .map(|effect| {
            let points: Vec<Value> =
                effect.points.iter().map(|point| json!([point.value, point.score])).collect();
            json!({ "column": effect.column, "importance": effect.importance, "points": points })
        })
        .collect();
    let json = json!({
        "kind": "network",
        "network": network(model),
        "text": text,
        "drawing": packed(networks::svg(model).as_bytes()),
        "effects": effects,
        "held_out": body.held_out,
    });
    PageModel {
        json,
        schema: model.schema.clone(),
        examples: body.rows.by_class(model.schema.classes.len()),
        answer: None,
        used: names(&model.schema),
    }
}

/// Returns learned class expressions, the best first. The fields are those of the model file.
fn of_expressions(schema: &Schema, body: &Value, text: &str) -> PageModel {
    let expressions: Vec<Value> = body["answers"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|one| {
            let fields = ["expression", "positive", "negative", "length", "minimality"];
            json!(fields.map(|field| &one[field]))
        })
        .collect();
    let count = |name: &str| body[name].as_u64().unwrap_or(0);
    let (positives, negatives) = (count("positives"), count("negatives"));
    let name = |field: &str| visible_line(body[field].as_str().unwrap_or_default()).into_owned();
    let problem = Some(name("problem")).filter(|problem| !problem.is_empty());
    let belong = match &problem {
        Some(problem) => format!("belong to '{problem}'"),
        None => "are positive".to_owned(),
    };
    let mut schema = schema.clone();
    schema.target = Some(problem.unwrap_or_else(|| "positive".to_owned()));
    PageModel {
        json: json!({ "kind": "expressions", "expressions": expressions, "text": text }),
        answer: Some(format!(
            "Predicts which individuals of '{}' {belong}, from {positives} positive and {negatives} \
             negative examples.",
            name("ontology"),
        )),
        examples: vec![negatives, positives],
        used: Vec::new(),
        schema,
    }
}

fn of_text(schema: &Schema, text: &str) -> PageModel {
    PageModel {
        json: json!({ "kind": "text", "text": text }),
        used: names(schema),
        schema: schema.clone(),
        examples: Vec::new(),
        answer: None,
    }
}
