//! A context whose rows are lists, used while it is large and has few crosses.
//!
//! The part of the context within a column is found by walking the rows of the column once and
//! counting their crosses. The time is proportional to the number of crosses in those rows and does
//! not depend on the number of columns. The remaining rows form the next context, without the
//! columns that have too few objects or were tried before.

use super::base::Base;
use super::prepare::PreparedRelation;
use super::rows::Lists;
use crate::Share;
use pellucid_bits::{BLOCK_BITS, Block, as_u32};
use pellucid_device::Threads;
use std::sync::Arc;

/// Rows over the remaining candidates.
#[derive(Debug)]
pub(super) struct Context {
    /// The columns of each row, descending.
    pub(super) rows: Arc<Lists>,
    /// The row of the base for each row.
    pub(super) origins: Vec<u32>,
    /// The column of the base for each column.
    pub(super) numbers: Vec<u32>,
    /// The tag of each column: its attribute, or the key of the attribute if concepts are only
    /// counted.
    pub(super) tags: Vec<u64>,
    pub(super) keys: u64,
    pub(super) intent: Vec<u32>,
    by_column: Lists,
}

/// The part of a context within one of its columns.
#[derive(Debug, Default)]
pub(super) struct View {
    counts: Vec<u32>,
    touched: Vec<u32>,
    /// The remaining columns after the selected one, ascending.
    pub(super) columns: Vec<u32>,
    /// The new number of each remaining column.
    pub(super) places: Vec<u32>,
    /// The columns after the selected one that all its rows have.
    pub(super) joined: Vec<u32>,
    /// The rows of the selected column, as rows of the base.
    pub(super) rows: Vec<u32>,
    weights: Vec<u32>,
    /// The number of objects of the selected column.
    pub(super) support: u64,
}

/// Marks a column that is not in the view.
pub(super) const NO_PLACE: u32 = u32::MAX;

/// A context and the range of its columns that are still to be tried.
#[derive(Clone, Debug)]
pub(super) struct ColumnRange {
    pub(super) context: Arc<Context>,
    pub(super) next: usize,
    pub(super) end: usize,
    /// The columns of the base that come before the next one and are not in the intent.
    pub(super) rivals: Vec<Block>,
    /// The share of the columns to try; only at the root.
    pub(super) share: Option<Share>,
}

impl ColumnRange {
    pub(super) fn whole(context: Context, rivals: Vec<Block>) -> ColumnRange {
        let end = context.tags.len();
        ColumnRange { context: Arc::new(context), next: 0, end, rivals, share: None }
    }

    /// Advances to the next column. The current column becomes a rival.
    pub(super) fn advance(&mut self) {
        let number = self.context.numbers[self.next] as usize;
        self.rivals[number / BLOCK_BITS].set(number % BLOCK_BITS);
        self.next += 1;
    }

    /// Advances to the next column of the share.
    pub(super) fn skip_others(&mut self) {
        let Some(share) = self.share else { return };
        while self.next < self.end && !share.has(self.next) {
            self.advance();
        }
    }

    /// Splits off the second half of the remaining columns for another worker. The next column
    /// stays.
    pub(super) fn split_half(&mut self) -> Option<ColumnRange> {
        (self.end.saturating_sub(self.next) > 2).then(|| {
            let mut half = self.clone();
            let middle = self.next.midpoint(self.end);
            while half.next < middle {
                half.advance();
            }
            self.end = middle;
            half
        })
    }
}

impl Context {
    pub(super) fn root(
        prepared: &PreparedRelation,
        reads_concepts: bool,
        threads: &Threads,
    ) -> Context {
        Context {
            by_column: Lists::new(),
            rows: Arc::clone(prepared.rows.lists(threads)),
            origins: (0..as_u32(prepared.rows.len())).collect(),
            numbers: (0..as_u32(prepared.columns.len())).collect(),
            tags: prepared.tags(reads_concepts).collect(),
            keys: prepared.shared_keys(),
            intent: prepared.shared.clone(),
        }
    }

    pub(super) fn is_sparse(&self) -> bool {
        let lengths = (0..self.rows.len()).map(|row| self.rows.of(row).len());
        are_sparse(lengths, self.tags.len())
    }

    /// Builds the columns. Must be called before a column is selected.
    pub(super) fn with_columns(mut self) -> Context {
        self.by_column = self.rows.transposed(self.tags.len());
        self
    }

    /// [`Context::with_columns`] on all threads.
    pub(super) fn with_columns_on(mut self, threads: &Threads) -> Context {
        self.by_column = self.rows.transposed_on(threads, self.tags.len());
        self
    }

    /// Returns the rows that have a column.
    pub(super) fn rows_of(&self, column: usize) -> &[u32] {
        self.by_column.of(column)
    }

    /// Selects a column: collects its rows and their weight.
    pub(super) fn select(&self, column: usize, base: &Base, view: &mut View) {
        view.rows.clear();
        view.weights.clear();
        view.support = 0;
        for &row in self.rows_of(column) {
            let origin = self.origins[row as usize];
            let weight = base.weight(origin);
            view.rows.push(origin);
            view.weights.push(weight);
            view.support += u64::from(weight);
        }
    }

    /// Sorts the columns after the selected one into those that remain and those that all its rows
    /// have.
    pub(super) fn classify_columns(&self, column: usize, min_support: u64, view: &mut View) {
        if view.counts.len() < self.tags.len() {
            view.counts.resize(self.tags.len(), 0);
            view.places.resize(self.tags.len(), NO_PLACE);
        }
        let View { counts, touched, columns, joined, support, weights, .. } = view;
        touched.clear();
        for (&row, &weight) in self.rows_of(column).iter().zip(&*weights) {
            for &other in self.rows.of(row as usize) {
                if other as usize <= column {
                    break;
                }
                let count = &mut counts[other as usize];
                if *count == 0 {
                    touched.push(other);
                }
                *count += weight;
            }
        }
        joined.clear();
        columns.clear();
        let mut classify_columns = |other: u32, count: &mut u32| {
            let count = u64::from(std::mem::take(count));
            if count == *support {
                joined.push(other);
            } else if count >= min_support && count > 0 {
                columns.push(other);
            }
        };
        let after = column + 1..self.tags.len();
        if touched.len() * 8 > after.len() {
            // Visiting all columns is faster than sorting most of them.
            for (other, count) in (as_u32(after.start)..).zip(&mut counts[after]) {
                classify_columns(other, count);
            }
        } else {
            touched.sort_unstable();
            touched.iter().for_each(|&other| classify_columns(other, &mut counts[other as usize]));
        }
    }

    /// Returns the context within the column that was selected last.
    pub(super) fn restrict_to(&self, column: usize, view: &mut View) -> Context {
        view.place();
        let (mut rows, mut origins) = (Lists::new(), Vec::new());
        for &row in self.rows_of(column) {
            let list = self.rows.of(row as usize);
            // Columns that do not remain have no new number, including those up to `column`.
            for &other in list {
                let place = view.places[other as usize];
                if place != NO_PLACE {
                    rows.extend(place);
                } else if other as usize <= column {
                    break;
                }
            }
            if rows.end_unless_empty() {
                origins.push(self.origins[row as usize]);
            }
        }
        view.clear_places();
        let columns = || view.columns.iter().map(|&column| column as usize);
        Context {
            rows: Arc::new(rows),
            origins,
            numbers: columns().map(|column| self.numbers[column]).collect(),
            tags: columns().map(|column| self.tags[column]).collect(),
            keys: 0,
            intent: Vec::new(),
            by_column: Lists::new(),
        }
    }
}

/// Returns whether walking lists is less work than processing bits: compares the number of crosses
/// visited with the number of words.
pub(super) fn are_sparse(lengths: impl ExactSizeIterator<Item = usize>, columns: usize) -> bool {
    let rows = lengths.len();
    rows > 64 && {
        let walked: usize = lengths.map(|length| length.pow(2)).sum();
        walked < 3 * columns * columns / 8 * (rows / 64)
    }
}

impl View {
    /// Assigns new numbers to the remaining columns.
    pub(super) fn place(&mut self) {
        for (place, &column) in self.columns.iter().enumerate() {
            self.places[column as usize] = as_u32(place);
        }
    }

    /// Clears the new numbers.
    pub(super) fn clear_places(&mut self) {
        for &column in &self.columns {
            self.places[column as usize] = NO_PLACE;
        }
    }
}
