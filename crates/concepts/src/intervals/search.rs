//! The tree of closed patterns.
//!
//! The bounds of all columns form chains. As in Close-by-One, a pattern is reached by making one
//! chain stricter, one bound after another, and then the chains after it. It is new if that leaves
//! the chains before it unchanged; otherwise it is found from there.

use super::table::{Condition, IntervalTable, Place};
use pellucid_bits::words::full;
use pellucid_close::{SearchStop, Terms};
use pellucid_device::Threads;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

/// A closed pattern that was found.
#[derive(Clone, Copy, Debug)]
pub struct PatternView<'a> {
    table: &'a IntervalTable,
    bounds: &'a [u32],
    /// The number of objects.
    pub support: u64,
    /// The objects, as bits.
    pub extent: &'a [u64],
}

impl<'a> PatternView<'a> {
    /// Calls `with` for each column with a condition, in their order.
    pub fn each_condition(&self, with: impl FnMut(&'a str, Condition<'a>)) {
        self.table.each_condition(self.bounds, with);
    }

    /// Calls `with` for each condition, with the number of the column.
    pub(super) fn each_place(&self, with: impl FnMut(usize, Place)) {
        self.table.each_place(self.bounds, with);
    }
}

/// Receives the patterns that one thread finds.
pub trait PatternVisitor: Send {
    /// Receives a pattern.
    fn visit(&mut self, pattern: &PatternView<'_>);
}

/// Only counts.
impl PatternVisitor for () {
    fn visit(&mut self, _: &PatternView<'_>) {}
}

/// Searches all closed patterns with at least `terms.min_support` objects and at least one, with one
/// visitor per thread. Returns their number and why the search ended.
///
/// # Panics
/// If there are fewer visitors than threads.
pub fn search<V: PatternVisitor>(
    table: &IntervalTable,
    terms: &Terms<'_>,
    threads: &Threads,
    visitors: Vec<V>,
) -> (u64, SearchStop) {
    assert!(visitors.len() >= threads.count(), "every thread has a visitor");
    let search = Search {
        table,
        terms,
        threads,
        min_support: terms.min_support.max(1),
        visitors: visitors.into_iter().map(Mutex::new).collect(),
        patterns: AtomicU64::new(0),
        tasks: AtomicUsize::new(0),
        was_limited: AtomicBool::new(false),
        was_stopped: AtomicBool::new(false),
    };
    let objects = table.objects.len();
    if objects as u64 >= search.min_support {
        let root = Node::root(table);
        if search.show(&root) {
            threads.install(|| match threads.count() {
                1 => search.walk(None, &mut vec![root], 0, 0),
                _ => rayon::scope(|scope| search.walk(Some(scope), &mut vec![root], 0, 0)),
            });
        }
    }
    let stop = match (search.was_limited.into_inner(), search.was_stopped.into_inner()) {
        (_, true) => SearchStop::Requested,
        (true, _) => SearchStop::Limit,
        _ => SearchStop::Complete,
    };
    (search.patterns.into_inner(), stop)
}

/// A pattern on the path of a walk.
#[derive(Clone, Debug, Default)]
struct Node {
    extent: Vec<u64>,
    support: u64,
    bounds: Vec<u32>,
}

impl Node {
    /// The pattern of all objects.
    fn root(table: &IntervalTable) -> Node {
        let objects = table.objects.len();
        let extent = full(objects);
        let bounds = table.chains.iter().map(|chain| chain.bound_from(0, &extent)).collect();
        Node { support: objects as u64, bounds, extent }
    }

    /// Makes a chain stricter, and the chains after it if the remaining objects satisfy more.
    /// Returns whether there is such a pattern that is new and has enough objects.
    fn tighten(&mut self, table: &IntervalTable, chain: usize, min_support: u64) -> bool {
        let Node { extent, support, bounds } = self;
        let (before, after) = table.chains.split_at(chain);
        let own = &after[0];
        if own.support_after(bounds[chain], extent, *support) < min_support {
            return false;
        }
        *support -= own.remove(bounds[chain], extent);
        if !before.iter().zip(&*bounds).all(|(chain, &bound)| chain.meets(bound, extent)) {
            return false;
        }
        bounds[chain] += 1;
        for (chain, bound) in after.iter().zip(&mut bounds[chain..]) {
            *bound = chain.bound_from(*bound, extent);
        }
        true
    }

    fn copy_from(&mut self, other: &Node) {
        self.extent.clone_from(&other.extent);
        self.bounds.clone_from(&other.bounds);
        self.support = other.support;
    }
}

struct Search<'a, V> {
    table: &'a IntervalTable,
    terms: &'a Terms<'a>,
    threads: &'a Threads,
    min_support: u64,
    visitors: Vec<Mutex<V>>,
    patterns: AtomicU64,
    /// The number of tasks that were started and are not finished.
    tasks: AtomicUsize,
    was_limited: AtomicBool,
    was_stopped: AtomicBool,
}

/// The number of unfinished tasks per thread up to which parts of the tree become tasks.
const TASKS_PER_THREAD: usize = 4;

/// The number of patterns between two checks for a stop.
const CHECK: u64 = 256;

impl<V: PatternVisitor> Search<'_, V> {
    /// Lists all patterns below a node of a path that make the chains from `first` on stricter.
    fn walk<'s>(
        &'s self,
        scope: Option<&rayon::Scope<'s>>,
        path: &mut Vec<Node>,
        depth: usize,
        first: usize,
    ) {
        if path.len() == depth + 1 {
            path.push(Node::default());
        }
        for chain in first..self.table.chains.len() {
            let (above, below) = path.split_at_mut(depth + 1);
            let node = &above[depth];
            let next = &self.table.chains[chain];
            if next.support_after(node.bounds[chain], &node.extent, node.support) < self.min_support
            {
                continue;
            }
            below[0].copy_from(node);
            while path[depth + 1].tighten(self.table, chain, self.min_support) {
                if !self.show(&path[depth + 1]) {
                    return;
                }
                self.descend(scope, path, depth + 1, chain + 1);
                if self.has_ended() {
                    return;
                }
            }
        }
    }

    /// Walks the part below a node, here or as a task if threads may be waiting.
    fn descend<'s>(
        &'s self,
        scope: Option<&rayon::Scope<'s>>,
        path: &mut Vec<Node>,
        depth: usize,
        first: usize,
    ) {
        if first == self.table.chains.len() {
            return;
        }
        let most = TASKS_PER_THREAD * self.threads.count();
        match scope {
            Some(scope) if self.tasks.load(Relaxed) < most => {
                self.tasks.fetch_add(1, Relaxed);
                let mut path = vec![path[depth].clone()];
                scope.spawn(move |scope| {
                    self.walk(Some(scope), &mut path, 0, first);
                    self.tasks.fetch_sub(1, Relaxed);
                });
            }
            _ => self.walk(scope, path, depth, first),
        }
    }

    /// Passes a pattern to the visitor of this thread. Returns whether to continue.
    fn show(&self, node: &Node) -> bool {
        let number = self.patterns.fetch_add(1, Relaxed);
        if self.terms.most.is_some_and(|most| number >= most) {
            self.patterns.fetch_sub(1, Relaxed);
            self.was_limited.store(true, Relaxed);
            return false;
        }
        if number.is_multiple_of(CHECK) {
            if let Some(progress) = self.terms.progress {
                progress.store(number, Relaxed);
            }
            if self.terms.stop.is_some_and(|stop| stop()) {
                self.was_stopped.store(true, Relaxed);
            }
        }
        let thread = self.threads.current().unwrap_or(0);
        let mut visitor = self.visitors[thread].lock().unwrap_or_else(PoisonError::into_inner);
        visitor.visit(&PatternView {
            table: self.table,
            bounds: &node.bounds,
            support: node.support,
            extent: &node.extent,
        });
        !self.has_ended()
    }

    fn has_ended(&self) -> bool {
        self.was_limited.load(Relaxed) || self.was_stopped.load(Relaxed)
    }
}
