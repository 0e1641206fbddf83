//! The conversion from lists to bits: the first level of a part of the search.

use super::base::Base;
use super::context::{Context, NO_PLACE, View};
use super::level::Level;
use super::prepare::PreparedRelation;
use super::slots::Slots;
use pellucid_bits::as_u32;
use std::sync::Arc;

/// The starting point of a part of the search.
#[derive(Debug)]
pub(super) struct Start {
    pub(super) level: Level,
    pub(super) slots: Slots,
}

impl Start {
    /// An empty level over the rows of a base.
    pub(super) fn new(base: &Arc<Base>) -> Start {
        Start { level: Level::default(), slots: Slots::new(base) }
    }

    /// Clears the level and reserves space for rows and candidates.
    fn reset(&mut self, rows: usize, candidates: usize) {
        let Start { level, slots } = self;
        level.words = rows.div_ceil(64);
        level.is_thin = false;
        level.slots = 0;
        level.searched = usize::MAX;
        level.rivals.clear(level.words, 0);
        level.candidates.clear(level.words, candidates);
        level.tags.clear(1, candidates);
        level.origins.clear(1, candidates);
        slots.rows.clear();
    }

    /// Sets the tag and the column of the base of each candidate.
    fn name_columns(&mut self, columns: impl Iterator<Item = (u64, u32)>) {
        for (place, (tag, number)) in columns.enumerate() {
            *self.level.tags.word_mut(0, place) = tag;
            *self.level.origins.word_mut(0, place) = u64::from(number);
        }
    }

    /// Converts the rows of a base of bits with all their columns.
    pub(super) fn lay_out_whole(
        &mut self,
        base: &Arc<Base>,
        prepared: &PreparedRelation,
        reads_concepts: bool,
    ) {
        let columns = prepared.columns.len();
        self.reset(prepared.rows.len(), columns);
        self.name_columns(prepared.tags(reads_concepts).zip(0..));
        let rows: Vec<u32> = (0..as_u32(prepared.rows.len())).collect();
        for (plane, rows) in rows.chunks(64).enumerate() {
            for number in 0..columns.div_ceil(64) {
                let square = base.columns_of(number, rows);
                for (column, &word) in (number * 64..columns).zip(&square) {
                    *self.level.candidates.word_mut(plane, column) = word;
                }
            }
        }
        self.slots.set(base, &rows);
    }

    /// Converts all rows of a context to bits.
    pub(super) fn lay_out(&mut self, base: &Arc<Base>, context: &Context) {
        self.reset(context.rows.len(), context.tags.len());
        self.name_columns(context.tags.iter().copied().zip(context.numbers.iter().copied()));
        for slot in 0..context.rows.len() {
            for &column in context.rows.of(slot) {
                let word = self.level.candidates.word_mut(slot / 64, column as usize);
                *word |= 1 << (slot % 64);
            }
        }
        self.slots.set(base, &context.origins);
    }

    /// Converts the part of a context within a column to bits.
    pub(super) fn lay_out_view(
        &mut self,
        base: &Arc<Base>,
        context: &Context,
        column: usize,
        view: &mut View,
    ) {
        self.reset(view.rows.len(), view.columns.len());
        let columns = view.columns.iter().map(|&column| column as usize);
        self.name_columns(columns.map(|column| (context.tags[column], context.numbers[column])));
        view.place();
        for (slot, &row) in context.rows_of(column).iter().enumerate() {
            for &other in context.rows.of(row as usize) {
                if other as usize <= column {
                    break;
                }
                let place = view.places[other as usize];
                if place != NO_PLACE {
                    let word = self.level.candidates.word_mut(slot / 64, place as usize);
                    *word |= 1 << (slot % 64);
                }
            }
        }
        view.clear_places();
        self.slots.set(base, &view.rows);
    }
}
