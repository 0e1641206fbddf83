//! From lists to bits: the first level of a part of the search.

use super::base::Base;
use super::context::{Context, GONE, View};
use super::level::Level;
use super::prepare::number;
use super::slots::Slots;
use crate::bits::{BLOCK_BITS, Block};

/// Where a part of the search begins.
#[derive(Debug, Default)]
pub(super) struct Start {
    pub(super) level: Level,
    pub(super) slots: Slots,
    pub(super) base: Base,
}

impl Start {
    /// Lays out some rows of a context as bits, with the columns that a view has placed. Rivals are given as rows from
    /// `by_rows` of them on, if there are 64 rows at most.
    pub(super) fn lay_out(&mut self, context: &Context, rows: &[u32], view: &View, by_rows: usize) {
        let Start { level, slots, base } = self;
        let (columns, rivals) = (view.columns.len(), view.rivals);
        let candidates = columns - rivals;
        level.words = rows.len().div_ceil(64);
        level.by_rows = level.words == 1 && rivals >= by_rows;
        level.next = 0;
        level.slots = 0;
        level.rivals.clear(level.words, if level.by_rows { 0 } else { rivals });
        level.candidates.clear(level.words, candidates);
        level.tags.clear(1, candidates);
        level.origins.clear(1, candidates);
        for (place, &column) in view.columns[rivals..].iter().enumerate() {
            *level.tags.word_mut(0, place) = context.tags[column as usize];
            *level.origins.word_mut(0, place) = (rivals + place) as u64;
        }
        // Rows are needed only where there may be that many rivals.
        let has_rows = columns >= by_rows;
        base.reset(if has_rows { columns } else { 0 });
        level.mask.clear();
        level.mask.resize(columns.div_ceil(BLOCK_BITS), Block::ZERO);
        (0..rivals).for_each(|rival| level.mask[rival / BLOCK_BITS].set(rival % BLOCK_BITS));
        for (slot, &row) in rows.iter().enumerate() {
            let (plane, bit) = (slot / 64, 1 << (slot % 64));
            if has_rows {
                base.push_row();
            }
            for &column in context.rows.of(row as usize) {
                let place = view.places[column as usize];
                if place == GONE {
                    continue;
                }
                let place = place as usize;
                if place >= rivals {
                    *level.candidates.word_mut(plane, place - rivals) |= bit;
                } else if !level.by_rows {
                    *level.rivals.word_mut(plane, place) |= bit;
                }
                if has_rows {
                    base.set(place);
                }
            }
        }
        base.weigh(rows.iter().map(|&row| context.weights[row as usize]));
        if !context.origins.is_empty() {
            base.origins.extend(rows.iter().map(|&row| context.origins[row as usize]));
        }
        slots.rows.clear();
        slots.rows.extend(0..number(rows.len()));
    }
}
