//! Stopping a run from outside: interrupts, time limits and clocks.

use super::StopReason;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A monotonic clock.
pub trait Clock: Send + Sync {
    /// Returns the time since a fixed moment.
    fn now(&self) -> Duration;
}

/// The clock of the system.
#[derive(Clone, Copy, Debug)]
struct SystemClock(Instant);

impl Clock for SystemClock {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

/// A clock for tests that only moves when it is advanced, so that no test has to sleep.
#[derive(Debug, Default)]
pub struct ManualClock(AtomicU64);

impl ManualClock {
    /// Returns a clock at zero.
    #[must_use]
    pub fn new() -> Arc<Self> {
        Arc::default()
    }

    /// Moves the clock forward.
    pub fn advance(&self, time: Duration) {
        let nanos = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        self.0.fetch_add(nanos, Ordering::SeqCst);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Duration {
        Duration::from_nanos(self.0.load(Ordering::SeqCst))
    }
}

/// A handle to stop a run from outside. Clones share the interrupt, so one can be used in a signal
/// handler.
///
/// The time limit applies to the process: a resumed run gets the same time again.
///
/// ```
/// use pellucid_learn::run::{Control, ManualClock, StopReason};
/// use std::time::Duration;
///
/// let clock = ManualClock::new();
/// let control = Control::with_clock(clock.clone()).time_limit(Duration::from_secs(60));
/// assert_eq!(control.should_stop(), None);
/// clock.advance(Duration::from_secs(60));
/// assert_eq!(control.should_stop(), Some(StopReason::Time));
/// control.clone().interrupt();
/// assert_eq!(control.should_stop(), Some(StopReason::Interrupted));
/// ```
#[derive(Clone)]
pub struct Control {
    interrupted: Arc<AtomicBool>,
    clock: Arc<dyn Clock>,
    deadline: Option<Duration>,
}

impl Default for Control {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Control {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Control")
            .field("interrupted", &self.interrupted)
            .field("deadline", &self.deadline)
            .finish_non_exhaustive()
    }
}

impl Control {
    /// Returns a control without a limit, with the clock of the system.
    #[must_use]
    pub fn new() -> Self {
        Self::with_clock(Arc::new(SystemClock(Instant::now())))
    }

    /// Returns a control without a limit, with the given clock.
    #[must_use]
    pub fn with_clock(clock: Arc<dyn Clock>) -> Self {
        Self { interrupted: Arc::default(), clock, deadline: None }
    }

    /// Limits the time, counted from this call.
    #[must_use]
    pub fn time_limit(mut self, limit: Duration) -> Self {
        self.deadline = Some(self.clock.now().saturating_add(limit));
        self
    }

    /// Requests the run to stop at the end of the current step. May be called from any thread at any
    /// time.
    pub fn interrupt(&self) {
        self.interrupted.store(true, Ordering::SeqCst);
    }

    /// Returns the reason to stop now, if there is one. It is cheap enough to call within a step.
    #[must_use]
    pub fn should_stop(&self) -> Option<StopReason> {
        if self.interrupted.load(Ordering::SeqCst) {
            return Some(StopReason::Interrupted);
        }
        let late = self.deadline.is_some_and(|deadline| self.clock.now() >= deadline);
        late.then_some(StopReason::Time)
    }

    /// Returns the time left before the limit, if there is one.
    #[must_use]
    pub fn time_left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_sub(self.clock.now()))
    }

    /// Returns the time of the clock.
    #[must_use]
    pub fn now(&self) -> Duration {
        self.clock.now()
    }
}
