//! Rows in the form the search walks them: lists of columns, stored one after the other.
//!
//! A [`Relation`](pellucid_data::Relation) has ascending rows and validates its input. Rows are
//! descending here: only the columns after the current one matter, so a walk can stop early. New
//! contexts are built constantly, item by item.

use pellucid_bits::as_u32;

/// Lists stored one after the other.
#[derive(Clone, Debug)]
pub(super) struct Lists {
    starts: Vec<usize>,
    items: Vec<u32>,
}

impl Default for Lists {
    fn default() -> Lists {
        Lists::new()
    }
}

impl Lists {
    pub(super) fn new() -> Lists {
        Lists { starts: vec![0], items: Vec::new() }
    }

    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Adds an item to the open list.
    pub(super) fn extend(&mut self, item: u32) {
        self.items.push(item);
    }

    /// Ends the open list if it has items. Returns whether it has.
    pub(super) fn end_unless_empty(&mut self) -> bool {
        let has_any = self.starts[self.starts.len() - 1] < self.items.len();
        if has_any {
            self.starts.push(self.items.len());
        }
        has_any
    }

    pub(super) fn of(&self, list: usize) -> &[u32] {
        &self.items[self.starts[list]..self.starts[list + 1]]
    }

    pub(super) fn push(&mut self, items: impl IntoIterator<Item = u32>) {
        self.items.extend(items);
        self.starts.push(self.items.len());
    }

    /// Returns, for every item below `items`, the lists that contain it, ascending.
    pub(super) fn transposed(&self, items: usize) -> Lists {
        Lists::inverted((0..self.len()).map(|list| (as_u32(list), self.of(list))), items)
    }

    /// Returns, for every item below `items`, the numbers of the lists that contain it, in the
    /// order of `lists`. Each list is distributed to its items in turn, so nothing needs to be
    /// sorted.
    pub(super) fn inverted<'a>(
        lists: impl Iterator<Item = (u32, &'a [u32])> + Clone,
        items: usize,
    ) -> Lists {
        let mut starts = vec![0; items + 1];
        for (_, list) in lists.clone() {
            list.iter().for_each(|&item| starts[item as usize + 1] += 1);
        }
        for item in 0..items {
            starts[item + 1] += starts[item];
        }
        let mut numbers = vec![0; starts[items]];
        for (number, list) in lists {
            for &item in list {
                numbers[starts[item as usize]] = number;
                starts[item as usize] += 1;
            }
        }
        // Every start has advanced to its end, which is the start of the next list.
        starts.rotate_right(1);
        starts[0] = 0;
        Lists { starts, items: numbers }
    }
}
