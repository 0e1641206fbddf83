//! Through a context of lists, one column after the other.

use super::bits::Start;
use super::context::{Context, Stretch, View};
use super::listing::Rows;
use super::worker::{Stack, Worker};
use crate::close::{Digest, Visitor};
use crate::cpu::Simd;

/// The rows that a column of a context has.
struct Through<'a> {
    context: &'a Context,
    column: usize,
    support: u64,
}

impl Rows for Through<'_> {
    fn support(&self) -> u64 {
        self.support
    }

    fn each(&self, mut with: impl FnMut(u32)) {
        for &row in self.context.rows_of(self.column) {
            with(self.context.origins[row as usize]);
        }
    }
}

impl<V: Visitor> Worker<'_, V> {
    /// Tries columns of the innermost context until there are bits to be searched; says whether there are.
    #[inline(always)]
    pub(super) fn next_of_lists<S: Simd>(&mut self, simd: S, stack: &mut Stack) -> bool {
        loop {
            let Some(stretch) = stack.contexts.last_mut() else { return false };
            if stretch.next == stretch.end {
                stack.contexts.pop();
                continue;
            }
            let column = stretch.next;
            stretch.next += 1;
            if !self.tick(stack) {
                stack.contexts.clear();
                return false;
            }
            if self.try_column(stack, column) && self.sift_first(simd, stack) {
                return true;
            }
        }
    }

    /// Lists the concept of a column, and says whether there is a first level of bits below it.
    #[inline(never)]
    fn try_column(&mut self, stack: &mut Stack, column: usize) -> bool {
        let innermost = stack.contexts.len() - 1;
        let context = &*stack.contexts[innermost].context.clone();
        let view = &mut stack.view;
        if !context.look(column, self.min_support, view) {
            return false;
        }
        let mut keys = context.keys;
        self.listing.back_to(if V::LOOKS { context.intent.len() } else { 0 });
        for &joined in [super::prepare::number(column)].iter().chain(&view.joined) {
            let tag = context.tags[joined as usize];
            if V::LOOKS {
                self.listing.attributes.push(u32::try_from(tag).expect("an attribute"));
            } else {
                keys = keys.wrapping_add(tag);
            }
        }
        let found = Through { context, column, support: view.support };
        self.listing.list(keys, context.intent.len(), &found);
        if view.columns.len() == view.rivals {
            return false;
        }
        let rows = context.rows_of(column);
        if rows.len() <= 64 {
            view.place();
            self.lay_out(stack, context, Some(column), keys);
            stack.view.unplace();
            return true;
        }
        let mut narrowed = context.narrowed(column, context.origins.is_empty(), view);
        narrowed.keys = keys;
        if V::LOOKS {
            narrowed.intent.clone_from(&self.listing.attributes);
        }
        if narrowed.rows.len() > 64 && self.tuning.lists.unwrap_or_else(|| narrowed.is_sparse()) {
            stack.contexts.push(Stretch::whole(narrowed.with_columns()));
            return false;
        }
        stack.view = View::all_of(&narrowed);
        stack.view.place();
        self.lay_out(stack, &narrowed, None, keys);
        stack.view = View::default();
        true
    }

    /// The first level of bits, of the rows of a column or of all rows.
    fn lay_out(&mut self, stack: &mut Stack, context: &Context, column: Option<usize>, keys: u64) {
        let Stack { levels, slots, depth, view, .. } = stack;
        if levels.is_empty() {
            levels.push(Default::default());
        }
        if slots.is_empty() {
            slots.push(Default::default());
        }
        *depth = 0;
        let mut start = Start {
            level: std::mem::take(&mut levels[0]),
            slots: std::mem::take(&mut slots[0]),
            base: std::mem::take(&mut self.base),
        };
        let all: Vec<u32>;
        let rows = if let Some(column) = column {
            context.rows_of(column)
        } else {
            all = (0..super::prepare::number(context.rows.len())).collect();
            &all
        };
        start.lay_out(context, rows, view, self.tuning.rows);
        start.level.keys = keys;
        start.level.intent = self.listing.attributes.len();
        (levels[0], slots[0], self.base) = (start.level, start.slots, start.base);
    }

    #[inline(always)]
    fn sift_first<S: Simd>(&mut self, simd: S, stack: &mut Stack) -> bool {
        let Stack { levels, slots, .. } = stack;
        let level = &mut levels[0];
        if level.by_rows {
            level.sift_by_rows::<S, 1>(simd, &self.base, &slots[0], &mut self.scratch)
        } else {
            level.sift::<S, 0>(simd)
        }
    }
}

/// The keys of some attributes, added up.
pub(super) fn keys_of(attributes: &[u32]) -> u64 {
    attributes.iter().fold(0, |sum, &a| sum.wrapping_add(Digest::key(a)))
}
