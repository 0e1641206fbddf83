//! Discovery of the devices of this machine.

use super::{Device, DeviceError, Threads};
use crate::gpu;
use std::sync::Arc;

/// The devices of this machine, and the reasons why others are not available.
#[derive(Clone, Debug, Default)]
pub struct Discovered {
    /// The CPU first, then the GPUs in the order of their numbers.
    pub devices: Vec<Device>,
    /// For each kind of device that is not available, a sentence with the reason.
    pub absent: Vec<String>,
}

/// Finds all devices of this machine and opens them. Opening a GPU takes a while; to use only the
/// CPU, call [`Device::on_threads`].
///
/// # Errors
/// When the CPU cannot be used as requested, or a setting for GPUs is invalid.
pub fn devices(threads: &Arc<Threads>) -> Result<Discovered, DeviceError> {
    let mut found = Discovered::default();
    found.devices.push(Device::on_threads(Arc::clone(threads))?);
    let (gpus, absent) = gpu::discover(threads)?;
    found.devices.extend(gpus);
    found.absent.extend(absent);
    Ok(found)
}
