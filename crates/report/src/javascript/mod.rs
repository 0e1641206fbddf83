//! Models as JavaScript modules. They consist of the model and of the scripts with which a page predicts, so
//! they predict the same bits as a page and as the command.

use crate::page::columns::{columns, reading};
use crate::page::expression::ColumnIndex;
use crate::page::network::network;
use crate::page::rules::{calibration, points};
use pellucid_data::visible_line;
use pellucid_export::wrap::marked;
use pellucid_learn::model::Schema;
use pellucid_networks::model::NetworkModel;
use pellucid_ruleset::export::sentences::{condition_text, header};
use pellucid_ruleset::model::RuleModel;
use serde_json::{Value, json};

const VALUES: &str = include_str!("../page/values.js");
const RULES: &str = concat!(include_str!("../page/exp.js"), "\n", include_str!("../page/score.js"));
const NETWORK: &str =
    concat!(include_str!("../page/exp.js"), "\n", include_str!("../page/network.js"));
const MODULE: &str = include_str!("module.js");

const BY_RULES: &str = "\
// A category that training did not have counts as missing.
const KEEPS_UNSEEN = false;

/** Returns the answer for the values of a row or of the rows of a bag. */
function answer(values) {
  return predictByRules(MODEL.rules, MODEL.rules.size, values, MODEL.task, MODEL.columns);
}
";

const BY_NETWORK: &str = "\
// A category that training did not have counts as an average one.
const KEEPS_UNSEEN = true;

/** Returns the answer for the values of a row. */
function answer(values) {
  return predictByNetwork(MODEL.network, values);
}
";

/// Returns rules as a module.
pub(crate) fn of_rules<P>(model: &RuleModel<P>) -> String {
    let index = ColumnIndex::new(&model.schema.columns);
    let pool = model.body.rules.iter().map(|rule| {
        json!({ "text": condition_text(model, &rule.when), "when": index.encode(&rule.when) })
    });
    let of_rule = |(place, rule)| json!([place, points(rule)]);
    let rules: Vec<Value> = model.body.rules.iter().enumerate().map(of_rule).collect();
    let size = json!({
        "base": model.body.base,
        "rules": rules,
        "calibration": calibration(model.calibration.as_ref(), model.body.base.len()),
    });
    let body = format!(
        "{{ \"ordered\": {}, \"pool\": {}, \"size\": {} }}",
        model.body.ordered,
        lines(pool),
        literal(&size)
    );
    module(&header(model), &model.schema, ("rules", &body), &[RULES, BY_RULES])
}

/// Returns networks as a module.
pub(crate) fn of_network(model: &NetworkModel) -> String {
    let target = model.schema.target.as_deref().unwrap_or("class");
    let title = match model.body.members.len() {
        1 => format!("Predicts '{target}' with a network."),
        count => format!("Predicts '{target}' with {count} networks."),
    };
    let body = literal(&network(model));
    module(&title, &model.schema, ("network", &body), &[NETWORK, BY_NETWORK])
}

/// Returns a module: its title, the model, the scripts, and what it exports.
fn module(title: &str, schema: &Schema, (kind, body): (&str, &str), scripts: &[&str]) -> String {
    let task = json!({
        "target": schema.target,
        "classes": schema.classes,
        "bag": schema.bag,
        "number": schema.number.is_some(),
    });
    let argument = if schema.bag.is_some() { "rows" } else { "row" };
    let mut out = marked("// ", title).trim_end().to_owned();
    out += &format!(
        "\n//\n// A module for browsers and Node.js without dependencies: predict({argument}), \
         probabilities({argument})\n// and scores({argument}).\n\nconst MODEL = {{\n  \
         \"task\": {},\n  \"columns\": {},\n  \"reading\": {},\n  \"{kind}\": {body}\n}};\n",
        literal(&task),
        lines(columns(schema).into_iter()),
        literal(&reading(schema)),
    );
    for script in [VALUES].iter().chain(scripts).chain(&[MODULE]) {
        out.push('\n');
        out += script.trim();
        out.push('\n');
    }
    out
}

/// Returns JSON in which every character is visible, so that nothing in it has an effect on an editor.
fn literal(value: &Value) -> String {
    visible_line(&value.to_string()).into_owned()
}

/// Returns a list with a line for each value.
fn lines(values: impl Iterator<Item = Value>) -> String {
    let all: Vec<String> = values.map(|value| format!("\n    {}", literal(&value))).collect();
    format!("[{}\n  ]", all.join(","))
}
