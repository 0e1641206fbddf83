use clap::{Args, ValueEnum};
use pellucid::device::Threads;
use pellucid::devices::{DeviceChoice, Sharing};
use pellucid::io::ReadOptions;
use std::num::NonZeroUsize;

/// Which devices do the work.
#[derive(Debug, Args)]
pub struct DeviceArgs {
    /// The number of threads on the processor [default: all cores]
    #[arg(long, value_name = "N", value_parser = threads)]
    pub threads: Option<NonZeroUsize>,
    /// Devices by the names that 'pellucid devices' lists, 'gpu' for the first GPU, or 'all'; one that is named twice counts as two [default: all]
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "all",
        hide_default_value = true,
        value_name = "ID,…"
    )]
    pub device: Vec<String>,
}

/// Which devices do the work, and how they share it.
#[derive(Debug, Args)]
pub struct MachineArgs {
    #[command(flatten)]
    pub chosen: DeviceArgs,
    /// Give this share of the work, 0 to 1, to the GPUs together and the rest to the processor [default: by measured speed]
    #[arg(long, value_name = "SHARE", conflicts_with = "schedule")]
    pub gpu_load: Option<f64>,
    /// How several devices share the work: 'idle', by their speed so far, and an idle device helps the others; 'probed', by one measurement at the start [default: idle]
    #[arg(
        long,
        value_enum,
        default_value_t = ScheduleArg::Idle,
        hide_default_value = true,
        hide_possible_values = true,
        value_name = "HOW"
    )]
    pub schedule: ScheduleArg,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ScheduleArg {
    /// By their speed so far; an idle device helps the others
    Idle,
    /// By one measurement at the start
    Probed,
}

impl DeviceArgs {
    /// What was chosen.
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
    /// How a file is read: on the threads asked for, too.
    pub fn reading(&self, mut options: ReadOptions) -> ReadOptions {
        options.threads = self.chosen.threads;
        options
    }

    /// What was chosen.
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
    number.and_then(NonZeroUsize::new).ok_or_else(|| format!("allowed are 1 to {}", Threads::MOST))
}
