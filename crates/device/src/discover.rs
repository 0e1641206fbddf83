//! What this machine has.

use super::{Device, DeviceError, Threads};
use crate::gpu;
use std::sync::Arc;

/// The devices of this machine, and why others are not among them.
#[derive(Clone, Debug, Default)]
pub struct Discovered {
    /// The processor first, then the others in the order of their numbers.
    pub devices: Vec<Device>,
    /// For each kind of device that is not here a sentence that says why: what was looked for and not found.
    pub absent: Vec<String>,
}

/// Finds all devices of this machine. That opens them, which for a GPU takes a while: whoever wants the processor alone
/// asks for [`Device::on_threads`].
///
/// # Errors
/// When the processor cannot be used as asked for, or a setting for GPUs is wrong.
pub fn devices(threads: &Arc<Threads>) -> Result<Discovered, DeviceError> {
    let mut found = Discovered::default();
    found.devices.push(Device::on_threads(Arc::clone(threads))?);
    let (gpus, absent) = gpu::discover(threads)?;
    found.devices.extend(gpus);
    found.absent.extend(absent);
    Ok(found)
}
