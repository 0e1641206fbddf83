//! Synthetic data and classic problems, as values.
//!
//! Picture a test whose answer is known because somebody wrote it in beforehand. [`multiplexer()`] is the classic one of
//! classifier systems; [`table`] and [`bags`] draw numbers at random and label them by a rule, which is returned beside the
//! data; [`artificial`] are the seven sets of the multiple-instance paper; [`context()`] strews crosses over a formal context.
//!
//! One seed gives one data set, bit for bit.
//!
//! ```
//! use pellucid::generate::{RandomColumns, table};
//!
//! let planted = table(100, &RandomColumns { rule: Some("x1 > 0.5".into()), ..RandomColumns::default() }, 7)?;
//! assert_eq!((planted.data.rows, planted.data.columns.len()), (100, 10));
//! assert_eq!(planted.rule, "x1 > 0.5");
//! # Ok::<(), pellucid::generate::GenerateError>(())
//! ```

mod context;
mod multiplexer;
mod planted;

pub use context::{GraphKind, RandomContext};
pub use multiplexer::multiplexer;
pub use planted::{Planted, RandomColumns, bags, table};

use crate::learn::params::{ParamError, within};
use pellucid_cover::TableError;
use pellucid_data::RelationError;
use pellucid_program::{ParseError, ProgramError};
use thiserror::Error;

/// Why nothing can be generated.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum GenerateError {
    /// A parameter with a value that is not allowed.
    #[error(transparent)]
    Param(#[from] ParamError),
    /// A rule that cannot be read.
    #[error("rule: {0}")]
    Rule(#[from] ParseError),
    /// A rule over columns that are not there.
    #[error("rule: {0}")]
    Columns(#[from] ProgramError),
    /// More rows than a table can have.
    #[error(transparent)]
    Table(#[from] TableError),
    /// More attributes than a context can have.
    #[error(transparent)]
    Relation(#[from] RelationError),
}

/// The most memory that is asked for, as readers of files have it: 16 GiB.
const MOST_BYTES: usize = 16 << 30;

/// Looks whether so much memory is to be had at all: better a sentence about the parameter than the end of the process.
fn fits(parameter: &'static str, what: &str, bytes: Option<usize>) -> Result<(), ParamError> {
    let has_room = |bytes: usize| Vec::<u8>::new().try_reserve_exact(bytes).is_ok();
    match bytes.filter(|&bytes| bytes <= MOST_BYTES && has_room(bytes)) {
        Some(_) => Ok(()),
        None => Err(ParamError::saying(parameter, format!("{what} do not fit in memory"))),
    }
}

/// How many bytes so many rows of numbers take while they are made: themselves, a copy, and what lies beside each row and column.
fn table_bytes(rows: usize, columns: usize) -> Option<usize> {
    let values = rows.checked_mul(columns)?.checked_mul(2 * size_of::<f64>())?;
    let beside = rows.checked_add(columns)?.checked_mul(64)?;
    values.checked_add(beside)
}

/// Bags and rows of the seven sets, as the paper's tables print them; each has 100 attributes.
const ARTIFICIAL: [(usize, usize); ARTIFICIAL_SETS as usize] = [
    (10, 1_000),
    (100, 1_000),
    (100, 10_000),
    (1_000, 10_000),
    (1_000, 100_000),
    (10_000, 100_000),
    (100_000, 1_000_000),
];

/// How many artificial sets there are.
pub const ARTIFICIAL_SETS: u8 = 7;

/// Set `artificialN` of the multiple-instance paper, N from 1 to [`ARTIFICIAL_SETS`].
///
/// # Errors
/// When there is no set of that number.
pub fn artificial(number: u8, seed: u64) -> Result<Planted, GenerateError> {
    within("number", number, 1..=ARTIFICIAL_SETS)?;
    let (count, rows) = ARTIFICIAL[usize::from(number) - 1];
    let size = rows / count;
    let columns = RandomColumns { attributes: 100, ..RandomColumns::default() };
    let mut planted = bags(count, size..=size, &columns, seed)?;
    planted.data.name = format!("artificial{number}");
    Ok(planted)
}

/// A random formal context.
///
/// # Errors
/// When a number is not allowed.
pub fn context(random: &RandomContext, seed: u64) -> Result<crate::io::Context, GenerateError> {
    context::generate(random, seed)
}
