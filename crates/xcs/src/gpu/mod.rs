//! GPUs: whole classifier systems that learn in lock-step, a block of threads each, by the kernels of `kernels/lockstep.cu`.
//!
//! - `contract`: what goes to a GPU and comes back. `systems`: systems on a card. `layout`: what lies where.
//! - `argument`: the kernels, and what they take.

mod argument;
mod contract;
mod layout;
mod systems;
#[cfg(all(test, feature = "emulator"))]
mod tests;

pub(crate) use contract::{
    Constants, Inputs, Lockstep, MOST_COLUMNS, MOST_LABELS, MOST_SLOTS, Rule, State, SystemSetup,
    Table, open,
};

use pellucid_device::gpu::{Card, CardError, GpuTask, OpenGpu};
use systems::SystemsOnGpu;

/// Takes systems to a card.
pub(crate) struct OpenSystems<'a> {
    pub(crate) systems: &'a [SystemSetup],
    pub(crate) tables: &'a [Table],
}

impl GpuTask for OpenSystems<'_> {
    type Output = Box<dyn Lockstep>;

    fn run<C: Card>(self, gpu: OpenGpu<C>) -> Result<Box<dyn Lockstep>, CardError> {
        for system in self.systems {
            let constants = &system.constants;
            let fits = constants.labels <= MOST_LABELS
                && constants.columns <= MOST_COLUMNS
                && system.state.rules.len() <= MOST_SLOTS;
            if !fits {
                return Err(CardError::Refused(format!(
                    "found a system of {} labels, {} columns and {} rules; expected at most {MOST_LABELS}, {MOST_COLUMNS} and \
                     {MOST_SLOTS}",
                    constants.labels,
                    constants.columns,
                    system.state.rules.len()
                )));
            }
        }
        Ok(Box::new(SystemsOnGpu::new(gpu, &self)?))
    }
}
