//! Devices that work together, and what became of them.

use super::work::{self, Work};
use super::{Fault, FaultListener, Member, Schedule};
use crate::device::{Device, DeviceError};
use std::ops::Range;

/// Devices that hold what is worked with, how they share the work, and who hears when one fails.
#[derive(Debug)]
pub(crate) struct Crew<R: ?Sized> {
    members: Vec<Member<R>>,
    schedule: Schedule,
    faults: Vec<Fault>,
    listener: FaultListener,
}

impl<R: ?Sized + Send> Crew<R> {
    /// The devices that take what is to be worked with, with the default schedule; those that do not are faults already.
    ///
    /// # Errors
    /// When none takes it.
    pub(crate) fn new(
        devices: &[&dyn Device],
        load: impl Fn(&dyn Device) -> Result<Box<R>, DeviceError>,
    ) -> Result<Crew<R>, DeviceError> {
        let loaded = devices.iter().map(|device| Member::new(*device, &load));
        let (members, refusals): (Vec<Member<R>>, Vec<Option<DeviceError>>) = loaded.unzip();
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

    pub(crate) fn set_schedule(&mut self, schedule: Schedule) {
        self.schedule = schedule;
    }

    pub(crate) fn set_listener(&mut self, listener: FaultListener) {
        self.faults.iter().for_each(|fault| listener.hear(fault));
        self.listener = listener;
    }

    pub(crate) fn take_faults(&mut self) -> Vec<Fault> {
        std::mem::take(&mut self.faults)
    }

    /// What the devices that have not failed hold.
    pub(crate) fn residents(&mut self) -> impl Iterator<Item = &mut R> {
        self.members.iter_mut().filter_map(Member::resident)
    }

    /// Does some work on all devices together.
    ///
    /// # Errors
    /// When no device is left.
    pub(crate) fn run<T, W>(&mut self, work: Work<'_, T, W>) -> Result<(), DeviceError>
    where
        T: Copy + Default + Send,
        W: Fn(&mut R, Range<usize>, &mut [T]) -> Result<(), DeviceError> + Sync,
    {
        if work.items == 0 {
            return Ok(());
        }
        self.told(|members, schedule, faults| work::run(members, schedule, work, faults))
    }

    /// Has the first device that can do something.
    ///
    /// # Errors
    /// When no device is left.
    pub(crate) fn one<T>(
        &mut self,
        items: usize,
        work: impl Fn(&mut R) -> Result<T, DeviceError>,
    ) -> Result<T, DeviceError> {
        self.told(|members, schedule, faults| work::one(members, schedule, items, faults, work))
    }

    /// Lets the devices work and tells who failed meanwhile.
    fn told<T>(
        &mut self,
        work: impl FnOnce(&mut [Member<R>], &Schedule, &mut Vec<Fault>) -> Result<T, DeviceError>,
    ) -> Result<T, DeviceError> {
        let before = self.faults.len();
        let done = work(&mut self.members, &self.schedule, &mut self.faults);
        self.faults[before..].iter().for_each(|fault| self.listener.hear(fault));
        done
    }
}
