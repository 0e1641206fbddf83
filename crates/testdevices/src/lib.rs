//! What the suites of the shapes run on: the processor at every level, and the GPUs of this machine.
//!
//! Which of them a suite takes, and with how many threads, is its own matter; so are emulated GPUs, whose sizes are chosen for what
//! a shape does with them.

use pellucid_bits::Level;
use pellucid_device::{Device, DeviceKind, Threads, devices};
use std::num::NonZeroUsize;
use std::sync::{Arc, OnceLock};

/// So many threads.
///
/// # Panics
/// When they cannot be started.
#[must_use]
pub fn threads(count: usize) -> Arc<Threads> {
    Arc::new(Threads::new(NonZeroUsize::new(count)).expect("threads"))
}

/// The processor with so many threads, at a level that it has.
///
/// # Panics
/// When it lacks the level.
#[must_use]
pub fn cpu(count: usize, level: Level) -> Device {
    Device::with_level(threads(count), level).expect("a level that is there")
}

/// The processor at every level that it has, with each of these numbers of threads, and what to call it.
#[must_use]
pub fn cpus(counts: &[usize]) -> Vec<(String, Device)> {
    let levels = Level::ALL.into_iter().filter(|level| level.is_available());
    levels
        .flat_map(|level| counts.iter().map(move |&count| (level, count)))
        .map(|(level, count)| (format!("{level} with {count} threads"), cpu(count, level)))
        .collect()
}

/// The GPUs of this machine, found once: opening one takes longer than most cases of a suite.
///
/// # Panics
/// When not even the processor is found.
#[must_use]
pub fn gpus() -> Vec<Device> {
    static FOUND: OnceLock<Vec<Device>> = OnceLock::new();
    let found = || {
        let all = devices(&threads(4)).expect("the devices of this machine").devices;
        all.into_iter().filter(|device| device.kind() == DeviceKind::Gpu).collect()
    };
    FOUND.get_or_init(found).clone()
}
