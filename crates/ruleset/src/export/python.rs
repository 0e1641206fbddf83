//! The model as a Python module: a small function for each rule, `predict` that counts their votes, and `probabilities` where
//! the model is calibrated.
//!
//! The module needs nothing but Python 3. A row is a dictionary from column names to values; a missing value is `None` or
//! NaN. All may also come as text, as from `csv.DictReader`; it is read as the model's table was.
//!
//! Numbers that are missing become NaN, for which every comparison but `!=` is false, as in the model; so most comparisons
//! read as in the model and only `!=` goes through a function.

use super::ExportError;
use super::cells;
use super::language::{Language, Subject, conditions};
use super::text::{header, whole};
use super::wrap::paragraph;
use crate::model::RuleModel;
use pellucid_data::visible_line;
use pellucid_program::{Interval, Op, Quantifier};
use std::fmt::Write as _;

/// A Python module that predicts as the model does.
///
/// For bags `predict(rows)` gives the class of one bag and `predict_all(rows)` a dictionary from bags to classes. Without
/// bags `predict(row)` gives the class of a row and `predict_all(rows)` a list of classes.
///
/// # Errors
/// When the model makes no sense: a condition asks a column what it cannot answer, or votes add up to no number.
pub fn python<P>(model: &RuleModel<P>) -> Result<String, ExportError> {
    let has_bags = model.schema.bag.is_some();
    let argument = if has_bags { "rows" } else { "row" };
    let conditions = conditions(model, &Python)?;
    let is_number = model.schema.number.is_some();
    let said = |text: &str| match is_number {
        true => text.replace("classes", "numbers").replace("class", "number"),
        false => text.to_owned(),
    };
    let mut out = docstring(&header(model), "");
    out += &said(if has_bags { BAG_USE } else { ROW_USE });
    if model.calibration.is_some() {
        out += "probabilities and votes take what predict takes and give a dictionary by class.\n";
    }
    out += "\"\"\"\n";
    out += &cells::imports(&model.schema, model.calibration.is_some());
    for (number, (rule, condition)) in (1..).zip(model.model.rules.iter().zip(&conditions)) {
        let doc = docstring(&whole(model, rule), "    ");
        let doc = doc.trim_end();
        let _ = write!(
            out,
            "\n\ndef rule_{number}({argument}):\n{doc}\"\"\"\n    return {condition}\n"
        );
    }
    out += &match is_number {
        true => adding(model, argument),
        false => voting(model, argument),
    };
    match &model.schema.bag {
        Some(bag) => out += &said(PREDICT_BAGS).replace("BAG_COLUMN", &string(bag)),
        None => out += &said(PREDICT_ROWS),
    }
    out += &cells::helpers(&model.schema);
    if has_bags {
        out += MEAN;
    }
    Ok(out)
}

/// What rules add to a number, or say it is.
fn adding<P>(model: &RuleModel<P>, argument: &str) -> String {
    let base = number(model.model.base.first().copied().unwrap_or_default());
    let (words, predict) = match model.model.ordered {
        true => ("What it is where no rule holds, and what it is where one does", FIRST_NUMBER),
        false => ("What there is to begin with, and what each rule adds", SUM),
    };
    let mut out = format!("\n\n# {words}.\nBASE = {base}\nRULES = [\n");
    for (place, rule) in (1..).zip(&model.model.rules) {
        let _ = writeln!(out, "    (rule_{place}, {}),", number(rule.votes));
    }
    out + "]\n" + &predict.replace("ARGUMENT", argument)
}

/// What rules add to the votes of classes, and how likely those become.
fn voting<P>(model: &RuleModel<P>, argument: &str) -> String {
    let (words, votes) = match model.model.ordered {
        true => (
            "What each class has where no rule holds, and what the first rule that does gives to which class",
            FIRST_VOTES,
        ),
        false => (
            "What each class has before any rule speaks, and what each rule adds to which class",
            VOTES,
        ),
    };
    let mut out = format!("\n\n# {words}.\n");
    let classes = &model.schema.classes;
    let base: Vec<String> = classes
        .iter()
        .zip(&model.model.base)
        .map(|(class, votes)| format!("{}: {}", string(class), number(*votes)))
        .collect();
    let _ = write!(out, "BASE = {{{}}}\nRULES = [\n", base.join(", "));
    for (place, rule) in (1..).zip(&model.model.rules) {
        let class = classes.get(rule.class as usize).map_or("", String::as_str);
        let _ = writeln!(out, "    (rule_{place}, {}, {}),", string(class), number(rule.votes));
    }
    out += "]\n";
    out += &votes.replace("ARGUMENT", argument);
    out += &PREDICT.replace("ARGUMENT", argument);
    if let Some(calibration) = &model.calibration {
        let offsets: Vec<String> = classes
            .iter()
            .zip(&calibration.offsets)
            .map(|(class, offset)| format!("{}: {}", string(class), number(*offset)))
            .collect();
        let slope = number(calibration.slope);
        let _ = write!(
            out,
            "\n\n# How votes become probabilities.\nSLOPE = {slope}\nOFFSETS = {{{}}}\n",
            offsets.join(", ")
        );
        out += &PROBABILITIES.replace("ARGUMENT", argument);
    }
    out
}

const SUM: &str = r#"

def predict(ARGUMENT):
    """What there is to begin with and what the rules that hold add to it."""
    number = BASE
    for rule, added in RULES:
        if rule(ARGUMENT):
            number += added
    return number
"#;

const FIRST_NUMBER: &str = r#"

def predict(ARGUMENT):
    """What the first rule that holds says."""
    for rule, number in RULES:
        if rule(ARGUMENT):
            return number
    return BASE
"#;

const FIRST_VOTES: &str = r#"

def votes(ARGUMENT):
    """The votes of each class: those of the first rule that holds."""
    for rule, name, given in RULES:
        if rule(ARGUMENT):
            return {**dict.fromkeys(BASE, 0.0), name: given}
    return dict(BASE)
"#;

const VOTES: &str = r#"

def votes(ARGUMENT):
    """The votes of each class."""
    counted = dict(BASE)
    for rule, name, added in RULES:
        if rule(ARGUMENT):
            counted[name] += added
    return counted
"#;

const PREDICT: &str = r#"

def predict(ARGUMENT):
    """The class with the most votes; of equal classes the first."""
    counted = votes(ARGUMENT)
    return max(counted, key=counted.get)
"#;

const PROBABILITIES: &str = r#"

def probabilities(ARGUMENT):
    """How likely each class is."""
    marks = {name: SLOPE * count + OFFSETS[name] for name, count in votes(ARGUMENT).items()}
    most = max(marks.values())
    parts = {name: math.exp(mark - most) for name, mark in marks.items()}
    return {name: part / sum(parts.values()) for name, part in parts.items()}
"#;

const BAG_USE: &str = "
predict(rows) gives the class of one bag, a list of rows; predict_all(rows)
sorts rows into bags and gives a dictionary from bags to classes. A row is a
dictionary from column names to values; None and NaN are missing values.
";

const ROW_USE: &str = "
predict(row) gives the class of one row, predict_all(rows) a list of classes.
A row is a dictionary from column names to values; None and NaN are missing
values.
";

const PREDICT_BAGS: &str = r#"

def predict_all(rows):
    """The class of each bag, bags in the order in which they first appear."""
    bags = {}
    for row in rows:
        bags.setdefault(cell(row, BAG_COLUMN), []).append(row)
    return {bag: predict(rows) for bag, rows in bags.items()}
"#;

const PREDICT_ROWS: &str = r#"

def predict_all(rows):
    """The class of each row."""
    return [predict(row) for row in rows]
"#;

const MEAN: &str = r#"

def mean(rows, column):
    """The mean of a column, missing values left out; NaN where all are missing."""
    total, count = 0.0, 0
    for row in rows:
        value = number(row, column)
        if value == value:
            total += value
            count += 1
    return total / count if count else float("nan")
"#;

/// The start of a docstring, broken into lines; what could end it early, and what cannot be seen, is escaped.
#[must_use]
pub fn docstring(text: &str, indent: &str) -> String {
    let text = visible_line(text).replace('\\', "\\\\").replace("\"\"\"", "\\\"\\\"\\\"");
    let first = format!("{indent}\"\"\"");
    // A quote at the very end would join those that close.
    let is_bare =
        |rest: &str| rest.bytes().rev().take_while(|&byte| byte == b'\\').count() % 2 == 0;
    let text = match text.strip_suffix('"') {
        Some(rest) if is_bare(rest) => format!("{rest}\\\""),
        _ => text,
    };
    paragraph(&first, indent.len(), &text)
}

/// Conditions in Python.
struct Python;

impl Python {
    fn subject(&self, subject: Subject<'_>) -> String {
        match subject {
            Subject::Column(name) => format!("number(row, {})", string(name)),
            Subject::Mean(name) => format!("mean(rows, {})", string(name)),
            Subject::Rows => "len(rows)".to_owned(),
        }
    }
}

impl Language for Python {
    fn constant(&self, value: bool) -> String {
        if value { "True" } else { "False" }.to_owned()
    }

    fn not(&self, operand: &str) -> String {
        format!("(not {operand})")
    }

    fn all(&self, operands: &[String]) -> String {
        format!("({})", operands.join(" and "))
    }

    fn any(&self, operands: &[String]) -> String {
        format!("({})", operands.join(" or "))
    }

    fn is(&self, column: &str) -> String {
        format!("truth(row, {})", string(column))
    }

    fn compare(&self, subject: Subject<'_>, op: Op, other: f64) -> String {
        let (subject, other) = (self.subject(subject), number(other));
        match op {
            Op::NotEqual => format!("differs({subject}, {other})"),
            Op::Equal => format!("({subject} == {other})"),
            _ => format!("({subject} {} {other})", op.symbol()),
        }
    }

    fn within(&self, subject: Subject<'_>, interval: Interval) -> String {
        let sign = |closed: bool| if closed { "<=" } else { "<" };
        let Interval { low, high } = interval;
        format!(
            "({} {} {} {} {})",
            number(low.value),
            sign(low.closed),
            self.subject(subject),
            sign(high.closed),
            number(high.value)
        )
    }

    fn one_of_numbers(&self, column: &str, numbers: &[f64]) -> String {
        let numbers: Vec<String> = numbers.iter().map(|&other| number(other)).collect();
        format!("({} in [{}])", self.subject(Subject::Column(column)), numbers.join(", "))
    }

    fn one_of_categories(&self, column: &str, categories: &[String], holds: bool) -> String {
        let column = format!("text(row, {})", string(column));
        let texts: Vec<String> = categories.iter().map(|text| string(text)).collect();
        match (&texts[..], holds) {
            ([text], true) => format!("({column} == {text})"),
            (texts, true) => format!("({column} in [{}])", texts.join(", ")),
            // None, a missing value, is not another category.
            (texts, false) => format!("({column} not in [None, {}])", texts.join(", ")),
        }
    }

    fn contains(&self, column: &str, part: &str) -> String {
        let column = format!("text(row, {})", string(column));
        format!("({column} is not None and {} in {column})", string(part))
    }

    fn rows(&self, quantifier: Quantifier, condition: &str) -> String {
        let count =
            |op: &str, number: u32| format!("(sum({condition} for row in rows) {op} {number})");
        match quantifier {
            Quantifier::Some | Quantifier::Min(1) => format!("any({condition} for row in rows)"),
            Quantifier::Only => format!("all({condition} for row in rows)"),
            Quantifier::Max(0) | Quantifier::Exactly(0) => {
                format!("(not any({condition} for row in rows))")
            }
            Quantifier::Min(number) => count(">=", number),
            Quantifier::Max(number) => count("<=", number),
            Quantifier::Exactly(number) => count("==", number),
        }
    }
}

/// A number as Python writes it.
#[must_use]
pub fn number(number: f64) -> String {
    if number.is_finite() { format!("{number:?}") } else { format!("float(\"{number}\")") }
}

/// A text as Python writes it: its escapes are those of JSON, as far as JSON needs any, and whatever cannot be seen is escaped too.
#[must_use]
pub fn string(text: &str) -> String {
    visible_line(&serde_json::Value::from(text).to_string()).into_owned()
}
