//! The distinct rows of a relation, found on all threads.
//!
//! Each thread sorts the rows of a part of the objects. The sorted rows are then divided into
//! ranges, so that equal rows are in the same range, and each thread merges a range.

use super::rows::Lists;
use pellucid_bits::as_u32;
use pellucid_data::Relation;
use pellucid_device::Threads;
use std::borrow::Cow;
use std::cmp::Ordering;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// The maximum number of columns of rows that are stored as numbers.
const NUMBER_BITS: usize = 128;

/// The minimum number of objects for each thread: fewer are sorted faster than they are shared.
const LEAST_OBJECTS: usize = 512;

/// The number of rows of each part that are compared to find ranges of about equal size.
const SAMPLES: usize = 16;

/// Marks an attribute that is not a column.
const NO_COLUMN: u32 = u32::MAX;

/// The distinct rows over some columns, in order.
#[derive(Debug, Default)]
pub(super) struct DistinctRows {
    /// The rows, a bit for each column; empty if there are more than 128 columns.
    pub(super) numbers: Vec<u128>,
    /// The rows as descending columns.
    lists: OnceLock<Arc<Lists>>,
    /// The objects that have each row.
    pub(super) positions: Lists,
}

/// A row and its object. Up to 128 columns the number is the row. Of longer rows the highest
/// columns decide most comparisons.
type Entry = (u128, u32);

impl DistinctRows {
    pub(super) fn new(relation: &Relation, columns: &[u32], threads: &Threads) -> DistinctRows {
        let objects = relation.objects();
        let parts = threads.count().min(objects / LEAST_OBJECTS).max(1);
        let parts = Parts { objects, size: objects.div_ceil(parts).max(1) };
        if columns.len() <= NUMBER_BITS {
            let mut bits = vec![0u128; relation.attributes()];
            for (column, &attribute) in columns.iter().enumerate() {
                bits[attribute as usize] = 1 << column;
            }
            let number = |object: u32| {
                relation.row(object as usize).iter().fold(0, |all, &a| all | bits[a as usize])
            };
            let merged = merge_equal(parts, threads, number, |_| &[]);
            let numbers = merged.rows.iter().flatten().map(|row| row.0).collect();
            let positions = Lists::joined(merged.positions);
            return DistinctRows { numbers, lists: OnceLock::new(), positions };
        }
        let all = rows_over(relation, columns, parts, threads);
        let list = |object: u32| {
            let object = object as usize;
            all[object / parts.size].of(object % parts.size)
        };
        let merged = merge_equal(parts, threads, |object| leading_columns(list(object)), list);
        let lists = threads.map_items(merged.rows, |rows| {
            Lists::of_all(rows.iter().map(|row| list(row.1).iter().copied()))
        });
        let lists = OnceLock::from(Arc::new(Lists::joined(lists)));
        DistinctRows { numbers: Vec::new(), lists, positions: Lists::joined(merged.positions) }
    }

    pub(super) fn len(&self) -> usize {
        self.positions.len()
    }

    /// Returns the number of columns of each row.
    pub(super) fn lengths(&self) -> impl ExactSizeIterator<Item = usize> {
        (0..self.len()).map(|row| match (self.numbers.get(row), self.lists.get()) {
            (Some(number), _) => number.count_ones() as usize,
            (None, Some(lists)) => lists.of(row).len(),
            (None, None) => 0,
        })
    }

    /// Returns the rows as descending columns.
    pub(super) fn lists(&self, threads: &Threads) -> &Arc<Lists> {
        self.lists.get_or_init(|| {
            let size = self.numbers.len().div_ceil(threads.count()).max(LEAST_OBJECTS);
            let parts = threads.map_items(self.numbers.chunks(size).collect(), |numbers| {
                Lists::of_all(numbers.iter().map(|&number| descending(number)))
            });
            Arc::new(Lists::joined(parts))
        })
    }
}

/// Ranges with the same number of objects.
#[derive(Clone, Copy)]
struct Parts {
    objects: usize,
    size: usize,
}

impl Parts {
    fn count(self) -> usize {
        self.objects.div_ceil(self.size)
    }

    fn of(self, part: usize) -> Range<u32> {
        let start = part * self.size;
        as_u32(start)..as_u32((start + self.size).min(self.objects))
    }
}

/// Returns the set bits of a number, the highest first.
fn descending(mut number: u128) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let highest = number.checked_ilog2()?;
        number ^= 1 << highest;
        Some(highest)
    })
}

/// Returns the rows of each part as descending columns.
fn rows_over(relation: &Relation, columns: &[u32], parts: Parts, threads: &Threads) -> Vec<Lists> {
    let mut column_of = vec![NO_COLUMN; relation.attributes()];
    for (column, &attribute) in (0..).zip(columns) {
        column_of[attribute as usize] = column;
    }
    threads.map(parts.count(), |part| {
        let row = |object: u32| {
            let columns = relation.row(object as usize).iter().map(|&a| column_of[a as usize]);
            (object, columns.filter(|&column| column != NO_COLUMN))
        };
        let objects = parts.of(part);
        let objects_of = Lists::inverted(objects.clone().map(row), columns.len());
        // The last column is distributed first, so that rows are descending.
        let column = |column: u32| {
            let first = objects.start;
            (column, objects_of.items_of(column as usize).map(move |object| object - first))
        };
        Lists::inverted((0..as_u32(columns.len())).rev().map(column), objects.len())
    })
}

/// Returns the first four columns of a row as a number.
fn leading_columns(row: &[u32]) -> u128 {
    let column = |at| row.get(at).map_or(0, |&column| u128::from(column) + 1);
    column(0) << 96 | column(1) << 64 | column(2) << 32 | column(3)
}

/// The distinct rows of each range, each with its first object, and the objects that have them.
#[derive(Default)]
struct MergedRanges {
    rows: Vec<Vec<Entry>>,
    positions: Vec<Lists>,
}

/// Returns the distinct rows, given the number and the list of each object. The lists are empty if
/// the numbers are the rows.
fn merge_equal<'a>(
    parts: Parts,
    threads: &Threads,
    number: impl Fn(u32) -> u128 + Sync,
    list: impl Fn(u32) -> &'a [u32] + Sync,
) -> MergedRanges {
    let compare = |a: &Entry, b: &Entry| a.0.cmp(&b.0).then_with(|| list(a.1).cmp(list(b.1)));
    let sorted = threads.map(parts.count(), |part| {
        // Rows without columns are equal and come first. There may be very many of them.
        let (mut rows, mut empty) = (Vec::new(), Vec::new());
        for object in parts.of(part) {
            match number(object) {
                0 => empty.push(object),
                number => rows.push((number, object)),
            }
        }
        rows.sort_unstable_by(|a, b| compare(a, b).then(a.1.cmp(&b.1)));
        (rows, empty)
    });
    let (sorted, empty): (Vec<Vec<Entry>>, Vec<Vec<u32>>) = sorted.into_iter().unzip();
    let mut merged = MergedRanges::default();
    if let Some(&first) = empty.iter().flatten().next() {
        merged.rows.push(vec![(0, first)]);
        merged.positions.push(Lists::of_all([empty.into_iter().flatten()]));
    }
    let ranges = ranges_of(&sorted, compare);
    for (rows, positions) in threads.map_items(ranges, |range| merge_range(&range, compare)) {
        merged.rows.push(rows);
        merged.positions.push(positions);
    }
    merged
}

/// Divides sorted parts into as many ranges of rows. Returns the rows of each part in each range.
fn ranges_of(
    parts: &[Vec<Entry>],
    compare: impl Fn(&Entry, &Entry) -> Ordering,
) -> Vec<Vec<&[Entry]>> {
    let mut samples: Vec<&Entry> = Vec::new();
    for part in parts {
        samples.extend((1..=SAMPLES).filter_map(|at| part.get(part.len() * at / (SAMPLES + 1))));
    }
    samples.sort_unstable_by(|a, b| compare(a, b));
    let bound = |range: usize| samples.get(samples.len() * range / parts.len());
    let cut = |part: &[Entry], range: usize| match (range, bound(range)) {
        (0, _) => 0,
        (_, Some(bound)) => part.partition_point(|entry| compare(entry, bound).is_lt()),
        (_, None) => part.len(),
    };
    let range = |range: usize| {
        parts.iter().map(|part| &part[cut(part, range)..cut(part, range + 1)]).collect()
    };
    (0..parts.len()).map(range).collect()
}

/// Merges the rows of one range. Returns the distinct rows and the objects that have each.
fn merge_range(
    parts: &[&[Entry]],
    compare: impl Fn(&Entry, &Entry) -> Ordering,
) -> (Vec<Entry>, Lists) {
    let mut all = match parts {
        [only] => Cow::Borrowed(*only),
        _ => Cow::Owned(parts.concat()),
    };
    if let Cow::Owned(all) = &mut all {
        // A stable sort keeps objects ascending, and takes time only where parts meet.
        all.sort_by(|a, b| compare(a, b));
    }
    let (mut rows, mut objects) = (Vec::new(), Lists::new());
    for equal in all.chunk_by(|a, b| compare(a, b).is_eq()) {
        rows.push(equal[0]);
        objects.push(equal.iter().map(|row| row.1));
    }
    (rows, objects)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pellucid_testdevices::Draw;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    /// Returns the distinct rows, as descending columns, in order, and the objects of each.
    fn plain(relation: &Relation, columns: &[u32]) -> Vec<(Vec<u32>, Vec<u32>)> {
        let mut rows: BTreeMap<Vec<u32>, Vec<u32>> = BTreeMap::new();
        for (object, row) in (0..).zip(relation.rows()) {
            let has = |column: &u32| row.contains(&columns[*column as usize]);
            let row = (0..as_u32(columns.len())).rev().filter(has).collect();
            rows.entry(row).or_default().push(object);
        }
        rows.into_iter().collect()
    }

    /// Returns rows of which about half occurred before, and columns in any order.
    fn generated(objects: usize, attributes: u32, percent: u32, seed: u64) -> (Relation, Vec<u32>) {
        let mut draw = Draw::new(seed);
        let mut rows: Vec<Vec<u32>> = Vec::new();
        for object in 0..objects {
            let row = match draw.below(2) {
                0 if object > 0 => rows[draw.index(object)].clone(),
                _ => (0..attributes).filter(|_| draw.below(100) < percent).collect(),
            };
            rows.push(row);
        }
        let mut columns: Vec<u32> = (0..attributes).filter(|_| draw.below(8) > 0).collect();
        columns.sort_by_cached_key(|_| draw.word());
        (Relation::new(attributes as usize, rows).expect("attributes are in range"), columns)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(pellucid_testdevices::cases(24)))]

        #[test]
        fn distinct_rows_equal_those_found_one_by_one(
            objects in prop_oneof![0usize..40, 1_000usize..4_000],
            attributes in prop_oneof![0u32..20, 100u32..160],
            (percent, seed, threads) in (0u32..8, any::<u64>(), 1usize..7),
        ) {
            let (relation, columns) = generated(objects, attributes, percent, seed);
            let threads = Threads::up_to(threads).expect("a level");
            let rows = DistinctRows::new(&relation, &columns, &threads);
            let lists = rows.lists(&threads);
            let found: Vec<(Vec<u32>, Vec<u32>)> = (0..rows.len())
                .map(|row| (lists.of(row).to_vec(), rows.positions.of(row).to_vec()))
                .collect();
            prop_assert_eq!(found, plain(&relation, &columns));
            let lengths: Vec<usize> = (0..rows.len()).map(|row| lists.of(row).len()).collect();
            prop_assert_eq!(rows.lengths().collect::<Vec<_>>(), lengths);
            let columns = columns.len();
            let transposed = lists.transposed_on(&threads, columns);
            let expected = lists.transposed(columns);
            prop_assert_eq!(transposed.len(), columns);
            for column in 0..columns {
                prop_assert_eq!(transposed.of(column), expected.of(column));
            }
        }
    }
}
