//! Rows in the form the search walks them: lists of columns, stored one after the other.
//!
//! A [`Relation`](pellucid_data::Relation) has ascending rows and validates its input. Rows are
//! descending here: only the columns after the current one matter, so a walk can stop early. New
//! contexts are built constantly, item by item.

use pellucid_bits::as_u32;
use pellucid_device::Threads;

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

    /// Stores lists one after the other.
    pub(super) fn of_all(lists: impl IntoIterator<Item: IntoIterator<Item = u32>>) -> Lists {
        let mut all = Lists::new();
        lists.into_iter().for_each(|list| all.push(list));
        all
    }

    /// Appends the lists of all parts.
    pub(super) fn joined(parts: impl IntoIterator<Item = Lists>) -> Lists {
        let mut parts = parts.into_iter();
        let mut all = parts.next().unwrap_or_default();
        for part in parts {
            let end = all.items.len();
            all.starts.extend(part.starts[1..].iter().map(|start| start + end));
            all.items.extend_from_slice(&part.items);
        }
        all
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

    pub(super) fn items_of(&self, list: usize) -> impl Iterator<Item = u32> {
        self.of(list).iter().copied()
    }

    pub(super) fn push(&mut self, items: impl IntoIterator<Item = u32>) {
        self.items.extend(items);
        self.starts.push(self.items.len());
    }

    /// Returns, for every item below `items`, the lists that contain it, ascending.
    pub(super) fn transposed(&self, items: usize) -> Lists {
        Lists::inverted((0..self.len()).map(|list| (as_u32(list), self.items_of(list))), items)
    }

    /// [`Lists::transposed`] on all threads.
    pub(super) fn transposed_on(&self, threads: &Threads, items: usize) -> Lists {
        // Joining takes a step for each item and part.
        let parts = threads.count().min(self.items.len() / (items + 1));
        if parts < 2 {
            return self.transposed(items);
        }
        let size = self.len().div_ceil(parts);
        let parts = threads.map(self.len().div_ceil(size), |part| {
            let lists = part * size..((part + 1) * size).min(self.len());
            Lists::inverted(lists.map(|list| (as_u32(list), self.items_of(list))), items)
        });
        let mut all = Lists { starts: vec![0], items: Vec::with_capacity(self.items.len()) };
        for item in 0..items {
            parts.iter().for_each(|part| all.items.extend_from_slice(part.of(item)));
            all.starts.push(all.items.len());
        }
        all
    }

    /// Returns, for every item below `items`, the numbers of the lists that contain it, in the
    /// order of `lists`. Each list is distributed to its items in turn, so nothing needs to be
    /// sorted.
    pub(super) fn inverted(
        lists: impl Iterator<Item = (u32, impl Iterator<Item = u32>)> + Clone,
        items: usize,
    ) -> Lists {
        let mut starts = vec![0; items + 1];
        for (_, list) in lists.clone() {
            list.for_each(|item| starts[item as usize + 1] += 1);
        }
        for item in 0..items {
            starts[item + 1] += starts[item];
        }
        let mut numbers = vec![0; starts[items]];
        for (number, list) in lists {
            for item in list {
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
