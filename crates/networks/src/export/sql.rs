//! The model as one query: all columns of the table, the score, the class and the probability.
//!
//! The query is standard SQL with no function but `EXP`; `SQLite` (built with its mathematical functions), `PostgreSQL` and `DuckDB` run it.
//! Numbers are numbers, words are texts, truth values are booleans (in `SQLite` 0 and 1), missing values are NULL. Dates are
//! compared with as the days or seconds since 1970 that the model knows, so a table with dates needs a column of those.

use super::header;
use crate::model::NetworkModel;
use crate::prepare::{Encoding, Input};
use crate::search::width_of;
use pellucid_forward::Activation;
use pellucid_ruleset::export::in_sql::{identifier, literal, string};
use pellucid_ruleset::export::marked;
use std::fmt::Write as _;

/// A query over a table, as the definition of a view where one is named. Its columns are those of the table, `score`,
/// `predicted` and, where the model is calibrated, the probability.
#[must_use]
pub fn sql(model: &NetworkModel, table: &str, view: Option<&str>) -> String {
    let networks = &model.model;
    let mut out = marked("-- ", &header(model));
    if let Some(view) = view {
        let _ = writeln!(out, "CREATE VIEW {} AS", identifier(view));
    }
    let [no, yes] = [class(model, 0), class(model, 1)];
    let _ =
        write!(out, "SELECT q.*,\n  CASE WHEN q.score > 0.0 THEN {yes} ELSE {no} END AS predicted");
    if let Some(calibration) = &model.calibration
        && calibration.is_sound(2)
    {
        let offset = calibration.offsets[1] - calibration.offsets[0];
        let exponent = format!("-({} * q.score + {})", literal(calibration.slope), literal(offset));
        let positive = model.schema.classes.get(1).map_or("1", String::as_str);
        let head = identifier(&format!("probability of {positive}"));
        let _ = write!(out, ",\n  1.0 / (1.0 + EXP({})) AS {head}", cut(&exponent, 700.0));
    }
    let inputs: Vec<String> = networks
        .preparation
        .inputs
        .iter()
        .enumerate()
        .map(|(place, input)| {
            format!("{} AS {}", prepared(input, networks.preparation.clip), name("input", place))
        })
        .collect();
    // From the innermost: a row as inputs, layer after layer, the score.
    let mut from = format!("SELECT {}", inputs.join(",\n    "));
    let shape = &networks.shape;
    let count = networks.members.len();
    let mut before: Vec<Vec<String>> =
        vec![(0..shape.inputs()).map(|place| name("input", place)).collect(); count];
    for layer in 0..shape.layers().len() {
        let (mut sums, mut nodes, mut after) = (Vec::new(), Vec::new(), vec![Vec::new(); count]);
        for (number, member) in networks.members.iter().enumerate() {
            for node in 0..shape.layers()[layer].nodes {
                let head = format!("network {} layer {} node {}", number + 1, layer + 1, node + 1);
                let (sum, head) = (identifier(&format!("{head} sum")), identifier(&head));
                let (of_sum, of_node) =
                    node_of(model, &member.genes, (layer, node), &before[number], &sum);
                sums.push(format!("{of_sum} AS {sum}"));
                nodes.push(format!("{of_node} AS {head}"));
                after[number].push(head);
            }
        }
        let (sums, nodes) = (sums.join(",\n    "), nodes.join(",\n    "));
        from =
            format!("SELECT {nodes}\n  FROM (\n  SELECT {sums}\n  FROM (\n  {from}\n  ) v\n  ) v");
        before = after;
    }
    let said = networks.members.iter().zip(&before).map(|(member, nodes)| {
        let products = nodes
            .iter()
            .zip(&member.genes[shape.outputs()])
            .map(|(node, &gene)| format!("{} * v.{node}", literal(f64::from(gene))));
        let sum = products.collect::<Vec<_>>().join(" + ");
        format!("{} * ({sum}) + {}", literal(member.slope), literal(member.offset))
    });
    let said = said.collect::<Vec<_>>().join(" + ");
    let _ = write!(
        out,
        "\nFROM (\n  SELECT t.*,\n  (SELECT ({said}) / {} FROM (\n  {from}\n  ) v) AS score\n  FROM {} t\n) q\n",
        literal(count as f64),
        identifier(table)
    );
    out
}

fn class(model: &NetworkModel, place: usize) -> String {
    string(model.schema.classes.get(place).map_or("", String::as_str))
}

fn name(what: &str, place: usize) -> String {
    identifier(&format!("{what} {}", place + 1))
}

/// A number between -most and most.
fn cut(number: &str, most: f64) -> String {
    let (low, high) = (literal(-most), literal(most));
    format!(
        "CASE WHEN {number} < {low} THEN {low} WHEN {number} > {high} THEN {high} ELSE {number} END"
    )
}

/// An input: 0 where the value is missing and missing says nothing.
fn prepared(input: &Input, clip: Option<f64>) -> String {
    let column = format!("t.{}", identifier(&input.column));
    let scale = input.scale(clip);
    let written = |number: f64| literal(f64::from(scale.of(number)));
    match &input.encoding {
        Encoding::Number => {
            let moved = format!(
                "(CAST({column} AS DOUBLE PRECISION) - {}) / {}",
                literal(scale.middle),
                literal(scale.half_range)
            );
            format!("CASE WHEN {column} IS NULL THEN 0.0 ELSE {} END", cut(&moved, scale.clip))
        }
        Encoding::Truth => format!(
            "CASE WHEN {column} IS NULL THEN 0.0 WHEN {column} THEN {} ELSE {} END",
            written(1.0),
            written(0.0)
        ),
        Encoding::LogOdds { values, missing } => {
            let mut out = format!("CASE WHEN {column} IS NULL THEN {}", written(*missing));
            for (word, &odds) in values {
                let _ =
                    write!(out, "\n    WHEN {column} = {} THEN {}", string(word), written(odds));
            }
            let _ = write!(out, "\n    ELSE {} END", written(0.0));
            out
        }
        Encoding::Steps { cuts, log_odds, missing } => {
            let mut out = format!("CASE WHEN {column} IS NULL THEN {}", written(*missing));
            for (&cut, &odds) in cuts.iter().zip(log_odds) {
                let _ = write!(out, " WHEN {column} <= {} THEN {}", literal(cut), written(odds));
            }
            let _ = write!(out, " ELSE {} END", written(log_odds.last().copied().unwrap_or(0.0)));
            out
        }
    }
}

/// The sum of a node, and what the node makes of it.
fn node_of(
    model: &NetworkModel,
    genes: &[f32],
    (layer, node): (usize, usize),
    values: &[String],
    sum: &str,
) -> (String, String) {
    let shape = &model.model.shape;
    let of = |range: std::ops::Range<usize>| genes[range].iter().map(|&gene| f64::from(gene));
    let last = f64::from(genes[shape.width_or_bias_of(layer, node)]);
    let weights = of(shape.weights_of(layer, node));
    let activation = shape.layers()[layer].activation;
    if let Activation::Rbf(width) = activation {
        let squares = values.iter().zip(weights).zip(of(shape.centres_of(layer, node)));
        let square = |((value, weight), centre): ((&String, f64), f64)| {
            let apart = format!("({} * v.{value} - {})", literal(weight), literal(centre));
            format!("{apart} * {apart}")
        };
        let distance = squares.map(square).collect::<Vec<_>>().join(" + ");
        let exponent = format!("{} * ({distance})", literal(-width_of(width, last)));
        let cut = format!(
            "CASE WHEN v.{sum} < -87.0 THEN -87.0 WHEN v.{sum} > 88.0 THEN 88.0 ELSE v.{sum} END"
        );
        return (exponent, format!("EXP({cut})"));
    }
    let products = values.iter().zip(weights);
    let products: Vec<String> =
        products.map(|(value, weight)| format!("{} * v.{value}", literal(weight))).collect();
    let total = format!("{} + {}", products.join(" + "), literal(last));
    let steep = |factor: f64| cut(&format!("{} * v.{sum}", literal(-factor)), 700.0);
    let made = match activation {
        Activation::Sigmoid => format!("1.0 / (1.0 + EXP({}))", steep(1.0)),
        Activation::Tanh => format!("2.0 / (1.0 + EXP({})) - 1.0", steep(2.0)),
        Activation::Relu | Activation::Rbf(_) => {
            format!("CASE WHEN v.{sum} > 0.0 THEN v.{sum} ELSE 0.0 END")
        }
    };
    (total, made)
}
