//! What comes back for an expression, and how it is written for other programs.

use super::{EvaluationResult, Evaluator};
use serde_json::Value;
use std::fmt::Display;
use std::io::{self, Write};

/// What an expression holds for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evaluation {
    /// How many examples of each [class](Evaluator::classes) it holds for.
    pub counts: Vec<u64>,
    /// How large it is.
    pub size: Size,
    /// What it holds for, if that was asked.
    pub covered: Option<Covered>,
}

/// How large an expression is, in the measure of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// Nodes of a formula.
    Nodes(u64),
    /// Length of a class expression.
    Length(usize),
}

/// What an expression holds for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Covered {
    /// Rows of a table, counted from 0.
    Rows(Vec<usize>),
    /// Individuals of an ontology, by the names they are shown by.
    Individuals(Vec<String>),
}

/// The answer to a line of an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvaluatedLine {
    /// Which line, from 1.
    pub line: u64,
    /// Its answer, or why there is none.
    pub answer: EvaluationResult,
}

impl EvaluatedLine {
    /// Writes it as an object on a line, the classes in their order:
    ///
    /// ```text
    /// {"line":1,"counts":{"0":17,"1":204},"nodes":7}
    /// {"line":2,"error":"there is no column 'agge'; there are 'age', 'colour'"}
    /// ```
    ///
    /// # Errors
    /// When writing fails.
    pub fn write_json(&self, evaluator: &Evaluator, out: &mut impl Write) -> io::Result<()> {
        let line = self.line;
        let answer = match &self.answer {
            Ok(answer) => answer,
            Err(why) => {
                return writeln!(
                    out,
                    "{{\"line\":{line},\"error\":{}}}",
                    Value::from(why.as_str())
                );
            }
        };
        // Written by hand so that a person finds the parts in a sensible order, the classes in theirs.
        write!(out, "{{\"line\":{line},")?;
        let counts = evaluator.keys.iter().zip(&answer.counts);
        list(out, "\"counts\":{", counts.map(|(key, count)| Pair(key, *count)), "}")?;
        match answer.size {
            Size::Nodes(nodes) => write!(out, ",\"nodes\":{nodes}")?,
            Size::Length(length) => write!(out, ",\"length\":{length}")?,
        }
        match &answer.covered {
            None => {}
            Some(Covered::Rows(rows)) => list(out, ",\"rows\":[", rows.iter(), "]")?,
            Some(Covered::Individuals(names)) => {
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

/// Writes items with commas between them.
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
