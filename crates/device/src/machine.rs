use crate::{
    Device, DeviceError, DeviceKind, FaultListener, Hardware, Rehearsal, Schedule, Threads,
};
use pellucid_bits::Level;
use std::num::NonZeroUsize;
use std::sync::Arc;

/// The devices and threads to use, how the devices share work, and the listener for failures.
#[derive(Clone, Debug)]
pub struct Machine {
    /// The devices that evaluate candidates.
    pub devices: Vec<Device>,
    /// The threads that generate candidates.
    pub threads: Arc<Threads>,
    /// How the devices share the work. It does not affect the results.
    pub schedule: Schedule,
    /// Receives failures of devices while others continue.
    pub faults: FaultListener,
}

impl Machine {
    /// Creates a machine with the default schedule. Failures are not reported.
    #[must_use]
    pub fn new(devices: Vec<Device>, threads: Arc<Threads>) -> Machine {
        let (schedule, faults) = (Schedule::default(), FaultListener::default());
        Machine { devices, threads, schedule, faults }
    }

    /// Returns the CPU with the given number of threads (default: one per core).
    ///
    /// # Errors
    /// When the threads cannot be started.
    pub fn processor(threads: Option<NonZeroUsize>) -> Result<Machine, DeviceError> {
        let threads = Arc::new(Threads::new(threads)?);
        Ok(Machine::new(vec![Device::on_threads(Arc::clone(&threads))?], threads))
    }

    /// Returns the instructions that kernels on the CPU use: the level of the first CPU device, or
    /// of the threads if all devices are GPUs.
    #[must_use]
    pub fn level(&self) -> Level {
        let of = |device: &Device| match device.hardware() {
            Hardware::Processor(processor) => Some(processor.level()),
            Hardware::Gpu(_) => None,
        };
        self.devices.iter().find_map(of).unwrap_or_else(|| self.threads.level())
    }

    /// Returns the machine for one of several learners that run in parallel: one CPU thread of its
    /// own, and all other devices.
    ///
    /// # Errors
    /// When the thread cannot be started.
    pub fn one_of_many(&self) -> Result<Machine, DeviceError> {
        let threads = Arc::new(Threads::new(NonZeroUsize::new(1))?);
        let cpu: Device = Device::on_threads(Arc::clone(&threads))?;
        let is_processor = |device: &&mut Device| device.kind() == DeviceKind::Processor;
        let mut devices = self.devices.clone();
        let cpus: Vec<&mut Device> = devices.iter_mut().filter(is_processor).collect();
        // Invalid values of the variable were reported when the machine was created.
        let rehearsal = Rehearsal::from_environment().unwrap_or_default();
        let own_cpus = rehearsal.of(vec![cpu; cpus.len()]);
        cpus.into_iter().zip(own_cpus).for_each(|(cpu, own)| *cpu = own);
        Ok(Machine { devices, threads, ..self.clone() })
    }

    /// Returns the machine without devices that others would use at the same time: only the CPU, if
    /// there is one and the shares are not fixed. Many small learners on one GPU wait for each
    /// other: folds of 188 bags that take half a second on the CPU did not finish within a minute.
    #[must_use]
    pub fn undisturbed(mut self) -> Machine {
        let is_processor = |device: &Device| device.kind() == DeviceKind::Processor;
        if !matches!(self.schedule, Schedule::Shares(_)) && self.devices.iter().any(is_processor) {
            self.devices.retain(is_processor);
        }
        self
    }
}
