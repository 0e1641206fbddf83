use crate::{Device, DeviceError, DeviceKind, FaultListener, Rehearsal, Schedule, Threads};
use std::num::NonZeroUsize;
use std::sync::Arc;

/// The devices and threads to work with, how the work is shared, and who hears of devices that fail.
#[derive(Clone, Debug)]
pub struct Machine {
    /// What evaluates hypotheses.
    pub devices: Vec<Device>,
    /// What makes them.
    pub threads: Arc<Threads>,
    /// How the devices share the work; what is learned is the same for all.
    pub schedule: Schedule,
    /// Who hears of devices that fail while others go on.
    pub faults: FaultListener,
}

impl Machine {
    /// Some devices and threads, with the default schedule; nobody hears of faults.
    #[must_use]
    pub fn new(devices: Vec<Device>, threads: Arc<Threads>) -> Machine {
        let (schedule, faults) = (Schedule::default(), FaultListener::default());
        Machine { devices, threads, schedule, faults }
    }

    /// The processor with so many threads, or all there are.
    ///
    /// # Errors
    /// When the system gives no threads.
    pub fn processor(threads: Option<NonZeroUsize>) -> Result<Machine, DeviceError> {
        let threads = Arc::new(Threads::new(threads)?);
        Ok(Machine::new(vec![Device::on_threads(Arc::clone(&threads))?], threads))
    }

    /// What one of several learners that run side by side works with: a thread of its own on the processor, and all other
    /// devices.
    ///
    /// # Errors
    /// When no thread can be started.
    pub fn one_of_many(&self) -> Result<Machine, DeviceError> {
        let threads = Arc::new(Threads::new(NonZeroUsize::new(1))?);
        let cpu: Device = Device::on_threads(Arc::clone(&threads))?;
        let is_processor = |device: &&mut Device| device.kind() == DeviceKind::Processor;
        let mut devices = self.devices.clone();
        let places: Vec<&mut Device> = devices.iter_mut().filter(is_processor).collect();
        // Whoever made the machine has seen to it that what is to fail can be read.
        let rehearsal = Rehearsal::from_environment().unwrap_or_default();
        let processors = rehearsal.of(vec![cpu; places.len()]);
        places.into_iter().zip(processors).for_each(|(place, own)| *place = own);
        Ok(Machine { devices, threads, ..self.clone() })
    }

    /// The same without devices that others would use at the same time: the processor alone, where there is one and nobody
    /// has said how the work is shared. Many small learners on one GPU wait for each other: folds of 188 bags that take the
    /// processor half a second were not done after a minute.
    #[must_use]
    pub fn undisturbed(mut self) -> Machine {
        let is_processor = |device: &Device| device.kind() == DeviceKind::Processor;
        if !matches!(self.schedule, Schedule::Shares(_)) && self.devices.iter().any(is_processor) {
            self.devices.retain(is_processor);
        }
        self
    }
}
