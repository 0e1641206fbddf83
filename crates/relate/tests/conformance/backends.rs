//! The machines that the whole suite runs on.

use pellucid_bits::Level;
use pellucid_device::{Device, Machine};
use pellucid_testdevices::{cpu, cpus, gpus, threads};

/// Every level of the processor with one thread and three, and GPUs, alone and beside the processor.
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
        // One that is lost in the midst of its work.
        all.push(machine(vec![emulated(None).failing(FailAt::Call(3)), cpu(1, Level::best())]));
        // One beside the specification.
        all.push(machine(vec![emulated(None), cpu(1, Level::Scalar)]));
    }
    all
}

/// Some devices with three threads beside them.
pub(crate) fn machine(devices: Vec<Device>) -> Machine {
    Machine::new(devices, threads(3))
}

/// An emulated GPU with so many bytes.
#[cfg(feature = "emulator")]
pub(crate) fn emulated(memory: Option<usize>) -> Device {
    use pellucid_testdevices::EmulatedGpu;
    EmulatedGpu { memory, ..EmulatedGpu::USUAL }.device("cuda:0")
}
