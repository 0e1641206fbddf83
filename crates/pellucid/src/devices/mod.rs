//! Which devices do the work, chosen by name, and what each of them is worth.
//!
//! Picture a workshop with benches of different speed. [`DeviceChoice`] says which of them to use (`cpu,cuda:0`, or all), on how
//! many threads, and how they share the work; from it comes a [`Machine`] that any learner works with. What is learned is
//! the same for every choice. [`measure()`] tries each device and gives its speed and its fair share.
//!
//! ```
//! use pellucid::devices::DeviceChoice;
//!
//! let choice: DeviceChoice = "cpu".parse()?;
//! let machine = choice.threads(2.try_into()?).machine()?;
//! assert_eq!(machine.devices[0].id(), "cpu");
//! assert!("cuda:99".parse::<DeviceChoice>()?.machine().is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod measure;

pub use measure::{Measured, Measurements, measure};

use pellucid_cover::probed_schedule;
use pellucid_device::{
    Device, DeviceError, DeviceKind, Discovered, FAULT_VARIABLE, FaultListener, LoadError, Machine,
    Rehearsal, RehearsalError, Schedule, Threads, devices,
};
use std::convert::Infallible;
use std::num::NonZeroUsize;
use std::str::FromStr;
use std::sync::Arc;
use thiserror::Error;

/// The name that stands for every device there is.
pub const ALL: &str = "all";

/// The name that stands for the first GPU there is.
pub const GPU: &str = "gpu";

/// How several devices share the work.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Sharing {
    /// By what each was seen to do as the work goes on; whoever is idle helps the others.
    #[default]
    Idle,
    /// By one measurement at the start.
    Probed,
    /// The GPUs together get this share of the work, 0 to 1, and the processor the rest.
    GpuLoad(f64),
}

/// Which devices do the work, on how many threads, and how they share it.
#[derive(Clone, Debug, PartialEq)]
pub struct DeviceChoice {
    names: Vec<String>,
    threads: Option<NonZeroUsize>,
    sharing: Sharing,
}

impl Default for DeviceChoice {
    /// Every device, and all cores.
    fn default() -> DeviceChoice {
        DeviceChoice::named([ALL])
    }
}

impl FromStr for DeviceChoice {
    type Err = Infallible;

    /// Names with commas between them, as in `cpu,cuda:0`; whether such devices are there is found out when they are opened.
    fn from_str(names: &str) -> Result<DeviceChoice, Infallible> {
        Ok(DeviceChoice::named(names.split(',').map(str::trim)))
    }
}

impl DeviceChoice {
    /// Devices by their names: `cpu`, `cuda:0`, `gpu` for the first GPU, or `all`. One that is named twice counts as two that share one.
    #[must_use]
    pub fn named<S: Into<String>>(names: impl IntoIterator<Item = S>) -> DeviceChoice {
        let names = names.into_iter().map(Into::into).collect();
        DeviceChoice { names, threads: None, sharing: Sharing::Idle }
    }

    /// So many threads on the processor, rather than all cores.
    #[must_use]
    pub fn threads(mut self, threads: NonZeroUsize) -> DeviceChoice {
        self.threads = Some(threads);
        self
    }

    /// Shares the work in another way.
    #[must_use]
    pub fn sharing(mut self, sharing: Sharing) -> DeviceChoice {
        self.sharing = sharing;
        self
    }

    /// The processor alone, where all devices were chosen and nobody has said how they share the work: for work that GPUs have no part
    /// in. To open one takes longer than most such work does.
    #[must_use]
    pub fn without_gpus_unless_named(mut self) -> DeviceChoice {
        if self.names == [ALL] && self.sharing == Sharing::Idle {
            self.names = vec!["cpu".to_owned()];
        }
        self
    }

    /// The machine it describes. Nobody hears of devices that fail while others go on.
    ///
    /// # Errors
    /// When a device is not there or does not open, or the work cannot be shared so.
    pub fn machine(&self) -> Result<Machine, ChoiceError> {
        self.machine_telling(FaultListener::default())
    }

    /// The same; the listener hears of devices that fail while others go on.
    ///
    /// # Errors
    /// As [`DeviceChoice::machine`].
    pub fn machine_telling(&self, faults: FaultListener) -> Result<Machine, ChoiceError> {
        let threads = Arc::new(Threads::new(self.threads)?);
        let devices = self.open(&threads)?.devices;
        let schedule = match self.sharing {
            Sharing::GpuLoad(load) => gpu_load(&devices, load)?,
            Sharing::Probed if devices.len() > 1 => probed_schedule(&devices, &faults)?,
            Sharing::Probed | Sharing::Idle => Schedule::Idle,
        };
        Ok(Machine { schedule, faults, ..Machine::new(devices, threads) })
    }

    /// The devices it names, and what was looked for in vain.
    ///
    /// # Errors
    /// As [`DeviceChoice::machine`].
    pub fn devices(&self) -> Result<Discovered, ChoiceError> {
        let found = self.open(&Arc::new(Threads::new(self.threads)?))?;
        // Nothing is shared yet, but what cannot be shared is said.
        if let Sharing::GpuLoad(load) = self.sharing {
            gpu_load(&found.devices, load)?;
        }
        Ok(found)
    }

    fn open(&self, threads: &Arc<Threads>) -> Result<Discovered, ChoiceError> {
        // Another device is opened only if it may be wanted: that takes time and memory.
        let mut found = if self.names.iter().all(|name| name == "cpu") {
            let cpu: Device = Device::on_threads(Arc::clone(threads))?;
            Discovered { devices: vec![cpu], absent: Vec::new() }
        } else {
            devices(threads)?
        };
        let there = std::mem::take(&mut found.devices);
        let unknown = |name: &str, absent: &[String]| ChoiceError::Unknown {
            name: name.to_owned(),
            known: ids(&there).join(", "),
            absent: absent.iter().map(|why| format!("; {why}")).collect(),
        };
        if self.names.is_empty() {
            return Err(unknown("", &found.absent));
        }
        for name in &self.names {
            let meant = called(name, &there);
            if meant.is_empty() {
                return Err(unknown(name, &found.absent));
            }
            found.devices.extend(meant);
        }
        let rehearsal = Rehearsal::from_environment()?;
        let known = ids(&found.devices);
        if let Some(id) = rehearsal.ids().find(|id| !known.contains(id)) {
            return Err(ChoiceError::Rehearsed { id: id.to_owned(), used: known.join(", ") });
        }
        found.devices = rehearsal.of(found.devices);
        Ok(found)
    }
}

/// The devices that a name stands for.
fn called(name: &str, there: &[Device]) -> Vec<Device> {
    match name {
        ALL => there.to_vec(),
        GPU => {
            let first = there.iter().find(|device| device.kind() == DeviceKind::Gpu);
            first.cloned().into_iter().collect()
        }
        id => there.iter().filter(|device| device.id() == id).cloned().collect(),
    }
}

/// Why devices cannot be used as chosen.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ChoiceError {
    /// A name that no device has.
    #[error("device: there is no '{name}', allowed are {known} and {ALL}{absent}")]
    Unknown {
        /// The name.
        name: String,
        /// The devices there are.
        known: String,
        /// Why others are not there, as further half-sentences.
        absent: String,
    },
    /// A device that does not open or cannot be measured.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// A share of the work that cannot be given to the GPUs.
    #[error("gpu_load: {0}")]
    Load(#[from] LoadError),
    /// Failures were asked for that cannot be read.
    #[error("{FAULT_VARIABLE}: {0}")]
    Rehearsal(#[from] RehearsalError),
    /// Failures were asked for of a device that is not used.
    #[error("{FAULT_VARIABLE}: there is no device '{id}', in use are {used}")]
    Rehearsed {
        /// The device.
        id: String,
        /// The devices in use.
        used: String,
    },
}

/// The devices' descriptions in one line.
#[must_use]
pub fn description(devices: &[Device]) -> String {
    devices.iter().map(|device| device.description()).collect::<Vec<_>>().join(" + ")
}

/// The names by which devices are chosen.
#[must_use]
pub fn ids(devices: &[Device]) -> Vec<&str> {
    devices.iter().map(|device| device.id()).collect()
}

fn gpu_load(devices: &[Device], load: f64) -> Result<Schedule, LoadError> {
    let kinds: Vec<DeviceKind> = devices.iter().map(|device| device.kind()).collect();
    Schedule::gpu_load(&kinds, load)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::{Registry, Settings};

    #[test]
    fn names_are_parsed_and_repeats_count() {
        let choice: DeviceChoice = "cpu, cpu".parse().unwrap();
        assert_eq!(choice, DeviceChoice::named(["cpu", "cpu"]));
        assert_eq!(ids(&choice.machine().unwrap().devices), ["cpu", "cpu"]);
        let two = DeviceChoice::named(["cpu"]).threads(NonZeroUsize::new(2).unwrap());
        assert_eq!(two.machine().unwrap().threads.count(), 2);
    }

    #[test]
    fn gpus_that_are_not_named_are_left_closed_for_work_without_them() {
        let threads = NonZeroUsize::new(2).unwrap();
        let all = DeviceChoice::default().threads(threads);
        assert_eq!(all.without_gpus_unless_named(), DeviceChoice::named(["cpu"]).threads(threads));
        for named in [
            DeviceChoice::named(["cpu", "cuda:0"]),
            DeviceChoice::named([GPU]),
            DeviceChoice::default().sharing(Sharing::GpuLoad(0.5)),
        ] {
            assert_eq!(named.clone().without_gpus_unless_named(), named);
        }
    }

    #[test]
    fn rules_that_are_found_need_no_gpu_and_rules_that_are_bred_do() {
        let learners = Registry::standard();
        let rules = learners.find("rules").unwrap();
        for (mode, gpus) in
            [("default", false), ("list", false), ("g3p-mi", true), ("pareto", true)]
        {
            let settings = Settings::new().with("mode", mode);
            assert_eq!(rules.learns_on_gpus(&settings).unwrap(), gpus, "{mode}");
        }
        assert!(rules.learns_on_gpus(&Settings::new().with("mode", "any")).is_err());
    }

    #[test]
    fn gpu_is_the_first_gpu() {
        let there = DeviceChoice::default().devices().unwrap().devices;
        let first = ids(&there).into_iter().find(|id| id.starts_with("cuda:"));
        match (DeviceChoice::named([GPU]).devices(), first) {
            (Ok(found), Some(first)) => assert_eq!(ids(&found.devices), [first]),
            (Err(error), None) => {
                let said = error.to_string();
                assert!(
                    said.starts_with("device: there is no 'gpu', allowed are cpu and all; no ")
                );
            }
            (found, first) => panic!("{found:?} and {first:?}"),
        }
    }

    #[test]
    fn what_is_not_there_is_named() {
        let error = |choice: DeviceChoice| choice.machine().unwrap_err().to_string();
        let unknown = error(DeviceChoice::named(["cuda:99"]));
        assert!(unknown.starts_with("device: there is no 'cuda:99', allowed are cpu"), "{unknown}");
        let alone = DeviceChoice::named(["cpu"]);
        assert_eq!(
            error(alone.clone().sharing(Sharing::GpuLoad(0.5))),
            "gpu_load: there is no GPU among the devices, so there is nothing to share"
        );
        assert!(error(alone.sharing(Sharing::GpuLoad(2.0))).starts_with("gpu_load: found 2"));
        for nothing in [DeviceChoice::named([""]), DeviceChoice::named([""; 0])] {
            assert!(error(nothing).starts_with("device: there is no ''"));
        }
    }
}
