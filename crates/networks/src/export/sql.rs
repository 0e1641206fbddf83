//! The SQL export: one query that returns the scores, all columns of the table, the class and the
//! probabilities, or the predicted number.
//!
//! The query is standard SQL. Apart from `EXP`, and `LN` for models with a logarithmic scale, it
//! needs the functions that parse text columns: `TRIM`, `LOWER`, `SUBSTR`, `LENGTH`, `FLOOR`.
//! `SQLite` (built with its math functions), `PostgreSQL` and `DuckDB` run it. Columns may be
//! typed, or text as imported from a CSV file. NULL, empty text and the missing-value markers of
//! the model are missing values. Dates are dates, text such as 2024-02-29, or days or seconds since
//! 1970.

use super::header;
use crate::decide::{Decision, calibration_of, curve_of};
use crate::model::{Member, NetworkEnsemble, NetworkModel, OutputScale};
use crate::prepare::{Encoding, Input};
use crate::search::width_of;
use crate::task::NetworkTask;
use pellucid_export::names::FreeNames;
use pellucid_export::sql::{NulError, identifier, literal, measured, string, writable};
use pellucid_export::wrap::marked;
use pellucid_forward::{Activation, LARGEST_EXPONENT, SMALLEST_EXPONENT};
use std::fmt::Write as _;

/// More rows than a table has.
const EVERY_ROW: i64 = i64::MAX;

/// Returns a query over a table, or a view definition if `view` is set. Its columns are `score`, or a
/// score for each of more than two classes, the columns of the table, `predicted` and, if the model is
/// calibrated, probabilities; for a number they are `predicted` and the columns of the table. A name
/// that the table already has gets a number, as in `score 2`.
pub fn sql(model: &NetworkModel, table: &str, view: Option<&str>) -> Result<String, NulError> {
    let mut names = FreeNames::beside(&model.schema);
    let mut out = marked("-- ", &header(model));
    if let Some(view) = view {
        let _ = writeln!(out, "CREATE VIEW {} AS", identifier(view));
    }
    out += &match NetworkTask::of_schema(&model.schema) {
        NetworkTask::TwoClasses => two_classes(model, &mut names, table),
        NetworkTask::Classes(_) => classes(model, &mut names, table),
        NetworkTask::Number => {
            let predicted = names.take_identifier("predicted");
            let (number, table) = (scored(model, 0), identifier(table));
            format!("SELECT {number} AS {predicted},\n  t.*\n  FROM {table} t\n")
        }
    };
    writable(out)
}

/// Returns the query for two classes.
fn two_classes(model: &NetworkModel, names: &mut FreeNames, table: &str) -> String {
    let [score, predicted] = ["score", "predicted"].map(|name| names.take_identifier(name));
    let decision = Decision::of(model);
    let [no, yes] = [class(model, 0), class(model, 1)];
    let (slope, offset) = (literal(decision.slope), literal(decision.offset));
    let mut out = format!(
        "SELECT q.*,\n  \
         CASE WHEN {slope} * q.{score} + {offset} > 0.0 THEN {yes} ELSE {no} END AS {predicted}"
    );
    if decision.is_calibrated {
        let exponent = format!("-({slope} * q.{score} + {offset})");
        let positive = model.schema.classes.get(1).map_or("1", String::as_str);
        let head = names.take_identifier(&format!("probability of {positive}"));
        let _ = write!(out, ",\n  1.0 / (1.0 + EXP({})) AS {head}", clip_to(&exponent, 700.0));
    }
    // `score` comes first, because databases resolve a duplicate column name to the first column.
    let _ = write!(
        out,
        "\nFROM (\n  SELECT {} AS {score},\n  t.*\n  FROM {} t\n) q\n",
        scored(model, 0),
        identifier(table)
    );
    out
}

/// Returns the query for more than two classes. A subquery returns one number, so the networks are
/// computed once for each class.
fn classes(model: &NetworkModel, names: &mut FreeNames, table: &str) -> String {
    let classes = &model.schema.classes;
    let heads: Vec<String> =
        classes.iter().map(|class| names.take_identifier(&format!("score for {class}"))).collect();
    let (slope, offsets) = curve_of(model);
    let exponents: Vec<String> = heads
        .iter()
        .zip(&offsets)
        .map(|(head, &offset)| format!("({} * q.{head} + {})", literal(slope), literal(offset)))
        .collect();
    let mut out = "SELECT q.*,\n  CASE".to_owned();
    for (place, own) in exponents.iter().enumerate().take(classes.len() - 1) {
        let is_largest: Vec<String> =
            exponents[place + 1..].iter().map(|other| format!("{own} >= {other}")).collect();
        let is_largest = is_largest.join(" AND ");
        let _ = write!(out, "\n    WHEN {is_largest} THEN {}", class(model, place));
    }
    let predicted = names.take_identifier("predicted");
    let _ = write!(out, "\n    ELSE {} END AS {predicted}", class(model, classes.len() - 1));
    if calibration_of(model).is_some() {
        for (name, own) in classes.iter().zip(&exponents) {
            let powers: Vec<String> = exponents
                .iter()
                .map(|other| format!("EXP({})", clip_to(&format!("({other} - {own})"), 690.0)))
                .collect();
            let head = names.take_identifier(&format!("probability of {name}"));
            let _ = write!(out, ",\n  1.0 / ({}) AS {head}", powers.join(" + "));
        }
    }
    let scores: Vec<String> = heads
        .iter()
        .enumerate()
        .map(|(output, head)| format!("{} AS {head}", scored(model, output)))
        .collect();
    let scores = scores.join(",\n  ");
    // Without the limit and the condition, SQLite would compute a score wherever it is used.
    let _ = write!(
        out,
        "\nFROM (\n  SELECT {scores},\n  t.*\n  FROM {} t\n  LIMIT {EVERY_ROW}\n) q\n\
         WHERE q.{} IS NOT NULL\n",
        identifier(table),
        heads[0]
    );
    out
}

/// Returns the score of an output as nested subqueries; the innermost ones read the columns, then come the
/// inputs, each layer, and the mean of the outputs. Every level is a single row. `LIMIT 1` keeps
/// query planners from inlining a level wherever it is used, which would grow exponentially.
fn scored(model: &NetworkModel, output: usize) -> String {
    let networks = &model.body;
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
            "SELECT {nodes}\n  FROM (\n  SELECT {sums}\n  FROM (\n  {from}\n  LIMIT 1) v\n  \
             LIMIT 1) v"
        );
        before = after;
    }
    let outputs: Vec<String> = (networks.members.iter().zip(&before).enumerate())
        .map(|(number, (member, nodes))| {
            format!("{} AS {}", weighted(networks, member, output, nodes), name("output", number))
        })
        .collect();
    let terms: Vec<String> = (networks.members.iter().enumerate())
        .map(|(number, member)| {
            let found = on_scale(networks.scale, &format!("o.{}", name("output", number)));
            let offset = member.offset_of(output);
            format!("{} * {found} + {}", literal(member.slope), literal(offset))
        })
        .collect();
    format!(
        "(SELECT ({}) / {}\n  FROM (SELECT {}\n  FROM (\n  {from}\n  LIMIT 1) v LIMIT 1) o)",
        terms.join(" + "),
        literal(count as f64),
        outputs.join(",\n    ")
    )
}

/// Returns the columns that the inputs need, each once, as the model reads them.
fn columns(model: &NetworkModel) -> String {
    let inputs = &model.body.preparation.inputs;
    let is_used = |name: &str| inputs.iter().any(|input| input.column == name);
    let columns = model.schema.columns.iter().filter(|column| is_used(&column.name));
    let column =
        |name: &str| format!("{} AS {}", measured(&model.schema, "t", name), identifier(name));
    columns.map(|found| column(&found.name)).collect::<Vec<_>>().join(",\n    ")
}

/// Returns an output of a network.
fn weighted(
    networks: &NetworkEnsemble,
    member: &Member,
    output: usize,
    nodes: &[String],
) -> String {
    let weights = &member.genes[networks.output_weights(output)];
    let products = nodes
        .iter()
        .zip(weights)
        .map(|(node, &gene)| format!("{} * v.{node}", literal(f64::from(gene))));
    products.collect::<Vec<_>>().join(" + ")
}

/// Returns an output on the scale of the model.
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

/// Returns a number clipped to the range from -most to most.
fn clip_to(number: &str, most: f64) -> String {
    let (low, high) = (literal(-most), literal(most));
    format!(
        "CASE WHEN {number} < {low} THEN {low} WHEN {number} > {high} THEN {high} ELSE {number} END"
    )
}

/// Returns an input; 0 for a missing value without log odds of its own.
fn prepared(input: &Input, clip: Option<f64>) -> String {
    let column = format!("c.{}", identifier(&input.column));
    let scale = input.scale(clip);
    let scaled = |number: f64| literal(f64::from(scale.of(number)));
    match &input.encoding {
        Encoding::Number => {
            let moved =
                format!("({column} - {}) / {}", literal(scale.middle), literal(scale.half_range));
            format!("CASE WHEN {column} IS NULL THEN 0.0 ELSE {} END", clip_to(&moved, scale.clip))
        }
        Encoding::Truth => format!(
            "CASE WHEN {column} IS NULL THEN 0.0 WHEN {column} = 1 THEN {} ELSE {} END",
            scaled(1.0),
            scaled(0.0)
        ),
        Encoding::LogOdds { values, missing } | Encoding::Means { values, missing } => {
            let mut out = format!("CASE WHEN {column} IS NULL THEN {}", scaled(*missing));
            for (word, &odds) in values {
                let _ = write!(out, "\n    WHEN {column} = {} THEN {}", string(word), scaled(odds));
            }
            let _ = write!(out, "\n    ELSE {} END", scaled(0.0));
            out
        }
        Encoding::Steps { cuts, log_odds, missing }
        | Encoding::MeanSteps { cuts, means: log_odds, missing } => {
            let mut out = format!("CASE WHEN {column} IS NULL THEN {}", scaled(*missing));
            for (&cut, &odds) in cuts.iter().zip(log_odds) {
                let _ = write!(out, " WHEN {column} <= {} THEN {}", literal(cut), scaled(odds));
            }
            let _ = write!(out, " ELSE {} END", scaled(log_odds.last().copied().unwrap_or(0.0)));
            out
        }
    }
}

/// Returns the weighted sum of a node and its activation.
fn node_of(
    model: &NetworkModel,
    genes: &[f32],
    (layer, node): (usize, usize),
    values: &[String],
    sum: &str,
) -> (String, String) {
    let shape = &model.body.shape;
    let of = |range: std::ops::Range<usize>| genes[range].iter().map(|&gene| f64::from(gene));
    let last = f64::from(genes[shape.width_or_bias_of(layer, node)]);
    let weights = of(shape.weights_of(layer, node));
    let activation = shape.layers()[layer].activation;
    if let Activation::Rbf(width) = activation {
        let squares = values.iter().zip(weights).zip(of(shape.centres_of(layer, node)));
        let square = |((value, weight), centre): ((&String, f64), f64)| {
            let difference = format!("({} * v.{value} - {})", literal(weight), literal(centre));
            format!("{difference} * {difference}")
        };
        let distance = squares.map(square).collect::<Vec<_>>().join(" + ");
        let exponent = format!("{} * ({distance})", literal(-width_of(width, last)));
        let (low, high) = (literal(SMALLEST_EXPONENT), literal(LARGEST_EXPONENT));
        let cut = format!(
            "CASE WHEN v.{sum} < {low} THEN {low} WHEN v.{sum} > {high} THEN {high} \
             ELSE v.{sum} END"
        );
        return (exponent, format!("EXP({cut})"));
    }
    let products = values.iter().zip(weights);
    let products: Vec<String> =
        products.map(|(value, weight)| format!("{} * v.{value}", literal(weight))).collect();
    let total = format!("{} + {}", products.join(" + "), literal(last));
    let exponent = |factor: f64| clip_to(&format!("{} * v.{sum}", literal(-factor)), 700.0);
    let activated = match activation {
        Activation::Sigmoid => format!("1.0 / (1.0 + EXP({}))", exponent(1.0)),
        Activation::Tanh => format!("2.0 / (1.0 + EXP({})) - 1.0", exponent(2.0)),
        Activation::Relu | Activation::Rbf(_) => {
            format!("CASE WHEN v.{sum} > 0.0 THEN v.{sum} ELSE 0.0 END")
        }
    };
    (total, activated)
}
