//! Counts from earlier calls, indexed by what the program or formula means on the table.

use crate::plan::{Fingerprint, Formulas, Lit};
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
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
    /// The formulas, in the order in which they were added.
    formulas: Vec<MemoEntry>,
    /// By fingerprint: the index of a formula. Entries are small, because a batch of new formulas
    /// visits them in random order.
    by_print: HashTable<u32>,
}

/// The fingerprint of a formula, and the index of its counts.
#[derive(Clone, Copy, Debug)]
struct MemoEntry {
    print: Fingerprint,
    index: u32,
}

impl Memo {
    pub(super) fn new(classes: usize) -> Memo {
        Memo {
            classes,
            counts: Vec::new(),
            by_lit: Vec::new(),
            formulas: Vec::new(),
            by_print: HashTable::new(),
        }
    }

    pub(super) fn clear(&mut self) {
        self.counts.clear();
        self.by_lit.clear();
        self.formulas.clear();
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
        let Memo { formulas, by_print, .. } = self;
        formulas.reserve(roots);
        by_print.reserve(roots, |&known| formulas[known as usize].print.hash());
    }

    /// Returns the index of a literal's counts, and whether they still have to be computed.
    pub(super) fn of_lit(&mut self, lit: Lit) -> (usize, bool) {
        let next = self.len();
        let index = &mut self.by_lit[lit.index()];
        if *index != 0 {
            return (*index as usize - 1, false);
        }
        *index = as_u32(next + 1);
        (self.add(), true)
    }

    /// Returns the index of a formula's counts, and whether they still have to be computed.
    pub(super) fn of_formula(&mut self, formulas: &Formulas, form: u32) -> (usize, bool) {
        let Some(print) = formulas.fingerprint(form) else { return (self.add(), true) };
        let index = self.len();
        let known = &self.formulas;
        let print_of = |&formula: &u32| known[formula as usize].print;
        let same = |formula: &u32| print_of(formula) == print;
        match self.by_print.entry(print.hash(), same, |formula| print_of(formula).hash()) {
            Entry::Occupied(formula) => (known[*formula.get() as usize].index as usize, false),
            Entry::Vacant(vacant) => {
                vacant.insert(as_u32(known.len()));
                self.formulas.push(MemoEntry { print, index: as_u32(index) });
                (self.add(), true)
            }
        }
    }

    fn add(&mut self) -> usize {
        let index = self.len();
        self.counts.resize((index + 1) * self.classes, 0);
        index
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
