//! Simulated failures of devices.
//!
//! [`Device::failing`] makes a device fail in a chosen way, to test what happens when a GPU runs
//! out of memory or is lost. Operators can do the same before a long run with
//! `PELLUCID_FAULT=cuda:0@3` in the environment.

use super::{Device, DeviceError};
use std::str::FromStr;
use std::sync::atomic::{AtomicU64, Ordering};
use thiserror::Error;

/// The environment variable that describes simulated failures.
pub const FAULT_VARIABLE: &str = "PELLUCID_FAULT";

/// The time of a simulated failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailAt {
    /// When the device is opened, as if its memory were full.
    Load,
    /// From this call on, as if the device were lost. Calls are counted from 1 over all of its
    /// uses.
    Call(u64),
    /// From this call on, with a panic.
    Panic(u64),
}

/// The planned failure of a device, and the number of calls so far.
#[derive(Debug)]
pub(crate) struct FailurePlan {
    at: FailAt,
    calls: AtomicU64,
}

impl FailurePlan {
    pub(crate) fn new(at: FailAt) -> FailurePlan {
        FailurePlan { at, calls: AtomicU64::new(0) }
    }

    /// Fails if the failure is planned for opening.
    pub(crate) fn open(&self, device: &str) -> Result<(), DeviceError> {
        match self.at {
            FailAt::Load => {
                let reason = "out of memory while opening (simulated failure)";
                Err(DeviceError::new(device, reason))
            }
            FailAt::Call(_) | FailAt::Panic(_) => Ok(()),
        }
    }

    /// Counts a call, and fails if its failure is due.
    pub(crate) fn call(&self, device: &str) -> Result<(), DeviceError> {
        let call = self.calls.fetch_add(1, Ordering::SeqCst) + 1;
        match self.at {
            FailAt::Call(first) if call >= first => {
                let reason = format!("lost in call {call} (simulated failure)");
                Err(DeviceError::new(device, reason))
            }
            FailAt::Panic(first) if call >= first => panic!("simulated failure in call {call}"),
            FailAt::Load | FailAt::Call(_) | FailAt::Panic(_) => Ok(()),
        }
    }
}

/// Simulated failures by device, as in `cuda:0@3,cpu@load`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rehearsal(Vec<(String, FailAt)>);

/// An invalid description of a simulated failure.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error(
    "found '{found}'; expected DEVICE@load (cannot be opened), DEVICE@N (lost from call N on) or \
     DEVICE@panic=N (panics from call N on), separated by commas, as in cuda:0@3,cpu@load"
)]
pub struct RehearsalError {
    found: String,
}

impl FromStr for Rehearsal {
    type Err = RehearsalError;

    fn from_str(text: &str) -> Result<Rehearsal, RehearsalError> {
        let parse = |part: &str| {
            let (id, at) = part.trim().rsplit_once('@').filter(|(id, _)| !id.is_empty())?;
            let number = |text: &str| text.parse().ok().filter(|&call: &u64| call > 0);
            let at = match (at, at.strip_prefix("panic=")) {
                ("load", _) => FailAt::Load,
                (_, Some(call)) => FailAt::Panic(number(call)?),
                (call, None) => FailAt::Call(number(call)?),
            };
            Some((id.to_owned(), at))
        };
        let parts = text.split(',').filter(|part| !part.trim().is_empty());
        let all =
            parts.map(|part| parse(part).ok_or_else(|| RehearsalError { found: part.to_owned() }));
        all.collect::<Result<_, _>>().map(Rehearsal)
    }
}

impl Rehearsal {
    /// Parses [`FAULT_VARIABLE`]; there are no failures if it is not set.
    ///
    /// # Errors
    /// When the value is invalid.
    pub fn from_environment() -> Result<Rehearsal, RehearsalError> {
        std::env::var(FAULT_VARIABLE).map_or_else(|_| Ok(Rehearsal::default()), |text| text.parse())
    }

    /// Returns the ids of the devices that are to fail.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(id, _)| id.as_str())
    }

    /// Returns the devices with their simulated failures. If a device occurs twice, each failure
    /// applies to one of the two.
    #[must_use]
    pub fn of(mut self, mut devices: Vec<Device>) -> Vec<Device> {
        for device in &mut devices {
            if let Some(place) = self.0.iter().position(|(id, _)| id == device.id()) {
                let (_, at) = self.0.remove(place);
                *device = device.clone().failing(at);
            }
        }
        devices
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_are_parsed_by_device() {
        let parse = |text: &str| text.parse::<Rehearsal>();
        let (gpu, cpu) = ("cuda:0".to_owned(), "cpu".to_owned());
        assert_eq!(
            parse("cuda:0@3, cpu@load"),
            Ok(Rehearsal(vec![(gpu, FailAt::Call(3)), (cpu.clone(), FailAt::Load)]))
        );
        assert_eq!(parse("cpu@panic=2"), Ok(Rehearsal(vec![(cpu, FailAt::Panic(2))])));
        assert_eq!(parse(""), Ok(Rehearsal::default()));
        for wrong in ["cpu", "@3", "cpu@", "cpu@0", "cpu@-1", "cpu@panic=x", "cpu@2,gpu"] {
            let error = parse(wrong).expect_err(wrong).to_string();
            assert!(error.contains("; expected DEVICE@load"), "{error}");
        }
    }
}
