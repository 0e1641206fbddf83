//! Devices that work together, and what became of them.

use super::work::{self, Work};
use super::{Fault, FaultListener, Member, Schedule};
use crate::{Device, DeviceError, Hardware, Machine};
use std::ops::Range;

/// Does some items on what a device holds.
type Does<'a, R, T> = dyn Fn(&mut R, Range<usize>, &mut [T]) -> Result<(), DeviceError> + Sync + 'a;

/// Devices that hold what is worked with, how they share the work, and who hears when one fails.
#[derive(Debug)]
pub struct Executor<R: ?Sized> {
    members: Vec<Member<R>>,
    schedule: Schedule,
    faults: Vec<Fault>,
    listener: FaultListener,
}

impl<R: ?Sized + Send> Executor<R> {
    /// The devices of a machine that take what is to be worked with; those that do not are faults already.
    ///
    /// # Errors
    /// When none takes it.
    pub fn new(
        machine: &Machine,
        open: impl Fn(&Hardware) -> Result<Box<R>, DeviceError>,
    ) -> Result<Executor<R>, DeviceError> {
        let mut executor = Executor::on(&machine.devices, open)?;
        executor.set_schedule(machine.schedule.clone());
        executor.set_listener(machine.faults.clone());
        Ok(executor)
    }

    /// Some devices with the default schedule; nobody hears of faults.
    ///
    /// # Errors
    /// When none takes what is to be worked with.
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

    /// Splits work over the devices in another way; shares are in the order in which the devices were given.
    pub fn set_schedule(&mut self, schedule: Schedule) {
        self.schedule = schedule;
    }

    /// Who is to hear of devices that fail, when it happens. Those that have already failed are told at once.
    pub fn set_listener(&mut self, listener: FaultListener) {
        self.faults.iter().for_each(|fault| listener.hear(fault));
        self.listener = listener;
    }

    /// Takes the devices' failures since the last call, each to be told once.
    pub fn take_faults(&mut self) -> Vec<Fault> {
        std::mem::take(&mut self.faults)
    }

    /// What the devices that have not failed hold.
    pub fn residents(&mut self) -> impl Iterator<Item = &mut R> {
        self.members.iter_mut().filter_map(Member::resident)
    }

    /// Does some work on all devices together.
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
        // Compiled for what a device holds and what comes of it, not for every work again.
        let work: &Does<'_, R, T> = &work;
        let work = Work { items, width, unit, out, work };
        self.told(|members, schedule, faults| work::run(members, schedule, work, faults))
    }

    /// Has the first device that can do something.
    ///
    /// # Errors
    /// When no device is left.
    pub fn one<T>(
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
