//! The model as one query: a line for each bag, or for each row where there are no bags, with its class, the votes and, where
//! the model is calibrated, the probability.
//!
//! The query is standard SQL with few functions: `EXP`, `TRIM`, `LOWER`, `SUBSTR` and `LENGTH`. `SQLite` (since 3.35, built with its
//! mathematical functions), `PostgreSQL` and `DuckDB` run it. Columns may have types or be text, as a CSV file is imported: numbers
//! as numbers or as text, dates as dates or as text such as 2024-02-29, categories as text, truth values as booleans, as 0 and 1 or
//! as text. NULL, empty text and the marks of missing values that the model knows are missing values, and so is text that is no
//! number in a column of numbers. Bags are gathered by one `GROUP BY`: the table is read once.
//!
//! **NULL.** SQL's third truth value would make `NOT x > 3` unknown where `x` is missing, while a model says yes there. So
//! every comparison is guarded: it is false for NULL, and NOT turns false into true.
//!
//! **Numbers** are written with all their digits. Votes are added in the order of the rules and in double precision, as the
//! model does it, so that equal votes are equal here too. A mean may differ from the model's in its last bit, because each
//! database adds in its own way, and so may a probability.
//!
//! **Names.** What the query computes has names that no column of the model's table has, and stands before the columns of the
//! table where it is asked for again, so that a column that the model does not know cannot be taken for it.

mod column;
mod condition;
pub(super) mod literal;
mod names;

use super::ExportError;
use super::language::conditions;
use super::text::{class_name, header, whole};
use super::wrap::marked;
use crate::model::RuleModel;
use column::all_cleaned;
pub use column::measured;
use condition::{ALL_ROWS, Gathered, ROW, Sql, averaged, counted};
use literal::{identifier, literal, string};
pub use names::FreeNames;
use pellucid_learn::calibrate::Calibration;
use pellucid_learn::model::Schema;
use pellucid_program::Expr;
use std::fmt::Write as _;

/// Exponents beyond this are cut off: some databases take an infinite result for an error.
const FARTHEST: f64 = 700.0;

/// A query that gives the class of every example in a table, as the definition of a view where one is named.
///
/// Of a model that predicts a number, `predicted` is that number, and there is nothing beside it.
///
/// With bags its columns are the bag, under its own name, `predicted`, the probabilities and the votes. Without bags they are
/// the votes, all columns of the table, `predicted` and the probabilities. Of two classes the positive one's probability is
/// shown, of more every one's. A name that the model's table has already gets a number, as in `predicted 2`.
///
/// # Errors
/// When the model makes no sense: a condition asks a column what it cannot answer, or votes add up to no number; or when a name
/// cannot be written in SQL.
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
        true => of_number(model, &conditions, &from, &mut names),
        false => of_classes(model, &conditions, &from, &mut names),
    };
    writable(out)
}

/// A query, if every name in it can be written: a text of SQL ends at a NUL.
///
/// # Errors
/// When a name has one.
pub fn writable(query: String) -> Result<String, ExportError> {
    match query.lines().find(|line| line.contains('\0')) {
        Some(line) => Err(ExportError::Nul { line: line.trim().to_owned() }),
        None => Ok(query),
    }
}

/// What the examples are selected from.
struct Source {
    /// What stands behind `FROM`.
    text: String,
    /// What bags are called among the columns of `g`; nothing where rows are examples.
    example: Option<String>,
}

/// The rows of a table, or its bags with what is gathered of their rows.
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
    let example = names.take("example");
    let header = schema.reading.headers.get(bag).unwrap_or(bag);
    let bag = format!("t.{}", identifier(header));
    let mut columns = vec![format!("{bag} AS {example}")];
    columns.extend(all_cleaned(
        schema,
        "t",
        &asked(schema, model.model.rules.iter().map(|rule| &rule.when)),
    ));
    let text = format!(
        "(\n    SELECT {ROW}.{example},\n      {}\n    FROM (\n      SELECT {}\n      FROM {table} t \
         WHERE {bag} IS NOT NULL AND TRIM(CAST({bag} AS TEXT)) <> ''\n    ) {ROW} GROUP BY {ROW}.{example}\n  ) g",
        gathered_columns(gathered),
        columns.join(",\n        ")
    );
    Source { text, example: Some(example) }
}

/// The columns of the model's table that conditions ask about, in the order of the table.
fn asked<'a>(schema: &'a Schema, exprs: impl Iterator<Item = &'a Expr>) -> Vec<&'a str> {
    let named: Vec<&str> = exprs.flat_map(Expr::columns).collect();
    let is_asked = |name: &&str| {
        let of_mean = |asked: &&str| crate::summary::mean_of(asked) == Some(*name);
        named.contains(name) || named.iter().any(of_mean)
    };
    schema.columns.iter().map(|column| column.name.as_str()).filter(is_asked).collect()
}

/// A number for each example.
fn of_number<P>(
    model: &RuleModel<P>,
    conditions: &[String],
    from: &Source,
    names: &mut FreeNames,
) -> String {
    let number = output(model, 0, conditions, "starting value", &names.take("predicted"));
    match (&model.schema.bag, &from.example) {
        (Some(bag), Some(example)) => {
            let bag = identifier(bag);
            format!("SELECT g.{example} AS {bag},\n{number}\nFROM {}\n", from.text)
        }
        _ => format!("SELECT t.*,\n{number}\nFROM {}\n", from.text),
    }
}

/// The votes of each class, the class, and the probabilities.
fn of_classes<P>(
    model: &RuleModel<P>,
    conditions: &[String],
    from: &Source,
    names: &mut FreeNames,
) -> String {
    let classes = &model.schema.classes;
    let heads: Vec<String> =
        classes.iter().map(|class| names.take(&format!("votes for {class}"))).collect();
    let mut shown = vec![format!("{} AS {}", decision(classes, &heads), names.take("predicted"))];
    if let Some(calibration) = &model.calibration {
        shown.extend(probabilities(model, calibration, &heads, names));
    }
    let votes = votes(model, conditions, &heads);
    match (&model.schema.bag, &from.example) {
        (Some(bag), Some(example)) => {
            shown.extend(heads.iter().map(|head| format!("v.{head}")));
            format!(
                "SELECT v.{example} AS {},\n  {}\nFROM (\n  SELECT g.{example},\n{votes}\n  FROM {}\n) v\n",
                identifier(bag),
                shown.join(",\n  "),
                from.text
            )
        }
        _ => format!(
            "SELECT v.*,\n  {}\nFROM (\n  SELECT\n{votes},\n    t.*\n  FROM {}\n) v\n",
            shown.join(",\n  "),
            from.text
        ),
    }
}

/// What is gathered of a bag's rows: how many there are, how many answer each question, and means.
fn gathered_columns(gathered: &Gathered) -> String {
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
    let set = &model.model;
    let base = literal(set.base.get(class as usize).copied().unwrap_or_default());
    // All rules of a list are asked; of others those that speak for the class.
    let rules = || {
        let all = (1..).zip(set.rules.iter().zip(conditions));
        all.filter(|(_, (rule, _))| set.ordered || rule.class == class)
    };
    let mut sum = match set.ordered {
        true => "CAST(CASE".to_owned(),
        // The cast makes the whole sum one in double precision, where decimals would round otherwise.
        false => format!("CAST({base} AS DOUBLE PRECISION)"),
    };
    for (number, (rule, condition)) in rules() {
        let comment = marked(&format!("{indent}-- "), &format!("{number}. {}", whole(model, rule)));
        let votes = literal(if rule.class == class { rule.votes } else { 0.0 });
        let _ = match set.ordered {
            true => write!(sum, "\n{comment}{indent}WHEN {condition} THEN {votes}"),
            false => {
                write!(sum, "\n{comment}{indent}+ CASE WHEN {condition} THEN {votes} ELSE 0.0 END")
            }
        };
    }
    if set.ordered {
        // A choice needs a branch.
        let never = if conditions.is_empty() { " WHEN 1 = 0 THEN 0.0" } else { "" };
        let _ = write!(sum, "{never} ELSE {base} END AS DOUBLE PRECISION)");
    }
    let comment = marked(&format!("{indent}-- "), words);
    let columns = asked(&model.schema, rules().map(|(_, (rule, _))| &rule.when));
    if model.schema.bag.is_some() || columns.is_empty() {
        return format!("{comment}{indent}{sum} AS {head}");
    }
    let columns = all_cleaned(&model.schema, "t", &columns).join(",\n      ");
    format!(
        "{comment}{indent}(SELECT {sum}\n    FROM (SELECT\n      {columns}\n    ) {ROW}) AS {head}"
    )
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
    names: &mut FreeNames,
) -> Vec<String> {
    let classes = &model.schema.classes;
    let shown = if classes.len() == 2 { 1..2 } else { 0..classes.len() };
    let mut of_class = |class: usize| {
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
        let head = names.take(&format!("probability of {}", classes[class]));
        format!("1.0 / (1.0{}) AS {head}", others.collect::<String>())
    };
    shown.map(&mut of_class).collect()
}

/// How far the votes of two classes can be apart.
fn farthest<P>(model: &RuleModel<P>) -> f64 {
    let base: f64 = model.model.base.iter().map(|votes| votes.abs()).sum();
    base + model.model.rules.iter().map(|rule| rule.votes.abs()).sum::<f64>()
}
