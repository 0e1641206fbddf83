//! The common part of the SQL and Python exports: conditions are checked against the model's
//! columns and translated.
//!
//! A [`Language`] defines how each part is written; [`conditions`] walks through the rules of a
//! model. It resolves the types of columns, so that a language need not know whether `x = 1` means
//! a number or a category.

use super::ExportError;
use crate::apply::ROLE;
use crate::model::{Rule, RuleError, RuleModel};
use crate::summary::{ROWS, mean_of};
use pellucid_data::{DateFormat, Reading};
use pellucid_export::dates::ends;
use pellucid_learn::model::{Column, ColumnKind};
use pellucid_program::{Expr, Interval, Kind, Op, Programs, Quantifier, Schema, Value};

/// A number that conditions test.
#[derive(Clone, Copy, Debug)]
pub(super) enum Subject<'a> {
    /// A column of the current row.
    Column(&'a str),
    /// The mean of a column over the bag.
    Mean(&'a str),
    /// The number of rows in the bag.
    Rows,
}

/// How the parts of a condition are written. Every result is valid in any position without further
/// brackets, and is true or false also for missing values.
pub(super) trait Language {
    fn constant(&self, value: bool) -> String;
    fn not(&self, operand: &str) -> String;
    fn all(&self, operands: &[String]) -> String;
    fn any(&self, operands: &[String]) -> String;
    /// Tests that a boolean column is true.
    fn is(&self, column: &str) -> String;
    fn compare(&self, subject: Subject<'_>, op: Op, number: f64) -> String;
    fn within(&self, subject: Subject<'_>, interval: Interval) -> String;
    /// Compares a column of dates with a date, given by its number.
    fn compare_date(&self, column: &str, format: &DateFormat, op: Op, number: f64) -> String {
        let _ = format;
        self.compare(Subject::Column(column), op, number)
    }
    /// Tests that a numeric column has one of some values.
    fn one_of_numbers(&self, column: &str, numbers: &[f64]) -> String;
    /// Tests that a nominal column has one of some values, or, if `is_in` is not set, another one.
    fn one_of_categories(&self, column: &str, categories: &[String], is_in: bool) -> String;
    /// Tests that the text of a nominal column contains a text.
    fn contains(&self, column: &str, text: &str) -> String;
    /// Tests that enough rows of the bag satisfy a condition.
    fn rows(&self, quantifier: Quantifier, condition: &str) -> String;
}

/// Returns the conditions of all rules in a language.
///
/// # Errors
/// If the model is invalid.
pub(super) fn conditions<P>(
    model: &RuleModel<P>,
    language: &impl Language,
) -> Result<Vec<String>, ExportError> {
    model.body.check(model.schema.outputs())?;
    if model.schema.outputs() == 0 {
        return Err(ExportError::NoClasses);
    }
    let columns = model.schema.columns.iter().map(|column| {
        let kind = match column.kind {
            ColumnKind::Numeric => Kind::Numeric,
            ColumnKind::Nominal => Kind::Nominal,
            ColumnKind::Boolean => Kind::Boolean,
        };
        (column.name.as_str(), kind)
    });
    let programs = Programs::new(Schema::new(columns));
    let (columns, reading) = (&model.schema.columns, &model.schema.reading);
    let mut writer = Writer { language, programs, columns, reading, number: 0 };
    let mut written = Vec::with_capacity(model.body.rules.len());
    for Rule { when: expr, .. } in &model.body.rules {
        writer.number += 1;
        written.push(match model.schema.bag {
            Some(_) => writer.of_bag(expr)?,
            None => writer.of_row(expr)?,
        });
    }
    Ok(written)
}

struct Writer<'a, L> {
    language: &'a L,
    programs: Programs,
    columns: &'a [Column],
    reading: &'a Reading,
    /// The number of the current rule, from 1.
    number: usize,
}

impl<L: Language> Writer<'_, L> {
    /// Returns a condition on a bag.
    fn of_bag(&mut self, expr: &Expr) -> Result<String, ExportError> {
        let language = self.language;
        let mut list = |operands: &[Expr]| -> Result<Vec<String>, ExportError> {
            operands.iter().map(|operand| self.of_bag(operand)).collect()
        };
        Ok(match expr {
            Expr::Constant(value) => language.constant(*value),
            Expr::And(operands) => language.all(&list(operands)?),
            Expr::Or(operands) => language.any(&list(operands)?),
            Expr::Not(operand) => language.not(&self.of_bag(operand)?),
            Expr::Related(quantifier, role, filler) if role.name == ROLE && !role.inverse => {
                language.rows(*quantifier, &self.of_row(filler)?)
            }
            Expr::Compare(name, op, Value::Number(number)) => {
                language.compare(self.summary(name, expr)?, *op, *number)
            }
            Expr::Within(name, interval) => language.within(self.summary(name, expr)?, *interval),
            other => return Err(self.misfit(other)),
        })
    }

    fn summary<'n>(&self, name: &'n str, expr: &Expr) -> Result<Subject<'n>, ExportError> {
        if name == ROWS {
            return Ok(Subject::Rows);
        }
        let numeric = |column: &&str| {
            let schema = self.programs.schema();
            schema.column(column).is_some_and(|place| schema.kind(place) == Kind::Numeric)
        };
        mean_of(name).filter(numeric).map(Subject::Mean).ok_or_else(|| self.misfit(expr))
    }

    fn misfit(&self, expr: &Expr) -> ExportError {
        RuleError::NotOfBags { number: self.number, expr: expr.to_string() }.into()
    }

    /// Returns the test that a column has one of these categories, or, unless `is_in` is set, another one.
    fn one_of(&self, column: &str, listed: &[String], is_in: bool) -> String {
        let unknown = || self.language.one_of_categories(column, listed, is_in);
        self.one_of_seen(column, |category| listed.contains(category) == is_in)
            .unwrap_or_else(unknown)
    }

    /// Returns the test that a column has one of the wanted categories of the training data. For a
    /// category that is not in the training data every condition is false, as in `predict`. `None`
    /// for a model from an early version, which does not record its categories.
    fn one_of_seen(&self, name: &str, is_wanted: impl Fn(&String) -> bool) -> Option<String> {
        let column = self.columns.iter().find(|column| column.name == name)?;
        if column.categories.is_empty() {
            return None;
        }
        let wanted: Vec<String> =
            column.categories.iter().filter(|category| is_wanted(category)).cloned().collect();
        Some(match wanted.is_empty() {
            true => self.language.constant(false),
            false => self.language.one_of_categories(name, &wanted, true),
        })
    }

    /// Returns a condition on a row, after checking that it fits its columns.
    fn of_row(&mut self, expr: &Expr) -> Result<String, ExportError> {
        let number = self.number;
        self.programs.add(expr).map_err(|error| RuleError::Program { number, error })?;
        Ok(self.write(expr))
    }

    fn write(&self, expr: &Expr) -> String {
        let language = self.language;
        let list = |operands: &[Expr]| -> Vec<String> {
            operands.iter().map(|operand| self.write(operand)).collect()
        };
        match expr {
            Expr::Constant(value) => language.constant(*value),
            Expr::And(operands) => language.all(&list(operands)),
            Expr::Or(operands) => language.any(&list(operands)),
            Expr::Not(operand) => language.not(&self.write(operand)),
            Expr::Is(column) => language.is(column),
            Expr::Within(column, interval) => match self.reading.date(column) {
                Some(format) => {
                    let (low, high) = ends(interval);
                    let part = |(op, number)| language.compare_date(column, format, op, number);
                    language.all(&[part(low), part(high)])
                }
                None => language.within(Subject::Column(column), *interval),
            },
            Expr::OneOf(_, values) if values.is_empty() => language.constant(false),
            Expr::OneOf(column, values) if self.is_nominal(column) => {
                self.one_of(column, &categories(values), true)
            }
            Expr::OneOf(column, values) => match self.reading.date(column) {
                Some(format) => {
                    let is =
                        |&number: &f64| language.compare_date(column, format, Op::Equal, number);
                    language.any(&numbers(values).iter().map(is).collect::<Vec<_>>())
                }
                None => language.one_of_numbers(column, &numbers(values)),
            },
            Expr::Contains(column, text) => {
                let contains = |category: &String| category.contains(text.as_str());
                let unknown = || language.contains(column, text);
                self.one_of_seen(column, contains).unwrap_or_else(unknown)
            }
            Expr::Compare(column, op, value) if self.is_nominal(column) => {
                let is_in = *op != Op::NotEqual;
                self.one_of(column, &categories(std::slice::from_ref(value)), is_in)
            }
            Expr::Compare(column, op, Value::Number(number)) => match self.reading.date(column) {
                Some(format) => language.compare_date(column, format, *op, *number),
                None => language.compare(Subject::Column(column), *op, *number),
            },
            // The check of the columns has rejected these.
            Expr::Compare(..) | Expr::Related(..) => language.constant(false),
        }
    }

    fn is_nominal(&self, column: &str) -> bool {
        let schema = self.programs.schema();
        schema.column(column).is_some_and(|place| schema.kind(place) == Kind::Nominal)
    }
}

/// Returns categories as texts; a number means the category that is written like it.
fn categories(values: &[Value]) -> Vec<String> {
    let text = |value: &Value| match value {
        Value::Text(text) => text.clone(),
        Value::Number(number) => number.to_string(),
    };
    values.iter().map(text).collect()
}

fn numbers(values: &[Value]) -> Vec<f64> {
    let number = |value: &Value| match value {
        Value::Number(number) => Some(*number),
        Value::Text(_) => None,
    };
    values.iter().filter_map(number).collect()
}
