//! Counts that were computed before, by what the program or formula means on the table.

use crate::plan::{Fingerprint, Formulas, Lit};
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use pellucid_bits::as_u32;

/// How many programs and formulas are remembered; past that all are forgotten and it starts anew.
const REMEMBERED: usize = 1 << 20;

#[derive(Debug)]
pub(super) struct Memo {
    classes: usize,
    counts: Vec<u64>,
    /// By literal: the place of its counts, from 1; 0 where there are none.
    by_lit: Vec<u32>,
    by_print: HashTable<Printed>,
}

/// A formula's fingerprint, and the place of its counts.
#[derive(Clone, Copy, Debug)]
struct Printed {
    print: Fingerprint,
    place: u32,
}

impl Memo {
    pub(super) fn new(classes: usize) -> Memo {
        Memo { classes, counts: Vec::new(), by_lit: Vec::new(), by_print: HashTable::new() }
    }

    pub(super) fn clear(&mut self) {
        self.counts.clear();
        self.by_lit.clear();
        self.by_print.clear();
    }

    fn len(&self) -> usize {
        self.counts.len() / self.classes
    }

    /// Makes room for so many more roots, in a session with so many bound nodes.
    pub(super) fn make_room(&mut self, nodes: usize, roots: usize) {
        if self.len() + roots > REMEMBERED {
            self.clear();
        }
        self.by_lit.resize(2 * nodes, 0);
        self.counts.reserve(roots * self.classes);
        self.by_print.reserve(roots, |known| known.print.hash());
    }

    /// Where the counts of a literal are, and whether they still have to be computed.
    pub(super) fn of_lit(&mut self, lit: Lit) -> (usize, bool) {
        let next = self.len();
        let place = &mut self.by_lit[lit.index()];
        if *place != 0 {
            return (*place as usize - 1, false);
        }
        *place = as_u32(next + 1);
        (self.add(), true)
    }

    /// Where the counts of a formula are, and whether they still have to be computed.
    pub(super) fn of_formula(&mut self, formulas: &Formulas, form: u32) -> (usize, bool) {
        let Some(print) = formulas.fingerprint(form) else { return (self.add(), true) };
        let place = self.len();
        let same = |known: &Printed| known.print == print;
        match self.by_print.entry(print.hash(), same, |known| known.print.hash()) {
            Entry::Occupied(known) => (known.get().place as usize, false),
            Entry::Vacant(vacant) => {
                vacant.insert(Printed { print, place: as_u32(place) });
                (self.add(), true)
            }
        }
    }

    fn add(&mut self) -> usize {
        let place = self.len();
        self.counts.resize((place + 1) * self.classes, 0);
        place
    }

    pub(super) fn at(&self, place: usize) -> &[u64] {
        &self.counts[place * self.classes..(place + 1) * self.classes]
    }

    /// The counts of the last so many roots that got a place.
    pub(super) fn last_mut(&mut self, number: usize) -> &mut [u64] {
        let first = self.counts.len() - number * self.classes;
        &mut self.counts[first..]
    }
}
