//! Selection and measurement of devices.
//!
//! A [`DeviceChoice`] specifies the devices (`cpu,cuda:0`, or all), the number of threads, and how
//! the devices share the work. It opens a [`Machine`], which learners use. Results are the same for
//! every choice. [`measure()`] measures the speed of each device and its share of the total.
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

pub use measure::{DeviceSpeed, Measurements, measure};

use pellucid_cover::probed_schedule;
use pellucid_data::{Message, message, parameter};
use pellucid_device::{
    Device, DeviceError, DeviceKind, Discovered, FAULT_VARIABLE, FaultListener, LoadError, Machine,
    Rehearsal, RehearsalError, Schedule, Threads, devices,
};
use std::convert::Infallible;
use std::num::NonZeroUsize;
use std::str::FromStr;
use std::sync::Arc;
use thiserror::Error;

/// The name for all devices.
pub const ALL: &str = "all";

/// The name for the first GPU.
pub const GPU: &str = "gpu";

/// How several devices share the work.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Sharing {
    /// By the speed of each device so far. Idle devices take over work from others.
    #[default]
    Idle,
    /// By a measurement at the start.
    Probed,
    /// The GPUs together get this share of the work, 0 to 1, and the CPU the rest.
    GpuLoad(f64),
}

/// The devices to use, the number of threads, and how devices share the work.
#[derive(Clone, Debug, PartialEq)]
pub struct DeviceChoice {
    names: Vec<String>,
    threads: Option<NonZeroUsize>,
    sharing: Sharing,
}

impl Default for DeviceChoice {
    /// All devices and all CPU cores.
    fn default() -> DeviceChoice {
        DeviceChoice::named([ALL])
    }
}

impl FromStr for DeviceChoice {
    type Err = Infallible;

    /// Parses names separated by commas, as in `cpu,cuda:0`. The names are checked when the devices
    /// are opened.
    fn from_str(names: &str) -> Result<DeviceChoice, Infallible> {
        Ok(DeviceChoice::named(names.split(',').map(str::trim)))
    }
}

impl DeviceChoice {
    /// Selects devices by name: `cpu`, `cuda:0`, `gpu` for the first GPU, or `all`. A repeated name counts as
    /// another device.
    #[must_use]
    pub fn named<S: Into<String>>(names: impl IntoIterator<Item = S>) -> DeviceChoice {
        let names = names.into_iter().map(Into::into).collect();
        DeviceChoice { names, threads: None, sharing: Sharing::Idle }
    }

    /// Sets the number of CPU threads. The default is one per core.
    #[must_use]
    pub fn threads(mut self, threads: NonZeroUsize) -> DeviceChoice {
        self.threads = Some(threads);
        self
    }

    /// Sets how devices share the work.
    #[must_use]
    pub fn sharing(mut self, sharing: Sharing) -> DeviceChoice {
        self.sharing = sharing;
        self
    }

    /// Returns the choice for work that cannot use GPUs: the CPU only, unless devices or their sharing were
    /// chosen explicitly. Opening a GPU takes longer than most of that work.
    #[must_use]
    pub fn without_gpus_unless_named(mut self) -> DeviceChoice {
        if self.names == [ALL] && self.sharing == Sharing::Idle {
            self.names = vec!["cpu".to_owned()];
        }
        self
    }

    /// Opens the machine. If a device fails and others continue, the failure is not reported.
    ///
    /// # Errors
    /// When a device does not exist or cannot be opened, or the devices cannot share the work as specified.
    pub fn machine(&self) -> Result<Machine, ChoiceError> {
        self.machine_telling(FaultListener::default())
    }

    /// Opens the machine. If a device fails and others continue, the failure is reported to the listener.
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

    /// Opens the devices. Also returns why other kinds of devices are not available.
    ///
    /// # Errors
    /// As [`DeviceChoice::machine`].
    pub fn devices(&self) -> Result<Discovered, ChoiceError> {
        let found = self.open(&Arc::new(Threads::new(self.threads)?))?;
        // Report an invalid share here too, although nothing is shared yet.
        if let Sharing::GpuLoad(load) = self.sharing {
            gpu_load(&found.devices, load)?;
        }
        Ok(found)
    }

    fn open(&self, threads: &Arc<Threads>) -> Result<Discovered, ChoiceError> {
        // Opening GPUs takes time and memory, so skip it if only the CPU is needed.
        let mut found = if self.names.iter().all(|name| name == "cpu") {
            let cpu: Device = Device::on_threads(Arc::clone(threads))?;
            Discovered { devices: vec![cpu], absent: Vec::new() }
        } else {
            devices(threads)?
        };
        let available = std::mem::take(&mut found.devices);
        let unknown = |name: &str, absent: &[String]| ChoiceError::Unknown {
            name: name.to_owned(),
            known: ids(&available).join(", "),
            absent: absent.iter().map(|reason| format!("; {reason}")).collect(),
        };
        if self.names.is_empty() {
            return Err(unknown("", &found.absent));
        }
        for name in &self.names {
            let selected = select(name, &available);
            if selected.is_empty() {
                return Err(unknown(name, &found.absent));
            }
            found.devices.extend(selected);
        }
        let rehearsal = Rehearsal::from_environment()?;
        let known = ids(&found.devices);
        if let Some(id) = rehearsal.ids().find(|id| !known.contains(id)) {
            return Err(ChoiceError::UnusedDevice { id: id.to_owned(), used: known.join(", ") });
        }
        found.devices = rehearsal.of(found.devices);
        Ok(found)
    }
}

/// Returns the devices that a name stands for.
fn select(name: &str, available: &[Device]) -> Vec<Device> {
    match name {
        ALL => available.to_vec(),
        GPU => {
            let first = available.iter().find(|device| device.kind() == DeviceKind::Gpu);
            first.cloned().into_iter().collect()
        }
        id => available.iter().filter(|device| device.id() == id).cloned().collect(),
    }
}

/// An error while selecting or opening devices.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ChoiceError {
    /// No device has the given name.
    #[error("{}", self.message())]
    Unknown {
        /// The given name.
        name: String,
        /// The available devices.
        known: String,
        /// Clauses that explain why other devices are not available.
        absent: String,
    },
    /// A device cannot be opened or measured.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// The GPUs cannot get the specified share of the work.
    #[error("{}", self.message())]
    Load(#[from] LoadError),
    /// The description of simulated failures is invalid.
    #[error("{FAULT_VARIABLE}: {0}")]
    Rehearsal(#[from] RehearsalError),
    /// A failure is to be simulated on a device that is not in use.
    #[error("{FAULT_VARIABLE}: found device '{id}'; expected one of the devices in use: {used}")]
    UnusedDevice {
        /// The device.
        id: String,
        /// The devices in use.
        used: String,
    },
}

impl ChoiceError {
    /// Returns the message, with the parameters in it.
    #[must_use]
    pub fn message(&self) -> Message {
        match self {
            ChoiceError::Unknown { name, known, absent } => message!(
                parameter("device"),
                ": found '{name}'; expected one of {known}, {ALL}{absent}"
            ),
            ChoiceError::Load(error) => message!(parameter("gpu_load"), ": {error}"),
            other => other.to_string().into(),
        }
    }
}

/// Returns the descriptions of devices in one line.
#[must_use]
pub fn description(devices: &[Device]) -> String {
    devices.iter().map(|device| device.description()).collect::<Vec<_>>().join(" + ")
}

/// Returns the names by which devices are selected.
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
    fn work_without_gpus_opens_only_gpus_that_are_named() {
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
    fn rules_use_gpus_for_populations_and_many_examples() {
        let learners = Registry::standard();
        let rules = learners.find("rules").unwrap();
        for (mode, gpus) in [
            ("default", [false, true]),
            ("scorecard", [false, true]),
            ("list", [false, false]),
            ("g3p-mi", [true, true]),
            ("pareto", [true, true]),
        ] {
            let settings = Settings::new().with("mode", mode);
            let of = |examples: usize| rules.learns_on_gpus(&settings, examples).unwrap();
            assert_eq!([1000, 100_000_000].map(of), gpus, "{mode}");
        }
        assert!(rules.learns_on_gpus(&Settings::new().with("mode", "any"), 1).is_err());
    }

    #[test]
    fn gpu_is_the_first_gpu() {
        let available = DeviceChoice::default().devices().unwrap().devices;
        let first = ids(&available).into_iter().find(|id| id.starts_with("cuda:"));
        match (DeviceChoice::named([GPU]).devices(), first) {
            (Ok(found), Some(first)) => assert_eq!(ids(&found.devices), [first]),
            (Err(error), None) => {
                let message = error.to_string();
                let start = "device: found 'gpu'; expected one of cpu, all; no ";
                assert!(message.starts_with(start), "{message}");
            }
            (found, first) => panic!("{found:?} and {first:?}"),
        }
    }

    #[test]
    fn errors_name_devices_that_do_not_exist() {
        let error = |choice: DeviceChoice| choice.machine().unwrap_err().to_string();
        let unknown = error(DeviceChoice::named(["cuda:99"]));
        let start = "device: found 'cuda:99'; expected one of cpu";
        assert!(unknown.starts_with(start), "{unknown}");
        let alone = DeviceChoice::named(["cpu"]);
        assert_eq!(
            error(alone.clone().sharing(Sharing::GpuLoad(0.5))),
            "gpu_load: found no GPU among the devices; expected a CPU and a GPU"
        );
        assert!(error(alone.sharing(Sharing::GpuLoad(2.0))).starts_with("gpu_load: found 2"));
        for nothing in [DeviceChoice::named([""]), DeviceChoice::named([""; 0])] {
            assert!(error(nothing).starts_with("device: found ''; expected"));
        }
    }
}
