//! Sums of gradients over the examples of conjunctions, by step of each column.
//!
//! A search for the best rule needs, for a few conjunctions and very many examples, the sums of the
//! gradients and curvatures of each step (bin) of each column. Examples with the same prediction and class
//! have the same gradient, so each example has the number of its *group*, and a small table has the gradient
//! and curvature of each group. All sums are integers, so every device returns the same ones.
//!
//! [`StepTable`] has the steps of all columns. [`open`] copies it to a GPU; [`spec`] is the plain version.
#![deny(unsafe_code)]

mod gpu;
pub mod spec;
mod table;

use pellucid_device::{DeviceError, Hardware};
use std::fmt::Debug;
pub use table::{Conjunction, Group, NO_GROUP, StepColumn, StepSums, StepTable, StepTest, Total};

/// Examples on a device, and the groups of several searches.
pub trait ResidentSteps: Debug + Send {
    /// Sets the group of each example in a search; examples with [`NO_GROUP`] take no part. Group `2 k` is
    /// outside the class and group `2 k + 1` inside.
    ///
    /// # Errors
    /// When the device fails or has not enough memory.
    fn set_groups(
        &mut self,
        search: usize,
        group_of: &[u32],
        groups: &[Group],
    ) -> Result<(), DeviceError>;

    /// Returns the sums over the examples of each conjunction.
    ///
    /// # Errors
    /// When the device fails.
    fn totals(
        &mut self,
        search: usize,
        conjunctions: &[Conjunction],
    ) -> Result<Vec<Total>, DeviceError>;

    /// Returns the sums over the examples of each conjunction by step of the given columns, with missing
    /// values last; over all examples or the sample.
    ///
    /// # Errors
    /// When the device fails.
    fn step_sums(
        &mut self,
        search: usize,
        wanted: &[(Conjunction, Vec<u32>)],
        sampled: bool,
    ) -> Result<Vec<StepSums>, DeviceError>;
}

/// Copies a table to a GPU. Returns `None` for a CPU, which has faster ways than this interface.
///
/// # Errors
/// When the device fails or has not enough memory.
pub fn open(
    hardware: &Hardware,
    table: &StepTable<'_>,
) -> Result<Option<Box<dyn ResidentSteps>>, DeviceError> {
    match hardware {
        Hardware::Processor(_) => Ok(None),
        Hardware::Gpu(gpu) => gpu.open(gpu::SendTable(table)).map(Some),
    }
}
