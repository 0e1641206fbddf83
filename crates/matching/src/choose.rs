//! Which way is fastest, found by trying. What is chosen changes the time that is taken and nothing else.

use crate::matching::Way;
use std::time::{Duration, Instant};

/// How many questions a trial takes: a few tiles.
const TRIAL: u32 = 1024;
/// After how many of them the clock is looked at: a way that has taken longer than another for its whole trial is given up, and one
/// that takes as long from the first question on as soon as it is seen to be twice as slow.
const LOOK: u32 = 64;

/// Tries every way in turn, each for a few questions, and stays with the fastest; after a while, ever longer, it tries again,
/// since a population changes its nature while it learns.
#[derive(Clone, Debug)]
pub(crate) struct Chooser {
    ways: Vec<Way>,
    /// What each took in the last trials.
    taken: Vec<Duration>,
    /// The way under trial; past the end all were tried.
    trying: usize,
    /// Questions until something happens.
    left: u64,
    /// Questions of the trial at hand.
    asked: u32,
    /// How long the next choice is kept.
    keep: u64,
    since: Option<Instant>,
    /// Whether somebody was told of the last choice.
    is_told: bool,
}

impl Chooser {
    pub(crate) fn new(ways: Vec<Way>) -> Chooser {
        let taken = vec![Duration::ZERO; ways.len()];
        // The first thousands of steps fill the population and say little about later ones.
        Chooser {
            trying: ways.len(),
            taken,
            ways,
            left: 4 * u64::from(TRIAL),
            keep: 64 * u64::from(TRIAL),
            asked: 0,
            since: None,
            is_told: true,
        }
    }

    /// Tries one more way when its turn comes.
    pub(crate) fn add(&mut self, way: Way) {
        self.ways.push(way);
        self.taken.push(Duration::ZERO);
        self.trying = self.ways.len();
    }

    /// The way to begin with.
    pub(crate) fn first(&self) -> Way {
        self.ways.first().copied().unwrap_or(Way::Direct)
    }

    /// Counts a question. Says which way to take from now on, if that changes.
    #[inline]
    pub(crate) fn tick(&mut self) -> Option<Way> {
        self.left -= 1;
        if self.left > 0 { None } else { self.turn() }
    }

    #[cold]
    fn turn(&mut self) -> Option<Way> {
        if self.ways.len() < 2 {
            self.left = u64::MAX;
            return None;
        }
        if self.trying < self.ways.len() {
            self.asked += LOOK;
            let taken = self.since.map_or(Duration::MAX, |since| since.elapsed());
            // What is given up would have taken as much longer.
            let whole = taken.saturating_mul(TRIAL) / self.asked;
            let is_even = matches!(self.ways[self.trying], Way::Direct | Way::Sliced);
            let best = self.taken[..self.trying].iter().min();
            let has_lost = best.is_some_and(|&best| taken >= best || is_even && whole >= 2 * best);
            if self.asked < TRIAL && !has_lost {
                self.left = u64::from(LOOK);
                return None;
            }
            self.taken[self.trying] = whole;
            self.trying += 1;
        } else {
            self.trying = 0;
        }
        if let Some(&next) = self.ways.get(self.trying) {
            (self.left, self.asked) = (u64::from(LOOK), 0);
            return Some(next);
        }
        self.left = self.keep;
        self.keep = self.keep.saturating_mul(4);
        self.is_told = false;
        let fastest = (0..self.ways.len()).min_by_key(|&way| self.taken[way])?;
        Some(self.ways[fastest])
    }

    /// What a question took each way when they were last tried, all between two questions included; once after each choice.
    pub(crate) fn costs(&mut self) -> Option<Vec<(Way, Duration)>> {
        if std::mem::replace(&mut self.is_told, true) {
            return None;
        }
        let each = |(&way, &taken): (&Way, &Duration)| (way, taken / TRIAL);
        Some(self.ways.iter().zip(&self.taken).map(each).collect())
    }

    /// The way is ready: the clock of its trial starts.
    pub(crate) fn started(&mut self) {
        self.since = Some(Instant::now());
    }
}
