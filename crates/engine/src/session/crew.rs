//! The devices of a session, and what became of them.

use super::memo::Memo;
use crate::bits::BitRows;
use crate::device::{Batch, Device, DeviceError};
use crate::schedule::{self, Fault, FaultListener, Member, Schedule};
use crate::table::Table;
use std::sync::Arc;
use std::time::Duration;

/// Devices that hold the session's table, how they share the work, and who hears when one fails.
#[derive(Debug)]
pub(super) struct Crew {
    members: Vec<Member>,
    schedule: Schedule,
    faults: Vec<Fault>,
    listener: FaultListener,
}

impl Crew {
    /// The devices that take a table, with the default schedule; those that do not are faults already.
    ///
    /// # Errors
    /// When none takes it.
    pub(super) fn new(devices: &[&dyn Device], table: &Arc<Table>) -> Result<Crew, DeviceError> {
        let loaded = devices.iter().map(|device| Member::new(*device, table));
        let (members, refusals): (Vec<Member>, Vec<Option<DeviceError>>) = loaded.unzip();
        let mut refusals: Vec<DeviceError> = refusals.into_iter().flatten().collect();
        let left = members.len() - refusals.len();
        if left == 0 {
            let none =
                || DeviceError { device: "none".into(), reason: "no device was given".into() };
            return Err(refusals.pop().unwrap_or_else(none));
        }
        Ok(Crew {
            members,
            schedule: Schedule::default(),
            faults: refusals.into_iter().map(|error| Fault { error, left }).collect(),
            listener: FaultListener::default(),
        })
    }

    pub(super) fn set_schedule(&mut self, schedule: Schedule) {
        self.schedule = schedule;
    }

    pub(super) fn set_listener(&mut self, listener: FaultListener) {
        self.faults.iter().for_each(|fault| listener.hear(fault));
        self.listener = listener;
    }

    pub(super) fn take_faults(&mut self) -> Vec<Fault> {
        std::mem::take(&mut self.faults)
    }

    pub(super) fn take_time(&mut self, go_on: bool) -> Option<Duration> {
        self.members
            .iter_mut()
            .filter_map(|member| member.take_time(go_on))
            .reduce(|sum, time| sum + time)
    }

    /// Counts what is new to the memo, which has the last places ready for it.
    pub(super) fn count(&mut self, batch: &Batch<'_>, memo: &mut Memo) -> Result<(), DeviceError> {
        if batch.is_empty() {
            return Ok(());
        }
        let counts = memo.last_mut(batch.len());
        let counted = self.told(|members, schedule, faults| {
            schedule::run(members, schedule, batch, counts, faults)
        });
        if counted.is_err() {
            memo.clear();
        }
        counted
    }

    /// The rows covered, by the first device that can tell.
    pub(super) fn cover(&mut self, batch: &Batch<'_>) -> Result<BitRows, DeviceError> {
        self.told(|members, schedule, faults| schedule::cover(members, schedule, batch, faults))
    }

    /// Lets the devices work and tells who failed meanwhile.
    fn told<T>(
        &mut self,
        work: impl FnOnce(&mut [Member], &Schedule, &mut Vec<Fault>) -> Result<T, DeviceError>,
    ) -> Result<T, DeviceError> {
        let before = self.faults.len();
        let done = work(&mut self.members, &self.schedule, &mut self.faults);
        self.faults[before..].iter().for_each(|fault| self.listener.hear(fault));
        done
    }
}
