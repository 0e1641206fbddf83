use super::assign::Known;
use crate::bits::BitRows;
use crate::device::{Batch, Device, DeviceError, Resident};
use crate::table::Table;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A device with a table on it, as the schedule sees it. It keeps its place after it has failed, so that shares still fit.
#[derive(Debug)]
pub(crate) struct Member {
    id: String,
    /// Nothing, once the device has failed.
    resident: Option<Box<dyn Resident>>,
    pub(super) known: Known,
}

impl Member {
    /// A device that takes a table, and why it does not.
    pub(crate) fn new(device: &dyn Device, table: &Arc<Table>) -> (Member, Option<DeviceError>) {
        let mut member =
            Member { id: device.id().to_owned(), resident: None, known: Known::default() };
        match caught(&member.id, || device.load(table)) {
            Ok(resident) => {
                member.resident = Some(resident);
                (member, None)
            }
            Err(error) => (member, Some(error)),
        }
    }

    pub(crate) fn is_alive(&self) -> bool {
        self.resident.is_some()
    }

    /// What the schedule may reckon with; nothing once the device has failed.
    pub(super) fn known(&self) -> Option<Known> {
        self.is_alive().then_some(self.known)
    }

    /// Adds counts, which are worthless if it fails, and takes the time.
    pub(super) fn tally(
        &mut self,
        batch: &Batch<'_>,
        counts: &mut [u64],
    ) -> Result<(), DeviceError> {
        let start = Instant::now();
        self.work(|resident| resident.tally(batch, counts))?;
        self.known.pace.note(batch.len(), start.elapsed().as_secs_f64());
        Ok(())
    }

    pub(super) fn cover(&mut self, batch: &Batch<'_>) -> Result<BitRows, DeviceError> {
        self.work(|resident| resident.cover(batch))
    }

    /// How long the device itself computed, see [`Resident::take_time`].
    pub(crate) fn take_time(&mut self, go_on: bool) -> Option<Duration> {
        self.resident.as_mut().and_then(|resident| resident.take_time(go_on))
    }

    /// Lets the device work; if it fails it is out.
    fn work<T>(
        &mut self,
        work: impl FnOnce(&mut dyn Resident) -> Result<T, DeviceError>,
    ) -> Result<T, DeviceError> {
        let Some(resident) = &mut self.resident else { return Err(none_left()) };
        let done = caught(&self.id, || work(&mut **resident));
        if done.is_err() {
            let broken = self.resident.take();
            // A broken device may not even let go in peace; there is nothing left to lose.
            let _ = catch_unwind(AssertUnwindSafe(|| drop(broken)));
        }
        done
    }
}

/// Runs a device's code; that it panics is a failure of the device and of nothing else. What it may have left half done is
/// not used again.
fn caught<T>(id: &str, work: impl FnOnce() -> Result<T, DeviceError>) -> Result<T, DeviceError> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        Err(DeviceError {
            device: id.to_owned(),
            reason: format!("it panicked: {}", said(&*panic)),
        })
    })
}

fn said(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("it did not say why")
}

/// Why nothing can be done.
pub(super) fn none_left() -> DeviceError {
    DeviceError { device: "none".into(), reason: "no device is left".into() }
}
