use crate::DeviceError;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// The failure of a device, reported to the user once. It displays as a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The error.
    pub error: DeviceError,
    /// The number of devices left.
    pub left: usize,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let others = if self.left == 1 { "device" } else { "devices" };
        write!(f, "{}; its work goes to the other {others}", self.error)
    }
}

/// A listener for failures of devices. A learner opens many sessions, and a broken device fails in
/// each of them. The listener is called only for the first failure of each device.
#[derive(Clone)]
pub struct FaultListener(Arc<Inner>);

struct Inner {
    reported: Mutex<Vec<(String, Kind)>>,
    callback: Box<dyn Fn(&Fault) + Send + Sync>,
}

/// The kinds of reports. Each is made once per device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Failed,
    TooSmall,
}

impl FaultListener {
    /// Creates a listener that calls a function.
    pub fn new(callback: impl Fn(&Fault) + Send + Sync + 'static) -> FaultListener {
        FaultListener(Arc::new(Inner { reported: Mutex::default(), callback: Box::new(callback) }))
    }

    /// Reports a failure, unless one of the same device was reported before.
    pub fn hear(&self, fault: &Fault) {
        self.report(fault, Kind::Failed);
    }

    /// Reports that a device is too small for some work, unless this was reported before. Such a
    /// device has not failed: it may do other work, and a later failure is reported too.
    pub fn hear_too_small(&self, fault: &Fault) {
        self.report(fault, Kind::TooSmall);
    }

    fn report(&self, fault: &Fault, kind: Kind) {
        let mut reported = self.0.reported.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (fault.error.device.clone(), kind);
        if !reported.contains(&key) {
            reported.push(key);
            drop(reported);
            (self.0.callback)(fault);
        }
    }
}

/// Ignores all failures.
impl Default for FaultListener {
    fn default() -> FaultListener {
        FaultListener::new(|_| {})
    }
}

impl fmt::Debug for FaultListener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FaultListener").field("reported", &self.0.reported).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_is_reported_after_too_little_memory() {
        let reasons = Arc::new(Mutex::new(Vec::new()));
        let sink = Arc::clone(&reasons);
        let listener =
            FaultListener::new(move |fault| sink.lock().unwrap().push(fault.error.reason.clone()));
        let fault = |reason| Fault { error: DeviceError::new("gpu", reason), left: 1 };
        for _ in 0..2 {
            listener.hear_too_small(&fault("the context is too large"));
            listener.hear(&fault("lost"));
        }
        assert_eq!(*reasons.lock().unwrap(), ["the context is too large", "lost"]);
    }
}
