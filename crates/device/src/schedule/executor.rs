//! The executor: devices that share work.

use super::work::{self, Work};
use super::{Fault, FaultListener, Member, Schedule};
use crate::{Device, DeviceError, Hardware, Machine};
use std::ops::Range;

/// Processes a range of items with the data on a device.
type ItemFunction<'a, R, T> =
    dyn Fn(&mut R, Range<usize>, &mut [T]) -> Result<(), DeviceError> + Sync + 'a;

/// Devices that hold the data of a shape of work, with a schedule and a listener for failures.
#[derive(Debug)]
pub struct Executor<R: ?Sized> {
    members: Vec<Member<R>>,
    schedule: Schedule,
    faults: Vec<Fault>,
    listener: FaultListener,
}

impl<R: ?Sized + Send> Executor<R> {
    /// Opens the devices of a machine. A device that cannot be opened counts as a failure.
    ///
    /// # Errors
    /// When no device can be opened.
    pub fn new(
        machine: &Machine,
        open: impl Fn(&Hardware) -> Result<Box<R>, DeviceError>,
    ) -> Result<Executor<R>, DeviceError> {
        let mut executor = Executor::on(&machine.devices, open)?;
        executor.set_schedule(machine.schedule.clone());
        executor.set_listener(machine.faults.clone());
        Ok(executor)
    }

    /// Opens devices with the default schedule. Failures are not reported.
    ///
    /// # Errors
    /// When no device can be opened.
    pub fn on(
        devices: &[Device],
        open: impl Fn(&Hardware) -> Result<Box<R>, DeviceError>,
    ) -> Result<Executor<R>, DeviceError> {
        let opened = devices.iter().map(|device| Member::new(device, &open));
        let (members, refusals): (Vec<Member<R>>, Vec<Option<DeviceError>>) = opened.unzip();
        let mut refusals: Vec<DeviceError> = refusals.into_iter().flatten().collect();
        let left = members.len() - refusals.len();
        if left == 0 {
            let none = || DeviceError::new("none", "no device was given");
            return Err(refusals.pop().unwrap_or_else(none));
        }
        Ok(Executor {
            members,
            schedule: Schedule::default(),
            faults: refusals.into_iter().map(|error| Fault { error, left }).collect(),
            listener: FaultListener::default(),
        })
    }

    /// Sets the schedule. Shares are in the order of the devices.
    pub fn set_schedule(&mut self, schedule: Schedule) {
        self.schedule = schedule;
    }

    /// Sets the listener for failures. It receives earlier failures immediately.
    pub fn set_listener(&mut self, listener: FaultListener) {
        self.faults.iter().for_each(|fault| listener.hear(fault));
        self.listener = listener;
    }

    /// Returns the failures since the last call.
    pub fn take_faults(&mut self) -> Vec<Fault> {
        std::mem::take(&mut self.faults)
    }

    /// Returns the data on the devices that have not failed.
    pub fn residents(&mut self) -> impl Iterator<Item = &mut R> {
        self.members.iter_mut().filter_map(Member::resident)
    }

    /// Runs work on all devices.
    ///
    /// # Errors
    /// When no device is left.
    pub fn run<T, W>(&mut self, work: Work<'_, T, W>) -> Result<(), DeviceError>
    where
        T: Copy + Default + Send,
        W: Fn(&mut R, Range<usize>, &mut [T]) -> Result<(), DeviceError> + Sync,
    {
        if work.items == 0 {
            return Ok(());
        }
        let Work { items, width, unit, out, work } = work;
        // As a trait object, this is compiled once per data and result type, not once per closure.
        let work: &ItemFunction<'_, R, T> = &work;
        let work = Work { items, width, unit, out, work };
        self.run_and_report(|members, schedule, faults| work::run(members, schedule, work, faults))
    }

    /// Runs work on the fastest device, or on the next one if that fails.
    ///
    /// # Errors
    /// When no device is left.
    pub fn one<T>(
        &mut self,
        items: usize,
        work: impl Fn(&mut R) -> Result<T, DeviceError>,
    ) -> Result<T, DeviceError> {
        self.run_and_report(|members, schedule, faults| {
            work::one(members, schedule, items, faults, work)
        })
    }

    /// Runs work and reports new failures to the listener.
    fn run_and_report<T>(
        &mut self,
        work: impl FnOnce(&mut [Member<R>], &Schedule, &mut Vec<Fault>) -> Result<T, DeviceError>,
    ) -> Result<T, DeviceError> {
        let before = self.faults.len();
        let done = work(&mut self.members, &self.schedule, &mut self.faults);
        self.faults[before..].iter().for_each(|fault| self.listener.hear(fault));
        done
    }
}
