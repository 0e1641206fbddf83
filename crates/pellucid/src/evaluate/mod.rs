//! Very many expressions against one table or one ontology: text in, counts out.
//!
//! Picture a clerk with the data on the desk. Slips of paper come in, each with one question; the clerk answers as many together
//! as lie there, in the order they came, and keeps none. An [`Evaluator`] is the clerk: [`Evaluator::evaluate`] answers some
//! expressions, [`Evaluator::stream`] a whole input line by line, however long. A question that cannot be understood is answered
//! by a sentence that says why, and the others are answered all the same.
//!
//! What an expression is depends on the data: a formula over the columns of a table (`age > 40 and smoker`), or a class
//! expression over an ontology (`Male and hasChild some Female`).
//!
//! ```
//! use pellucid::evaluate::{Evaluator, TableQuestion};
//! use pellucid::prelude::*;
//!
//! let csv = "age,smoker,class\n34,no,well\n61,yes,ill\n58,yes,ill\n47,no,well\n";
//! let data = io::read_from(csv.as_bytes(), "example.csv", &ReadOptions::default())?;
//! let mut evaluator = Evaluator::of_table(data, &TableQuestion::default(), &Machine::processor(None)?)?;
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

pub use answer::{Covered, EvaluatedLine, Evaluation, Size};
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

/// The most expressions that are answered together.
const BATCH: usize = 4096;
/// The most bits of covered rows or individuals that are held at a time.
const COVER_BITS: usize = 1 << 29;
/// Parts of programs that are kept before the pool starts anew.
const POOL: usize = 1 << 18;

/// Data that expressions are asked of.
pub struct Evaluator {
    data: Box<dyn ExpressionEvaluator>,
    classes: Vec<String>,
    /// The names of the classes as JSON writes them, once for all answers.
    keys: Vec<String>,
    /// How many expressions are answered together.
    together: usize,
}

/// A kind of data that answers expressions; a text that is already known to be wrong keeps its place among the answers.
trait ExpressionEvaluator: Send {
    fn answer(
        &mut self,
        lines: &[Result<&str, String>],
    ) -> Result<Vec<EvaluationResult>, EvaluatorError>;
}

/// An answer, or why there is none.
pub type EvaluationResult = Result<Evaluation, String>;

/// Why nothing can be asked, or answered.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum EvaluatorError {
    /// The table cannot be laid out.
    #[error(transparent)]
    Table(#[from] TableError),
    /// No device is left.
    #[error(transparent)]
    Evaluate(#[from] EvaluateError),
    /// The same, of an ontology.
    #[error(transparent)]
    Reason(#[from] ReasonError),
    /// Bags were to be counted where there are none.
    #[error(
        "{name}: hypothesis: there are no bags to count; say which column names them, or count rows"
    )]
    NoBags {
        /// What the data is called.
        name: String,
    },
    /// The learning problem does not fit the ontology.
    #[error(transparent)]
    Problem(#[from] KbError),
    /// The individuals cannot be counted.
    #[error(transparent)]
    Examples(#[from] ExampleError),
    /// The lines cannot be read.
    #[error("{0}")]
    Input(#[source] std::io::Error),
    /// Whoever is told the answers does not take them.
    #[error("{0}")]
    Output(#[source] std::io::Error),
}

impl From<DeviceError> for EvaluatorError {
    fn from(error: DeviceError) -> EvaluatorError {
        EvaluatorError::Evaluate(error.into())
    }
}

/// How many lines were answered, and how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StreamSummary {
    /// Lines in all.
    pub lines: u64,
    /// Lines that were answered by an error.
    pub errors: u64,
}

impl std::fmt::Debug for Evaluator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Evaluator").field("classes", &self.classes).finish_non_exhaustive()
    }
}

impl Evaluator {
    /// Asks a table.
    ///
    /// # Errors
    /// When the table cannot be laid out, no device takes it, or bags are to be counted and there are none.
    pub fn of_table(
        data: Dataset,
        question: &TableQuestion,
        machine: &Machine,
    ) -> Result<Evaluator, EvaluatorError> {
        let (asked, classes, rows) = table::TableEvaluator::new(data, question, machine)?;
        Ok(Evaluator::new(Box::new(asked), classes, together(question.cover, rows)))
    }

    /// Asks an ontology.
    ///
    /// # Errors
    /// When the question names individuals that are not there, or no device takes the ontology.
    pub fn of_ontology(
        kb: KnowledgeBase,
        question: &OntologyQuestion,
        machine: &Machine,
    ) -> Result<Evaluator, EvaluatorError> {
        let individuals = kb.world.len();
        let (asked, classes) = ontology::OntologyEvaluator::new(kb, question, machine)?;
        Ok(Evaluator::new(Box::new(asked), classes, together(question.cover, individuals)))
    }

    fn new(data: Box<dyn ExpressionEvaluator>, classes: Vec<String>, together: usize) -> Evaluator {
        let json = |class: &String| serde_json::Value::from(class.as_str()).to_string();
        Evaluator { data, keys: classes.iter().map(json).collect(), classes, together }
    }

    /// What the counts of an answer are of, in their order; one word for all where there are no classes.
    #[must_use]
    pub fn classes(&self) -> &[String] {
        &self.classes
    }

    /// Answers expressions, in order: each by its counts, or by a sentence that says why there are none.
    ///
    /// # Errors
    /// When no device is left.
    pub fn evaluate<S: AsRef<str>>(
        &mut self,
        expressions: &[S],
    ) -> Result<Vec<EvaluationResult>, EvaluatorError> {
        let mut answers = Vec::with_capacity(expressions.len());
        for some in expressions.chunks(self.together) {
            let lines: Vec<_> = some.iter().map(|text| Ok(text.as_ref())).collect();
            answers.extend(self.data.answer(&lines)?);
        }
        Ok(answers)
    }

    /// Answers an input of one expression per line, in order. Lines that are there already are answered together; when the
    /// input pauses, what came so far is answered and told, so that a program may also ask one question at a time.
    /// Memory does not grow with the number of lines.
    ///
    /// `tell` is called with every answer in turn, and with nothing whenever the input pauses or ends: whoever waits is then to
    /// be shown what there is.
    ///
    /// # Errors
    /// When the lines cannot be read, an answer cannot be told, or no device is left.
    pub fn stream(
        &mut self,
        input: impl Read,
        mut tell: impl FnMut(&Evaluator, Option<&EvaluatedLine>) -> std::io::Result<()>,
    ) -> Result<StreamSummary, EvaluatorError> {
        let mut input = Lines::new(input, BATCH);
        let mut lines = Vec::with_capacity(BATCH);
        let mut streamed = StreamSummary::default();
        while input.read_batch(&mut lines).map_err(EvaluatorError::Input)? {
            for some in lines.chunks(self.together) {
                let some: Vec<_> =
                    some.iter().map(|line| line.as_deref().map_err(Clone::clone)).collect();
                for answer in self.data.answer(&some)? {
                    streamed.lines += 1;
                    streamed.errors += u64::from(answer.is_err());
                    let line = EvaluatedLine { line: streamed.lines, answer };
                    tell(self, Some(&line)).map_err(EvaluatorError::Output)?;
                }
            }
            tell(self, None).map_err(EvaluatorError::Output)?;
        }
        Ok(streamed)
    }
}

/// How many expressions are answered together: fewer where what they cover is listed too.
fn together(cover: bool, rows: usize) -> usize {
    if cover { (COVER_BITS / rows.max(1)).clamp(1, BATCH) } else { BATCH }
}

/// The text of a line; `everything` is what may be written where nothing is asked.
fn text<'l>(line: &Result<&'l str, String>, everything: &str) -> Result<&'l str, String> {
    let text = line.as_ref().map_err(Clone::clone)?.trim();
    if text.is_empty() {
        return Err(format!("the line is empty; write '{everything}' for everything"));
    }
    Ok(text)
}
