use crate::DeviceError;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// A device that failed, to be told to the user once. It prints as a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What went wrong.
    pub error: DeviceError,
    /// How many devices are left.
    pub left: usize,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let others = if self.left == 1 { "device" } else { "devices" };
        write!(f, "{}; its work goes to the other {others}", self.error)
    }
}

/// Whoever wants to hear of devices that fail. A learner makes many sessions, and a broken device fails in each of them:
/// it is told once for each device, when it first happens.
#[derive(Clone)]
pub struct FaultListener(Arc<Inner>);

struct Inner {
    told: Mutex<Vec<(String, Kind)>>,
    tell: Box<dyn Fn(&Fault) + Send + Sync>,
}

/// What is told of a device, each of them once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Failed,
    TooSmall,
}

impl FaultListener {
    /// Tells someone.
    pub fn new(tell: impl Fn(&Fault) + Send + Sync + 'static) -> FaultListener {
        FaultListener(Arc::new(Inner { told: Mutex::default(), tell: Box::new(tell) }))
    }

    /// Tells of a fault, unless its device was told of before.
    pub fn hear(&self, fault: &Fault) {
        self.tell(fault, Kind::Failed);
    }

    /// Tells that a device is too small for some work, unless that was told of it before. Such a device has not failed: it may
    /// take other work, and if it fails at that, this is told too.
    pub fn hear_too_small(&self, fault: &Fault) {
        self.tell(fault, Kind::TooSmall);
    }

    fn tell(&self, fault: &Fault, kind: Kind) {
        let mut told = self.0.told.lock().unwrap_or_else(PoisonError::into_inner);
        let what = (fault.error.device.clone(), kind);
        if !told.contains(&what) {
            told.push(what);
            drop(told);
            (self.0.tell)(fault);
        }
    }
}

/// Nobody listens.
impl Default for FaultListener {
    fn default() -> FaultListener {
        FaultListener::new(|_| {})
    }
}

impl fmt::Debug for FaultListener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FaultListener").field("told", &self.0.told).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn being_too_small_does_not_silence_a_failure() {
        let said = Arc::new(Mutex::new(Vec::new()));
        let heard = Arc::clone(&said);
        let listener =
            FaultListener::new(move |fault| heard.lock().unwrap().push(fault.error.reason.clone()));
        let fault = |reason| Fault { error: DeviceError::new("gpu", reason), left: 1 };
        for _ in 0..2 {
            listener.hear_too_small(&fault("too large a context"));
            listener.hear(&fault("lost"));
        }
        assert_eq!(*said.lock().unwrap(), ["too large a context", "lost"]);
    }
}
