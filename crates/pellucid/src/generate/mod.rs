//! Synthetic data and classic problems.
//!
//! - [`multiplexer()`]: the classic problem for classifier systems.
//! - [`genotypes()`]: genotypes with epistasis and heterogeneity.
//! - [`table`] and [`bags`]: random numbers, labeled by a rule that is returned with the data.
//! - [`artificial`]: the seven data sets of the multiple-instance paper.
//! - [`context()`]: random formal contexts.
//!
//! The same seed gives the same data, bit for bit.
//!
//! ```
//! use pellucid::generate::{RandomColumns, table};
//!
//! let columns = RandomColumns { rule: Some("x1 > 0.5".into()), ..RandomColumns::default() };
//! let planted = table(100, &columns, 7)?;
//! assert_eq!((planted.data.rows, planted.data.columns.len()), (100, 10));
//! assert_eq!(planted.rule, "x1 > 0.5");
//! # Ok::<(), pellucid::generate::GenerateError>(())
//! ```

mod context;
mod genotypes;
mod multiplexer;
mod planted;

pub use context::{GraphKind, RandomContext};
pub use genotypes::{Genotypes, RandomGenotypes, genotypes};
pub use multiplexer::multiplexer;
pub use planted::{PlantedData, RandomColumns, bags, table};

use crate::learn::params::{ParamError, within};
use pellucid_cover::TableError;
use pellucid_data::{Message, RelationError, message, parameter};
use pellucid_program::{ParseError, ProgramError};
use thiserror::Error;

/// An error while generating data.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum GenerateError {
    /// A parameter has a value that is not allowed.
    #[error(transparent)]
    Param(#[from] ParamError),
    /// The rule cannot be parsed.
    #[error("{}", self.message())]
    Rule(#[from] ParseError),
    /// The rule uses columns that do not exist.
    #[error("{}", self.message())]
    Columns(#[from] ProgramError),
    /// More rows than a table can have.
    #[error(transparent)]
    Table(#[from] TableError),
    /// More attributes than a context can have.
    #[error(transparent)]
    Relation(#[from] RelationError),
}

impl GenerateError {
    /// Returns the message, with the parameters in it.
    #[must_use]
    pub fn message(&self) -> Message {
        match self {
            GenerateError::Param(error) => error.message(),
            GenerateError::Rule(error) => message!(parameter("rule"), ": {error}"),
            GenerateError::Columns(error) => message!(parameter("rule"), ": {error}"),
            other => other.to_string().into(),
        }
    }
}

/// The maximum memory to allocate, 16 GiB, as for readers of files.
const MOST_BYTES: usize = 16 << 30;

/// Checks that the memory can be allocated, so that the user gets an error about a parameter
/// instead of an abort.
fn fits(parameter: &'static str, what: &str, bytes: Option<usize>) -> Result<(), ParamError> {
    let has_room = |bytes: usize| Vec::<u8>::new().try_reserve_exact(bytes).is_ok();
    match bytes.filter(|&bytes| bytes <= MOST_BYTES && has_room(bytes)) {
        Some(_) => Ok(()),
        None => Err(ParamError::with_problem(parameter, format!("{what} do not fit in memory"))),
    }
}

/// Returns the memory needed to generate a table: the numbers, a copy, and some bytes per row and column.
fn table_bytes(rows: usize, columns: usize) -> Option<usize> {
    let values = rows.checked_mul(columns)?.checked_mul(2 * size_of::<f64>())?;
    let overhead = rows.checked_add(columns)?.checked_mul(64)?;
    values.checked_add(overhead)
}

/// The numbers of bags and rows of the seven data sets, as in the tables of the paper. Each has 100
/// attributes.
const ARTIFICIAL: [(usize, usize); ARTIFICIAL_SETS as usize] = [
    (10, 1_000),
    (100, 1_000),
    (100, 10_000),
    (1_000, 10_000),
    (1_000, 100_000),
    (10_000, 100_000),
    (100_000, 1_000_000),
];

/// The number of artificial data sets.
pub const ARTIFICIAL_SETS: u8 = 7;

/// Generates data set `artificialN` of the multiple-instance paper, with N from 1 to [`ARTIFICIAL_SETS`].
///
/// # Errors
/// When the number is out of range.
pub fn artificial(number: u8, seed: u64) -> Result<PlantedData, GenerateError> {
    within("number", number, 1..=ARTIFICIAL_SETS)?;
    let (count, rows) = ARTIFICIAL[usize::from(number) - 1];
    let size = rows / count;
    let columns = RandomColumns { attributes: 100, ..RandomColumns::default() };
    let mut planted = bags(count, size..=size, &columns, seed)?;
    planted.data.name = format!("artificial{number}");
    Ok(planted)
}

/// Generates a random formal context.
///
/// # Errors
/// When a parameter is not allowed.
pub fn context(random: &RandomContext, seed: u64) -> Result<crate::io::Context, GenerateError> {
    context::generate(random, seed)
}
