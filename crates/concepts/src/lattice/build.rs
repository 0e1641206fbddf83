//! From a context to its lattice.

use super::covers::Listed;
use super::links::ConceptLinks;
use super::share::share;
use super::sides::{RowExtent, Sides};
use super::table::IntentTable;
use super::{Lattice, LatticeError};
use crate::enumerate::{Concept, enumerate};
use pellucid_bits::words::{count, words_for};
use pellucid_close::{Found, Stop, Terms, Visitor};
use pellucid_data::Relation;

/// Concepts one behind the other, not yet in order.
#[derive(Default)]
struct Heap {
    intents: Vec<u64>,
    supports: Vec<u64>,
}

impl Visitor for Heap {
    fn visit(&mut self, found: &Found<'_>) {
        self.intents.extend_from_slice(found.intent);
        self.supports.push(found.support);
    }
}

impl Lattice {
    /// The lattice of a relation, or the part of it with at least `terms.min_support` objects; the same for any number of
    /// threads.
    ///
    /// # Errors
    /// When there are more concepts than `terms.most` or than 32 bits can number, and when `terms.stop` said so: a part of
    /// the concepts, chosen by chance, has no covering relation worth looking at.
    pub fn build(
        relation: &Relation,
        terms: &Terms<'_>,
        threads: usize,
    ) -> Result<Lattice, LatticeError> {
        let mut heaps: Vec<Heap> = (0..threads.max(1)).map(|_| Heap::default()).collect();
        let terms = Terms { extents: false, ..*terms };
        match enumerate(relation, &terms, &mut heaps).stop {
            Stop::Complete => {}
            Stop::Most => return Err(LatticeError::TooMany(terms.most.unwrap_or_default())),
            Stop::Told => return Err(LatticeError::Stopped),
        }
        let mut all = heaps.pop().unwrap_or_default();
        for heap in heaps {
            all.intents.extend_from_slice(&heap.intents);
            all.supports.extend_from_slice(&heap.supports);
        }
        Lattice::order(relation, all, threads, terms.stop.unwrap_or(&|| false))
    }

    /// The lattice of concepts that are known already: all of the relation's, or all with some number of objects or more.
    ///
    /// # Errors
    /// When there are more concepts than 32 bits can number.
    pub fn of(
        relation: &Relation,
        concepts: &[Concept],
        threads: usize,
    ) -> Result<Lattice, LatticeError> {
        let mut heap = Heap::default();
        for concept in concepts {
            heap.intents.extend_from_slice(&concept.intent);
            heap.supports.push(concept.support);
        }
        Lattice::order(relation, heap, threads, &|| false)
    }

    fn order(
        relation: &Relation,
        heap: Heap,
        threads: usize,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Result<Lattice, LatticeError> {
        let len = u32::try_from(heap.supports.len())
            .ok()
            .filter(|&len| len < u32::MAX)
            .ok_or(LatticeError::TooMany(u64::from(u32::MAX)))?;
        let width = words_for(relation.attributes());
        let intent = |concept: u32| &heap.intents[concept as usize * width..][..width];
        let mut order: Vec<u32> = (0..len).collect();
        order.sort_unstable_by(|&a, &b| {
            let by_support = heap.supports[b as usize].cmp(&heap.supports[a as usize]);
            by_support.then_with(|| intent(a).cmp(intent(b)))
        });
        let supports: Vec<u64> = order.iter().map(|&old| heap.supports[old as usize]).collect();
        let mut intents = Vec::with_capacity(heap.intents.len());
        order.iter().for_each(|&old| intents.extend_from_slice(intent(old)));
        drop((heap, order));

        let sides = Sides::new(relation);
        let (keys, table) = enter(&sides, &intents, len as usize, threads, stop)?;
        let sizes = sizes(&intents, width, len as usize);
        let last = len.checked_sub(1);
        let listed = Listed {
            sides: &sides,
            keys: &keys,
            table: &table,
            intents: &intents,
            sizes: &sizes,
            empty: last.filter(|&last| supports[last as usize] == 0),
        };
        let lower = listed.lower(threads, stop).ok_or(LatticeError::Stopped)?;
        let upper = lower.reversed(len as usize);
        let bottom = last.filter(|&last| sizes[last as usize] as usize == relation.attributes());
        let ranks = ranks(&upper);
        let mut lattice = Lattice {
            width,
            intents,
            sizes,
            supports,
            lower,
            upper,
            ranks,
            bottom,
            sides,
            keys,
            table,
            object_concepts: Vec::new(),
            attribute_concepts: Vec::new(),
            own_objects: ConceptLinks::new(),
            own_attributes: ConceptLinks::new(),
        };
        lattice.place_labels();
        Ok(lattice)
    }
}

/// Random keys of the rows, such that no two concepts have one hash, and the concepts by their hashes.
fn enter(
    sides: &Sides,
    intents: &[u64],
    len: usize,
    threads: usize,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<(Vec<u64>, IntentTable), LatticeError> {
    let width = words_for(sides.attributes());
    for seed in 0u64.. {
        let keys: Vec<u64> = (0..sides.rows() as u64).map(|row| key(seed, row)).collect();
        let hashes = share(threads, len, stop, RowExtent::default, |extent, range| {
            let hash = |concept: usize| {
                sides.extent(&intents[concept * width..][..width], extent);
                hash(&keys, &extent.rows)
            };
            range.map(hash).collect::<Vec<_>>()
        });
        let hashes = hashes.ok_or(LatticeError::Stopped)?.concat();
        // Two alike are to be expected once in billions of lattices; then other keys will do.
        if let Some(table) = IntentTable::new(&hashes) {
            return Ok((keys, table));
        }
    }
    unreachable!("there is always another seed")
}

/// The hash of an extent.
pub(super) fn hash(keys: &[u64], rows: &[u32]) -> u64 {
    rows.iter().fold(0, |sum, &row| sum.wrapping_add(keys[row as usize]))
}

/// A word that looks random (`SplitMix64`).
fn key(seed: u64, row: u64) -> u64 {
    let mut x = (seed << 40).wrapping_add(row + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

fn sizes(intents: &[u64], width: usize, len: usize) -> Vec<u32> {
    let size = |concept: usize| count(&intents[concept * width..][..width]);
    (0..len).map(|concept| u32::try_from(size(concept)).expect("attributes by 32 bits")).collect()
}

/// How far each concept is from the top, on the longest way. Those above have more objects and so come first.
fn ranks(upper: &ConceptLinks) -> Vec<u32> {
    let mut ranks: Vec<u32> = Vec::with_capacity(upper.len());
    for above in upper.iter() {
        ranks.push(above.iter().map(|&other| ranks[other as usize] + 1).max().unwrap_or(0));
    }
    ranks
}
