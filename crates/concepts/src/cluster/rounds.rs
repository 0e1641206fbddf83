//! Rounds of change and repair: part of a partition is changed at random, the modules around it are moved
//! back to where they fit best, and the result is kept unless it is worse.

use super::StopFunction;
use super::assignment::{Assignment, MIN_GAIN};
use super::climb::climb;
use super::links::ModuleLinks;
use pellucid_learn::rng::Stream;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The number of rounds without a gain after which a start ends.
const PATIENCE: u32 = 5_000;
/// The number of links that a start visits at most in its rounds, about a second.
const MOST_VISITED: u64 = 40_000_000;
/// The largest number of modules that a round dissolves into clusters of their own.
const MOST_DISSOLVED: usize = 30;
/// Of two qualities that differ by less, rounding decides.
const TIE: f64 = 1e-12;
/// The number of rounds between two calls of the stop function.
const STOP_CHECK_INTERVAL: u32 = 64;

/// Improves a partition that no single step improves. Returns one that no single step improves either.
pub(super) fn improve(
    links: &ModuleLinks,
    cluster_of: Vec<u32>,
    stream: &mut Stream,
    stop: StopFunction<'_>,
    progress: Option<&AtomicU64>,
) -> Vec<u32> {
    let mut search = RoundSearch {
        assignment: Assignment::new(links, cluster_of),
        changed: Vec::new(),
        queue: VecDeque::new(),
        is_queued: vec![false; links.len()],
    };
    // Modules without links have no place to go.
    let linked: Vec<usize> = (0..links.len()).filter(|&node| links.degree(node) > 0).collect();
    let mut stale = 0;
    while !linked.is_empty() && stale < PATIENCE && search.assignment.visited < MOST_VISITED {
        if stale % STOP_CHECK_INTERVAL == 0 && stop() {
            break;
        }
        stale = if search.round(&linked, stream) { 0 } else { stale + 1 };
        if let Some(progress) = progress {
            progress.fetch_add(1, Relaxed);
        }
    }
    climb(links, search.assignment.cluster_of, stream, stop)
}

struct RoundSearch<'a> {
    assignment: Assignment<'a>,
    /// The modules that this round changed.
    changed: Vec<usize>,
    /// The modules that may have a better place now.
    queue: VecDeque<usize>,
    is_queued: Vec<bool>,
}

impl RoundSearch<'_> {
    /// Changes, repairs, and keeps or undoes the result. Returns whether the quality is better.
    fn round(&mut self, linked: &[usize], stream: &mut Stream) -> bool {
        let before = self.assignment.quality();
        self.changed.clear();
        let module = linked[stream.index(linked.len())];
        match stream.index(4) {
            0 => self.dissolve(module),
            1 => self.merge(module, stream),
            2 => self.scatter(module, 2 + stream.index(3), stream),
            _ => self.scatter(module, 2 + stream.index(10), stream),
        }
        self.repair();
        let after = self.assignment.quality();
        if after < before - TIE {
            self.assignment.undo(before);
        } else {
            self.assignment.keep();
        }
        after > before + MIN_GAIN
    }

    /// Collects modules of the cluster around a module that are connected with it.
    fn collect_cluster(&mut self, module: usize, most: usize) {
        let Assignment { links, cluster_of, .. } = &self.assignment;
        let cluster = cluster_of[module];
        self.changed.push(module);
        self.is_queued[module] = true;
        let mut next = 0;
        while next < self.changed.len() && self.changed.len() < most {
            for &neighbor in links.neighbors(self.changed[next]) {
                let neighbor = neighbor as usize;
                if cluster_of[neighbor] == cluster && !self.is_queued[neighbor] {
                    self.is_queued[neighbor] = true;
                    self.changed.push(neighbor);
                }
            }
            next += 1;
        }
        self.assignment.visited += self.changed.len() as u64;
        self.changed.iter().for_each(|&module| self.is_queued[module] = false);
    }

    /// Makes a cluster of each module around one.
    fn dissolve(&mut self, module: usize) {
        self.collect_cluster(module, MOST_DISSOLVED);
        for &module in &self.changed {
            self.assignment.part(module);
        }
    }

    /// Merges the cluster of a module with that of a neighbor.
    fn merge(&mut self, module: usize, stream: &mut Stream) {
        let links = self.assignment.links;
        let neighbor = links.neighbor(module, stream.index(links.degree(module)));
        self.collect_cluster(module, usize::MAX);
        for &module in &self.changed {
            self.assignment.join(module, neighbor);
        }
    }

    /// Moves a module, and some that can be reached from it, to the clusters of neighbors.
    fn scatter(&mut self, module: usize, most: usize, stream: &mut Stream) {
        let links = self.assignment.links;
        let mut walker = module;
        for _ in 0..most {
            if !self.changed.contains(&walker) {
                self.changed.push(walker);
            }
            walker = links.neighbor(walker, stream.index(links.degree(walker)));
        }
        for &module in &self.changed {
            if stream.index(4) == 0 {
                self.assignment.part(module);
            } else {
                let neighbor = links.neighbor(module, stream.index(links.degree(module)));
                self.assignment.join(module, neighbor);
            }
        }
    }

    /// Moves the changed modules and their neighbors to better clusters until none of them gains.
    fn repair(&mut self) {
        for position in 0..self.changed.len() {
            self.enqueue(self.changed[position]);
        }
        for position in 0..self.changed.len() {
            self.enqueue_neighbors(self.changed[position]);
        }
        while let Some(module) = self.queue.pop_front() {
            self.is_queued[module] = false;
            if self.assignment.improve(module) {
                self.enqueue_neighbors(module);
                self.enqueue(module);
            }
        }
    }

    fn enqueue(&mut self, module: usize) {
        if !std::mem::replace(&mut self.is_queued[module], true) {
            self.queue.push_back(module);
        }
    }

    fn enqueue_neighbors(&mut self, module: usize) {
        let links = self.assignment.links;
        for &neighbor in links.neighbors(module) {
            self.enqueue(neighbor as usize);
        }
    }
}
