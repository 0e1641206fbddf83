//! Sets whose objects lie side by side: numbers between two ends, or one text.
//!
//! The owners of such values lie side by side, too, so it is known at once how many there are. Where they are
//! few, or nearly all, they are put where they belong one by one. Else the objects of all edges are compared
//! with both ends, which takes no look-up; and where few subjects have very many values, both ends are
//! searched among those of each.

use super::narrow::InRun;
use super::wide::Subjects;
use crate::Edges;
use crate::inquiry::Way;
use pellucid_bits::{BLOCK_BITS, Block, as_u32};
use std::ops::Range;

/// Comparing edges takes so much less than putting owners where they belong.
const OWNERS: usize = 16;
/// Values of a subject from which on the ends are searched for.
const LONG: usize = 32;

/// A question about a run of objects.
#[derive(Clone, Copy)]
pub(super) struct RunQuestion<'a> {
    pub(super) way: Way<'a>,
    pub(super) run: &'a Range<u32>,
    pub(super) outside: bool,
    pub(super) at_least: u32,
}

impl<'a> RunQuestion<'a> {
    /// The owners of the objects asked for: within the run, or before and behind it.
    fn owners(self, outside: bool) -> [&'a [u32]; 2] {
        let (inverse, run) = (self.way.inverse, self.run);
        if outside {
            let end = as_u32(inverse.subject_count());
            let before = run.start.min(end);
            [inverse.stretch(0..before), inverse.stretch(run.end.max(before)..end)]
        } else {
            [inverse.stretch(run.clone()), &[]]
        }
    }

    /// Writes who has enough, among all subjects, unless edges must be looked at for it.
    pub(super) fn by_owners(self, out: &mut [Block]) -> bool {
        let edges = self.way.edges;
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
        // Who has one value, and that is another.
        if edges.len() == edges.holders() && edges.len() - number <= edges.len() / OWNERS {
            out.copy_from_slice(edges.subjects().blocks());
            for &other in self.owners(!self.outside).into_iter().flatten() {
                let (block, bit) = (other as usize / BLOCK_BITS, other as usize % BLOCK_BITS);
                out[block].0[bit / 64] &= !(1 << (bit % 64));
            }
            return true;
        }
        false
    }

    /// The few subjects that have an object in the run, each once; nothing where they are not few.
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

    /// Whether few subjects have very many values.
    pub(super) fn is_long(self) -> bool {
        self.way.edges.len() >= self.way.edges.holders() * LONG
    }

    /// Searches the ends among the objects of each subject.
    pub(super) fn by_search(self, subjects: Subjects<'_>, out: &mut [Block]) {
        let edges = self.way.edges;
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
            Subjects::From(0, len) if len == edges.subject_count() => {
                let holders = edges.subjects().ones();
                holders.for_each(|subject| ask(subject, as_u32(subject)));
            }
            _ => (0..subjects.len()).for_each(|place| ask(place, subjects.get(place))),
        }
    }

    /// What is looked for among edges.
    pub(super) fn hits(self, edges: &Edges) -> InRun<'_> {
        let objects = edges.objects();
        InRun { objects, run: (self.run.start, self.run.end), outside: self.outside }
    }
}
