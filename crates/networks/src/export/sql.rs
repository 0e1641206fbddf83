//! The model as one query: the score, all columns of the table, the class and the probability.
//!
//! The query is standard SQL; beside `EXP`, and `LN` where the model's scale is logarithmic, it needs the functions that read a column
//! of text: `TRIM`, `LOWER`, `SUBSTR`, `LENGTH`, `FLOOR`. `SQLite` (built with its mathematical functions), `PostgreSQL` and `DuckDB` run
//! it. Columns may have types or be text, as a CSV file is imported; NULL, empty text and the marks of missing values that
//! the model knows are missing values. Dates are dates, or text such as 2024-02-29, or the days or seconds since 1970.

use super::header;
use crate::decide::Decision;
use crate::model::{Member, NetworkModel, Networks, OutputScale};
use crate::prepare::{Encoding, Input};
use crate::search::width_of;
use pellucid_forward::{Activation, LARGEST_EXPONENT, SMALLEST_EXPONENT};
use pellucid_ruleset::export::in_sql::{
    FreeNames, identifier, literal, measured, string, writable,
};
use pellucid_ruleset::export::{ExportError, marked};
use std::fmt::Write as _;

/// A query over a table, as the definition of a view where one is named. Its columns are `score`, those of the table,
/// `predicted` and, where the model is calibrated, the probability. A name that the model's table has already gets a number, as
/// in `score 2`.
///
/// # Errors
/// When a name cannot be written in SQL.
pub fn sql(model: &NetworkModel, table: &str, view: Option<&str>) -> Result<String, ExportError> {
    let mut names = FreeNames::beside(&model.schema);
    let [score, predicted] = ["score", "predicted"].map(|name| names.take(name));
    let mut out = marked("-- ", &header(model));
    if let Some(view) = view {
        let _ = writeln!(out, "CREATE VIEW {} AS", identifier(view));
    }
    let decision = Decision::of(model);
    let [no, yes] = [class(model, 0), class(model, 1)];
    let (slope, offset) = (literal(decision.slope), literal(decision.offset));
    let _ = write!(
        out,
        "SELECT q.*,\n  CASE WHEN {slope} * q.{score} + {offset} > 0.0 THEN {yes} ELSE {no} END AS {predicted}"
    );
    if decision.is_calibrated {
        let exponent = format!("-({slope} * q.{score} + {offset})");
        let positive = model.schema.classes.get(1).map_or("1", String::as_str);
        let head = names.take(&format!("probability of {positive}"));
        let _ = write!(out, ",\n  1.0 / (1.0 + EXP({})) AS {head}", cut(&exponent, 700.0));
    }
    // What is asked for again stands first: of two columns of one name the first is found.
    let _ = write!(
        out,
        "\nFROM (\n  SELECT {} AS {score},\n  t.*\n  FROM {} t\n) q\n",
        scored(model),
        identifier(table)
    );
    writable(out)
}

/// The score of a row, from the innermost: columns as the model reads them, inputs, layer after layer, the mean of the outputs.
/// Each level is one row; the limit keeps planners from writing it out again wherever it is named, which would multiply.
fn scored(model: &NetworkModel) -> String {
    let networks = &model.model;
    let inputs: Vec<String> = (networks.preparation.inputs.iter().enumerate())
        .map(|(place, input)| {
            format!("{} AS {}", prepared(input, networks.preparation.clip), name("input", place))
        })
        .collect();
    let mut from = format!(
        "SELECT {}\n  FROM (SELECT\n    {}\n  LIMIT 1) c",
        inputs.join(",\n    "),
        columns(model)
    );
    let (shape, count) = (&networks.shape, networks.members.len());
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
        from = format!(
            "SELECT {nodes}\n  FROM (\n  SELECT {sums}\n  FROM (\n  {from}\n  LIMIT 1) v\n  LIMIT 1) v"
        );
        before = after;
    }
    let outputs: Vec<String> = (networks.members.iter().zip(&before).enumerate())
        .map(|(number, (member, nodes))| {
            format!("{} AS {}", output(networks, member, nodes), name("output", number))
        })
        .collect();
    let terms: Vec<String> = (networks.members.iter().enumerate())
        .map(|(number, member)| {
            let output = on_scale(networks.scale, &format!("o.{}", name("output", number)));
            format!("{} * {output} + {}", literal(member.slope), literal(member.offset))
        })
        .collect();
    format!(
        "(SELECT ({}) / {}\n  FROM (SELECT {}\n  FROM (\n  {from}\n  LIMIT 1) v LIMIT 1) o)",
        terms.join(" + "),
        literal(count as f64),
        outputs.join(",\n    ")
    )
}

/// The columns that inputs are made of, each once, as the model reads them.
fn columns(model: &NetworkModel) -> String {
    let inputs = &model.model.preparation.inputs;
    let is_used = |name: &str| inputs.iter().any(|input| input.column == name);
    let columns = model.schema.columns.iter().filter(|column| is_used(&column.name));
    let column =
        |name: &str| format!("{} AS {}", measured(&model.schema, "t", name), identifier(name));
    columns.map(|known| column(&known.name)).collect::<Vec<_>>().join(",\n    ")
}

/// What a network gives.
fn output(networks: &Networks, member: &Member, nodes: &[String]) -> String {
    let weights = &member.genes[networks.shape.outputs()];
    let products = nodes
        .iter()
        .zip(weights)
        .map(|(node, &gene)| format!("{} * v.{node}", literal(f64::from(gene))));
    products.collect::<Vec<_>>().join(" + ")
}

/// An output on the scale of the model.
fn on_scale(scale: OutputScale, output: &str) -> String {
    match scale {
        OutputScale::Linear => output.to_owned(),
        OutputScale::Logarithmic => {
            format!("CASE WHEN {output} < 0.0 THEN -LN(1.0 - {output}) ELSE LN(1.0 + {output}) END")
        }
    }
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
    let column = format!("c.{}", identifier(&input.column));
    let scale = input.scale(clip);
    let written = |number: f64| literal(f64::from(scale.of(number)));
    match &input.encoding {
        Encoding::Number => {
            let moved =
                format!("({column} - {}) / {}", literal(scale.middle), literal(scale.half_range));
            format!("CASE WHEN {column} IS NULL THEN 0.0 ELSE {} END", cut(&moved, scale.clip))
        }
        Encoding::Truth => format!(
            "CASE WHEN {column} IS NULL THEN 0.0 WHEN {column} = 1 THEN {} ELSE {} END",
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
        let (low, high) = (literal(SMALLEST_EXPONENT), literal(LARGEST_EXPONENT));
        let cut = format!(
            "CASE WHEN v.{sum} < {low} THEN {low} WHEN v.{sum} > {high} THEN {high} ELSE v.{sum} END"
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
