//! Sets that are ranges of objects: numbers between two ends, or one text.
//!
//! The owners of such values are adjacent, too, so their number is known at once. If they are few,
//! or nearly all, their bits are set one by one. Otherwise the objects of all edges are compared
//! with both ends, which needs no lookup. If few subjects have very many values, both ends are
//! searched among the values of each subject.

use super::narrow::InRun;
use super::wide::Subjects;
use crate::Edges;
use crate::inquiry::RoleEdges;
use pellucid_bits::{BLOCK_BITS, Block, as_u32};
use std::ops::Range;

/// The cost of setting the bit of an owner relative to comparing an edge.
const OWNERS: usize = 16;
/// The average number of values per subject from which the ends are searched.
const LONG: usize = 32;

/// A question about a range of objects.
#[derive(Clone, Copy)]
pub(super) struct RunQuestion<'a> {
    pub(super) role_edges: RoleEdges<'a>,
    pub(super) run: &'a Range<u32>,
    pub(super) outside: bool,
    pub(super) at_least: u32,
}

impl<'a> RunQuestion<'a> {
    /// Returns the owners of the requested objects: those in the range, or those before and after
    /// it.
    fn owners(self, outside: bool) -> [&'a [u32]; 2] {
        let (inverse, run) = (self.role_edges.inverse, self.run);
        if outside {
            let end = as_u32(inverse.subject_count());
            let before = run.start.min(end);
            [inverse.objects_of(0..before), inverse.objects_of(run.end.max(before)..end)]
        } else {
            [inverse.objects_of(run.clone()), &[]]
        }
    }

    /// Writes the answers for all subjects. Returns false if that requires looking at edges.
    pub(super) fn by_owners(self, out: &mut [Block]) -> bool {
        let edges = self.role_edges.edges;
        let owners = self.owners(self.outside);
        let number = owners[0].len() + owners[1].len();
        if number < self.at_least as usize {
            return true;
        }
        if self.at_least > 1 {
            return false;
        }
        if number == edges.len() {
            out.copy_from_slice(edges.subjects().blocks());
            return true;
        }
        if number <= edges.len() / OWNERS {
            for &owner in owners.into_iter().flatten() {
                out[owner as usize / BLOCK_BITS].set(owner as usize % BLOCK_BITS);
            }
            return true;
        }
        // Every subject has one value, so the answer is all subjects except the owners of the other
        // values.
        if edges.len() == edges.subjects_with_edges()
            && edges.len() - number <= edges.len() / OWNERS
        {
            out.copy_from_slice(edges.subjects().blocks());
            for &other in self.owners(!self.outside).into_iter().flatten() {
                let (block, bit) = (other as usize / BLOCK_BITS, other as usize % BLOCK_BITS);
                out[block].0[bit / 64] &= !(1 << (bit % 64));
            }
            return true;
        }
        false
    }

    /// Returns the subjects that have an object in the range, without duplicates, or `None` if
    /// there are more than `most`.
    pub(super) fn few_owners(self, most: usize) -> Option<Vec<u32>> {
        let owners = self.owners(self.outside);
        if self.at_least > 1 || owners[0].len() + owners[1].len() > most {
            return None;
        }
        let mut owners = owners.concat();
        owners.sort_unstable();
        owners.dedup();
        Some(owners)
    }

    /// Returns whether few subjects have very many values.
    pub(super) fn is_long(self) -> bool {
        self.role_edges.edges.len() >= self.role_edges.edges.subjects_with_edges() * LONG
    }

    /// Searches the ends among the objects of each subject.
    pub(super) fn by_search(self, subjects: Subjects<'_>, out: &mut [Block]) {
        let edges = self.role_edges.edges;
        let mut ask = |place: usize, subject: u32| {
            let objects = edges.of(subject);
            let below = |end: u32| objects.partition_point(|&object| object < end);
            let inside = match objects {
                &[only] => usize::from(self.run.contains(&only)),
                _ => below(self.run.end) - below(self.run.start),
            };
            let found = if self.outside { objects.len() - inside } else { inside };
            if found >= self.at_least as usize {
                out[place / BLOCK_BITS].set(place % BLOCK_BITS);
            }
        };
        match subjects {
            Subjects::Range(0, len) if len == edges.subject_count() => {
                let subjects_with_edges = edges.subjects().ones();
                subjects_with_edges.for_each(|subject| ask(subject, as_u32(subject)));
            }
            _ => (0..subjects.len()).for_each(|place| ask(place, subjects.get(place))),
        }
    }

    /// Returns the test for the objects of edges.
    pub(super) fn hits(self, edges: &Edges) -> InRun<'_> {
        let objects = edges.objects();
        InRun { objects, run: (self.run.start, self.run.end), outside: self.outside }
    }
}
