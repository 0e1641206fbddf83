//! Training on rows in other processes: the capability of a learner.

use crate::learner::{BoxError, Describe, Fit, FitResultOf, Machine};
use crate::model::Schema;
use crate::params::Valid;
use crate::run::{Driver, Observer, RunError};
use pellucid_device::DeviceError;
use std::fmt;
use std::sync::Arc;

/// The capability to train on rows in other processes, as parts of a table.
///
/// The *head* of a table has the names, types and distinct values of its columns and all its classes; its
/// own rows do not count. The process that trains has the head and sends [requests](Request) to the parts.
pub struct FitParts<L: Fit> {
    /// The numbers that the head must contain.
    pub numbers: HeadNumbers,
    /// Returns the schema that all parts are read with.
    pub schema: fn(&L::Data) -> Result<Schema, L::Error>,
    /// Prepares a part, given the head and its own rows.
    pub part: PreparePart<L>,
    /// Trains a model.
    pub fit: FitPartsProcedure<L>,
}

/// A function that prepares a part, given the head of the table and the rows of the part.
pub type PreparePart<L> = fn(
    &<L as Describe>::Data,
    &<L as Describe>::Data,
    Machine,
) -> Result<Box<dyn Part>, <L as Describe>::Error>;

/// A function that trains a model on the parts of a table, given its head.
pub type FitPartsProcedure<L> = fn(
    &<L as Describe>::Data,
    Parts,
    Valid<<L as Describe>::Params>,
    &Machine,
    &Driver,
    &mut dyn Observer,
) -> Result<FitResultOf<L>, RunError<<L as Describe>::Error>>;

/// The numbers of a column that a head contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeadNumbers {
    /// All distinct numbers.
    All,
    /// The smallest and the largest number.
    Range,
}

/// All parts of a table, as seen by the process that trains.
#[derive(Clone)]
pub struct Parts {
    /// The number of examples of each class in all parts.
    pub examples: Vec<u64>,
    /// Sends a request to all parts.
    pub send: SendRequest,
}

/// A function that sends a request to all parts and returns their answers, always in the same order.
pub type SendRequest = Arc<dyn Fn(Request<'_>) -> Result<Vec<Vec<u64>>, DeviceError> + Send + Sync>;

impl fmt::Debug for Parts {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Parts").field("examples", &self.examples).finish_non_exhaustive()
    }
}

/// A request to every part.
#[derive(Clone, Copy, Debug)]
pub enum Request<'a> {
    /// A plan that all parts must know from now on, also after a restart. There is no answer.
    Plan(&'a [u8]),
    /// A query about the rows.
    Query(&'a [u8]),
}

/// One part of a table, in the process that has its rows.
pub trait Part: Send {
    /// Returns the number of plans received so far.
    fn plans(&self) -> usize;

    /// Stores a plan; `place` is the index of this part.
    ///
    /// # Errors
    /// If the plan is invalid.
    fn plan(&mut self, place: usize, plan: &[u8]) -> Result<(), BoxError>;

    /// Answers a query about the rows of this part.
    ///
    /// # Errors
    /// If the query is invalid, or a device fails.
    fn answer(&mut self, query: &[u8]) -> Result<Vec<u64>, BoxError>;
}
