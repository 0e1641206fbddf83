//! Evaluation of expressions, given as text, on a table or an ontology.
//!
//! An expression is a formula over the columns of a table (`age > 40 and smoker`) or a class
//! expression over an ontology (`Male and hasChild some Female`). [`Evaluator::evaluate`] counts
//! the examples that each expression covers. [`Evaluator::stream`] reads one expression per line,
//! for inputs of any length. The result of an invalid expression is an error message, and the other
//! expressions are evaluated regardless.
//!
//! ```
//! use pellucid::evaluate::{Evaluator, TableQuestion};
//! use pellucid::prelude::*;
//!
//! let csv = "age,smoker,class\n34,no,well\n61,yes,ill\n58,yes,ill\n47,no,well\n";
//! let data = io::read_from(csv.as_bytes(), "example.csv", &ReadOptions::default())?;
//! let machine = Machine::processor(None)?;
//! let mut evaluator = Evaluator::of_table(data, &TableQuestion::default(), &machine)?;
//! assert_eq!(evaluator.classes(), ["ill", "well"]);
//! let answers = evaluator.evaluate(&["age > 50 and smoker = yes", "agge > 50"])?;
//! assert_eq!(answers[0].as_ref().map(|answer| &answer.counts[..]), Ok(&[2, 0][..]));
//! assert!(answers[1].as_ref().is_err_and(|why| why.starts_with("there is no column 'agge'")));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod answer;
mod dates;
mod lines;
mod ontology;
mod table;

pub use answer::{CoveredExamples, EvaluatedLine, Evaluation, ExpressionSize};
pub use ontology::OntologyQuestion;
pub use table::TableQuestion;

use crate::io::Dataset;
use crate::logic::KnowledgeBase;
use crate::logic::kb::KbError;
use lines::Lines;
use pellucid_cover::{EvaluateError, TableError};
use pellucid_device::{DeviceError, Machine};
use pellucid_relate::ExampleError;
use pellucid_relate::ReasonError;
use std::io::Read;
use thiserror::Error;

/// The maximum number of expressions in a batch.
const BATCH: usize = 4096;
/// The maximum number of bits for the covered rows or individuals of a batch.
const COVER_BITS: usize = 1 << 29;
/// The maximum number of program nodes in the pool before it is cleared.
const POOL: usize = 1 << 18;

/// Evaluates expressions on a table or an ontology.
pub struct Evaluator {
    data: Box<dyn ExpressionEvaluator>,
    classes: Vec<String>,
    /// The names of the classes as JSON strings.
    keys: Vec<String>,
    /// The number of expressions that are evaluated together.
    batch: usize,
}

/// The evaluator of a kind of data. A line that is already an error is passed through.
trait ExpressionEvaluator: Send {
    fn answer(
        &mut self,
        lines: &[Result<&str, String>],
    ) -> Result<Vec<EvaluationResult>, EvaluatorError>;
}

/// The evaluation of an expression, or the error message for an invalid one.
pub type EvaluationResult = Result<Evaluation, String>;

/// An error that prevents evaluation.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum EvaluatorError {
    /// The table is not supported.
    #[error(transparent)]
    Table(#[from] TableError),
    /// All devices failed.
    #[error(transparent)]
    Evaluate(#[from] EvaluateError),
    /// All devices failed while evaluating class expressions.
    #[error(transparent)]
    Reason(#[from] ReasonError),
    /// The hypothesis counts bags, and the table has none.
    #[error("{name}: hypothesis: the data has no bags; specify the column of bags, or count rows")]
    NoBags {
        /// The name of the data.
        name: String,
    },
    /// The learning problem does not match the ontology.
    #[error(transparent)]
    Problem(#[from] KbError),
    /// The individuals cannot be counted.
    #[error(transparent)]
    LabeledIndividuals(#[from] ExampleError),
    /// The lines cannot be read.
    #[error("{0}")]
    Input(#[source] std::io::Error),
    /// The results cannot be written.
    #[error("{0}")]
    Output(#[source] std::io::Error),
}

impl From<DeviceError> for EvaluatorError {
    fn from(error: DeviceError) -> EvaluatorError {
        EvaluatorError::Evaluate(error.into())
    }
}

/// The number of lines that were evaluated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StreamSummary {
    /// The number of all lines.
    pub lines: u64,
    /// The number of lines with an invalid expression.
    pub errors: u64,
}

impl std::fmt::Debug for Evaluator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Evaluator").field("classes", &self.classes).finish_non_exhaustive()
    }
}

impl Evaluator {
    /// Creates an evaluator for a table.
    ///
    /// # Errors
    /// When the table is not supported, it does not fit on any device, or bags are counted and it has none.
    pub fn of_table(
        data: Dataset,
        question: &TableQuestion,
        machine: &Machine,
    ) -> Result<Evaluator, EvaluatorError> {
        let (table, classes, rows) = table::TableEvaluator::new(data, question, machine)?;
        Ok(Evaluator::new(Box::new(table), classes, batch_size(question.cover, rows)))
    }

    /// Creates an evaluator for an ontology.
    ///
    /// # Errors
    /// When the question names unknown individuals, or the ontology does not fit on any device.
    pub fn of_ontology(
        kb: KnowledgeBase,
        question: &OntologyQuestion,
        machine: &Machine,
    ) -> Result<Evaluator, EvaluatorError> {
        let individuals = kb.world.len();
        let (ontology, classes) = ontology::OntologyEvaluator::new(kb, question, machine)?;
        Ok(Evaluator::new(Box::new(ontology), classes, batch_size(question.cover, individuals)))
    }

    fn new(data: Box<dyn ExpressionEvaluator>, classes: Vec<String>, batch: usize) -> Evaluator {
        let json = |class: &String| serde_json::Value::from(class.as_str()).to_string();
        Evaluator { data, keys: classes.iter().map(json).collect(), classes, batch }
    }

    /// Returns the classes in the order of the counts. The only class of data without classes is `all`.
    #[must_use]
    pub fn classes(&self) -> &[String] {
        &self.classes
    }

    /// Evaluates expressions. The results are in the same order.
    ///
    /// # Errors
    /// When all devices fail.
    pub fn evaluate<S: AsRef<str>>(
        &mut self,
        expressions: &[S],
    ) -> Result<Vec<EvaluationResult>, EvaluatorError> {
        let mut answers = Vec::with_capacity(expressions.len());
        for batch in expressions.chunks(self.batch) {
            let lines: Vec<_> = batch.iter().map(|text| Ok(text.as_ref())).collect();
            answers.extend(self.data.answer(&lines)?);
        }
        Ok(answers)
    }

    /// Evaluates an input with one expression per line. Memory use does not grow with the number of lines.
    ///
    /// Lines that are available are evaluated in batches. When the input pauses, the results so far
    /// are written, so that a program can also send one expression at a time.
    ///
    /// `write` is called with each result in order, and with `None` whenever the input pauses or
    /// ends, which is the time to flush the output.
    ///
    /// # Errors
    /// When the lines cannot be read, a result cannot be written, or all devices fail.
    pub fn stream(
        &mut self,
        input: impl Read,
        mut write: impl FnMut(&Evaluator, Option<&EvaluatedLine>) -> std::io::Result<()>,
    ) -> Result<StreamSummary, EvaluatorError> {
        let mut input = Lines::new(input, BATCH);
        let mut lines = Vec::with_capacity(BATCH);
        let mut summary = StreamSummary::default();
        while input.read_batch(&mut lines).map_err(EvaluatorError::Input)? {
            for batch in lines.chunks(self.batch) {
                let batch: Vec<_> =
                    batch.iter().map(|line| line.as_deref().map_err(Clone::clone)).collect();
                for answer in self.data.answer(&batch)? {
                    summary.lines += 1;
                    summary.errors += u64::from(answer.is_err());
                    let line = EvaluatedLine { line: summary.lines, answer };
                    write(self, Some(&line)).map_err(EvaluatorError::Output)?;
                }
            }
            write(self, None).map_err(EvaluatorError::Output)?;
        }
        Ok(summary)
    }
}

/// Returns the number of expressions in a batch, which is smaller if the covered rows are listed.
fn batch_size(cover: bool, rows: usize) -> usize {
    if cover { (COVER_BITS / rows.max(1)).clamp(1, BATCH) } else { BATCH }
}

/// Returns the text of a line. `everything` is the expression that covers everything.
fn text<'l>(line: &Result<&'l str, String>, everything: &str) -> Result<&'l str, String> {
    let text = line.as_ref().map_err(Clone::clone)?.trim();
    if text.is_empty() {
        return Err(format!("the line is empty; use '{everything}' to cover everything"));
    }
    Ok(text)
}
