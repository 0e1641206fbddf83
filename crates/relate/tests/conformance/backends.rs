//! The machines on which the whole suite runs.

use pellucid_bits::Level;
use pellucid_device::{Device, Machine};
use pellucid_testdevices::{cpu, cpus, gpus, threads};

/// Returns machines for every CPU level with one and three threads, and for GPUs, alone and
/// together with the CPU.
pub(crate) fn backends() -> Vec<Machine> {
    let mut all = Vec::new();
    all.extend(cpus(&[1, 3]).into_iter().map(|cpu| machine(vec![cpu.device])));
    for gpu in gpus() {
        all.push(machine(vec![gpu.clone()]));
        all.push(machine(vec![gpu, cpu(2, Level::best())]));
    }
    #[cfg(feature = "emulator")]
    {
        use pellucid_device::FailAt;
        all.push(machine(vec![emulated(None)]));
        all.push(machine(vec![emulated(None), cpu(2, Level::best())]));
        // A GPU that fails during its work.
        all.push(machine(vec![emulated(None).failing(FailAt::Call(3)), cpu(1, Level::best())]));
        // A GPU together with the specification.
        all.push(machine(vec![emulated(None), cpu(1, Level::Scalar)]));
    }
    all
}

/// A machine of some devices with three threads.
pub(crate) fn machine(devices: Vec<Device>) -> Machine {
    Machine::new(devices, threads(3))
}

/// An emulated GPU with a limit on its memory in bytes.
#[cfg(feature = "emulator")]
pub(crate) fn emulated(memory: Option<usize>) -> Device {
    use pellucid_testdevices::EmulatedGpu;
    EmulatedGpu { memory, ..EmulatedGpu::USUAL }.device("cuda:0")
}
