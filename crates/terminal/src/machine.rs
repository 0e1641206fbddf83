//! From the devices that were typed to those that work.

use crate::out::{flagged, say};
use anyhow::Result;
use pellucid::device::{Discovered, FaultListener, Machine};
use pellucid::devices::{DeviceChoice, Sharing};
use pellucid_arguments::{DeviceArgs, MachineArgs};

/// Finds devices.
pub trait FindMachine {
    /// What is worked with: the devices asked for, and the threads, which the processor shares. Of a device
    /// that fails it is warned once, unless `quiet`.
    fn machine(&self, quiet: bool) -> Result<Machine>;
}

impl FindMachine for DeviceArgs {
    fn machine(&self, quiet: bool) -> Result<Machine> {
        warning(&self.choice(), quiet)
    }
}

impl FindMachine for MachineArgs {
    fn machine(&self, quiet: bool) -> Result<Machine> {
        warning(&self.choice(), quiet)
    }
}

/// The same, for work that GPUs may have no part in: they are not opened then, unless they were named.
pub fn machine_for(args: &MachineArgs, gpus: bool, quiet: bool) -> Result<Machine> {
    let choice = args.choice();
    warning(&if gpus { choice } else { choice.without_gpus_unless_named() }, quiet)
}

/// The same, with another share for the GPUs than was asked for.
pub fn machine_with(args: &MachineArgs, gpu_load: f64, quiet: bool) -> Result<Machine> {
    warning(&args.chosen.choice().sharing(Sharing::GpuLoad(gpu_load)), quiet)
}

/// The devices asked for, and what was looked for in vain.
pub fn devices(args: &MachineArgs) -> Result<Discovered> {
    args.choice().devices().map_err(flagged)
}

fn warning(choice: &DeviceChoice, quiet: bool) -> Result<Machine> {
    let warn = move |fault: &_| {
        if !quiet {
            say(format_args!("warning: {fault}"));
        }
    };
    choice.machine_telling(FaultListener::new(warn)).map_err(flagged)
}
