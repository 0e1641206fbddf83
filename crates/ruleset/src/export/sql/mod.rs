//! The model as one query: a line for each bag, or for each row where there are no bags, with its class, the votes and, where
//! the model is calibrated, the probability.
//!
//! The query is standard SQL without any vendor's functions but `EXP`; `SQLite` (since 3.35, built with its mathematical
//! functions), `PostgreSQL` and `DuckDB` run it. It takes numbers as numbers, dates as dates (in `SQLite` as texts such as
//! 2024-02-29), categories as texts, truth values as booleans (in `SQLite` 0 and 1) and missing values as NULL. Bags are gathered by one `GROUP BY`: the table is read once.
//!
//! **NULL.** SQL's third truth value would make `NOT x > 3` unknown where `x` is missing, while a model says yes there. So
//! every comparison is guarded: it is false for NULL, and NOT turns false into true.
//!
//! **Numbers** are written with all their digits. Votes are added in the order of the rules and in double precision, as the
//! model does it, so that equal votes are equal here too. A mean may differ from the model's in its last bit, because each
//! database adds in its own way, and so may a probability.

mod condition;
pub(super) mod literal;

use super::ExportError;
use super::language::conditions;
use super::text::{class_name, header, whole};
use super::wrap::marked;
use crate::model::RuleModel;
use condition::{ALL_ROWS, Gathered, Sql, averaged, counted};
use literal::{identifier, literal, string};
use pellucid_learn::calibrate::Calibration;
use std::cell::RefCell;
use std::fmt::Write as _;

/// Exponents beyond this are cut off: some databases take an infinite result for an error.
const FARTHEST: f64 = 700.0;

/// A query that gives the class of every example in a table, as the definition of a view where one is named.
///
/// Of a model that predicts a number, `predicted` is that number, and there is nothing beside it.
///
/// With bags its columns are the bag, under its own name, `predicted`, the probabilities and the votes. Without bags they are
/// all columns of the table, the votes, `predicted` and the probabilities. Of two classes the positive one's probability is
/// told, of more every one's.
///
/// # Errors
/// When the model makes no sense: a condition asks a column what it cannot answer, or votes add up to no number.
pub fn sql<P>(
    model: &RuleModel<P>,
    table: &str,
    view: Option<&str>,
) -> Result<String, ExportError> {
    let table = identifier(table);
    let dialect = Sql {
        row: if model.schema.bag.is_some() { "r" } else { "t" },
        bag: "g",
        gathered: RefCell::default(),
    };
    let conditions = conditions(model, &dialect)?;
    let mut out = marked("-- ", &header(model));
    if let Some(view) = view {
        let _ = writeln!(out, "CREATE VIEW {} AS", identifier(view));
    }
    if model.schema.number.is_some() {
        let number = output(model, 0, &conditions, "what there is to begin with", "predicted");
        let _ = match &model.schema.bag {
            Some(bag) => {
                let bag = identifier(bag);
                let gathered = gathered(&dialect.gathered.into_inner());
                write!(
                    out,
                    "SELECT g.example AS {bag},\n{number}\nFROM (\n  SELECT r.{bag} AS example,\n      {gathered}\n  \
                     FROM {table} r WHERE r.{bag} IS NOT NULL GROUP BY r.{bag}\n) g\n"
                )
            }
            None => write!(out, "SELECT t.*,\n{number}\nFROM {table} t\n"),
        };
        return Ok(out);
    }
    let heads: Vec<String> = heads(&model.schema.classes);
    let mut told = vec![format!("{} AS predicted", decision(&model.schema.classes, &heads))];
    if let Some(calibration) = &model.calibration {
        told.extend(probabilities(model, calibration, &heads));
    }
    let votes = votes(model, &conditions, &heads);
    match &model.schema.bag {
        Some(bag) => {
            let bag = identifier(bag);
            told.extend(heads.iter().map(|head| format!("v.{head}")));
            let gathered = gathered(&dialect.gathered.into_inner());
            let _ = write!(
                out,
                "SELECT v.example AS {bag},\n  {}\nFROM (\n  SELECT g.example,\n{votes}\n  FROM (\n    \
                 SELECT r.{bag} AS example,\n      {gathered}\n    \
                 FROM {table} r WHERE r.{bag} IS NOT NULL GROUP BY r.{bag}\n  ) g\n) v\n",
                told.join(",\n  ")
            );
        }
        None => {
            let _ = write!(
                out,
                "SELECT v.*,\n  {}\nFROM (\n  SELECT t.*,\n{votes}\n  FROM {table} t\n) v\n",
                told.join(",\n  ")
            );
        }
    }
    Ok(out)
}

/// What the votes of each class are called. Databases take names that differ in case alone for the same, so those get a number.
fn heads(classes: &[String]) -> Vec<String> {
    let folded: Vec<String> = classes.iter().map(|class| class.to_lowercase()).collect();
    let is_alone =
        |class: usize| folded.iter().filter(|other| **other == folded[class]).count() < 2;
    let head = |(class, name): (usize, &String)| {
        identifier(&if is_alone(class) {
            format!("votes for {name}")
        } else {
            format!("votes for {name} ({})", class + 1)
        })
    };
    classes.iter().enumerate().map(head).collect()
}

/// What is gathered of a bag's rows: how many there are, how many answer each question, and means.
fn gathered(gathered: &Gathered) -> String {
    let mut columns = vec![format!("COUNT(*) AS {ALL_ROWS}")];
    for (place, condition) in gathered.counts.iter().enumerate() {
        let name = counted(place);
        columns.push(format!("SUM(CASE WHEN {condition} THEN 1 ELSE 0 END) AS {name}"));
    }
    for (place, column) in gathered.means.iter().enumerate() {
        columns.push(format!("AVG({column}) AS {}", averaged(place)));
    }
    columns.join(",\n      ")
}

/// For each class what begins and what the rules add.
fn votes<P>(model: &RuleModel<P>, conditions: &[String], heads: &[String]) -> String {
    let of_class = |(class, head): (u32, &String)| {
        output(model, class, conditions, &format!("votes for {}", class_name(model, class)), head)
    };
    (0u32..).zip(heads).map(of_class).collect::<Vec<_>>().join(",\n")
}

/// One output of the model, the votes of a class or the number: its base and what the rules add to it, or, of a list, what the
/// first rule that holds says.
fn output<P>(
    model: &RuleModel<P>,
    class: u32,
    conditions: &[String],
    words: &str,
    head: &str,
) -> String {
    let indent = "    ";
    let mut column = marked(&format!("{indent}-- "), words);
    let base = literal(model.model.base.get(class as usize).copied().unwrap_or_default());
    let rules = || (1..).zip(model.model.rules.iter().zip(conditions));
    if model.model.ordered {
        let _ = write!(column, "{indent}CAST(CASE");
        for (number, (rule, condition)) in rules() {
            let words = whole(model, rule);
            let comment = marked(&format!("{indent}-- "), &format!("{number}. {words}"));
            let votes = literal(if rule.class == class { rule.votes } else { 0.0 });
            let _ = write!(column, "\n{comment}{indent}WHEN {condition} THEN {votes}");
        }
        // A choice needs a branch.
        let never = if conditions.is_empty() { " WHEN 1 = 0 THEN 0.0" } else { "" };
        let _ = write!(column, "{never} ELSE {base} END AS DOUBLE PRECISION) AS {head}");
        return column;
    }
    // The cast makes the whole sum one in double precision, where decimals would round otherwise.
    let _ = write!(column, "{indent}CAST({base} AS DOUBLE PRECISION)");
    for (number, (rule, condition)) in rules().filter(|(_, (rule, _))| rule.class == class) {
        let words = whole(model, rule);
        let comment = marked(&format!("{indent}-- "), &format!("{number}. {words}"));
        let votes = literal(rule.votes);
        let _ =
            write!(column, "\n{comment}{indent}+ CASE WHEN {condition} THEN {votes} ELSE 0.0 END");
    }
    let _ = write!(column, " AS {head}");
    column
}

/// The first class that has no fewer votes than any class after it: once those before have lost, it has the most.
fn decision(classes: &[String], heads: &[String]) -> String {
    let Some((last, others)) = classes.split_last() else { return "NULL".to_owned() };
    if others.is_empty() {
        return string(last);
    }
    let mut out = "CASE".to_owned();
    for (class, name) in others.iter().enumerate() {
        let wins: Vec<String> = (class + 1..classes.len())
            .map(|other| format!("v.{} >= v.{}", heads[class], heads[other]))
            .collect();
        let _ = write!(out, " WHEN {} THEN {}", wins.join(" AND "), string(name));
    }
    let _ = write!(out, " ELSE {} END", string(last));
    out
}

/// How likely classes are: 1 over the sum of what the others' votes are in proportion to its own.
fn probabilities<P>(
    model: &RuleModel<P>,
    calibration: &Calibration,
    heads: &[String],
) -> Vec<String> {
    let classes = &model.schema.classes;
    let told = if classes.len() == 2 { 1..2 } else { 0..classes.len() };
    let of_class = |class: usize| {
        let others = (0..classes.len()).filter(|&other| other != class).map(|other| {
            let ahead = format!("v.{} - v.{}", heads[other], heads[class]);
            let offset = calibration.offsets[other] - calibration.offsets[class];
            let exponent = format!("{} * ({ahead}) + {}", literal(calibration.slope), literal(offset));
            if farthest(model) * calibration.slope + offset.abs() < FARTHEST {
                format!(" + EXP({exponent})")
            } else {
                let (least, most) = (literal(-FARTHEST), literal(FARTHEST));
                format!(
                    " + EXP(CASE WHEN {exponent} > {most} THEN {most} WHEN {exponent} < {least} THEN {least} ELSE {exponent} END)"
                )
            }
        });
        let head = identifier(&format!("probability of {}", classes[class]));
        format!("1.0 / (1.0{}) AS {head}", others.collect::<String>())
    };
    told.map(of_class).collect()
}

/// How far the votes of two classes can be apart.
fn farthest<P>(model: &RuleModel<P>) -> f64 {
    let base: f64 = model.model.base.iter().map(|votes| votes.abs()).sum();
    base + model.model.rules.iter().map(|rule| rule.votes.abs()).sum::<f64>()
}
