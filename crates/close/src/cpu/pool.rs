//! What workers share: tasks that were handed over, and when to end.
//!
//! A worker hands over work only while another one waits for it, and then the largest piece that it can.

use super::bits::Start;
use super::context::Stretch;
use crate::{SearchStop, Terms};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// A part of the search that any worker can do.
#[derive(Debug)]
pub(super) struct Task {
    pub(super) branch: Branch,
    /// The attributes of the intent it is about, for those who look.
    pub(super) intent: Vec<u32>,
}

/// A part of the tree.
#[derive(Debug)]
pub(super) enum Branch {
    /// Some columns of a context of lists.
    Lists(Stretch),
    /// What is left of a level.
    Bits(Box<Start>),
}

#[derive(Debug, Default)]
struct Table {
    tasks: Vec<Task>,
    /// Workers that have started.
    workers: usize,
    waiting: usize,
    stop: Option<SearchStop>,
}

/// What all workers of a search share.
pub(super) struct Pool<'a> {
    pub(super) terms: &'a Terms<'a>,
    table: Mutex<Table>,
    changed: Condvar,
    /// Workers without work, less the tasks on the table.
    idle: AtomicUsize,
    ended: AtomicBool,
    /// Concepts listed so far, exactly so if there is a limit to them.
    listed: AtomicU64,
}

/// How often a waiting worker looks before it sleeps.
const LOOKS: u32 = 2_000;

impl<'a> Pool<'a> {
    /// A search with its first task and no worker yet.
    pub(super) fn new(terms: &'a Terms<'a>, first: Task) -> Pool<'a> {
        let table = Table { tasks: vec![first], ..Table::default() };
        Pool {
            terms,
            table: Mutex::new(table),
            changed: Condvar::new(),
            idle: AtomicUsize::new(0),
            ended: AtomicBool::new(false),
            listed: AtomicU64::new(0),
        }
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a worker. A worker does that itself once it runs, so the search never waits for one that did not
    /// start.
    pub(super) fn join(&self) {
        self.table().workers += 1;
    }

    /// Returns a task, or nothing once there is none left or the search has ended.
    pub(super) fn take(&self) -> Option<Task> {
        let mut table = self.table();
        table.waiting += 1;
        let mut looks = 0;
        loop {
            if self.has_ended() {
                return None;
            }
            if let Some(task) = table.tasks.pop() {
                table.waiting -= 1;
                self.count_idle(&table);
                return Some(task);
            }
            if table.waiting == table.workers {
                self.ended.store(true, Ordering::Relaxed);
                self.changed.notify_all();
                return None;
            }
            self.count_idle(&table);
            if looks < LOOKS {
                drop(table);
                while looks < LOOKS && self.is_anyone_idle() && !self.has_ended() {
                    std::hint::spin_loop();
                    looks += 1;
                }
                looks += 1;
                table = self.table();
            } else {
                table = self.changed.wait(table).unwrap_or_else(PoisonError::into_inner);
            }
        }
    }

    fn count_idle(&self, table: &Table) {
        self.idle.store(table.waiting.saturating_sub(table.tasks.len()), Ordering::Relaxed);
    }

    /// Whether a worker waits and there is nothing for it.
    #[inline(always)]
    pub(super) fn is_anyone_idle(&self) -> bool {
        self.idle.load(Ordering::Relaxed) != 0
    }

    pub(super) fn give(&self, task: Task) {
        let mut table = self.table();
        table.tasks.push(task);
        self.count_idle(&table);
        self.changed.notify_one();
    }

    #[inline(always)]
    pub(super) fn has_ended(&self) -> bool {
        self.ended.load(Ordering::Relaxed)
    }

    /// Ends the search for all workers; the first reason counts.
    pub(super) fn end(&self, stop: SearchStop) {
        let mut table = self.table();
        table.stop.get_or_insert(stop);
        self.ended.store(true, Ordering::Relaxed);
        self.changed.notify_all();
    }

    /// Whether one more concept may be listed. Ends the search if not.
    #[inline(always)]
    pub(super) fn may_list(&self) -> bool {
        let Some(most) = self.terms.most else { return true };
        let may = self.listed.fetch_add(1, Ordering::Relaxed) < most;
        if !may {
            self.end(SearchStop::Limit);
        }
        may
    }

    /// To be called now and then with the number of concepts since the last time.
    pub(super) fn report(&self, concepts: u64) {
        if let Some(progress) = self.terms.progress {
            progress.fetch_add(concepts, Ordering::Relaxed);
        }
        if self.terms.stop.is_some_and(|stop| stop()) {
            self.end(SearchStop::Requested);
        }
    }

    /// Whether the search was stopped before its end.
    pub(super) fn was_stopped(&self) -> bool {
        self.table().stop.is_some()
    }

    /// Why the search ended.
    pub(super) fn reason(&self) -> SearchStop {
        self.table().stop.unwrap_or(SearchStop::Complete)
    }
}

/// Ends the search if its worker panics, so that no other worker waits for it forever.
pub(super) struct PanicGuard<'a, 'b>(pub(super) &'a Pool<'b>);

impl Drop for PanicGuard<'_, '_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.end(SearchStop::Requested);
        }
    }
}
