//! The state that workers share: tasks that were handed over, and whether the search has ended.
//!
//! A worker hands over work only while another one waits for it, and then the largest part it can
//! split off.

use super::bits::Start;
use super::context::ColumnRange;
use crate::{SearchStop, Terms};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// A part of the search that any worker can process.
#[derive(Debug)]
pub(super) struct Task {
    pub(super) branch: Branch,
    /// The attributes of the intent at the root of the task; only for visitors that read concepts.
    pub(super) intent: Vec<u32>,
}

/// A part of the tree.
#[derive(Debug)]
pub(super) enum Branch {
    /// A range of columns in a context of lists.
    Lists(ColumnRange),
    /// The remaining candidates of a level.
    Bits(Box<Start>),
}

#[derive(Debug, Default)]
struct PoolState {
    tasks: Vec<Task>,
    /// The number of workers that have started.
    workers: usize,
    waiting: usize,
    /// The number of waiting workers that need to be woken up.
    sleeping: usize,
    stop: Option<SearchStop>,
}

/// The part of the state that workers poll, in a cache line of its own.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Signals {
    /// The number of waiting workers minus the number of queued tasks.
    idle: AtomicUsize,
    /// The number of queued tasks.
    queued: AtomicUsize,
    ended: AtomicBool,
}

/// The state that all workers of a search share.
pub(super) struct Pool<'a> {
    pub(super) terms: &'a Terms<'a>,
    state: Mutex<PoolState>,
    changed: Condvar,
    signals: Signals,
    /// The number of concepts listed so far. Counted only if there is a limit.
    listed: AtomicU64,
}

/// The number of times a waiting worker polls before it sleeps.
const SPIN_LIMIT: u32 = 2_000;

impl<'a> Pool<'a> {
    /// Creates the state of a search with its first task and no workers.
    pub(super) fn new(terms: &'a Terms<'a>, first: Task) -> Pool<'a> {
        let state = PoolState { tasks: vec![first], ..PoolState::default() };
        Pool {
            terms,
            state: Mutex::new(state),
            changed: Condvar::new(),
            signals: Signals::default(),
            listed: AtomicU64::new(0),
        }
    }

    fn state(&self) -> MutexGuard<'_, PoolState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a worker. Each worker calls this itself once it runs, so the search never waits for a
    /// worker that did not start.
    pub(super) fn join(&self) {
        self.state().workers += 1;
    }

    /// Returns a task, or `None` if none is left or the search has ended.
    pub(super) fn take(&self) -> Option<Task> {
        let mut state = self.state();
        state.waiting += 1;
        let mut spins = 0;
        loop {
            if self.has_ended() {
                return None;
            }
            if let Some(task) = state.tasks.pop() {
                state.waiting -= 1;
                self.count_tasks(&state);
                return Some(task);
            }
            if state.waiting == state.workers {
                self.signals.ended.store(true, Ordering::Relaxed);
                self.changed.notify_all();
                return None;
            }
            self.count_tasks(&state);
            if spins < SPIN_LIMIT {
                drop(state);
                spins = self.spin(spins);
                state = self.state();
            } else {
                state.sleeping += 1;
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
                state.sleeping -= 1;
            }
        }
    }

    /// Polls until a task is queued. Returns the number of polls so far.
    fn spin(&self, mut spins: u32) -> u32 {
        let is_empty = || self.signals.queued.load(Ordering::Relaxed) == 0;
        while spins < SPIN_LIMIT && is_empty() && !self.has_ended() {
            std::hint::spin_loop();
            spins += 1;
        }
        spins + 1
    }

    fn count_tasks(&self, state: &PoolState) {
        let tasks = state.tasks.len();
        self.signals.queued.store(tasks, Ordering::Relaxed);
        self.signals.idle.store(state.waiting.saturating_sub(tasks), Ordering::Relaxed);
    }

    /// Returns whether a worker waits and no task is queued for it.
    #[inline(always)]
    pub(super) fn has_idle_worker(&self) -> bool {
        self.signals.idle.load(Ordering::Relaxed) != 0
    }

    pub(super) fn give(&self, task: Task) {
        let mut state = self.state();
        state.tasks.push(task);
        self.count_tasks(&state);
        // A worker that polls looks for a task once more before it sleeps.
        if state.tasks.len() > state.waiting - state.sleeping {
            self.changed.notify_one();
        }
    }

    #[inline(always)]
    pub(super) fn has_ended(&self) -> bool {
        self.signals.ended.load(Ordering::Relaxed)
    }

    /// Ends the search for all workers. The first reason is kept.
    pub(super) fn end(&self, stop: SearchStop) {
        let mut state = self.state();
        state.stop.get_or_insert(stop);
        self.signals.ended.store(true, Ordering::Relaxed);
        self.changed.notify_all();
    }

    /// Returns whether one more concept may be listed. Ends the search if not.
    #[inline(always)]
    pub(super) fn may_list(&self) -> bool {
        let Some(most) = self.terms.most else { return true };
        let may = self.listed.fetch_add(1, Ordering::Relaxed) < most;
        if !may {
            self.end(SearchStop::Limit);
        }
        may
    }

    /// Reports the number of concepts since the last call and checks whether a stop is requested.
    /// Called regularly.
    pub(super) fn report(&self, concepts: u64) {
        if let Some(progress) = self.terms.progress {
            progress.fetch_add(concepts, Ordering::Relaxed);
        }
        if self.terms.stop.is_some_and(|stop| stop()) {
            self.end(SearchStop::Requested);
        }
    }

    /// Returns whether the search was stopped early.
    pub(super) fn was_stopped(&self) -> bool {
        self.state().stop.is_some()
    }

    /// Returns why the search ended.
    pub(super) fn reason(&self) -> SearchStop {
        self.state().stop.unwrap_or(SearchStop::Complete)
    }
}

/// Ends the search if its worker panics, so that the other workers do not wait forever.
pub(super) struct PanicGuard<'a, 'b>(pub(super) &'a Pool<'b>);

impl Drop for PanicGuard<'_, '_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.end(SearchStop::Requested);
        }
    }
}
