//! The model as one query: a line for each bag, or for each row without bags, with its class, the
//! scores and, if the model is calibrated, the probability.
//!
//! The query is standard SQL with few functions: `EXP`, `TRIM`, `LOWER`, `SUBSTR` and `LENGTH`.
//! `SQLite` (since 3.35, built with its mathematical functions), `PostgreSQL` and `DuckDB` run it.
//! Columns may be typed or text, as an imported CSV file has them: numbers as numbers or text,
//! dates as dates or text such as 2024-02-29, categories as text, booleans as booleans, 0 and 1 or
//! text. NULL, empty text and the model's marks of missing values are missing values, and so is
//! text that is not a number in a numeric column. Bags are gathered by one `GROUP BY`, so the table
//! is read once.
//!
//! **NULL.** SQL's third truth value would make `NOT x > 3` unknown for a missing `x`, while it is
//! true in the model. So every comparison is guarded: it is false for NULL, and NOT turns false
//! into true.
//!
//! **Numbers** are written with all digits. Points are added in the order of the rules and in
//! double precision, as in the model, so ties are ties here too. A mean may differ from the model's
//! in its last bit, because each database adds in its own order, and so may a probability.
//!
//! **Names.** Computed columns have names that no column of the model's table has. They precede the
//! columns of the table in subqueries, so that a column unknown to the model cannot be mistaken for
//! them.

mod condition;

use super::ExportError;
use super::header::header;
use super::language::conditions;
use super::text::{class_name, rule_line};
use crate::model::RuleModel;
use condition::{ALL_ROWS, Gathered, ROW, Sql, count_name, mean_name};
use pellucid_export::names::FreeNames;
use pellucid_export::sql::{all_cleaned, identifier, literal, string, writable};
use pellucid_export::wrap::marked;
use pellucid_learn::calibrate::Calibration;
use pellucid_learn::model::Schema;
use pellucid_program::Expr;
use std::fmt::Write as _;

/// Exponents are clipped to this size, because some databases treat an infinite result as an error.
const LARGEST_EXPONENT: f64 = 700.0;

/// Returns a query that predicts the class of every example in a table, as the definition of a view
/// if one is named.
///
/// With bags, its columns are the bag, under its own name, `predicted`, the probabilities and the
/// scores. Without bags they are the scores, all columns of the table, `predicted` and the
/// probabilities. With two classes there is the probability of the positive one, with more that of
/// each class. A name that the model's table already has gets a number, as in `predicted 2`. If the
/// model predicts a number, `predicted` is that number, without further columns.
///
/// # Errors
/// If the model is invalid: a condition does not fit its column, or points do not add up to a
/// finite number; or if a name cannot be written in SQL.
pub fn sql<P>(
    model: &RuleModel<P>,
    table: &str,
    view: Option<&str>,
) -> Result<String, ExportError> {
    let dialect = Sql::default();
    let conditions = conditions(model, &dialect)?;
    let mut out = marked("-- ", &header(model));
    if let Some(view) = view {
        let _ = writeln!(out, "CREATE VIEW {} AS", identifier(view));
    }
    let mut names = FreeNames::beside(&model.schema);
    let from = source(model, table, &dialect.gathered.into_inner(), &mut names);
    out += &match model.schema.number.is_some() {
        true => select_number(model, &conditions, &from, &mut names),
        false => select_class(model, &conditions, &from, &mut names),
    };
    Ok(writable(out)?)
}

/// The source of the examples.
struct Source {
    /// The text after `FROM`.
    text: String,
    /// The name of the bag column of `g`; `None` if rows are examples.
    example: Option<String>,
}

/// Returns the rows of a table, or its bags with counts and means of their rows.
fn source<P>(
    model: &RuleModel<P>,
    table: &str,
    gathered: &Gathered,
    names: &mut FreeNames,
) -> Source {
    let (schema, table) = (&model.schema, identifier(table));
    let Some(bag) = &schema.bag else {
        return Source { text: format!("{table} t"), example: None };
    };
    let example = names.take_identifier("example");
    let header = schema.reading.headers.get(bag).unwrap_or(bag);
    let bag = format!("t.{}", identifier(header));
    let mut columns = vec![format!("{bag} AS {example}")];
    columns.extend(all_cleaned(
        schema,
        "t",
        &tested_columns(schema, model.body.rules.iter().map(|rule| &rule.when)),
    ));
    let text = format!(
        "(\n    SELECT {ROW}.{example},\n      {}\n    FROM (\n      SELECT {}\n      FROM {table} t \
         WHERE {bag} IS NOT NULL AND TRIM(CAST({bag} AS TEXT)) <> ''\n    \
         ) {ROW} GROUP BY {ROW}.{example}\n  ) g",
        gathered_columns(gathered),
        columns.join(",\n        ")
    );
    Source { text, example: Some(example) }
}

/// Returns the columns of the model's table that conditions test, in the order of the table.
fn tested_columns<'a>(schema: &'a Schema, exprs: impl Iterator<Item = &'a Expr>) -> Vec<&'a str> {
    let names: Vec<&str> = exprs.flat_map(Expr::columns).collect();
    let is_tested = |column: &&str| {
        let is_mean = |name: &&str| crate::summary::mean_of(name) == Some(*column);
        names.contains(column) || names.iter().any(is_mean)
    };
    schema.columns.iter().map(|column| column.name.as_str()).filter(is_tested).collect()
}

/// Returns the query for a number.
fn select_number<P>(
    model: &RuleModel<P>,
    conditions: &[String],
    from: &Source,
    names: &mut FreeNames,
) -> String {
    let number =
        output(model, 0, conditions, "starting value", &names.take_identifier("predicted"));
    match (&model.schema.bag, &from.example) {
        (Some(bag), Some(example)) => {
            let bag = identifier(bag);
            format!("SELECT g.{example} AS {bag},\n{number}\nFROM {}\n", from.text)
        }
        _ => format!("SELECT t.*,\n{number}\nFROM {}\n", from.text),
    }
}

/// Returns the query for the scores of each class, the predicted class, and the probabilities.
fn select_class<P>(
    model: &RuleModel<P>,
    conditions: &[String],
    from: &Source,
    names: &mut FreeNames,
) -> String {
    let classes = &model.schema.classes;
    let heads: Vec<String> =
        classes.iter().map(|class| names.take_identifier(&format!("score for {class}"))).collect();
    let mut shown =
        vec![format!("{} AS {}", decision(classes, &heads), names.take_identifier("predicted"))];
    if let Some(calibration) = &model.calibration {
        shown.extend(probabilities(model, calibration, &heads, names));
    }
    let scores = scores(model, conditions, &heads);
    match (&model.schema.bag, &from.example) {
        (Some(bag), Some(example)) => {
            shown.extend(heads.iter().map(|head| format!("v.{head}")));
            format!(
                "SELECT v.{example} AS {},\n  {}\nFROM (\n  SELECT g.{example},\n{scores}\n  FROM {}\n) v\n",
                identifier(bag),
                shown.join(",\n  "),
                from.text
            )
        }
        _ => format!(
            "SELECT v.*,\n  {}\nFROM (\n  SELECT\n{scores},\n    t.*\n  FROM {}\n) v\n",
            shown.join(",\n  "),
            from.text
        ),
    }
}

/// Returns the columns computed from a bag's rows: their number, the number that satisfies each
/// question, and means.
fn gathered_columns(gathered: &Gathered) -> String {
    let mut columns = vec![format!("COUNT(*) AS {ALL_ROWS}")];
    for (index, condition) in gathered.counts.iter().enumerate() {
        let name = count_name(index);
        columns.push(format!("SUM(CASE WHEN {condition} THEN 1 ELSE 0 END) AS {name}"));
    }
    for (index, column) in gathered.means.iter().enumerate() {
        columns.push(format!("AVG({column}) AS {}", mean_name(index)));
    }
    columns.join(",\n      ")
}

/// Returns the scores of all classes.
fn scores<P>(model: &RuleModel<P>, conditions: &[String], heads: &[String]) -> String {
    let of_class = |(class, head): (u32, &String)| {
        output(model, class, conditions, &format!("score for {}", class_name(model, class)), head)
    };
    (0u32..).zip(heads).map(of_class).collect::<Vec<_>>().join(",\n")
}

/// Returns one output of the model, the score of a class or the number: its starting value plus
/// what the rules add, or, for a list, the value of the first rule that applies.
fn output<P>(
    model: &RuleModel<P>,
    class: u32,
    conditions: &[String],
    words: &str,
    head: &str,
) -> String {
    let indent = "    ";
    let set = &model.body;
    let base = literal(set.base.get(class as usize).copied().unwrap_or_default());
    // A list needs all rules; otherwise only the rules for the class matter.
    let rules = || {
        let all = (1..).zip(set.rules.iter().zip(conditions));
        all.filter(|(_, (rule, _))| set.ordered || rule.points_for(class).is_some())
    };
    let mut sum = match set.ordered {
        true => "CAST(CASE".to_owned(),
        // The cast makes the sum double precision; decimals would be rounded differently.
        false => format!("CAST({base} AS DOUBLE PRECISION)"),
    };
    for (number, (rule, condition)) in rules() {
        let line = format!("{number}. {}", rule_line(model, rule));
        let comment = marked(&format!("{indent}-- "), &line);
        let votes = literal(rule.points_for(class).unwrap_or(0.0));
        let _ = match set.ordered {
            true => write!(sum, "\n{comment}{indent}WHEN {condition} THEN {votes}"),
            false => {
                write!(sum, "\n{comment}{indent}+ CASE WHEN {condition} THEN {votes} ELSE 0.0 END")
            }
        };
    }
    if set.ordered {
        // CASE needs at least one branch.
        let never = if conditions.is_empty() { " WHEN 1 = 0 THEN 0.0" } else { "" };
        let _ = write!(sum, "{never} ELSE {base} END AS DOUBLE PRECISION)");
    }
    let comment = marked(&format!("{indent}-- "), words);
    let columns = tested_columns(&model.schema, rules().map(|(_, (rule, _))| &rule.when));
    if model.schema.bag.is_some() || columns.is_empty() {
        return format!("{comment}{indent}{sum} AS {head}");
    }
    let columns = all_cleaned(&model.schema, "t", &columns).join(",\n      ");
    format!(
        "{comment}{indent}(SELECT {sum}\n    FROM (SELECT\n      {columns}\n    ) {ROW}) AS {head}"
    )
}

/// Returns the first class whose score is at least that of every later class; earlier classes have
/// been excluded by then.
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

/// Returns the softmax of the calibrated scores, written as 1 / (1 + the ratios of the other
/// classes to this one).
fn probabilities<P>(
    model: &RuleModel<P>,
    calibration: &Calibration,
    heads: &[String],
    names: &mut FreeNames,
) -> Vec<String> {
    let classes = &model.schema.classes;
    let shown = if classes.len() == 2 { 1..2 } else { 0..classes.len() };
    let mut of_class = |class: usize| {
        let others = (0..classes.len()).filter(|&other| other != class).map(|other| {
            let ahead = format!("v.{} - v.{}", heads[other], heads[class]);
            let offset = calibration.offsets[other] - calibration.offsets[class];
            let exponent =
                format!("{} * ({ahead}) + {}", literal(calibration.slope), literal(offset));
            if largest_difference(model) * calibration.slope + offset.abs() < LARGEST_EXPONENT {
                format!(" + EXP({exponent})")
            } else {
                let (least, most) = (literal(-LARGEST_EXPONENT), literal(LARGEST_EXPONENT));
                format!(
                    " + EXP(CASE WHEN {exponent} > {most} THEN {most} \
                     WHEN {exponent} < {least} THEN {least} ELSE {exponent} END)"
                )
            }
        });
        let head = names.take_identifier(&format!("probability of {}", classes[class]));
        format!("1.0 / (1.0{}) AS {head}", others.collect::<String>())
    };
    shown.map(&mut of_class).collect()
}

/// Returns an upper bound of the difference between the scores of two classes.
fn largest_difference<P>(model: &RuleModel<P>) -> f64 {
    let base: f64 = model.body.base.iter().map(|votes| votes.abs()).sum();
    let points = model.body.rules.iter().flat_map(|rule| rule.points());
    base + points.map(|points| points.votes.abs()).sum::<f64>()
}
