//! Counts that were computed before, by what the program or formula means on the table.

use crate::kernel::{Formulas, Lit};
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

/// How many programs and formulas are remembered; past that all are forgotten and it starts anew.
const REMEMBERED: usize = 1 << 20;
/// How many numbers the keys of remembered formulas may take.
const KEY_ROOM: usize = 1 << 24;

#[derive(Debug)]
pub(super) struct Memo {
    classes: usize,
    counts: Vec<u64>,
    /// By literal: the place of its counts, from 1; 0 where there are none.
    by_lit: Vec<u32>,
    by_key: HashTable<Keyed>,
    keys: Vec<u64>,
}

/// A formula's key among the keys, and the place of its counts.
#[derive(Clone, Copy, Debug)]
struct Keyed {
    hash: u64,
    /// Where its key starts among the keys; the key itself tells where it ends.
    start: u32,
    place: u32,
}

impl Memo {
    pub(super) fn new(classes: usize) -> Memo {
        Memo {
            classes,
            counts: Vec::new(),
            by_lit: Vec::new(),
            by_key: HashTable::new(),
            keys: Vec::new(),
        }
    }

    pub(super) fn clear(&mut self) {
        self.counts.clear();
        self.by_lit.clear();
        self.by_key.clear();
        self.keys.clear();
    }

    fn len(&self) -> usize {
        self.counts.len() / self.classes
    }

    /// Makes room for so many more roots, in a session with so many bound nodes.
    pub(super) fn make_room(&mut self, nodes: usize, roots: usize) {
        if self.len() + roots > REMEMBERED || self.keys.len() > KEY_ROOM {
            self.clear();
        }
        self.by_lit.resize(2 * nodes, 0);
        self.counts.reserve(roots * self.classes);
        self.by_key.reserve(roots, |known| known.hash);
    }

    /// Where the counts of a literal are, and whether they still have to be computed.
    pub(super) fn of_lit(&mut self, lit: Lit) -> (usize, bool) {
        let next = self.len();
        let place = &mut self.by_lit[lit.index()];
        if *place != 0 {
            return (*place as usize - 1, false);
        }
        *place = small(next + 1);
        (self.add(), true)
    }

    /// Where the counts of a formula are, and whether they still have to be computed.
    pub(super) fn of_formula(&mut self, formulas: &Formulas, form: u32) -> (usize, bool) {
        let Some(hash) = formulas.hash(form) else { return (self.add(), true) };
        let place = self.len();
        let Memo { by_key, keys, .. } = self;
        let same = |known: &Keyed| {
            known.hash == hash && formulas.has_key(form, &keys[known.start as usize..])
        };
        match by_key.entry(hash, same, |known| known.hash) {
            Entry::Occupied(known) => (known.get().place as usize, false),
            Entry::Vacant(vacant) => {
                vacant.insert(Keyed { hash, start: small(keys.len()), place: small(place) });
                formulas.write_key(form, keys);
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

/// Places are below [`REMEMBERED`] and keys below [`KEY_ROOM`] by far less than 2^32.
#[expect(clippy::cast_possible_truncation)]
fn small(number: usize) -> u32 {
    number as u32
}
