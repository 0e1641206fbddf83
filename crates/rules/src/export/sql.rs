//! The model as one query: a line for each bag, or for each row where there are no bags, with its class.
//!
//! The query is standard SQL without any vendor's functions; `SQLite`, `PostgreSQL` and `DuckDB` run it. It takes numbers as
//! numbers, dates as dates (in `SQLite` as texts such as 2024-02-29), categories as texts, truth values as booleans (in `SQLite` 0 and 1) and missing values as NULL.
//!
//! **NULL.** SQL's third truth value would make `NOT x > 3` unknown where `x` is missing, while a model says yes there. So
//! every comparison is guarded: it is false for NULL, and NOT turns false into true.
//!
//! **Numbers** are written with all their digits. Votes are added in the order of the rules and in double precision, as the
//! model does it, so that equal votes are equal here too. A mean may differ from the model's in its last bit, because each
//! database adds in its own way.

use super::ExportError;
use super::dates;
use super::language::{Language, Subject, conditions};
use super::text::{class_name, header, whole};
use super::wrap::marked;
use crate::model::RuleModel;
use pellucid_data::DateFormat;
use pellucid_program::{Interval, Op, Quantifier};
use std::fmt::Write as _;

/// A query that gives the class of every example in a table.
///
/// With bags its columns are the bag, under its own name, and `predicted`; an index on the bag's column makes it fast.
/// Without bags they are all columns of the table and `predicted`.
///
/// # Errors
/// When the model makes no sense: a condition that is no expression or asks a column what it cannot answer.
pub fn sql(model: &RuleModel, table: &str) -> Result<String, ExportError> {
    let table = identifier(table);
    let (row, bag) = match &model.schema.bag {
        Some(bag) => ("r", Some(identifier(bag))),
        None => ("t", None),
    };
    let rows_of_bag = bag.as_ref().map(|bag| format!("FROM {table} r WHERE r.{bag} = e.example"));
    let dialect = Sql { row, rows_of_bag: rows_of_bag.unwrap_or_default() };
    let conditions = conditions(model, &dialect)?;
    let mut out = marked("-- ", &header(model));
    let decided = decision(&model.schema.classes);
    match bag {
        Some(bag) => {
            let votes = votes(model, &conditions, "    ");
            let _ = write!(
                out,
                "SELECT v.example AS {bag}, {decided} AS predicted\n\
                 FROM (\n  SELECT e.example,\n{votes}\n  \
                 FROM (SELECT DISTINCT r.{bag} AS example FROM {table} r WHERE r.{bag} IS NOT NULL) e\n) v\n"
            );
        }
        None => {
            let votes = votes(model, &conditions, "      ");
            let _ = write!(
                out,
                "SELECT t.*, (\n  SELECT {decided}\n  FROM (\n    SELECT\n{votes}\n  ) v\n) AS predicted\n\
                 FROM {table} t\n"
            );
        }
    }
    Ok(out)
}

/// For each class what begins and what the rules add, as columns `votes_1`, `votes_2` …
fn votes(model: &RuleModel, conditions: &[String], indent: &str) -> String {
    let mut columns = Vec::with_capacity(model.model.base.len());
    for (class, base) in (0u32..).zip(&model.model.base) {
        // The cast makes the whole sum one in double precision, where decimals would round otherwise.
        let mut column =
            marked(&format!("{indent}-- "), &format!("votes for {}", class_name(model, class)));
        let _ = write!(column, "{indent}CAST({} AS DOUBLE PRECISION)", literal(*base));
        for (number, (rule, condition)) in (1..).zip(model.model.rules.iter().zip(conditions)) {
            if rule.class == class {
                let words = whole(model, rule);
                let comment = marked(&format!("{indent}-- "), &format!("{number}. {words}"));
                let votes = literal(rule.votes);
                let _ = write!(
                    column,
                    "\n{comment}{indent}+ CASE WHEN {condition} THEN {votes} ELSE 0.0 END"
                );
            }
        }
        let _ = write!(column, " AS votes_{}", class + 1);
        columns.push(column);
    }
    columns.join(",\n")
}

/// The first class that has no fewer votes than any class after it: once those before have lost, it has the most.
fn decision(classes: &[String]) -> String {
    let Some((last, others)) = classes.split_last() else { return "NULL".to_owned() };
    if others.is_empty() {
        return string(last);
    }
    let mut out = "CASE".to_owned();
    for (class, name) in others.iter().enumerate() {
        let wins: Vec<String> = (class + 1..classes.len())
            .map(|other| format!("v.votes_{} >= v.votes_{}", class + 1, other + 1))
            .collect();
        let _ = write!(out, " WHEN {} THEN {}", wins.join(" AND "), string(name));
    }
    let _ = write!(out, " ELSE {} END", string(last));
    out
}

/// Conditions in SQL.
struct Sql {
    /// What the row at hand is called.
    row: &'static str,
    /// Where the rows of the bag at hand are found.
    rows_of_bag: String,
}

impl Sql {
    fn column(&self, name: &str) -> String {
        // Always with the row's name: SQLite takes an unknown "name" by itself for a text.
        format!("{}.{}", self.row, identifier(name))
    }

    /// A test of a number, false where there is none.
    fn guarded(&self, subject: Subject<'_>, test: impl Fn(&str) -> String) -> String {
        let number = match subject {
            Subject::Column(name) => self.column(name),
            Subject::Mean(name) => format!("AVG({})", self.column(name)),
            Subject::Rows => "COUNT(*)".to_owned(),
        };
        // The guard also names the number where the test does not, as of infinity; without an aggregate a subquery would
        // have as many lines as the bag has rows.
        let guarded = format!("{number} IS NOT NULL AND {}", test(&number));
        match subject {
            Subject::Column(_) => format!("({guarded})"),
            Subject::Mean(_) | Subject::Rows => {
                format!("(SELECT CASE WHEN {guarded} THEN 1 ELSE 0 END {}) = 1", self.rows_of_bag)
            }
        }
    }
}

impl Language for Sql {
    fn constant(&self, value: bool) -> String {
        if value { TRUE } else { FALSE }.to_owned()
    }

    fn not(&self, operand: &str) -> String {
        format!("NOT ({operand})")
    }

    fn all(&self, operands: &[String]) -> String {
        format!("({})", operands.join(" AND "))
    }

    fn any(&self, operands: &[String]) -> String {
        format!("({})", operands.join(" OR "))
    }

    fn is(&self, column: &str) -> String {
        format!("({} IS TRUE)", self.column(column))
    }

    fn compare(&self, subject: Subject<'_>, op: Op, number: f64) -> String {
        self.guarded(subject, |subject| compare(subject, op, number))
    }

    fn within(&self, subject: Subject<'_>, interval: Interval) -> String {
        let above = if interval.low.closed { Op::GreaterEqual } else { Op::Greater };
        let below = if interval.high.closed { Op::LessEqual } else { Op::Less };
        self.guarded(subject, |subject| {
            let low = compare(subject, above, interval.low.value);
            format!("{low} AND {}", compare(subject, below, interval.high.value))
        })
    }

    fn compare_date(&self, column: &str, format: &DateFormat, op: Op, number: f64) -> String {
        match (dates::whole(format, op, number), op) {
            // Dates as texts are in order too, as long as they are written from the year to the second.
            (Some(number), _) => self.guarded(Subject::Column(column), |column| {
                let op = if op == Op::NotEqual { "<>" } else { op.symbol() };
                format!("{column} {op} {}", string(&format.show_iso(number)))
            }),
            // Nothing equals a number between two dates.
            (None, Op::Equal) => FALSE.to_owned(),
            (None, Op::NotEqual) => self.guarded(Subject::Column(column), |_| TRUE.to_owned()),
            (None, _) => self.guarded(Subject::Column(column), |_| {
                if op.holds(0.0, number) { TRUE } else { FALSE }.to_owned()
            }),
        }
    }

    fn one_of_numbers(&self, column: &str, numbers: &[f64]) -> String {
        self.guarded(Subject::Column(column), |column| {
            let tests: Vec<String> =
                numbers.iter().map(|&number| compare(column, Op::Equal, number)).collect();
            format!("({})", tests.join(" OR "))
        })
    }

    fn one_of_categories(&self, column: &str, categories: &[String], holds: bool) -> String {
        let texts: Vec<String> = categories.iter().map(|text| string(text)).collect();
        let test = match (&texts[..], holds) {
            ([text], true) => format!("= {text}"),
            ([text], false) => format!("<> {text}"),
            (texts, true) => format!("IN ({})", texts.join(", ")),
            (texts, false) => format!("NOT IN ({})", texts.join(", ")),
        };
        self.guarded(Subject::Column(column), |column| format!("{column} {test}"))
    }

    fn contains(&self, column: &str, text: &str) -> String {
        // Not LIKE, which some databases read without regard to case, and where % and _ mean something.
        self.guarded(Subject::Column(column), |column| {
            let without = format!("REPLACE({column}, {}, '')", string(text));
            if text.is_empty() { "1 = 1".to_owned() } else { format!("{without} <> {column}") }
        })
    }

    fn rows(&self, quantifier: Quantifier, condition: &str) -> String {
        let rows = &self.rows_of_bag;
        let count = |op: &str, number: u32| {
            format!("(SELECT COUNT(*) {rows} AND {condition}) {op} {number}")
        };
        match quantifier {
            Quantifier::Some | Quantifier::Min(1) => {
                format!("EXISTS (SELECT 1 {rows} AND {condition})")
            }
            Quantifier::Max(0) | Quantifier::Exactly(0) => {
                format!("NOT EXISTS (SELECT 1 {rows} AND {condition})")
            }
            Quantifier::Only => format!("NOT EXISTS (SELECT 1 {rows} AND NOT ({condition}))"),
            Quantifier::Min(number) => count(">=", number),
            Quantifier::Max(number) => count("<=", number),
            Quantifier::Exactly(number) => count("=", number),
        }
    }
}

const TRUE: &str = "1 = 1";
const FALSE: &str = "1 = 0";

/// A comparison with a number. There is no common way to write infinity, so the greatest finite number stands in for it.
fn compare(subject: &str, op: Op, number: f64) -> String {
    let with = |op: &str, number: f64| format!("{subject} {op} {}", literal(number));
    if number == f64::INFINITY {
        return match op {
            Op::Greater => FALSE.to_owned(),
            Op::LessEqual => TRUE.to_owned(),
            Op::GreaterEqual | Op::Equal => with(">", f64::MAX),
            Op::Less | Op::NotEqual => with("<=", f64::MAX),
        };
    }
    if number == f64::NEG_INFINITY {
        return match op {
            Op::Less => FALSE.to_owned(),
            Op::GreaterEqual => TRUE.to_owned(),
            Op::LessEqual | Op::Equal => with("<", f64::MIN),
            Op::Greater | Op::NotEqual => with(">=", f64::MIN),
        };
    }
    with(if op == Op::NotEqual { "<>" } else { op.symbol() }, number)
}

/// A number that reads back as itself.
fn literal(number: f64) -> String {
    let text = format!("{number:?}");
    let digits = text.chars().filter(char::is_ascii_digit).count();
    // Without an exponent it is a decimal in some databases, and long decimals do not become the nearest double.
    if digits > 15 && !text.contains('e') { format!("{text}e0") } else { text }
}

fn identifier(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

fn string(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_back() {
        for (number, text) in [
            (3.0, "3.0"),
            (-0.25, "-0.25"),
            (1e300, "1e300"),
            (0.1 + 0.2, "0.30000000000000004e0"),
            (1.5e-9, "1.5e-9"),
        ] {
            assert_eq!(literal(number), text);
            assert_eq!(text.parse(), Ok(number));
        }
    }

    #[test]
    fn infinity_is_written_without_its_name() {
        for op in Op::ALL {
            for infinity in [f64::INFINITY, f64::NEG_INFINITY] {
                for value in [f64::NEG_INFINITY, f64::MIN, 0.0, f64::MAX, f64::INFINITY] {
                    let text = compare("x", op, infinity);
                    let holds = match text.split(' ').collect::<Vec<_>>()[..] {
                        ["1", "=", right] => right == "1",
                        ["x", ">", right] => value > right.parse().unwrap(),
                        ["x", "<", right] => value < right.parse().unwrap(),
                        ["x", ">=", right] => value >= right.parse().unwrap(),
                        ["x", "<=", right] => value <= right.parse().unwrap(),
                        _ => panic!("{text}"),
                    };
                    assert_eq!(holds, op.holds(value, infinity), "{value} {op:?} {infinity}");
                }
            }
        }
    }
}
