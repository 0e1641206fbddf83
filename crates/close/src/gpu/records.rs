//! Conversion of GPU records to concepts in the numbering of the relation, and their output to
//! visitors.

use super::frontier::{Frontier, Slice};
use crate::ordered::OrderedRelation;
use crate::{ConceptView, Digest, SearchOutcome, SearchStop, Terms, Visitor};
use pellucid_bits::as_u32;
use pellucid_bits::words::{insert, members, words_for};
use pellucid_data::Relation;
use pellucid_device::Threads;
use std::sync::Arc;

/// The number of records that justify a separate thread.
const WORTH_A_THREAD: usize = 4096;

/// Converts records to the numbering of the relation.
#[derive(Debug)]
pub(crate) struct Reader<'a> {
    relation: &'a Relation,
    ordered: Arc<OrderedRelation>,
    /// The objects of each attribute, if extents are requested.
    columns: Option<Relation>,
    /// The two words of the attribute at each position, in contexts of two words.
    masks: Option<Vec<[u64; 2]>>,
    reads_concepts: bool,
    /// The threads that show concepts to the visitors.
    threads: &'a Threads,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(
        relation: &'a Relation,
        ordered: Arc<OrderedRelation>,
        terms: &Terms<'_>,
        reads_concepts: bool,
        threads: &'a Threads,
    ) -> Reader<'a> {
        let columns = (reads_concepts && terms.extents).then(|| relation.transposed());
        let mask = |&attribute: &u32| {
            let mut mask = [0; 2];
            insert(&mut mask, attribute as usize);
            mask
        };
        let masks = (words_for(relation.attributes()) == 2)
            .then(|| ordered.attributes().iter().map(mask).collect());
        // A limit on the number of concepts requires reading them.
        Reader {
            relation,
            ordered,
            columns,
            masks,
            reads_concepts: reads_concepts || terms.most.is_some(),
            threads,
        }
    }

    pub(crate) fn reads_concepts(&self) -> bool {
        self.reads_concepts
    }

    /// Passes the records of a slice that arrived last to the visitors, up to the limit of the
    /// terms.
    pub(super) fn show<V: Visitor>(
        &self,
        frontier: &dyn Frontier,
        slice: Slice,
        terms: &Terms<'_>,
        visitors: &mut [V],
        outcome: &mut SearchOutcome,
    ) {
        let words = frontier.record_words();
        let mut runs = frontier.records();
        let left = terms.most.map(|most| most - outcome.concepts);
        let left = left.map_or(usize::MAX, |left| usize::try_from(left).unwrap_or(usize::MAX));
        if cut(&mut runs, left, words) {
            outcome.stop = SearchStop::Limit;
            let records = runs.iter().flat_map(|run| run.chunks_exact(words));
            records.for_each(|record| outcome.digest.add(self.keys(record)));
        } else {
            outcome.digest.merge(slice.digest);
        }
        let shown: usize = runs.iter().map(|run| run.len() / words).sum();
        outcome.concepts += shown as u64;
        let threads = visitors.len().min(shown / WORTH_A_THREAD).max(1);
        let share = runs.len().div_ceil(threads).max(1);
        if !V::READS_CONCEPTS {
            return;
        }
        let parts = runs.chunks(share).zip(visitors).collect();
        self.threads.map_items(parts, |(part, visitor)| self.show_part(part, words, visitor));
    }

    /// Returns the sum of the attribute keys of a record.
    fn keys(&self, record: &[u32]) -> u64 {
        let key = |place: usize| Digest::key(self.ordered.attributes()[place]);
        places(&record[..record.len() - 1]).map(key).fold(0, u64::wrapping_add)
    }

    fn show_part<V: Visitor>(&self, runs: &[&[u32]], words: usize, visitor: &mut V) {
        let mut intent = vec![0; words_for(self.relation.attributes())];
        let mut extent =
            vec![0; self.columns.as_ref().map_or(0, |_| words_for(self.relation.objects()))];
        for record in runs.iter().flat_map(|run| run.chunks_exact(words)) {
            let Some((&support, set)) = record.split_last() else { continue };
            match (&self.masks, &mut intent[..]) {
                (Some(masks), [low, high]) => {
                    // This loop is a bottleneck of the host, so it is written out.
                    let mut both = [0, 0];
                    for (masks, &word) in masks.chunks(32).zip(set) {
                        let mut left = word;
                        while left != 0 {
                            let mask = masks[left.trailing_zeros() as usize];
                            left &= left - 1;
                            both[0] |= mask[0];
                            both[1] |= mask[1];
                        }
                    }
                    [*low, *high] = both;
                }
                (_, intent) => {
                    intent.fill(0);
                    for place in places(set) {
                        insert(intent, self.ordered.attributes()[place] as usize);
                    }
                }
            }
            if let Some(columns) = &self.columns {
                extent.fill(0);
                self.extent(columns, &intent, &mut extent);
            }
            visitor.visit(&ConceptView {
                intent: &intent,
                support: u64::from(support),
                extent: &extent,
            });
        }
    }

    /// Finds the objects of an intent: those of its rarest attribute that have all other
    /// attributes.
    fn extent(&self, columns: &Relation, intent: &[u64], extent: &mut [u64]) {
        let Some(rarest) = members(intent).min_by_key(|&attribute| columns.row(attribute).len())
        else {
            (0..self.relation.objects()).for_each(|object| insert(extent, object));
            return;
        };
        for &object in columns.row(rarest) {
            let row = self.relation.row(object as usize);
            let has = |attribute: usize| row.binary_search(&as_u32(attribute)).is_ok();
            if members(intent).all(has) {
                insert(extent, object as usize);
            }
        }
    }
}

/// Returns the positions that are set in the words of a record, ascending.
fn places(set: &[u32]) -> impl Iterator<Item = usize> + '_ {
    set.iter().enumerate().flat_map(|(word, &bits)| {
        let mut left = bits;
        std::iter::from_fn(move || {
            (left != 0).then(|| {
                let bit = left.trailing_zeros() as usize;
                left &= left - 1;
                word * 32 + bit
            })
        })
    })
}

/// Truncates the runs to `left` records. Returns whether there were more.
fn cut(runs: &mut Vec<&[u32]>, mut left: usize, words: usize) -> bool {
    for index in 0..runs.len() {
        let records = runs[index].len() / words;
        if records > left {
            runs[index] = &runs[index][..left * words];
            runs.truncate(index + 1);
            return true;
        }
        left -= records;
    }
    false
}
