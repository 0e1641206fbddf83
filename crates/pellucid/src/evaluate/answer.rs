//! Results of evaluation, and their JSON form.

use super::{EvaluationResult, Evaluator};
use serde_json::Value;
use std::fmt::Display;
use std::io::{self, Write};

/// The evaluation of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evaluation {
    /// The number of covered examples of each [class](Evaluator::classes).
    pub counts: Vec<u64>,
    /// The size of the expression.
    pub size: ExpressionSize,
    /// The covered rows or individuals, if requested.
    pub covered: Option<CoveredExamples>,
}

/// The size of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExpressionSize {
    /// The number of nodes of a formula.
    Nodes(u64),
    /// The length of a class expression.
    Length(usize),
}

/// The rows or individuals that an expression covers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CoveredExamples {
    /// Row indices, counted from 0.
    Rows(Vec<usize>),
    /// Display names of individuals.
    Individuals(Vec<String>),
}

/// The result for a line of input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvaluatedLine {
    /// The line number, counted from 1.
    pub line: u64,
    /// The evaluation, or the error.
    pub answer: EvaluationResult,
}

impl EvaluatedLine {
    /// Writes a JSON object on one line, with the classes in order:
    ///
    /// ```text
    /// {"line":1,"counts":{"0":17,"1":204},"nodes":7}
    /// {"line":2,"error":"there is no column 'agge'; expected one of 'age', 'colour'"}
    /// ```
    ///
    /// # Errors
    /// When writing fails.
    pub fn write_json(&self, evaluator: &Evaluator, out: &mut impl Write) -> io::Result<()> {
        let line = self.line;
        let answer = match &self.answer {
            Ok(answer) => answer,
            Err(error) => {
                return writeln!(
                    out,
                    "{{\"line\":{line},\"error\":{}}}",
                    Value::from(error.as_str())
                );
            }
        };
        // Written by hand to keep the order of the keys.
        write!(out, "{{\"line\":{line},")?;
        let counts = evaluator.keys.iter().zip(&answer.counts);
        list(out, "\"counts\":{", counts.map(|(key, count)| Pair(key, *count)), "}")?;
        match answer.size {
            ExpressionSize::Nodes(nodes) => write!(out, ",\"nodes\":{nodes}")?,
            ExpressionSize::Length(length) => write!(out, ",\"length\":{length}")?,
        }
        match &answer.covered {
            None => {}
            Some(CoveredExamples::Rows(rows)) => list(out, ",\"rows\":[", rows.iter(), "]")?,
            Some(CoveredExamples::Individuals(names)) => {
                let names = names.iter().map(|name| Value::from(name.as_str()));
                list(out, ",\"individuals\":[", names, "]")?;
            }
        }
        writeln!(out, "}}")
    }
}

struct Pair<'a>(&'a str, u64);

impl Display for Pair<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.0, self.1)
    }
}

/// Writes items separated by commas.
fn list(
    out: &mut impl Write,
    open: &str,
    items: impl Iterator<Item: Display>,
    close: &str,
) -> io::Result<()> {
    out.write_all(open.as_bytes())?;
    for (index, item) in items.enumerate() {
        if index > 0 {
            out.write_all(b",")?;
        }
        write!(out, "{item}")?;
    }
    out.write_all(close.as_bytes())
}
