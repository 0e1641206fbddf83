//! The output of concepts: counts them, adds them to the digest, and passes them to the visitor.

use super::AnyVisitor;
use super::extent::Extent;
use super::pool::Pool;
use super::prepare::PreparedRelation;
use super::slots::Slots;
use crate::{ConceptView, Digest};
use pellucid_bits::words::{insert, words_for};
use pellucid_data::Relation;

/// The rows of a concept.
pub(super) trait ExtentRows {
    /// Returns the number of objects that have these rows.
    fn support(&self) -> u64;

    /// Calls `with` for each row, numbered as in the whole context.
    fn each(&self, with: impl FnMut(u32));
}

/// An extent as bits.
pub(super) struct BitExtent<'a> {
    pub(super) extent: &'a Extent,
    pub(super) slots: &'a Slots,
}

impl ExtentRows for BitExtent<'_> {
    fn support(&self) -> u64 {
        self.extent.support(self.slots)
    }

    fn each(&self, mut with: impl FnMut(u32)) {
        let rows = self.slots.of(&self.extent.words, &self.extent.planes);
        rows.for_each(|row| self.slots.base.each_original(row, &mut with));
    }
}

/// The concepts that one worker has listed.
pub(super) struct Listing<'a> {
    pool: &'a Pool<'a>,
    prepared: &'a PreparedRelation,
    visitor: &'a mut dyn AnyVisitor,
    /// Whether the visitor reads concepts. Counting needs neither attributes nor extents.
    pub(super) reads_concepts: bool,
    concepts: u64,
    reported: u64,
    digest: Digest,
    /// The current intent as a list and as words; only if concepts are read.
    pub(super) attributes: Vec<u32>,
    intent: Vec<u64>,
    extent: Vec<u64>,
}

impl<'a> Listing<'a> {
    pub(super) fn new(
        pool: &'a Pool<'a>,
        relation: &Relation,
        prepared: &'a PreparedRelation,
        visitor: &'a mut dyn AnyVisitor,
        reads_concepts: bool,
    ) -> Listing<'a> {
        let extent = if pool.terms.extents { words_for(relation.objects()) } else { 0 };
        Listing {
            pool,
            prepared,
            visitor,
            reads_concepts,
            concepts: 0,
            reported: 0,
            digest: Digest::default(),
            attributes: Vec::new(),
            intent: vec![0; words_for(relation.attributes())],
            extent: vec![0; extent],
        }
    }

    /// Returns the number of concepts listed and their digest.
    pub(super) fn outcome(&self) -> (u64, Digest) {
        (self.concepts, self.digest)
    }

    /// Restarts with the intent of a task.
    pub(super) fn start(&mut self, intent: &[u32]) {
        if self.reads_concepts {
            self.truncate_to(0);
            self.attributes.extend_from_slice(intent);
            self.add_from(0);
        }
    }

    /// Removes all attributes after the first `len`.
    #[inline(always)]
    pub(super) fn truncate_to(&mut self, len: usize) {
        if self.reads_concepts {
            for attribute in self.attributes.drain(len..) {
                self.intent[attribute as usize / 64] &= !(1 << (attribute % 64));
            }
        }
    }

    fn add_from(&mut self, from: usize) {
        for &attribute in &self.attributes[from..] {
            insert(&mut self.intent, attribute as usize);
        }
    }

    /// Lists a concept whose attribute keys sum to `keys`, which is used only for counting. For
    /// visitors that read concepts, the intent consists of the first `known` attributes, which are
    /// already in the words, and of those added since.
    #[inline(always)]
    pub(super) fn list(&mut self, keys: u64, known: usize, rows: &impl ExtentRows) {
        if !self.pool.may_list() {
            return;
        }
        self.concepts += 1;
        if self.reads_concepts {
            self.show(known, rows);
        } else {
            self.digest.add(keys);
        }
    }

    #[inline(never)]
    fn show(&mut self, known: usize, rows: &impl ExtentRows) {
        self.add_from(known);
        if self.pool.terms.extents {
            self.extent.fill(0);
            rows.each(|row| {
                for &object in self.prepared.rows.positions.of(row as usize) {
                    insert(&mut self.extent, object as usize);
                }
            });
        }
        self.show_words(rows.support());
    }

    /// Passes the current intent and extent to the visitor.
    fn show_words(&mut self, support: u64) {
        let keys = self.attributes.iter().fold(0u64, |sum, &a| sum.wrapping_add(Digest::key(a)));
        self.digest.add(keys);
        self.visitor.show(&ConceptView { intent: &self.intent, support, extent: &self.extent });
    }

    /// Lists the concept of all objects, or of none.
    pub(super) fn list_outermost(&mut self, intent: &[u32], objects: usize) {
        if !self.pool.may_list() {
            return;
        }
        self.concepts += 1;
        self.start(intent);
        if self.reads_concepts {
            if self.pool.terms.extents {
                self.extent.fill(0);
                (0..objects).for_each(|object| insert(&mut self.extent, object));
            }
            self.show_words(objects as u64);
        } else {
            let keys = intent.iter().fold(0u64, |sum, &a| sum.wrapping_add(Digest::key(a)));
            self.digest.add(keys);
        }
    }

    /// Reports progress. Called regularly.
    pub(super) fn report(&mut self) {
        self.pool.report(self.concepts - self.reported);
        self.reported = self.concepts;
    }
}
