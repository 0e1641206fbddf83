//! Rows as the search walks through them: lists of columns, one behind the other.
//!
//! A [`Relation`](pellucid_data::Relation) has its rows ascending and checks what it is given. Here rows are
//! descending, because only the columns after the one at hand matter and a walk can end where they do, and
//! contexts are made of them all the time, item by item.

use pellucid_bits::as_u32;

/// Lists one after the other.
#[derive(Clone, Debug)]
pub(super) struct Lists {
    starts: Vec<usize>,
    items: Vec<u32>,
}

impl Lists {
    pub(super) fn new() -> Lists {
        Lists { starts: vec![0], items: Vec::new() }
    }

    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Adds an item to a list that has not ended yet.
    pub(super) fn extend(&mut self, item: u32) {
        self.items.push(item);
    }

    /// Ends the list that items were added to, if it has any; says whether it has.
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

    /// For every item below `items` the lists it is in, ascending.
    pub(super) fn turned(&self, items: usize) -> Lists {
        Lists::handed_out((0..self.len()).map(|list| (as_u32(list), self.of(list))), items)
    }

    /// For every item below `items` the numbers of the lists that it is in, in the order in which those come.
    /// One list after the other is handed out to its items, so that nothing needs to be sorted.
    pub(super) fn handed_out<'a>(
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
        // Every start has moved on to its end, which is where the next one starts.
        starts.rotate_right(1);
        starts[0] = 0;
        Lists { starts, items: numbers }
    }
}
