//! The relation as the search wants it: only columns that matter, rare ones first, and every different row once.

use pellucid_data::Relation;

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
        let all = rows_over(relation, &columns);
        let (rows, members) = merged(&all, columns.len());
        let weights = (0..members.len()).map(|row| number(members.of(row).len())).collect();
        Prepared { columns, shared, rows, weights, members }
    }
}

/// The rows of a relation as descending columns: one column after the other is handed out to its objects, so that nothing needs
/// to be sorted.
fn rows_over(relation: &Relation, columns: &[u32]) -> Lists {
    let turned = relation.transposed();
    let mut starts = vec![0; relation.objects() + 1];
    for &attribute in columns {
        turned.row(attribute as usize).iter().for_each(|&object| starts[object as usize + 1] += 1);
    }
    for object in 0..relation.objects() {
        starts[object + 1] += starts[object];
    }
    let mut place = starts.clone();
    let mut items = vec![0; starts[relation.objects()]];
    for (column, &attribute) in columns.iter().enumerate().rev() {
        for &object in turned.row(attribute as usize) {
            items[place[object as usize]] = number(column);
            place[object as usize] += 1;
        }
    }
    Lists { starts, items }
}

/// The different rows in order, and where each of them stood.
fn merged(all: &Lists, columns: usize) -> (Lists, Lists) {
    // A number is compared faster than a list. Few columns are a number as they are; of many the highest decide most
    // comparisons.
    let is_exact = columns <= 128;
    let key = |row: &[u32]| {
        if is_exact {
            row.iter().fold(0u128, |bits, &column| bits | 1 << column)
        } else {
            let item = |at| row.get(at).map_or(0, |&column| u128::from(column) + 1);
            item(0) << 96 | item(1) << 64 | item(2) << 32 | item(3)
        }
    };
    let mut order: Vec<(u128, u32)> =
        (0..all.len()).map(|row| (key(all.of(row)), number(row))).collect();
    let rest = |row: u32| if is_exact { &[] } else { all.of(row as usize) };
    order.sort_unstable_by(|a, b| {
        a.0.cmp(&b.0).then_with(|| rest(a.1).cmp(rest(b.1))).then(a.1.cmp(&b.1))
    });
    let (mut lists, mut places) = (Lists::new(), Lists::new());
    for equal in order.chunk_by(|a, b| a.0 == b.0 && rest(a.1) == rest(b.1)) {
        lists.push(all.of(equal[0].1 as usize).iter().copied());
        places.push(equal.iter().map(|&(_, row)| row));
    }
    (lists, places)
}

/// An index as the 32 bits it is kept in.
pub(super) fn number(index: usize) -> u32 {
    u32::try_from(index).expect("objects and attributes are numbered by 32 bits")
}
