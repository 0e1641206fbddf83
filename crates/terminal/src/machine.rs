//! Opens the devices that the arguments select.

use crate::out::say;
use anyhow::Result;
use pellucid::device::{Discovered, FaultListener, Machine};
use pellucid::devices::{DeviceChoice, Sharing};
use pellucid_arguments::{DeviceArgs, MachineArgs};

/// Opens devices.
pub trait FindMachine {
    /// Opens the selected devices and threads. Warns once per failing device, unless `quiet`.
    fn machine(&self, quiet: bool) -> Result<Machine>;
}

impl FindMachine for DeviceArgs {
    fn machine(&self, quiet: bool) -> Result<Machine> {
        open_with_warnings(&self.choice(), quiet)
    }
}

impl FindMachine for MachineArgs {
    fn machine(&self, quiet: bool) -> Result<Machine> {
        open_with_warnings(&self.choice(), quiet)
    }
}

/// Opens the selected devices. Without `gpus`, GPUs are opened only if they are named explicitly.
pub fn machine_for(args: &MachineArgs, gpus: bool, quiet: bool) -> Result<Machine> {
    let choice = args.choice();
    open_with_warnings(&if gpus { choice } else { choice.without_gpus_unless_named() }, quiet)
}

/// Returns whether GPUs are left out unless work uses them, because no devices were named.
pub fn may_add_gpus(args: &MachineArgs) -> bool {
    let choice = args.choice();
    choice.clone().without_gpus_unless_named() != choice
}

/// Opens the selected devices with a given share of the work for the GPUs.
pub fn machine_with(args: &MachineArgs, gpu_load: f64, quiet: bool) -> Result<Machine> {
    open_with_warnings(&args.chosen.choice().sharing(Sharing::GpuLoad(gpu_load)), quiet)
}

/// Returns the selected devices, and the reasons why others are absent.
pub fn devices(args: &MachineArgs) -> Result<Discovered> {
    Ok(args.choice().devices()?)
}

fn open_with_warnings(choice: &DeviceChoice, quiet: bool) -> Result<Machine> {
    let warn = move |fault: &_| {
        if !quiet {
            say(format_args!("warning: {fault}"));
        }
    };
    Ok(choice.machine_telling(FaultListener::new(warn))?)
}
