//! A context whose rows are lists, for as long as it is large and has few crosses.
//!
//! To see a column's part of the context, its rows are walked once and each cross is counted where it stands: that takes as long as
//! there are crosses in those rows, however many columns there are. What is left of the rows goes to the next context,
//! without the columns that have too few objects; rows with the same candidates are one row from then on.

use super::prepare::{Lists, Prepared, number};
use crate::close::Digest;
use std::sync::Arc;

/// Rows over columns, of which the first few are only rivals.
#[derive(Debug)]
pub(super) struct Context {
    /// The columns of each row, descending.
    pub(super) rows: Lists,
    /// How many objects have each row.
    pub(super) weights: Vec<u32>,
    /// The row of the whole context each row is, where extents are wanted.
    pub(super) origins: Vec<u32>,
    /// What each column is called.
    pub(super) tags: Vec<u64>,
    pub(super) rivals: usize,
    pub(super) keys: u64,
    pub(super) intent: Vec<u32>,
    by_column: Lists,
}

/// What is seen of a context through one of its columns.
#[derive(Debug, Default)]
pub(super) struct View {
    counts: Vec<u32>,
    touched: Vec<u32>,
    /// The columns that are left, ascending.
    pub(super) columns: Vec<u32>,
    /// How many of them are rivals.
    pub(super) rivals: usize,
    /// Where each column went.
    pub(super) places: Vec<u32>,
    /// The columns after it that all its rows have.
    pub(super) joined: Vec<u32>,
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
}

impl Stretch {
    pub(super) fn whole(context: Context) -> Stretch {
        let (next, end) = (context.rivals, context.tags.len());
        Stretch { context: Arc::new(context), next, end }
    }

    /// The second half of what is left, for another worker.
    pub(super) fn halved(&mut self) -> Option<Stretch> {
        (self.end - self.next > 1).then(|| {
            let middle = self.next.midpoint(self.end);
            let half = Stretch { next: middle, ..self.clone() };
            self.end = middle;
            half
        })
    }
}

impl Context {
    pub(super) fn root(prepared: &Prepared, looks: bool, extents: bool) -> Context {
        let rows = prepared.rows.clone();
        let count = if extents { number(rows.len()) } else { 0 };
        let tag = |&attribute: &u32| {
            if looks { u64::from(attribute) } else { Digest::key(attribute) }
        };
        Context {
            by_column: Lists::new(),
            rows,
            weights: prepared.weights.clone(),
            origins: (0..count).collect(),
            tags: prepared.columns.iter().map(tag).collect(),
            rivals: 0,
            keys: prepared.shared.iter().fold(0, |sum, &a| sum.wrapping_add(Digest::key(a))),
            intent: prepared.shared.clone(),
        }
    }

    /// Whether walking through lists is less work than going through bits: crosses that are met against words.
    pub(super) fn is_sparse(&self) -> bool {
        let (rows, columns) = (self.rows.len(), self.tags.len());
        if rows <= 64 {
            return false;
        }
        let walked: usize = (0..rows).map(|row| self.rows.of(row).len().pow(2)).sum();
        walked < columns / 8 * columns * (rows / 64)
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

    /// Looks through a column; says whether its concept is new here and has enough objects.
    pub(super) fn look(&self, column: usize, min_support: u64, view: &mut View) -> bool {
        let columns = self.tags.len();
        if view.counts.len() < columns {
            view.counts.resize(columns, 0);
            view.places.resize(columns, GONE);
        }
        let View { counts, touched, .. } = view;
        let mut support = 0;
        touched.clear();
        for &row in self.rows_of(column) {
            let weight = self.weights[row as usize];
            support += u64::from(weight);
            for &other in self.rows.of(row as usize) {
                if counts[other as usize] == 0 {
                    touched.push(other);
                }
                counts[other as usize] += weight;
            }
        }
        view.support = support;
        let is_new = support >= min_support.max(1) && self.sort_out(column, min_support, view);
        for &other in &view.touched {
            view.counts[other as usize] = 0;
        }
        is_new
    }

    /// Finds the columns that are left; says whether no column before `column` has all of its rows.
    fn sort_out(&self, column: usize, min_support: u64, view: &mut View) -> bool {
        let View { counts, touched, columns, rivals, joined, support, .. } = view;
        let has_all = |other: u32| u64::from(counts[other as usize]) == *support;
        if touched.iter().any(|&other| (other as usize) < column && has_all(other)) {
            return false;
        }
        joined.clear();
        columns.clear();
        for &other in &*touched {
            if has_all(other) {
                if other as usize != column {
                    joined.push(other);
                }
            } else if u64::from(counts[other as usize]) >= min_support {
                columns.push(other);
            }
        }
        columns.sort_unstable();
        *rivals = columns.partition_point(|&other| (other as usize) < column);
        true
    }

    /// The context that is seen through a column that was looked through last. `merges` unless rows must stay what they are.
    pub(super) fn narrowed(&self, column: usize, merges: bool, view: &mut View) -> Context {
        view.place();
        let mut projected = Lists::new();
        let mut order: Vec<(u64, u32)> = Vec::new();
        let mut kept: Vec<u32> = Vec::new();
        for &row in self.rows_of(column) {
            let start = projected.total();
            projected.push(
                self.rows
                    .of(row as usize)
                    .iter()
                    .map(|&c| view.places[c as usize])
                    .filter(|&c| c != GONE),
            );
            let list = &projected.all()[start..];
            let candidates = candidates_of(list, view.rivals);
            if candidates.is_empty() {
                projected.pop();
                continue;
            }
            let keys = candidates.iter().fold(0u64, |sum, &c| sum.wrapping_add(Digest::key(c)));
            order.push((if merges { keys } else { 0 }, number(kept.len())));
            kept.push(row);
        }
        view.unplace();
        order.sort_unstable();
        let mut narrowed = Context {
            rows: Lists::new(),
            weights: Vec::new(),
            origins: Vec::new(),
            tags: view.columns.iter().map(|&c| self.tags[c as usize]).collect(),
            rivals: view.rivals,
            keys: 0,
            intent: Vec::new(),
            by_column: Lists::new(),
        };
        let list_of = |entry: &(u64, u32)| projected.of(entry.1 as usize);
        let are_one = |a: &(u64, u32), b: &(u64, u32)| {
            merges
                && a.0 == b.0
                && candidates_of(list_of(a), view.rivals) == candidates_of(list_of(b), view.rivals)
        };
        let mut shared: Vec<u32> = Vec::new();
        for equal in order.chunk_by(are_one) {
            shared.clear();
            shared.extend_from_slice(list_of(&equal[0]));
            for other in &equal[1..] {
                let list = list_of(other);
                // Descending lists with the same beginning: what both have.
                let mut at = 0;
                shared.retain(|&column| {
                    while at < list.len() && list[at] > column {
                        at += 1;
                    }
                    list.get(at) == Some(&column)
                });
            }
            narrowed.rows.push(shared.iter().copied());
            let weight = equal.iter().map(|e| self.weights[kept[e.1 as usize] as usize]).sum();
            narrowed.weights.push(weight);
            if !self.origins.is_empty() {
                narrowed.origins.push(self.origins[kept[equal[0].1 as usize] as usize]);
            }
        }
        narrowed
    }
}

impl View {
    /// Everything of a context.
    pub(super) fn all_of(context: &Context) -> View {
        let columns = 0..number(context.tags.len());
        View { columns: columns.collect(), rivals: context.rivals, ..View::default() }
    }

    /// Numbers the columns that are left.
    pub(super) fn place(&mut self) {
        if self.places.len() <= self.columns.last().map_or(0, |&last| last as usize) {
            self.places.resize(self.columns[self.columns.len() - 1] as usize + 1, GONE);
        }
        for (place, &column) in self.columns.iter().enumerate() {
            self.places[column as usize] = number(place);
        }
    }

    /// Forgets the numbers.
    pub(super) fn unplace(&mut self) {
        for &column in &self.columns {
            self.places[column as usize] = GONE;
        }
    }
}

/// The candidates of a row: those of its columns, which descend, that are not among the rivals.
fn candidates_of(row: &[u32], rivals: usize) -> &[u32] {
    &row[..row.partition_point(|&column| column as usize >= rivals)]
}
