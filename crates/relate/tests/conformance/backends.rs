//! All who answer questions, a line for each. Whoever stands in this list is held to the whole suite.

use pellucid_bits::Level;
use pellucid_device::{Device, DeviceKind, Machine, Threads, devices};
use std::num::NonZeroUsize;
use std::sync::Arc;

/// Every level of the processor with one thread and three, and GPUs, alone and beside the processor.
pub(crate) fn backends() -> Vec<Machine> {
    let mut all = Vec::new();
    for level in Level::ALL.into_iter().filter(|level| level.is_available()) {
        all.push(machine(vec![cpu(1, level)]));
        all.push(machine(vec![cpu(3, level)]));
    }
    for gpu in gpus() {
        all.push(machine(vec![gpu.clone()]));
        all.push(machine(vec![gpu, cpu(2, Level::best())]));
    }
    #[cfg(feature = "emulator")]
    {
        use pellucid_device::FailAt;
        all.push(machine(vec![emulated(None)]));
        all.push(machine(vec![emulated(None), cpu(2, Level::best())]));
        // One that is lost in the midst of its work.
        all.push(machine(vec![emulated(None).failing(FailAt::Call(3)), cpu(1, Level::best())]));
        // One beside the specification.
        all.push(machine(vec![emulated(None), cpu(1, Level::Scalar)]));
    }
    all
}

/// Some devices with three threads beside them.
pub(crate) fn machine(devices: Vec<Device>) -> Machine {
    Machine::new(devices, pool(3))
}

/// The processor.
pub(crate) fn cpu(threads: usize, level: Level) -> Device {
    Device::with_level(pool(threads), level).unwrap()
}

/// A GPU that is not there, with so many bytes.
#[cfg(feature = "emulator")]
pub(crate) fn emulated(memory: Option<usize>) -> Device {
    use pellucid_device::gpu::{Emulation, emulated};
    emulated("cuda:0", Emulation { memory, ..Emulation::default() }, pool(1))
}

/// The GPUs of this machine.
fn gpus() -> impl Iterator<Item = Device> {
    let found = devices(&pool(2)).unwrap().devices;
    found.into_iter().filter(|device| device.kind() == DeviceKind::Gpu)
}

fn pool(threads: usize) -> Arc<Threads> {
    Arc::new(Threads::new(NonZeroUsize::new(threads)).unwrap())
}
