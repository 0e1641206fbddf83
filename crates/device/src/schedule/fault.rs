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
    told: Mutex<Vec<String>>,
    tell: Box<dyn Fn(&Fault) + Send + Sync>,
}

impl FaultListener {
    /// Tells someone.
    pub fn new(tell: impl Fn(&Fault) + Send + Sync + 'static) -> FaultListener {
        FaultListener(Arc::new(Inner { told: Mutex::default(), tell: Box::new(tell) }))
    }

    /// Tells of a fault, unless its device was told of before.
    pub fn hear(&self, fault: &Fault) {
        let mut told = self.0.told.lock().unwrap_or_else(PoisonError::into_inner);
        if !told.contains(&fault.error.device) {
            told.push(fault.error.device.clone());
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
