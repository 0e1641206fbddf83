//! Strategies that answer one question at a time.

use super::few::{backwards, one_by_one};
use super::narrow::{Hits, InSet, Narrow, Runs};
use super::run::RunQuestion;
use super::wide::Subjects;
use crate::Edges;
use crate::inquiry::{Question, RoleEdges};
use crate::set::SetRef;
use pellucid_bits::{BLOCK_BITS, Block, Level, blocks_for};
use pellucid_device::Threads;
use std::ops::Range;

/// A set is followed backward from its objects if that takes this many times fewer edges.
const BACKWARDS: usize = 8;
/// The number of edges from which threads share one question. With fewer edges, the scan ends
/// before the last thread has started.
const SHARED_EDGES: usize = 1 << 18;
/// The minimum number of edges per thread.
const LEAST_EDGES: usize = 1 << 15;
/// The minimum number of blocks of subjects per thread.
const LEAST_BLOCKS: usize = 4;

/// The common data of questions along one role that are answered one at a time.
pub(super) struct Single<'a> {
    level: Level,
    threads: &'a Threads,
    role_edges: RoleEdges<'a>,
    subjects: Subjects<'a>,
    /// Whether all edges are scanned, instead of those of each subject.
    scans: bool,
    /// The indices of these questions among all questions.
    places: Vec<usize>,
    /// The edges of the listed subjects, if several questions use them.
    listed: Option<Edges>,
}

impl<'a> Single<'a> {
    /// Selects the questions at `places`, of which `runs` are about ranges.
    pub(super) fn new(
        level: Level,
        threads: &'a Threads,
        role_edges: RoleEdges<'a>,
        subjects: Subjects<'a>,
        scans: bool,
        places: Vec<usize>,
        runs: usize,
    ) -> Single<'a> {
        let listed = match subjects {
            Subjects::List(list) if runs > 1 => Some(role_edges.edges.select(list)),
            _ => None,
        };
        Single { level, threads, role_edges, subjects, scans, places, listed }
    }

    /// Selects the rows of these questions, each with its index.
    pub(super) fn rows<T>(&self, rows: impl Iterator<Item = T>) -> Vec<(usize, T)> {
        let mut places = self.places.iter().copied().peekable();
        rows.enumerate().filter(|(place, _)| places.next_if_eq(place).is_some()).collect()
    }

    /// Returns whether all subjects are requested, in order.
    fn asks_all(&self) -> bool {
        matches!(self.subjects, Subjects::Range(0, len) if len == self.role_edges.edges.subject_count())
    }

    /// Returns the subjects for which the question is true, if all subjects are requested and at
    /// most `most` candidates are found without looking at edges.
    pub(super) fn few_subjects(&self, question: &Question<'_>, most: usize) -> Option<Vec<u32>> {
        match &question.set {
            SetRef::Run(run) if self.asks_all() && self.level != Level::Scalar => {
                self.run(question, run).few_owners(most)
            }
            _ => None,
        }
    }

    /// Writes the answers to `out`, which must be zero.
    pub(super) fn answer(&self, question: &Question<'_>, out: &mut [Block]) {
        let &Question { ref set, outside, at_least } = question;
        let edges = self.role_edges.edges;
        match set {
            _ if self.level == Level::Scalar => {
                let set = set.bits(edges.object_count());
                one_by_one(edges, set.blocks(), outside, at_least, self.subjects, out);
            }
            SetRef::Run(run) => {
                let asked = self.run(question, run);
                if self.asks_all() {
                    if asked.by_owners(out) {
                    } else if asked.is_long() {
                        asked.by_search(self.subjects, out);
                    } else {
                        self.scan(asked.hits(edges), edges, at_least, out);
                    }
                } else if let Some(edges) = self.listed.as_ref().filter(|_| !asked.is_long()) {
                    self.scan(asked.hits(edges), edges, at_least, out);
                } else {
                    asked.by_search(self.subjects, out);
                }
            }
            SetRef::Bits(bits) => {
                let most = edges.len() / BACKWARDS;
                let back = self.asks_all() && !outside && at_least == 1;
                if back && backwards(self.role_edges.inverse, bits, most, out) {
                } else if self.scans {
                    let hits = InSet { objects: edges.objects(), set: bits.blocks(), outside };
                    self.scan(hits, edges, at_least, out);
                } else {
                    one_by_one(edges, bits.blocks(), outside, at_least, self.subjects, out);
                }
            }
        }
    }

    fn run<'b>(&self, question: &Question<'_>, run: &'b Range<u32>) -> RunQuestion<'b>
    where
        'a: 'b,
    {
        let &Question { outside, at_least, .. } = question;
        RunQuestion { role_edges: self.role_edges, run, outside, at_least }
    }

    /// Scans all edges. Threads share them if there are few questions and many edges.
    fn scan<H: Hits + Sync>(&self, hits: H, edges: &Edges, at_least: u32, out: &mut [Block]) {
        let pass = |blocks: Range<usize>, out: &mut [Block]| {
            let runs = Runs::of(edges, blocks);
            self.level.run(Narrow { hits, runs, at_least, out });
        };
        let threads = self.threads.count();
        if self.places.len() >= threads || edges.len() < SHARED_EDGES {
            return pass(0..out.len(), out);
        }
        let mut rest = out;
        let mut ranges: Vec<(Range<usize>, &mut [Block])> = Vec::new();
        for blocks in split_evenly(edges, (threads * 4).min(edges.len() / LEAST_EDGES)) {
            let (first, others) = std::mem::take(&mut rest).split_at_mut(blocks.len());
            ranges.push((blocks, first));
            rest = others;
        }
        self.threads.each(&mut ranges, |_, (blocks, out)| pass(blocks.clone(), out));
    }
}

/// Splits the blocks of subjects into ranges with about the same number of edges.
fn split_evenly(edges: &Edges, parts: usize) -> Vec<Range<usize>> {
    let blocks = blocks_for(edges.subject_count());
    let mut ranges = Vec::with_capacity(parts);
    let mut first = 0;
    for part in 1..=parts {
        let edge = edges.len() * part / parts;
        let subject = edges.offsets().partition_point(|&offset| (offset as usize) < edge);
        let end = if part == parts { blocks } else { (subject / BLOCK_BITS).min(blocks) };
        if end >= first + LEAST_BLOCKS || (part == parts && end > first) {
            ranges.push(first..end);
            first = end;
        }
    }
    ranges
}
