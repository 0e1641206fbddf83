//! Classifier systems that learn in lockstep on a GPU, one block of threads each, by the kernels of
//! `kernels/lockstep.cu`.
//!
//! - `contract`: the interface. `spec`: the specification, which is the learner on the CPU.
//! - `systems`: systems on a GPU. `layout`: the memory layout.
//! - `argument`: the kernels and their arguments.

mod argument;
mod contract;
mod layout;
#[cfg(all(test, feature = "emulator"))]
pub(crate) mod spec;
mod systems;
#[cfg(all(test, feature = "emulator"))]
mod tests;

pub(crate) use contract::{
    Constants, Inputs, Lockstep, MAX_COLUMNS, MAX_LABELS, MAX_SLOTS, Rule, State, SystemSetup,
    Table, open,
};

use pellucid_device::gpu::{Card, CardError, GpuTask, OpenGpu};
use systems::SystemsOnGpu;

/// Copies systems to a GPU.
pub(crate) struct OpenSystems<'a> {
    pub(crate) systems: &'a [SystemSetup],
    pub(crate) tables: &'a [Table],
}

impl GpuTask for OpenSystems<'_> {
    type Output = Box<dyn Lockstep>;

    fn run<C: Card>(self, gpu: OpenGpu<C>) -> Result<Box<dyn Lockstep>, CardError> {
        for system in self.systems {
            let constants = &system.constants;
            let fits = constants.labels <= MAX_LABELS
                && constants.columns <= MAX_COLUMNS
                && system.state.rules.len() <= MAX_SLOTS;
            if !fits {
                return Err(CardError::Refused(format!(
                    "found a system of {} labels, {} columns and {} rules; expected at most {MAX_LABELS}, \
                     {MAX_COLUMNS} and {MAX_SLOTS}",
                    constants.labels,
                    constants.columns,
                    system.state.rules.len()
                )));
            }
        }
        Ok(Box::new(SystemsOnGpu::new(gpu, &self)?))
    }
}
