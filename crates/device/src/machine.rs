use crate::{Device, DeviceError, FaultListener, Schedule, Threads};
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
}
