//! The walk through a context of lists, one column after the other.

use super::bits::Start;
use super::context::ColumnRange;
use super::listing::ExtentRows;
use super::slots::Slots;
use super::worker::{Stack, Worker};
use pellucid_bits::Simd;

/// Rows of the base, and the number of objects that have them.
struct RowList<'a> {
    rows: &'a [u32],
    support: u64,
}

impl ExtentRows for RowList<'_> {
    fn support(&self) -> u64 {
        self.support
    }

    fn each(&self, with: impl FnMut(u32)) {
        self.rows.iter().copied().for_each(with);
    }
}

impl Worker<'_> {
    /// Tries columns of the innermost context until there is a level of bits to search. Returns
    /// whether there is one.
    #[inline(always)]
    pub(super) fn next_of_lists<S: Simd>(&mut self, simd: S, stack: &mut Stack) -> bool {
        loop {
            let Some(range) = stack.contexts.last_mut() else { return false };
            range.skip_others();
            if range.next == range.end {
                stack.contexts.pop();
                continue;
            }
            if !self.tick_long(stack) {
                stack.contexts.clear();
                return false;
            }
            if self.try_next(simd, stack) {
                return true;
            }
        }
    }

    /// Lists the concept of the next column if it is new. Returns whether there is a level of bits
    /// below it.
    #[inline(always)]
    fn try_next<S: Simd>(&mut self, simd: S, stack: &mut Stack) -> bool {
        let innermost = stack.contexts.len() - 1;
        let ColumnRange { context, next: column, rivals, .. } = &stack.contexts[innermost];
        let column = *column;
        let view = &mut stack.view;
        context.select(column, &self.base, view);
        if self.base.all_share_any(simd, rivals, &view.rows) {
            stack.contexts[innermost].advance();
            return false;
        }
        context.classify_columns(column, self.min_support, view);
        let mut keys = context.keys;
        self.listing.truncate_to(context.intent.len());
        for joined in std::iter::once(column).chain(view.joined.iter().map(|&c| c as usize)) {
            let tag = context.tags[joined];
            if self.listing.reads_concepts {
                self.listing.attributes.push(u32::try_from(tag).expect("an attribute"));
            } else {
                keys = keys.wrapping_add(tag);
            }
        }
        let rows = RowList { rows: &view.rows, support: view.support };
        self.listing.list(keys, context.intent.len(), &rows);
        if view.columns.is_empty() {
            stack.contexts[innermost].advance();
            return false;
        }
        self.go_down(stack, column, keys);
        let goes_down = stack.contexts.len() == innermost + 1 && self.sift_first(simd, stack);
        stack.contexts[innermost].advance();
        goes_down
    }

    /// Converts the part of the context below a column to a level of bits or to another context.
    fn go_down(&mut self, stack: &mut Stack, column: usize, keys: u64) {
        let Stack { contexts, levels, slots, depth, view, .. } = stack;
        let innermost = contexts.len() - 1;
        let ColumnRange { context, rivals, .. } = &contexts[innermost];
        let mut narrowed = None;
        if view.rows.len() > 64 {
            let mut context = context.restrict_to(column, view);
            context.keys = keys;
            if self.listing.reads_concepts {
                context.intent.clone_from(&self.listing.attributes);
            }
            if context.rows.len() > 64 && self.tuning.lists.unwrap_or_else(|| context.is_sparse()) {
                let range = ColumnRange::whole(context.with_columns(), rivals.clone());
                contexts.push(range);
                return;
            }
            narrowed = Some(context);
        }
        if levels.is_empty() {
            levels.push(Default::default());
            slots.push(Slots::new(&self.base));
        }
        let level = std::mem::take(&mut levels[0]);
        let mut start =
            Start { level, slots: std::mem::replace(&mut slots[0], Slots::new(&self.base)) };
        match narrowed {
            Some(narrowed) => start.lay_out(&self.base, &narrowed),
            None => start.lay_out_view(&self.base, context, column, view),
        }
        start.level.by_rows = true;
        start.level.keys = keys;
        start.level.intent = self.listing.attributes.len();
        start.level.mask.clear();
        start.level.mask.extend_from_slice(rivals);
        (levels[0], slots[0]) = (start.level, start.slots);
        *depth = 0;
    }

    #[inline(always)]
    fn sift_first<S: Simd>(&mut self, simd: S, stack: &mut Stack) -> bool {
        let (level, slots) = (&mut stack.levels[0], &stack.slots[0]);
        if level.words == 1 {
            level.sift_by_rows::<S, 1>(simd, slots, &mut self.scratch)
        } else {
            level.sift_by_rows::<S, 0>(simd, slots, &mut self.scratch)
        }
    }
}
