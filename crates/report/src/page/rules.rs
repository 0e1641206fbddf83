//! A rule model in the JSON of a page: its rules, its points at every stored size, and its texts.

use super::expression::ColumnIndex;
use crate::rule_page::decision;
use pellucid_learn::calibrate::Calibration;
use pellucid_ruleset::card::Scorecard;
use pellucid_ruleset::export::sentences::{
    CardTables, card, chart, condition_text, front, joint_notes, stability_warning,
};
use pellucid_ruleset::model::{Rule, RuleModel, RuleSet};
use pellucid_ruleset::path::RulePath;
use serde_json::{Map, Value, json};
use std::collections::HashMap;

/// Returns the rules of a model. Rules that several sizes share are stored once, in `pool`.
pub(super) fn rules<P>(model: &RuleModel<P>, notes: &[String]) -> Value {
    let mut pool = RulePool::new(model);
    let path = model.body.path.as_ref();
    let selected = path.map_or(0, |path| path.selected);
    let count = path.map_or(1, |path| path.models.len());
    let sizes: Vec<Value> = (0..count)
        .map(|index| match path.filter(|_| index != selected) {
            Some(path) => pool.size(&sized(model, path, index), index),
            None => pool.size(&plain(model), index),
        })
        .collect();
    json!({
        "ordered": model.body.ordered,
        "pool": pool.rules,
        "sizes": sizes,
        "selected": selected,
        "front": front(model).trim(),
        "notes": notes,
    })
}

/// Returns the model without its parameters.
fn plain<P>(model: &RuleModel<P>) -> RuleModel<()> {
    RuleModel {
        learner: model.learner.clone(),
        params: (),
        schema: model.schema.clone(),
        calibration: model.calibration.clone(),
        body: model.body.clone(),
    }
}

/// Returns the model of another size.
fn sized<P>(model: &RuleModel<P>, path: &RulePath, index: usize) -> RuleModel<()> {
    let set = match model.body.ordered {
        true => path.list(index, &model.body.examples),
        false => path.model(index, &model.body.examples),
    };
    let calibration = path.models.get(index).and_then(|sized| sized.calibration.clone());
    let path = RulePath { selected: index, ..path.clone() };
    // The risk by total is known for the selected size only.
    let card =
        model.body.card.clone().map(|card| Scorecard { bands: Vec::new(), pairs: None, ..card });
    let body = RuleSet { path: Some(path), number: model.body.number.clone(), card, ..set };
    RuleModel { calibration, body, ..plain(model) }
}

/// The distinct rules of all sizes.
struct RulePool<'a> {
    columns: ColumnIndex<'a>,
    rules: Vec<Value>,
    places: HashMap<String, usize>,
}

impl<'a> RulePool<'a> {
    fn new<P>(model: &'a RuleModel<P>) -> RulePool<'a> {
        let columns = ColumnIndex::new(&model.schema.columns);
        RulePool { columns, rules: Vec::new(), places: HashMap::new() }
    }

    /// Returns a model of one size.
    fn size(&mut self, model: &RuleModel<()>, index: usize) -> Value {
        let (how, otherwise) = decision(model);
        let rules: Vec<Value> = model
            .body
            .rules
            .iter()
            .map(|rule| json!([self.place(model, rule), points(rule)]))
            .collect();
        let mut size = Map::new();
        let mut put = |name: &str, value: Value| size.insert(name.to_owned(), value);
        put("base", json!(model.body.base));
        put("rules", json!(rules));
        put("how", json!(how));
        put("otherwise", json!(otherwise));
        put("calibration", calibration(model.calibration.as_ref(), model.body.base.len()));
        match card(model) {
            Some(found) => put("card", card_json(&found)),
            None => put("chart", json!(chart(model).map(|chart| (chart.start, chart.scales)))),
        };
        let notes = joint_notes(model);
        if notes.iter().any(Option::is_some) {
            put("notes", json!(notes));
        }
        if let Some(warning) = stability_warning(model) {
            put("unstable", json!(warning));
        }
        if let Some(sized) = model.body.path.as_ref().and_then(|path| path.models.get(index)) {
            put("accuracy", json!(sized.accuracy));
            put("auc", json!(sized.auc));
        }
        if let Some(size) = model.body.number.as_ref().and_then(|number| number.sizes.get(index)) {
            put("r2", json!(size.r2));
            put("mae", json!(size.mae));
        }
        Value::Object(size)
    }

    /// Returns the place of a rule in the pool, to which it is added if it is new.
    fn place(&mut self, model: &RuleModel<()>, rule: &Rule) -> usize {
        let key = rule.when.to_string();
        if let Some(&place) = self.places.get(&key) {
            return place;
        }
        let mut object = Map::new();
        object.insert("when".to_owned(), self.columns.encode(&rule.when));
        object.insert("text".to_owned(), json!(condition_text(model, &rule.when)));
        object.insert("covered".to_owned(), json!(rule.covered));
        if let Some(found) = rule.found_in {
            object.insert("folds".to_owned(), json!([found.folds, found.of]));
        }
        if let Some(mean) = model.body.mean_covered(rule) {
            object.insert("mean".to_owned(), json!(mean));
        }
        self.rules.push(Value::Object(object));
        self.places.insert(key, self.rules.len() - 1);
        self.rules.len() - 1
    }
}

/// Returns a scorecard with its risks as arrays.
fn card_json(CardTables { how, gain, start, groups, risks }: &CardTables) -> Value {
    let risks: Vec<Value> = risks
        .iter()
        .map(|row| {
            let ((low, high), risk) = (row.totals, row.risk);
            json!([low, high, row.examples, row.positive, risk.value, risk.low, risk.high])
        })
        .collect();
    let lines: Vec<&[(String, i64)]> = groups.iter().map(|group| &group.lines[..]).collect();
    let columns: Vec<_> =
        groups.iter().map(|group| (&group.columns, group.least, &group.rules)).collect();
    json!({ "how": how, "gain": gain, "start": start, "groups": lines, "columns": columns, "risks": risks })
}

/// Returns the points of a rule as pairs of a class and its points, in the order in which they are added.
pub(crate) fn points(rule: &Rule) -> Vec<(u32, f64)> {
    rule.points().map(|points| (points.class, points.votes)).collect()
}

/// Returns the calibration of a model with this many outputs; null if it has none.
pub(crate) fn calibration(calibration: Option<&Calibration>, outputs: usize) -> Value {
    let sound = calibration.filter(|calibration| calibration.is_sound(outputs));
    json!(sound.map(|found| json!({ "slope": found.slope, "offsets": found.offsets })))
}
