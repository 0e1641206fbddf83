//! Failures on purpose: a device that works until it does not.
//!
//! What happens when a GPU fills up or is lost must be known before it happens. [`Failing`] stands before any device and
//! fails in a chosen way; tests use it, and so can an operator who wants to see what a long run would do, by
//! `PELLUCID_FAULT=cuda:0@3` in the environment.

use super::{Batch, Device, DeviceError, DeviceKind, Resident};
use crate::bits::{BitRows, Block};
use crate::close::{Frontier, Ordered, Slice, Subtree};
use crate::table::Table;
use crate::world::{Classes, Inhabited, Inquiry, World};
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use thiserror::Error;

/// The environment variable in which an operator asks for failures.
pub const FAULT_VARIABLE: &str = "PELLUCID_FAULT";

/// When a device fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailAt {
    /// When it takes a table, as one whose memory is full.
    Load,
    /// From this call on, counted from 1 over all tables, as one that is lost.
    Call(u64),
    /// In the same place, but by a panic.
    Panic(u64),
}

impl FailAt {
    fn reached(self, calls: u64) -> bool {
        match self {
            FailAt::Load => false,
            FailAt::Call(first) | FailAt::Panic(first) => calls >= first,
        }
    }
}

/// A device that fails in a chosen way, and until then does what the device behind it does.
#[derive(Debug)]
pub struct Failing {
    inner: Arc<dyn Device>,
    at: FailAt,
    calls: Arc<AtomicU64>,
}

impl Failing {
    /// A device that fails.
    #[must_use]
    pub fn new(inner: Arc<dyn Device>, at: FailAt) -> Failing {
        Failing { inner, at, calls: Arc::default() }
    }

    fn calls(&self, device: String) -> Calls {
        Calls { device, at: self.at, calls: Arc::clone(&self.calls) }
    }
}

impl Device for Failing {
    fn id(&self) -> &str {
        self.inner.id()
    }

    fn kind(&self) -> DeviceKind {
        self.inner.kind()
    }

    fn name(&self) -> String {
        self.inner.name()
    }

    fn description(&self) -> String {
        self.inner.description()
    }

    fn load(&self, table: &Arc<Table>) -> Result<Box<dyn Resident>, DeviceError> {
        let device = self.id().to_owned();
        if self.at == FailAt::Load {
            let reason = "out of memory while it took the table (a rehearsed failure)".into();
            return Err(DeviceError { device, reason });
        }
        let inner = self.inner.load(table)?;
        Ok(Box::new(FailingTable { inner, calls: self.calls(device) }))
    }

    fn inhabit(&self, world: &Arc<World>) -> Result<Box<dyn Inhabited>, DeviceError> {
        let device = self.id().to_owned();
        if self.at == FailAt::Load {
            let reason = "out of memory while it took the world (a rehearsed failure)".into();
            return Err(DeviceError { device, reason });
        }
        let inner = self.inner.inhabit(world)?;
        Ok(Box::new(FailingWorld { inner, calls: self.calls(device) }))
    }

    fn frontier(
        &self,
        context: &Ordered,
        min_support: u64,
        looks: bool,
        whole: bool,
    ) -> Result<Box<dyn Frontier>, DeviceError> {
        let device = self.id().to_owned();
        if self.at == FailAt::Load {
            let reason = "out of memory while it took the context (a rehearsed failure)".into();
            return Err(DeviceError { device, reason });
        }
        let inner = self.inner.frontier(context, min_support, looks, whole)?;
        Ok(Box::new(FailingFrontier { inner, calls: self.calls(device) }))
    }
}

/// Counts calls until one fails.
#[derive(Debug)]
struct Calls {
    device: String,
    at: FailAt,
    calls: Arc<AtomicU64>,
}

#[derive(Debug)]
struct FailingTable {
    inner: Box<dyn Resident>,
    calls: Calls,
}

#[derive(Debug)]
struct FailingWorld {
    inner: Box<dyn Inhabited>,
    calls: Calls,
}

struct FailingFrontier {
    inner: Box<dyn Frontier>,
    calls: Calls,
}

impl Calls {
    fn call(&self) -> Result<(), DeviceError> {
        let call = self.calls.fetch_add(1, Ordering::SeqCst) + 1;
        if !self.at.reached(call) {
            return Ok(());
        }
        assert!(!matches!(self.at, FailAt::Panic(_)), "call {call} (a rehearsed failure)");
        let reason = format!("it was lost in call {call} (a rehearsed failure)");
        Err(DeviceError { device: self.device.clone(), reason })
    }
}

impl Resident for FailingTable {
    fn tally(&mut self, batch: &Batch<'_>, counts: &mut [u64]) -> Result<(), DeviceError> {
        self.inner.tally(batch, counts)?;
        // A device that is lost leaves anything behind.
        self.calls.call().inspect_err(|_| counts.fill(u64::MAX))
    }

    fn cover(&mut self, batch: &Batch<'_>) -> Result<BitRows, DeviceError> {
        self.calls.call()?;
        self.inner.cover(batch)
    }

    fn take_time(&mut self, go_on: bool) -> Option<Duration> {
        self.inner.take_time(go_on)
    }
}

impl Inhabited for FailingWorld {
    fn bits(&mut self, inquiry: &Inquiry<'_>, out: &mut [Block]) -> Result<(), DeviceError> {
        self.inner.bits(inquiry, out)?;
        self.calls.call().inspect_err(|_| out.fill(Block::ONES))
    }

    fn counts(
        &mut self,
        inquiry: &Inquiry<'_>,
        classes: Classes<'_>,
        counts: &mut [u64],
    ) -> Result<(), DeviceError> {
        self.inner.counts(inquiry, classes, counts)?;
        self.calls.call().inspect_err(|_| counts.fill(u64::MAX))
    }

    fn take_time(&mut self, go_on: bool) -> Option<Duration> {
        self.inner.take_time(go_on)
    }
}

impl Frontier for FailingFrontier {
    fn start(&mut self, wanted: usize) -> Result<(), DeviceError> {
        self.inner.start(wanted)
    }

    fn finish(&mut self, given: &mut Vec<Subtree>) -> Result<Slice, DeviceError> {
        let slice = self.inner.finish(given)?;
        self.calls.call().map(|()| slice)
    }

    fn records(&self) -> Vec<&[u32]> {
        self.inner.records()
    }

    fn record_words(&self) -> usize {
        self.inner.record_words()
    }

    fn take(&mut self, subtree: Subtree) -> Result<(), DeviceError> {
        self.inner.take(subtree)
    }

    fn fetch(&mut self) -> Result<(), DeviceError> {
        self.inner.fetch()
    }

    fn arrive(&mut self) -> Result<(), DeviceError> {
        self.inner.arrive()
    }
}

/// Failures asked for by device, as in `cuda:0@3,cpu@load`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rehearsal(Vec<(String, FailAt)>);

/// A failure that cannot be rehearsed.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error(
    "'{found}' names no failure; allowed are DEVICE@load (it takes no table), DEVICE@N (it is lost from call N on) and DEVICE@panic=N, with commas between them, as in cuda:0@3,cpu@load"
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

    /// The devices, with others that fail in the place of those that are to. Where one is there twice, each failure is
    /// for one of the two.
    #[must_use]
    pub fn of(mut self, mut devices: Vec<Arc<dyn Device>>) -> Vec<Arc<dyn Device>> {
        for device in &mut devices {
            if let Some(place) = self.0.iter().position(|(id, _)| id == device.id()) {
                let (_, at) = self.0.remove(place);
                *device = Arc::new(Failing::new(Arc::clone(device), at));
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
