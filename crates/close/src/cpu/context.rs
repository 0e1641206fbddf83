//! A context whose rows are lists, for as long as it is large and has few crosses.
//!
//! To see a column's part of the context, its rows are walked once and each cross is counted where it stands:
//! that takes as long as there are crosses in those rows, however many columns there are. What is left of the
//! rows goes to the next context, without the columns that have too few objects and those that were tried
//! before.

use super::base::Base;
use super::prepare::Prepared;
use super::rows::Lists;
use crate::{Digest, Share};
use pellucid_bits::{BLOCK_BITS, Block, as_u32};
use std::sync::Arc;

/// Rows over the candidates that are left.
#[derive(Debug)]
pub(super) struct Context {
    /// The columns of each row, descending.
    pub(super) rows: Lists,
    /// The row of the base each row is.
    pub(super) origins: Vec<u32>,
    /// The column of the base each column is.
    pub(super) numbers: Vec<u32>,
    /// What each column is called.
    pub(super) tags: Vec<u64>,
    pub(super) keys: u64,
    pub(super) intent: Vec<u32>,
    by_column: Lists,
}

/// What is seen of a context through one of its columns.
#[derive(Debug, Default)]
pub(super) struct View {
    counts: Vec<u32>,
    touched: Vec<u32>,
    /// The columns after it that are left, ascending.
    pub(super) columns: Vec<u32>,
    /// Where each column went.
    pub(super) places: Vec<u32>,
    /// The columns after it that all its rows have.
    pub(super) joined: Vec<u32>,
    /// Its rows, as rows of the base.
    pub(super) rows: Vec<u32>,
    weights: Vec<u32>,
    /// How many objects it has.
    pub(super) support: u64,
}

/// What is no column any more.
pub(super) const GONE: u32 = u32::MAX;

/// A context and which of its columns are still to be tried.
#[derive(Clone, Debug)]
pub(super) struct Stretch {
    pub(super) context: Arc<Context>,
    pub(super) next: usize,
    pub(super) end: usize,
    /// The columns of the base that come before the next one and are not in the intent.
    pub(super) rivals: Vec<Block>,
    /// At the root, which of the columns are tried.
    pub(super) share: Option<Share>,
}

impl Stretch {
    pub(super) fn whole(context: Context, rivals: Vec<Block>) -> Stretch {
        let end = context.tags.len();
        Stretch { context: Arc::new(context), next: 0, end, rivals, share: None }
    }

    /// Goes on to the next column; the one before is a rival from now on.
    pub(super) fn advance(&mut self) {
        let number = self.context.numbers[self.next] as usize;
        self.rivals[number / BLOCK_BITS].set(number % BLOCK_BITS);
        self.next += 1;
    }

    /// Goes on to the next column of the share.
    pub(super) fn skip_others(&mut self) {
        let Some(share) = self.share else { return };
        while self.next < self.end && !share.has(self.next) {
            self.advance();
        }
    }

    /// The second half of what is left, for another worker. The next column itself stays.
    pub(super) fn halved(&mut self) -> Option<Stretch> {
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
    pub(super) fn root(prepared: &Prepared, looks: bool) -> Context {
        let tag =
            |&attribute: &u32| if looks { u64::from(attribute) } else { Digest::key(attribute) };
        Context {
            by_column: Lists::new(),
            rows: prepared.rows.clone(),
            origins: (0..as_u32(prepared.rows.len())).collect(),
            numbers: (0..as_u32(prepared.columns.len())).collect(),
            tags: prepared.columns.iter().map(tag).collect(),
            keys: prepared.shared.iter().fold(0, |sum, &a| sum.wrapping_add(Digest::key(a))),
            intent: prepared.shared.clone(),
        }
    }

    /// Whether walking through lists is less work than going through bits: crosses that are met against
    /// words.
    pub(super) fn is_sparse(&self) -> bool {
        let (rows, columns) = (self.rows.len(), self.tags.len());
        if rows <= 64 {
            return false;
        }
        let walked: usize = (0..rows).map(|row| self.rows.of(row).len().pow(2)).sum();
        walked < 3 * columns * columns / 8 * (rows / 64)
    }

    /// To be called before columns are looked through.
    pub(super) fn with_columns(mut self) -> Context {
        self.by_column = self.rows.turned(self.tags.len());
        self
    }

    /// The rows that have a column.
    pub(super) fn rows_of(&self, column: usize) -> &[u32] {
        self.by_column.of(column)
    }

    /// Looks through a column: its rows and their weight.
    pub(super) fn look(&self, column: usize, base: &Base<'_>, view: &mut View) {
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

    /// Finds the columns after one that was looked through: those that are left and those that all its rows
    /// have.
    pub(super) fn sort_out(&self, column: usize, min_support: u64, view: &mut View) {
        if view.counts.len() < self.tags.len() {
            view.counts.resize(self.tags.len(), 0);
            view.places.resize(self.tags.len(), GONE);
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
        let mut sort_out = |other: u32, count: &mut u32| {
            let count = u64::from(std::mem::take(count));
            if count == *support {
                joined.push(other);
            } else if count >= min_support && count > 0 {
                columns.push(other);
            }
        };
        let after = column + 1..self.tags.len();
        if touched.len() * 8 > after.len() {
            // Going through all columns is faster than sorting most of them.
            for (other, count) in (as_u32(after.start)..).zip(&mut counts[after]) {
                sort_out(other, count);
            }
        } else {
            touched.sort_unstable();
            touched.iter().for_each(|&other| sort_out(other, &mut counts[other as usize]));
        }
    }

    /// The context that is seen through a column that was looked through last.
    pub(super) fn narrowed(&self, column: usize, view: &mut View) -> Context {
        view.place();
        let (mut rows, mut origins) = (Lists::new(), Vec::new());
        for &row in self.rows_of(column) {
            let list = self.rows.of(row as usize);
            // Columns that are not left have no place, and those up to `column` least of all.
            for &other in list {
                let place = view.places[other as usize];
                if place != GONE {
                    rows.extend(place);
                } else if other as usize <= column {
                    break;
                }
            }
            if rows.end_unless_empty() {
                origins.push(self.origins[row as usize]);
            }
        }
        view.unplace();
        let columns = || view.columns.iter().map(|&column| column as usize);
        Context {
            rows,
            origins,
            numbers: columns().map(|column| self.numbers[column]).collect(),
            tags: columns().map(|column| self.tags[column]).collect(),
            keys: 0,
            intent: Vec::new(),
            by_column: Lists::new(),
        }
    }
}

impl View {
    /// Numbers the columns that are left.
    pub(super) fn place(&mut self) {
        for (place, &column) in self.columns.iter().enumerate() {
            self.places[column as usize] = as_u32(place);
        }
    }

    /// Forgets the numbers.
    pub(super) fn unplace(&mut self) {
        for &column in &self.columns {
            self.places[column as usize] = GONE;
        }
    }
}
