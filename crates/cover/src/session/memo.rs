//! Counts from earlier calls, indexed by what the program or formula means on the table.

use super::prints::PrintSet;
use crate::plan::{Formulas, Lit};
use pellucid_bits::as_u32;

/// The maximum number of programs and formulas in the memo. When it is reached, the memo is
/// cleared.
const CAPACITY: usize = 1 << 20;

/// The counts of earlier calls.
#[derive(Debug)]
pub(super) struct Memo {
    classes: usize,
    counts: Vec<u64>,
    /// By literal: the index of its counts plus 1, or 0 if there are none.
    by_lit: Vec<u32>,
    /// By fingerprint of a formula: the index of its counts.
    by_print: PrintSet,
}

/// What the memo knows of the formulas of a call. Its memory is kept for the next call.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// By root: the index of its counts.
    pub(super) indices: Vec<u32>,
    /// The roots whose counts must be computed; they are the last entries of the memo, in order.
    pub(super) new_roots: Vec<u32>,
}

impl Memo {
    pub(super) fn new(classes: usize) -> Memo {
        Memo { classes, counts: Vec::new(), by_lit: Vec::new(), by_print: PrintSet::default() }
    }

    pub(super) fn clear(&mut self) {
        self.counts.clear();
        self.by_lit.clear();
        self.by_print.clear();
    }

    fn len(&self) -> usize {
        self.counts.len() / self.classes
    }

    /// Makes room for `roots` more roots, in a session with `nodes` bound nodes.
    pub(super) fn make_room(&mut self, nodes: usize, roots: usize) {
        if self.len() + roots > CAPACITY {
            self.clear();
        }
        self.by_lit.resize(2 * nodes, 0);
        self.counts.reserve(roots * self.classes);
    }

    /// Returns the index of a literal's counts, and whether they still have to be computed.
    pub(super) fn of_lit(&mut self, lit: Lit) -> (usize, bool) {
        let next = self.len();
        let index = &mut self.by_lit[lit.index()];
        if *index != 0 {
            return (*index as usize - 1, false);
        }
        *index = as_u32(next + 1);
        self.counts.resize((next + 1) * self.classes, 0);
        (next, true)
    }

    /// Finds the counts of formulas, and adds the formulas that are new.
    pub(super) fn find(&mut self, formulas: &Formulas, found: &mut Found) {
        let Found { indices, new_roots } = found;
        indices.clear();
        new_roots.clear();
        indices.reserve(formulas.len());
        new_roots.reserve(formulas.len());
        self.by_print.reserve(formulas.len());
        let mut next = as_u32(self.len());
        for &form in formulas.roots() {
            // A formula with parts is not remembered.
            let print = formulas.fingerprint(form);
            let known = print.and_then(|print| self.by_print.get_or_add(print, next));
            indices.push(known.unwrap_or(next));
            if known.is_none() {
                new_roots.push(form);
                next += 1;
            }
        }
        self.counts.resize(next as usize * self.classes, 0);
    }

    pub(super) fn at(&self, index: usize) -> &[u64] {
        &self.counts[index * self.classes..(index + 1) * self.classes]
    }

    /// Returns the counts at some indices from `first` on.
    pub(super) fn range(&self, first: usize, number: usize) -> &[u64] {
        &self.counts[first * self.classes..(first + number) * self.classes]
    }

    /// Returns the counts of the last `number` roots that were added.
    pub(super) fn last_mut(&mut self, number: usize) -> &mut [u64] {
        let first = self.counts.len() - number * self.classes;
        &mut self.counts[first..]
    }
}
