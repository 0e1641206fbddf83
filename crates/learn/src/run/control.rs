//! Stopping a run from outside: an interrupt, a time limit, and the clock behind it.

use super::StopReason;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A clock that only ever goes forward.
pub trait Clock: Send + Sync {
    /// The time since some fixed moment.
    fn now(&self) -> Duration;
}

/// The clock of the machine.
#[derive(Clone, Copy, Debug)]
struct MachineClock(Instant);

impl Clock for MachineClock {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

/// A clock for tests, which stands still until it is moved: no test has to sleep.
#[derive(Debug, Default)]
pub struct HandClock(AtomicU64);

impl HandClock {
    /// A clock at zero.
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

impl Clock for HandClock {
    fn now(&self) -> Duration {
        Duration::from_nanos(self.0.load(Ordering::SeqCst))
    }
}

/// A handle to stop a run from outside. Clones share the interrupt, so one can wait in a signal
/// handler.
///
/// The time limit is for the running process: a run resumed with the same limit gets that time
/// again.
///
/// ```
/// use pellucid_learn::run::{Control, HandClock, StopReason};
/// use std::time::Duration;
///
/// let clock = HandClock::new();
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
    /// A control without a limit, on the clock of the machine.
    #[must_use]
    pub fn new() -> Self {
        Self::with_clock(Arc::new(MachineClock(Instant::now())))
    }

    /// A control without a limit, on the given clock.
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

    /// Asks the run to stop at the end of the step it is in. Safe to call from anywhere, at any
    /// time.
    pub fn interrupt(&self) {
        self.interrupted.store(true, Ordering::SeqCst);
    }

    /// Whether to stop now, and why. Cheap enough to ask inside a long step too.
    #[must_use]
    pub fn should_stop(&self) -> Option<StopReason> {
        if self.interrupted.load(Ordering::SeqCst) {
            return Some(StopReason::Interrupted);
        }
        let late = self.deadline.is_some_and(|deadline| self.clock.now() >= deadline);
        late.then_some(StopReason::Time)
    }

    /// The time left before the limit, if there is one.
    #[must_use]
    pub fn time_left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_sub(self.clock.now()))
    }

    /// The time on the clock, for measuring.
    #[must_use]
    pub fn now(&self) -> Duration {
        self.clock.now()
    }
}
