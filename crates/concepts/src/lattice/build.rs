//! Builds the lattice of a context.

use super::covers::CoverSearch;
use super::incidence::{Incidence, RowExtent};
use super::links::ConceptLinks;
use super::share::share;
use super::table::IntentTable;
use super::{Lattice, LatticeError};
use crate::enumerate::{Concept, enumerate};
use pellucid_bits::words::{count, words_for};
use pellucid_close::{ConceptView, SearchStop, Terms, Visitor};
use pellucid_data::Relation;
use std::sync::atomic::AtomicU64;

/// Concepts in the order found.
#[derive(Default)]
struct ConceptBuffer {
    intents: Vec<u64>,
    supports: Vec<u64>,
}

impl Visitor for ConceptBuffer {
    fn visit(&mut self, found: &ConceptView<'_>) {
        self.intents.extend_from_slice(found.intent);
        self.supports.push(found.support);
    }
}

/// All concepts of a lattice, without their order.
pub struct FoundConcepts(ConceptBuffer);

impl FoundConcepts {
    /// Returns the number of concepts.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.0.supports.len() as u64
    }
}

impl std::fmt::Debug for FoundConcepts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FoundConcepts").field("count", &self.count()).finish_non_exhaustive()
    }
}

impl Lattice {
    /// Builds the concept lattice of a relation, or its iceberg lattice for `terms.min_support`.
    /// The result does not depend on the number of threads.
    ///
    /// # Errors
    /// If there are more concepts than `terms.most` or than 32 bits can number, or if `terms.stop`
    /// stopped the search: the covering relation of some of the concepts is not meaningful. Also if
    /// `PELLUCID_SIMD` is not a level that this CPU supports.
    pub fn build(
        relation: &Relation,
        terms: &Terms<'_>,
        threads: usize,
    ) -> Result<Lattice, LatticeError> {
        let found = Lattice::search(relation, terms, threads)?;
        Lattice::connect(relation, found, threads, terms.stop.unwrap_or(&|| false), None)
    }

    /// Finds the concepts of a lattice, the first step of [`Lattice::build`].
    ///
    /// # Errors
    /// As [`Lattice::build`].
    pub fn search(
        relation: &Relation,
        terms: &Terms<'_>,
        threads: usize,
    ) -> Result<FoundConcepts, LatticeError> {
        let mut buffers: Vec<ConceptBuffer> =
            (0..threads.max(1)).map(|_| ConceptBuffer::default()).collect();
        let terms = Terms { extents: false, ..*terms };
        match enumerate(relation, &terms, &mut buffers)?.stop {
            SearchStop::Complete => {}
            SearchStop::Limit => return Err(LatticeError::TooMany(terms.most.unwrap_or_default())),
            SearchStop::Requested => return Err(LatticeError::Stopped),
        }
        let mut all = buffers.pop().unwrap_or_default();
        for buffer in buffers {
            all.intents.extend_from_slice(&buffer.intents);
            all.supports.extend_from_slice(&buffer.supports);
        }
        Ok(FoundConcepts(all))
    }

    /// Finds the neighbors of all concepts, the second step of [`Lattice::build`]. `progress`
    /// receives the number of concepts that are done.
    ///
    /// # Errors
    /// If there are more concepts than 32 bits can number, or if `stop` returned true.
    pub fn connect(
        relation: &Relation,
        found: FoundConcepts,
        threads: usize,
        stop: &(dyn Fn() -> bool + Sync),
        progress: Option<&AtomicU64>,
    ) -> Result<Lattice, LatticeError> {
        Lattice::order(relation, found.0, threads, stop, progress)
    }

    /// Builds the lattice of known concepts: all of the relation, or all with a minimum support.
    ///
    /// # Errors
    /// If there are more concepts than 32 bits can number.
    pub fn of(
        relation: &Relation,
        concepts: &[Concept],
        threads: usize,
    ) -> Result<Lattice, LatticeError> {
        let mut buffer = ConceptBuffer::default();
        for concept in concepts {
            buffer.intents.extend_from_slice(&concept.intent);
            buffer.supports.push(concept.support);
        }
        Lattice::order(relation, buffer, threads, &|| false, None)
    }

    fn order(
        relation: &Relation,
        buffer: ConceptBuffer,
        threads: usize,
        stop: &(dyn Fn() -> bool + Sync),
        progress: Option<&AtomicU64>,
    ) -> Result<Lattice, LatticeError> {
        let len = u32::try_from(buffer.supports.len())
            .ok()
            .filter(|&len| len < u32::MAX)
            .ok_or(LatticeError::TooMany(u64::from(u32::MAX)))?;
        let width = words_for(relation.attributes());
        let intent = |concept: u32| &buffer.intents[concept as usize * width..][..width];
        let mut order: Vec<u32> = (0..len).collect();
        order.sort_unstable_by(|&a, &b| {
            let by_support = buffer.supports[b as usize].cmp(&buffer.supports[a as usize]);
            by_support.then_with(|| intent(a).cmp(intent(b)))
        });
        let supports: Vec<u64> = order.iter().map(|&old| buffer.supports[old as usize]).collect();
        let mut intents = Vec::with_capacity(buffer.intents.len());
        order.iter().for_each(|&old| intents.extend_from_slice(intent(old)));
        drop((buffer, order));

        let incidence = Incidence::new(relation);
        let (keys, table) = hash_extents(&incidence, &intents, len as usize, threads, stop)?;
        let sizes = sizes(&intents, width, len as usize);
        let last = len.checked_sub(1);
        let covers = CoverSearch {
            incidence: &incidence,
            keys: &keys,
            table: &table,
            intents: &intents,
            sizes: &sizes,
            empty: last.filter(|&last| supports[last as usize] == 0),
        };
        let lower = covers.lower(threads, stop, progress).ok_or(LatticeError::Stopped)?;
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
            incidence,
            keys,
            table,
            object_concepts: Vec::new(),
            attribute_concepts: Vec::new(),
            own_objects: ConceptLinks::new(),
            own_attributes: ConceptLinks::new(),
        };
        lattice.compute_labels();
        Ok(lattice)
    }
}

/// Returns random keys for the rows for which all extents have distinct hashes, and the table of
/// these hashes.
fn hash_extents(
    incidence: &Incidence,
    intents: &[u64],
    len: usize,
    threads: usize,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<(Vec<u64>, IntentTable), LatticeError> {
    let width = words_for(incidence.attributes());
    for seed in 0u64.. {
        let keys: Vec<u64> = (0..incidence.rows() as u64).map(|row| key(seed, row)).collect();
        let hashes = share(threads, len, stop, RowExtent::default, |extent, range| {
            let hash = |concept: usize| {
                incidence.extent(&intents[concept * width..][..width], extent);
                hash(&keys, &extent.rows)
            };
            range.map(hash).collect::<Vec<_>>()
        });
        let hashes = hashes.ok_or(LatticeError::Stopped)?.concat();
        // A collision is expected once in billions of lattices. Other keys then avoid it.
        if let Some(table) = IntentTable::new(&hashes) {
            return Ok((keys, table));
        }
    }
    unreachable!("the seeds never run out")
}

/// The hash of an extent: the sum of the keys of its rows.
pub(super) fn hash(keys: &[u64], rows: &[u32]) -> u64 {
    rows.iter().fold(0, |sum, &row| sum.wrapping_add(keys[row as usize]))
}

/// Returns a pseudo-random word (`SplitMix64`).
fn key(seed: u64, row: u64) -> u64 {
    let mut x = (seed << 40).wrapping_add(row + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

fn sizes(intents: &[u64], width: usize, len: usize) -> Vec<u32> {
    let size = |concept: usize| count(&intents[concept * width..][..width]);
    (0..len)
        .map(|concept| u32::try_from(size(concept)).expect("attribute numbers fit in 32 bits"))
        .collect()
}

/// The length of the longest path from the top to each concept. Concepts above have smaller
/// numbers.
fn ranks(upper: &ConceptLinks) -> Vec<u32> {
    let mut ranks: Vec<u32> = Vec::with_capacity(upper.len());
    for above in upper.iter() {
        ranks.push(above.iter().map(|&other| ranks[other as usize] + 1).max().unwrap_or(0));
    }
    ranks
}
