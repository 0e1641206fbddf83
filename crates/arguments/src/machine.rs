use clap::{Args, ValueEnum};
use pellucid::device::Threads;
use pellucid::devices::{DeviceChoice, Sharing};
use pellucid::io::ReadOptions;
use std::num::NonZeroUsize;

/// The devices to use.
#[derive(Debug, Args)]
pub struct DeviceArgs {
    /// Number of CPU threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = threads, help_heading = "Devices")]
    pub threads: Option<NonZeroUsize>,
    /// Devices to use, by the names that 'pellucid devices' lists, 'gpu' or 'all' [default: all]
    ///
    /// 'gpu' is the first GPU. A device that is given twice counts as two.
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "all",
        hide_default_value = true,
        value_name = "ID,…",
        help_heading = "Devices"
    )]
    pub device: Vec<String>,
}

/// The devices to use and how they share the work.
#[derive(Debug, Args)]
pub struct MachineArgs {
    #[command(flatten)]
    pub chosen: DeviceArgs,
    /// Share of the work for the GPUs, from 0 to 1; the CPU does the rest [default: by speed]
    #[arg(long, value_name = "SHARE", conflicts_with = "schedule", help_heading = "Devices")]
    pub gpu_load: Option<f64>,
    /// How devices share the work: 'idle' or 'probed' [default: idle]
    ///
    /// 'idle' follows the speed measured so far, and idle devices take work from others. 'probed'
    /// measures once at the start.
    #[arg(
        long,
        value_enum,
        default_value_t = ScheduleArg::Idle,
        hide_default_value = true,
        hide_possible_values = true,
        value_name = "HOW",
        help_heading = "Devices"
    )]
    pub schedule: ScheduleArg,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ScheduleArg {
    /// By speed so far; idle devices take work from others
    Idle,
    /// By one measurement at the start
    Probed,
}

impl DeviceArgs {
    /// Returns the selected devices.
    #[must_use]
    pub fn choice(&self) -> DeviceChoice {
        let choice = DeviceChoice::named(self.device.clone());
        match self.threads {
            None => choice,
            Some(threads) => choice.threads(threads),
        }
    }
}

impl MachineArgs {
    /// Returns the options with the selected number of threads.
    pub fn reading(&self, mut options: ReadOptions) -> ReadOptions {
        options.threads = self.chosen.threads;
        options
    }

    /// Returns the selected devices and how they share the work.
    #[must_use]
    pub fn choice(&self) -> DeviceChoice {
        self.chosen.choice().sharing(match (self.gpu_load, self.schedule) {
            (Some(load), _) => Sharing::GpuLoad(load),
            (None, ScheduleArg::Probed) => Sharing::Probed,
            (None, ScheduleArg::Idle) => Sharing::Idle,
        })
    }
}

pub(crate) fn threads(text: &str) -> Result<NonZeroUsize, String> {
    let number = text.parse().ok().filter(|&number| number <= Threads::MOST);
    number
        .and_then(NonZeroUsize::new)
        .ok_or_else(|| format!("expected a number from 1 to {}", Threads::MOST))
}
