use crate::out::{flagged, say};
use anyhow::Result;
use clap::{Args, ValueEnum};
use pellucid::device::{Discovered, FaultListener, Machine, Threads};
use pellucid::devices::{DeviceChoice, Sharing};
use pellucid::io::ReadOptions;
use std::num::NonZeroUsize;

/// Which devices do the work.
#[derive(Debug, Args)]
pub(crate) struct DeviceArgs {
    /// The number of threads on the processor [default: all cores]
    #[arg(long, value_name = "N", value_parser = threads)]
    pub(crate) threads: Option<NonZeroUsize>,
    /// Devices by the names that 'pellucid devices' lists, 'gpu' for the first GPU, or 'all'; one that is named twice counts as two [default: all]
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "all",
        hide_default_value = true,
        value_name = "ID,…"
    )]
    pub(crate) device: Vec<String>,
}

/// Which devices do the work, and how they share it.
#[derive(Debug, Args)]
pub(crate) struct MachineArgs {
    #[command(flatten)]
    pub(crate) chosen: DeviceArgs,
    /// Give this share of the work, 0 to 1, to the GPUs together and the rest to the processor [default: by measured speed]
    #[arg(long, value_name = "SHARE", conflicts_with = "schedule")]
    pub(crate) gpu_load: Option<f64>,
    /// How several devices share the work: 'idle', by their speed so far, and an idle device helps the others; 'probed', by one measurement at the start [default: idle]
    #[arg(
        long,
        value_enum,
        default_value_t = ScheduleArg::Idle,
        hide_default_value = true,
        hide_possible_values = true,
        value_name = "HOW"
    )]
    pub(crate) schedule: ScheduleArg,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ScheduleArg {
    /// By their speed so far; an idle device helps the others
    Idle,
    /// By one measurement at the start
    Probed,
}

impl DeviceArgs {
    /// What a search works with; of a device that fails it is warned once, unless `quiet`.
    pub(crate) fn machine(&self, quiet: bool) -> Result<Machine> {
        warning(&self.choice(), quiet)
    }

    fn choice(&self) -> DeviceChoice {
        let choice = DeviceChoice::named(self.device.clone());
        match self.threads {
            None => choice,
            Some(threads) => choice.threads(threads),
        }
    }
}

impl MachineArgs {
    /// What a learner works with: the devices asked for, and the threads, which the processor shares. Of a device that
    /// fails it is warned once, unless `quiet`.
    pub(crate) fn machine(&self, quiet: bool) -> Result<Machine> {
        warning(&self.choice(), quiet)
    }

    /// The same, with another share for the GPUs than was asked for.
    pub(crate) fn machine_with(&self, gpu_load: f64, quiet: bool) -> Result<Machine> {
        warning(&self.chosen.choice().sharing(Sharing::GpuLoad(gpu_load)), quiet)
    }

    /// How a file is read: on the threads asked for, too.
    pub(crate) fn reading(&self, mut options: ReadOptions) -> ReadOptions {
        options.threads = self.chosen.threads;
        options
    }

    /// The devices asked for, and what was looked for in vain.
    pub(crate) fn devices(&self) -> Result<Discovered> {
        self.choice().devices().map_err(flagged)
    }

    fn choice(&self) -> DeviceChoice {
        self.chosen.choice().sharing(match (self.gpu_load, self.schedule) {
            (Some(load), _) => Sharing::GpuLoad(load),
            (None, ScheduleArg::Probed) => Sharing::Probed,
            (None, ScheduleArg::Idle) => Sharing::Idle,
        })
    }
}

fn warning(choice: &DeviceChoice, quiet: bool) -> Result<Machine> {
    let warn = move |fault: &_| {
        if !quiet {
            say(format_args!("warning: {fault}"));
        }
    };
    choice.machine_telling(FaultListener::new(warn)).map_err(flagged)
}

pub(super) fn threads(text: &str) -> Result<NonZeroUsize, String> {
    let number = text.parse().ok().filter(|&number| number <= Threads::MOST);
    number.and_then(NonZeroUsize::new).ok_or_else(|| format!("allowed are 1 to {}", Threads::MOST))
}
