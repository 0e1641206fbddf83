//! Whole learners on a card.

mod layout;
#[expect(unsafe_code, reason = "copies and kernels are queued")]
mod village;

use crate::lockstep::{Lockstep, MOST_COLUMNS, MOST_LABELS, MOST_SLOTS, Table, Villager};
use pellucid_device::gpu::{Card, CardError, OnCard, OpenGpu};
use village::Village;

/// Takes systems to a card.
pub(crate) struct Settle<'a> {
    pub(crate) systems: &'a [Villager],
    pub(crate) tables: &'a [Table],
}

impl OnCard for Settle<'_> {
    type Output = Box<dyn Lockstep>;

    fn on<C: Card>(self, gpu: OpenGpu<C>) -> Result<Box<dyn Lockstep>, CardError> {
        for system in self.systems {
            let constants = &system.constants;
            let fits = constants.labels <= MOST_LABELS
                && constants.columns <= MOST_COLUMNS
                && system.state.rules.len() <= MOST_SLOTS;
            if !fits {
                return Err(CardError::Refused(format!(
                    "found a system of {} labels, {} columns and {} rules; allowed are {MOST_LABELS}, {MOST_COLUMNS} and \
                     {MOST_SLOTS}",
                    constants.labels,
                    constants.columns,
                    system.state.rules.len()
                )));
            }
        }
        Ok(Box::new(Village::new(gpu, &self)?))
    }
}
