//! The relation as the search wants it: only columns that matter, rare ones first, and every different row once.

use crate::close::Relation;
use std::cmp::Reverse;

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

    /// How many items all lists have together.
    pub(super) fn total(&self) -> usize {
        self.items.len()
    }

    /// The items of all lists.
    pub(super) fn all(&self) -> &[u32] {
        &self.items
    }

    /// Takes the last list away.
    pub(super) fn pop(&mut self) {
        self.starts.pop();
        self.items.truncate(self.starts[self.starts.len() - 1]);
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
        let mut starts = vec![0; items + 1];
        for &item in &self.items {
            starts[item as usize + 1] += 1;
        }
        for item in 0..items {
            starts[item + 1] += starts[item];
        }
        let mut place = starts.clone();
        let mut lists = vec![0; self.items.len()];
        for list in 0..self.len() {
            for &item in self.of(list) {
                lists[place[item as usize]] = number(list);
                place[item as usize] += 1;
            }
        }
        Lists { starts, items: lists }
    }
}

/// A relation cut down to what the search goes through.
#[derive(Debug)]
pub(super) struct Prepared {
    /// The attribute behind each column; columns with fewer objects come first.
    pub(super) columns: Vec<u32>,
    /// The attributes that all objects have; they are no columns.
    pub(super) shared: Vec<u32>,
    /// The different rows, as descending columns.
    pub(super) rows: Lists,
    /// How many objects have each of the rows.
    pub(super) weights: Vec<u32>,
    /// The objects that have each of the rows.
    pub(super) members: Lists,
}

impl Prepared {
    /// Leaves out what no concept with so many objects can have. An attribute of all objects is in every intent, and one
    /// of too few in none (but the bottom's): neither is searched.
    pub(super) fn new(relation: &Relation, min_support: u64) -> Prepared {
        let objects = relation.objects() as u64;
        let supports = relation.supports();
        let attributes = || 0..number(supports.len());
        let support = |attribute: u32| supports[attribute as usize];
        let shared = attributes().filter(|&a| support(a) == objects).collect();
        let mut columns: Vec<u32> = attributes()
            .filter(|&a| support(a) >= min_support.max(1) && support(a) < objects)
            .collect();
        columns.sort_by_key(|&attribute| support(attribute));
        let mut column_of = vec![u32::MAX; supports.len()];
        for (column, &attribute) in columns.iter().enumerate() {
            column_of[attribute as usize] = number(column);
        }
        let mut all = Lists::new();
        for row in relation.rows() {
            let start = all.items.len();
            all.push(row.iter().map(|&a| column_of[a as usize]).filter(|&c| c != u32::MAX));
            all.items[start..].sort_unstable_by_key(|&column| Reverse(column));
        }
        let (rows, members) = merged(&all);
        let weights = (0..members.len()).map(|row| number(members.of(row).len())).collect();
        Prepared { columns, shared, rows, weights, members }
    }
}

/// The different lists in order, and where each of them stood.
fn merged(all: &Lists) -> (Lists, Lists) {
    // The first items decide most comparisons, and a number is compared faster than a list.
    let mut order: Vec<(u64, u32)> = (0..all.len())
        .map(|list| {
            let item = |at| all.of(list).get(at).map_or(0, |&item| u64::from(item) + 1);
            (item(0) << 32 | item(1), number(list))
        })
        .collect();
    order.sort_unstable_by(|a, b| {
        a.0.cmp(&b.0)
            .then_with(|| all.of(a.1 as usize).cmp(all.of(b.1 as usize)))
            .then(a.1.cmp(&b.1))
    });
    let (mut lists, mut places) = (Lists::new(), Lists::new());
    for equal in order.chunk_by(|a, b| a.0 == b.0 && all.of(a.1 as usize) == all.of(b.1 as usize)) {
        lists.push(all.of(equal[0].1 as usize).iter().copied());
        places.push(equal.iter().map(|&(_, list)| list));
    }
    (lists, places)
}

/// An index as the 32 bits it is kept in.
pub(super) fn number(index: usize) -> u32 {
    u32::try_from(index).expect("objects and attributes are numbered by 32 bits")
}
