use super::assign::DeviceProfile;
use crate::{Device, DeviceError, Hardware};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

/// A device of an executor with its data. After a failure it keeps its position, so that shares
/// still match.
#[derive(Debug)]
pub(crate) struct Member<R: ?Sized> {
    device: Device,
    /// `None` after the device has failed.
    resident: Option<Box<R>>,
    profile: DeviceProfile,
    /// Whether it has worked before. The first call may load kernels and data, so its time is not
    /// representative.
    has_begun: bool,
}

impl<R: ?Sized> Member<R> {
    /// Opens a device. If this fails, the error is returned with the member.
    pub(super) fn new(
        device: &Device,
        open: &impl Fn(&Hardware) -> Result<Box<R>, DeviceError>,
    ) -> (Member<R>, Option<DeviceError>) {
        let mut member = Member {
            device: device.clone(),
            resident: None,
            profile: DeviceProfile::default(),
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

    /// Returns the profile for items that are `unit` times as much work, or nothing after a
    /// failure.
    pub(super) fn profile(&self, unit: f64) -> Option<DeviceProfile> {
        let profile = DeviceProfile { pace: self.profile.pace.times(unit), ..self.profile };
        self.is_alive().then_some(profile)
    }

    /// Adds idle time, or resets it if the device was used.
    pub(super) fn idle(&mut self, seconds: Option<f64>) {
        self.profile.idle = seconds.map_or(0.0, |seconds| self.profile.idle + seconds);
    }

    /// Returns the data on the device, unless it has failed.
    pub(super) fn resident(&mut self) -> Option<&mut R> {
        self.resident.as_deref_mut()
    }

    /// Processes items of `unit` work each and measures the time.
    pub(super) fn timed(
        &mut self,
        items: usize,
        unit: f64,
        work: impl FnOnce(&mut R) -> Result<(), DeviceError>,
    ) -> Result<(), DeviceError> {
        let start = Instant::now();
        self.work(work)?;
        if std::mem::replace(&mut self.has_begun, true) {
            self.profile.pace.note(items, start.elapsed().as_secs_f64() / unit);
        }
        Ok(())
    }

    /// Runs work on the device. After a failure the device is not used again.
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

    /// Drops the data on the device, which is not used again.
    fn leave_out(&mut self) {
        let broken = self.resident.take();
        // Dropping the data of a broken device may panic; ignore that.
        let _ = catch_unwind(AssertUnwindSafe(|| drop(broken)));
    }

    /// Records a panic outside of the work of the device and returns the error.
    pub(super) fn panicked(&mut self, panic: &(dyn Any + Send)) -> DeviceError {
        self.leave_out();
        DeviceError::new(self.device.id(), format!("panicked: {}", panic_message(panic)))
    }
}

/// Runs work of a device. A panic becomes a failure of the device. Data that it may have left
/// incomplete is not used again.
pub(crate) fn caught<T>(
    id: &str,
    work: impl FnOnce() -> Result<T, DeviceError>,
) -> Result<T, DeviceError> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        Err(DeviceError::new(id, format!("panicked: {}", panic_message(&*panic))))
    })
}

fn panic_message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("unknown reason")
}

/// Returns the error for work without any device left.
pub(super) fn none_left() -> DeviceError {
    DeviceError::new("none", "no device is left")
}
