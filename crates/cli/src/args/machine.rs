use crate::out::say;
use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use pellucid::engine::{
    Device, DeviceError, DeviceKind, Discovered, FAULT_VARIABLE, FaultListener, Machine, Rehearsal,
    Schedule, Threads, devices, probed_schedule,
};
use std::num::NonZeroUsize;
use std::sync::Arc;

/// Which devices do the work.
#[derive(Debug, Args)]
pub(crate) struct DeviceArgs {
    /// Threads on the processor [default: all cores]
    #[arg(long, value_name = "N", value_parser = threads)]
    pub(crate) threads: Option<NonZeroUsize>,
    /// Devices, as 'pellucid devices' names them, or 'all'; one named twice counts as two [default: all]
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
    /// Give the GPUs together this share of the work, 0 to 1, and the processor the rest [default: by measured speed]
    #[arg(long, value_name = "SHARE", conflicts_with = "schedule")]
    pub(crate) gpu_load: Option<f64>,
    /// How several devices share the work: 'idle', by what each was seen to do, and whoever is idle helps; 'probed', by one measurement at the start [default: idle]
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
    /// By what each was seen to do as the work goes on; whoever is idle helps the others
    Idle,
    /// By one measurement at the start
    Probed,
}

impl DeviceArgs {
    /// What a search works with; of a device that fails it is warned once, unless `quiet`.
    pub(crate) fn machine(&self, quiet: bool) -> Result<Machine> {
        let threads = Arc::new(Threads::new(self.threads)?);
        let devices = self.devices_on(&threads)?.devices;
        let warn = move |fault: &_| {
            if !quiet {
                say(format_args!("warning: {fault}"));
            }
        };
        Ok(Machine { faults: FaultListener::new(warn), ..Machine::new(devices, threads) })
    }

    fn devices_on(&self, threads: &Arc<Threads>) -> Result<Discovered> {
        // Another device is opened only if it may be wanted: that takes time and memory.
        let mut found = if self.device.iter().all(|wanted| wanted == "cpu") {
            let cpu: Device = Device::on_threads(Arc::clone(threads))?;
            Discovered { devices: vec![cpu], absent: Vec::new() }
        } else {
            devices(threads)?
        };
        let there = std::mem::take(&mut found.devices);
        for wanted in &self.device {
            let chosen = there.iter().filter(|device| wanted == "all" || device.id() == wanted);
            let before = found.devices.len();
            found.devices.extend(chosen.cloned());
            if found.devices.len() == before {
                let why: String = found.absent.iter().map(|why| format!("; {why}")).collect();
                let known = ids(&there).join(", ");
                bail!("--device: there is no '{wanted}', allowed are {known} and all{why}");
            }
        }
        let rehearsal = Rehearsal::from_environment().context(FAULT_VARIABLE)?;
        let known = ids(&found.devices);
        if let Some(id) = rehearsal.ids().find(|id| !known.contains(id)) {
            bail!("{FAULT_VARIABLE}: there is no device '{id}', in use are {}", known.join(", "));
        }
        found.devices = rehearsal.of(found.devices);
        Ok(found)
    }
}

impl MachineArgs {
    /// What a learner works with: the devices asked for, and the threads, which the processor shares. Of a device that
    /// fails it is warned once, unless `quiet`.
    pub(crate) fn machine(&self, quiet: bool) -> Result<Machine> {
        let machine = self.chosen.machine(quiet)?;
        let schedule = self.schedule(&machine.devices, &machine.faults)?;
        Ok(Machine { schedule, ..machine })
    }

    /// The devices asked for, and what was looked for in vain.
    pub(crate) fn devices(&self) -> Result<Discovered> {
        let found = self.chosen.devices_on(&Arc::new(Threads::new(self.chosen.threads)?))?;
        // Nothing is shared yet, but what cannot be shared is said.
        if let Some(load) = self.gpu_load {
            gpu_load(&found.devices, load)?;
        }
        Ok(found)
    }

    fn schedule(&self, devices: &[Device], faults: &FaultListener) -> Result<Schedule> {
        Ok(match (self.gpu_load, self.schedule) {
            (Some(load), _) => gpu_load(devices, load)?,
            (None, ScheduleArg::Probed) if devices.len() > 1 => probed_schedule(devices, faults)?,
            (None, _) => Schedule::Idle,
        })
    }
}

/// What one of several learners side by side works with: a thread of its own on the processor, and all other devices.
pub(crate) fn one_of_many(machine: &Machine) -> Result<Machine, DeviceError> {
    let threads = Arc::new(Threads::new(NonZeroUsize::new(1))?);
    let cpu: Device = Device::on_threads(Arc::clone(&threads))?;
    let is_processor = |device: &&mut Device| device.kind() == DeviceKind::Processor;
    let mut devices = machine.devices.clone();
    let places: Vec<&mut Device> = devices.iter_mut().filter(is_processor).collect();
    // Whoever made the machine has seen to it that what is to fail can be read.
    let rehearsal = Rehearsal::from_environment().unwrap_or_default();
    let processors = rehearsal.of(vec![cpu; places.len()]);
    places.into_iter().zip(processors).for_each(|(place, own)| *place = own);
    Ok(Machine { devices, threads, ..machine.clone() })
}

/// The devices' descriptions in one line.
pub(crate) fn described(devices: &[Device]) -> String {
    devices.iter().map(|device| device.description()).collect::<Vec<_>>().join(" + ")
}

fn ids(devices: &[Device]) -> Vec<&str> {
    devices.iter().map(|device| device.id()).collect()
}

fn gpu_load(devices: &[Device], load: f64) -> Result<Schedule> {
    let kinds: Vec<DeviceKind> = devices.iter().map(|device| device.kind()).collect();
    Schedule::gpu_load(&kinds, load).context("--gpu-load")
}

pub(super) fn threads(text: &str) -> Result<NonZeroUsize, String> {
    let number = text.parse().ok().filter(|&number| number <= Threads::MOST);
    number.and_then(NonZeroUsize::new).ok_or_else(|| format!("allowed are 1 to {}", Threads::MOST))
}
