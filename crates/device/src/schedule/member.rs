use super::assign::Known;
use crate::{Device, DeviceError, Hardware};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

/// A device with something on it to work with, as the schedule sees it. It keeps its place after it has failed, so that
/// shares still fit.
#[derive(Debug)]
pub(crate) struct Member<R: ?Sized> {
    device: Device,
    /// Nothing, once the device has failed.
    resident: Option<Box<R>>,
    known: Known,
    /// Whether it has worked before. A first call may have to fetch kernels and what they work with, and says nothing of the
    /// next.
    has_begun: bool,
}

impl<R: ?Sized> Member<R> {
    /// A device that takes what is to be worked with, and why it does not.
    pub(super) fn new(
        device: &Device,
        open: &impl Fn(&Hardware) -> Result<Box<R>, DeviceError>,
    ) -> (Member<R>, Option<DeviceError>) {
        let mut member = Member {
            device: device.clone(),
            resident: None,
            known: Known::default(),
            has_begun: false,
        };
        match caught(device.id(), || device.open(open)) {
            Ok(resident) => {
                member.resident = Some(resident);
                (member, None)
            }
            Err(error) => (member, Some(error)),
        }
    }

    pub(super) fn is_alive(&self) -> bool {
        self.resident.is_some()
    }

    /// What the schedule may reckon with for items that are so much work; nothing once the device has failed.
    pub(super) fn known(&self, unit: f64) -> Option<Known> {
        let known = Known { pace: self.known.pace.times(unit), ..self.known };
        self.is_alive().then_some(known)
    }

    /// For how long it was not called.
    pub(super) fn idle(&mut self, seconds: Option<f64>) {
        self.known.idle = seconds.map_or(0.0, |seconds| self.known.idle + seconds);
    }

    /// What the device holds, as long as it has not failed.
    pub(super) fn resident(&mut self) -> Option<&mut R> {
        self.resident.as_deref_mut()
    }

    /// Does some items, which are so much work each, and takes the time.
    pub(super) fn timed(
        &mut self,
        items: usize,
        unit: f64,
        work: impl FnOnce(&mut R) -> Result<(), DeviceError>,
    ) -> Result<(), DeviceError> {
        let start = Instant::now();
        self.work(work)?;
        if std::mem::replace(&mut self.has_begun, true) {
            self.known.pace.note(items, start.elapsed().as_secs_f64() / unit);
        }
        Ok(())
    }

    /// Lets the device work; if it fails it is out.
    pub(super) fn work<T>(
        &mut self,
        work: impl FnOnce(&mut R) -> Result<T, DeviceError>,
    ) -> Result<T, DeviceError> {
        let Some(resident) = &mut self.resident else { return Err(none_left()) };
        let device = &self.device;
        let done = caught(device.id(), || device.attempt(|| work(&mut **resident)));
        if done.is_err() {
            self.leave_out();
        }
        done
    }

    /// Lets go of what the device holds; it is not called again.
    fn leave_out(&mut self) {
        let broken = self.resident.take();
        // A broken device may not even let go in peace; there is nothing left to lose.
        let _ = catch_unwind(AssertUnwindSafe(|| drop(broken)));
    }

    /// The device panicked where nobody caught it: it is out, and this is why.
    pub(super) fn panicked(&mut self, panic: &(dyn Any + Send)) -> DeviceError {
        self.leave_out();
        DeviceError::new(self.device.id(), format!("it panicked: {}", said(panic)))
    }
}

/// Runs a device's code; that it panics is a failure of the device and of nothing else. What it may have left half done is
/// not used again.
pub(crate) fn caught<T>(
    id: &str,
    work: impl FnOnce() -> Result<T, DeviceError>,
) -> Result<T, DeviceError> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        Err(DeviceError::new(id, format!("it panicked: {}", said(&*panic))))
    })
}

fn said(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("it did not say why")
}

/// Why nothing can be done.
pub(super) fn none_left() -> DeviceError {
    DeviceError::new("none", "no device is left")
}
