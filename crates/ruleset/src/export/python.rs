//! The model as a Python module: a function for each rule, `predict` that adds up their points, and
//! `probabilities` if the model is calibrated.
//!
//! The module needs only Python 3. A row is a dictionary from column names to values; a missing
//! value is `None` or NaN. Values may also be text, as from `csv.DictReader`; they are parsed as
//! the training table was.
//!
//! Missing numbers become NaN, for which every comparison except `!=` is false, as in the model. So
//! most comparisons look as in the model and only `!=` needs a function.

use super::ExportError;
use super::header::header;
use super::language::{Language, Subject, conditions};
use super::text::rule_line;
use crate::model::{ClassPoints, RuleModel};
use pellucid_export::python::{docstring, helpers, imports, number, string};
use pellucid_program::{Interval, Op, Quantifier};
use std::fmt::Write as _;

/// Returns a Python module that makes the same predictions as the model.
///
/// With bags, `predict(rows)` returns the class of one bag and `predict_all(rows)` a dictionary
/// from bags to classes. Without bags, `predict(row)` returns the class of a row and
/// `predict_all(rows)` a list of classes.
///
/// # Errors
/// If the model is invalid: a condition does not fit its column, or points do not add up to a
/// finite number.
pub fn python<P>(model: &RuleModel<P>) -> Result<String, ExportError> {
    let has_bags = model.schema.bag.is_some();
    let argument = if has_bags { "rows" } else { "row" };
    let conditions = conditions(model, &Python)?;
    let is_number = model.schema.number.is_some();
    let adapted = |text: &str| match is_number {
        true => text.replace("classes", "numbers").replace("class", "number"),
        false => text.to_owned(),
    };
    let mut out = docstring(&header(model), "");
    out += &adapted(if has_bags { BAG_USE } else { ROW_USE });
    if model.calibration.is_some() {
        out += &format!(
            "probabilities({argument}) and scores({argument}) return dictionaries by class.\n"
        );
    }
    out += "\"\"\"\n";
    out += &imports(&model.schema, model.calibration.is_some());
    for (number, (rule, condition)) in (1..).zip(model.body.rules.iter().zip(&conditions)) {
        let doc = docstring(&rule_line(model, rule), "    ");
        let doc = doc.trim_end();
        let _ = write!(
            out,
            "\n\ndef rule_{number}({argument}):\n{doc}\"\"\"\n    return {condition}\n"
        );
    }
    out += &match is_number {
        true => predict_number(model, argument),
        false => predict_class(model, argument),
    };
    match &model.schema.bag {
        Some(bag) => out += &adapted(PREDICT_BAGS).replace("BAG_COLUMN", &string(bag)),
        None => out += &adapted(PREDICT_ROWS),
    }
    out += &helpers(&model.schema);
    if has_bags {
        out += MEAN;
    }
    Ok(out)
}

/// Returns the rules with their amounts, and a function that adds them up or takes the first.
fn predict_number<P>(model: &RuleModel<P>, argument: &str) -> String {
    let base = number(model.body.base.first().copied().unwrap_or_default());
    let (words, predict) = match model.body.ordered {
        true => {
            ("The prediction if no rule applies, and the prediction of each rule", FIRST_NUMBER)
        }
        false => ("The starting value, and the amount of each rule", SUM),
    };
    let mut out = format!("\n\n# {words}.\nSTART = {base}\nRULES = [\n");
    for (place, rule) in (1..).zip(&model.body.rules) {
        let _ = writeln!(out, "    (rule_{place}, {}),", number(rule.votes));
    }
    out + "]\n" + &predict.replace("ARGUMENT", argument)
}

/// Returns the rules with their points, and functions for scores, classes and probabilities.
fn predict_class<P>(model: &RuleModel<P>, argument: &str) -> String {
    let has_several = model.body.rules.iter().any(|rule| !rule.others.is_empty());
    let (words, scores) = match model.body.ordered {
        true => {
            ("The scores if no rule applies, and the class and score of each rule", FIRST_SCORES)
        }
        false if has_several => {
            ("The starting score of each class, and the points of each rule by class", MANY_SCORES)
        }
        false => {
            ("The starting score of each class, and the class and points of each rule", SCORES)
        }
    };
    let mut out = format!("\n\n# {words}.\n");
    let classes = &model.schema.classes;
    let name = |class: u32| string(classes.get(class as usize).map_or("", String::as_str));
    let base: Vec<String> = classes
        .iter()
        .zip(&model.body.base)
        .map(|(class, votes)| format!("{}: {}", string(class), number(*votes)))
        .collect();
    let _ = write!(out, "START = {{{}}}\nRULES = [\n", base.join(", "));
    for (place, rule) in (1..).zip(&model.body.rules) {
        let _ = match has_several {
            false => {
                writeln!(out, "    (rule_{place}, {}, {}),", name(rule.class), number(rule.votes))
            }
            true => {
                let entry =
                    |one: ClassPoints| format!("{}: {}", name(one.class), number(one.votes));
                let points: Vec<String> = rule.points().map(entry).collect();
                writeln!(out, "    (rule_{place}, {{{}}}),", points.join(", "))
            }
        };
    }
    out += "]\n";
    out += &scores.replace("ARGUMENT", argument);
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
            "\n\n# The calibration, which turns scores into probabilities.\n\
             SLOPE = {slope}\nOFFSETS = {{{}}}\n",
            offsets.join(", ")
        );
        out += &PROBABILITIES.replace("ARGUMENT", argument);
    }
    out
}

const SUM: &str = r#"

def predict(ARGUMENT):
    """Return the starting value plus the amounts of all rules that apply."""
    number = START
    for rule, amount in RULES:
        if rule(ARGUMENT):
            number += amount
    return number
"#;

const FIRST_NUMBER: &str = r#"

def predict(ARGUMENT):
    """Return the number of the first rule that applies."""
    for rule, number in RULES:
        if rule(ARGUMENT):
            return number
    return START
"#;

const FIRST_SCORES: &str = r#"

def scores(ARGUMENT):
    """Return the score of each class, by the first rule that applies."""
    for rule, name, score in RULES:
        if rule(ARGUMENT):
            return {**dict.fromkeys(START, 0.0), name: score}
    return dict(START)
"#;

const SCORES: &str = r#"

def scores(ARGUMENT):
    """Return the score of each class."""
    total = dict(START)
    for rule, name, points in RULES:
        if rule(ARGUMENT):
            total[name] += points
    return total
"#;

const MANY_SCORES: &str = r#"

def scores(ARGUMENT):
    """Return the score of each class."""
    total = dict(START)
    for rule, points in RULES:
        if rule(ARGUMENT):
            for name, value in points.items():
                total[name] += value
    return total
"#;

const PREDICT: &str = r#"

def predict(ARGUMENT):
    """Return the class with the highest score; in a tie, the first one."""
    total = scores(ARGUMENT)
    return max(total, key=total.get)
"#;

const PROBABILITIES: &str = r#"

def probabilities(ARGUMENT):
    """Return the probability of each class."""
    logits = {name: SLOPE * score + OFFSETS[name] for name, score in scores(ARGUMENT).items()}
    most = max(logits.values())
    parts = {name: math.exp(logit - most) for name, logit in logits.items()}
    return {name: part / sum(parts.values()) for name, part in parts.items()}
"#;

const BAG_USE: &str = "
predict(rows) returns the class of one bag, given as a list of rows.
predict_all(rows) groups rows into bags and returns a dictionary from bags to
classes. A row is a dictionary from column names to values; None and NaN are
missing values.
";

const ROW_USE: &str = "
predict(row) returns the class of one row, predict_all(rows) a list of classes.
A row is a dictionary from column names to values; None and NaN are missing
values.
";

const PREDICT_BAGS: &str = r#"

def predict_all(rows):
    """Return the class of each bag, in the order of their first rows."""
    bags = {}
    for row in rows:
        bags.setdefault(cell(row, BAG_COLUMN), []).append(row)
    return {bag: predict(rows) for bag, rows in bags.items()}
"#;

const PREDICT_ROWS: &str = r#"

def predict_all(rows):
    """Return the class of each row."""
    return [predict(row) for row in rows]
"#;

const MEAN: &str = r#"

def mean(rows, column):
    """Return the mean of a column without missing values; NaN if all are missing."""
    total, count = 0.0, 0
    for row in rows:
        value = number(row, column)
        if value == value:
            total += value
            count += 1
    return total / count if count else float("nan")
"#;

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

    fn one_of_categories(&self, column: &str, categories: &[String], is_in: bool) -> String {
        let column = format!("text(row, {})", string(column));
        let texts: Vec<String> = categories.iter().map(|text| string(text)).collect();
        match (&texts[..], is_in) {
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
