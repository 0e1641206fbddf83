//! Failures on purpose: a device that works until it does not.
//!
//! What happens when a GPU fills up or is lost must be known before it happens. [`Device::failing`] makes a device fail in a
//! chosen way; tests use it, and so can an operator who wants to see what a long run would do, by
//! `PELLUCID_FAULT=cuda:0@3` in the environment.

use super::{Device, DeviceError};
use std::str::FromStr;
use std::sync::atomic::{AtomicU64, Ordering};
use thiserror::Error;

/// The environment variable in which an operator asks for failures.
pub const FAULT_VARIABLE: &str = "PELLUCID_FAULT";

/// When a device fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailAt {
    /// When it is opened, as one whose memory is full.
    Load,
    /// From this call on, counted from 1 over all that it was opened for, as one that is lost.
    Call(u64),
    /// In the same place, but by a panic.
    Panic(u64),
}

/// How a device fails, and how often it was called.
#[derive(Debug)]
pub(crate) struct Failing {
    at: FailAt,
    calls: AtomicU64,
}

impl Failing {
    pub(crate) fn new(at: FailAt) -> Failing {
        Failing { at, calls: AtomicU64::new(0) }
    }

    /// Fails if it is to fail when it is opened.
    pub(crate) fn open(&self, device: &str) -> Result<(), DeviceError> {
        match self.at {
            FailAt::Load => {
                let reason = "out of memory when it was opened (a rehearsed failure)";
                Err(DeviceError::new(device, reason))
            }
            FailAt::Call(_) | FailAt::Panic(_) => Ok(()),
        }
    }

    /// Counts a call, and fails if its time has come.
    pub(crate) fn call(&self, device: &str) -> Result<(), DeviceError> {
        let call = self.calls.fetch_add(1, Ordering::SeqCst) + 1;
        match self.at {
            FailAt::Call(first) if call >= first => {
                let reason = format!("it was lost in call {call} (a rehearsed failure)");
                Err(DeviceError::new(device, reason))
            }
            FailAt::Panic(first) if call >= first => panic!("call {call} (a rehearsed failure)"),
            FailAt::Load | FailAt::Call(_) | FailAt::Panic(_) => Ok(()),
        }
    }
}

/// Failures asked for by device, as in `cuda:0@3,cpu@load`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rehearsal(Vec<(String, FailAt)>);

/// A failure that cannot be rehearsed.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error(
    "'{found}' names no failure; allowed are DEVICE@load (it cannot be opened), DEVICE@N (it is lost from call N on) and DEVICE@panic=N, with commas between them, as in cuda:0@3,cpu@load"
)]
pub struct RehearsalError {
    found: String,
}

impl FromStr for Rehearsal {
    type Err = RehearsalError;

    fn from_str(text: &str) -> Result<Rehearsal, RehearsalError> {
        let one = |part: &str| {
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
            parts.map(|part| one(part).ok_or_else(|| RehearsalError { found: part.to_owned() }));
        all.collect::<Result<_, _>>().map(Rehearsal)
    }
}

impl Rehearsal {
    /// What [`FAULT_VARIABLE`] asks for; nothing where it is not set.
    ///
    /// # Errors
    /// When it names no failure.
    pub fn from_environment() -> Result<Rehearsal, RehearsalError> {
        std::env::var(FAULT_VARIABLE).map_or_else(|_| Ok(Rehearsal::default()), |text| text.parse())
    }

    /// The devices that are to fail.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(id, _)| id.as_str())
    }

    /// The devices, of which those that are to fail do. Where one is there twice, each failure is for one of the two.
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
    fn failures_are_spelled_by_device() {
        let read = |text: &str| text.parse::<Rehearsal>();
        let (gpu, cpu) = ("cuda:0".to_owned(), "cpu".to_owned());
        assert_eq!(
            read("cuda:0@3, cpu@load"),
            Ok(Rehearsal(vec![(gpu, FailAt::Call(3)), (cpu.clone(), FailAt::Load)]))
        );
        assert_eq!(read("cpu@panic=2"), Ok(Rehearsal(vec![(cpu, FailAt::Panic(2))])));
        assert_eq!(read(""), Ok(Rehearsal::default()));
        for wrong in ["cpu", "@3", "cpu@", "cpu@0", "cpu@-1", "cpu@panic=x", "cpu@2,gpu"] {
            let error = read(wrong).expect_err(wrong).to_string();
            assert!(error.contains("names no failure; allowed are"), "{error}");
        }
    }
}
