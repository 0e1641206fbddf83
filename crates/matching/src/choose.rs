//! Chooses the fastest matching method by measurement. The choice affects the time only, never the result.

use crate::matching::Way;
use std::time::{Duration, Instant};

/// The number of queries in a trial: a few tiles.
const TRIAL: u32 = 1024;
/// The number of queries between two readings of the clock. A method is abandoned when it has taken longer
/// than another did for its whole trial. A method with a constant time per query is abandoned as soon as it
/// is twice as slow.
const CHECK: u32 = 64;

/// Tries every method for a few queries and keeps the fastest. It repeats the trials at increasing intervals,
/// because the population changes while it learns.
#[derive(Clone, Debug)]
pub(crate) struct Chooser {
    ways: Vec<Way>,
    /// The time of each method in the last trials.
    taken: Vec<Duration>,
    /// The index of the method under trial; past the end if all were tried.
    trying: usize,
    /// The number of queries until the next decision.
    left: u64,
    /// The number of queries in the current trial.
    asked: u32,
    /// The number of queries for which the next choice is kept.
    keep: u64,
    since: Option<Instant>,
    /// Whether the last choice was reported.
    is_reported: bool,
}

impl Chooser {
    pub(crate) fn new(ways: Vec<Way>) -> Chooser {
        let taken = vec![Duration::ZERO; ways.len()];
        // The first thousands of steps fill the population and are not representative of later ones.
        Chooser {
            trying: ways.len(),
            taken,
            ways,
            left: 4 * u64::from(TRIAL),
            keep: 64 * u64::from(TRIAL),
            asked: 0,
            since: None,
            is_reported: true,
        }
    }

    /// Adds a method to try.
    pub(crate) fn add(&mut self, way: Way) {
        self.ways.push(way);
        self.taken.push(Duration::ZERO);
        self.trying = self.ways.len();
    }

    /// Returns the initial method.
    pub(crate) fn first(&self) -> Way {
        self.ways.first().copied().unwrap_or(Way::Direct)
    }

    /// Counts a query. Returns the method to use from now on, if it changes.
    #[inline]
    pub(crate) fn tick(&mut self) -> Option<Way> {
        self.left -= 1;
        if self.left > 0 { None } else { self.decide() }
    }

    #[cold]
    fn decide(&mut self) -> Option<Way> {
        if self.ways.len() < 2 {
            self.left = u64::MAX;
            return None;
        }
        if self.trying < self.ways.len() {
            self.asked += CHECK;
            let taken = self.since.map_or(Duration::MAX, |since| since.elapsed());
            // The time of an abandoned trial is extrapolated to a whole trial.
            let whole = taken.saturating_mul(TRIAL) / self.asked;
            let has_constant_time = matches!(self.ways[self.trying], Way::Direct | Way::Sliced);
            let best = self.taken[..self.trying].iter().min();
            let has_lost =
                best.is_some_and(|&best| taken >= best || has_constant_time && whole >= 2 * best);
            if self.asked < TRIAL && !has_lost {
                self.left = u64::from(CHECK);
                return None;
            }
            self.taken[self.trying] = whole;
            self.trying += 1;
        } else {
            self.trying = 0;
        }
        if let Some(&next) = self.ways.get(self.trying) {
            (self.left, self.asked) = (u64::from(CHECK), 0);
            return Some(next);
        }
        self.left = self.keep;
        self.keep = self.keep.saturating_mul(4);
        self.is_reported = false;
        let fastest = (0..self.ways.len()).min_by_key(|&way| self.taken[way])?;
        Some(self.ways[fastest])
    }

    /// Returns the time per query of each method in the last trials, including the time between queries.
    /// Returns it once after each choice.
    pub(crate) fn costs(&mut self) -> Option<Vec<(Way, Duration)>> {
        if std::mem::replace(&mut self.is_reported, true) {
            return None;
        }
        let each = |(&way, &taken): (&Way, &Duration)| (way, taken / TRIAL);
        Some(self.ways.iter().zip(&self.taken).map(each).collect())
    }

    /// Starts the clock of a trial.
    pub(crate) fn start_clock(&mut self) {
        self.since = Some(Instant::now());
    }
}
