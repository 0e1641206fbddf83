//! The context as the lattice needs it: rows and columns, with every distinct row once.

use super::links::ConceptLinks;
use pellucid_bits::words::{full, insert, is_subset, members, words_for};
use pellucid_data::Relation;
use rustc_hash::FxHashMap;

/// The rows and columns of a relation. Objects with equal attributes share a row, because every
/// concept contains all or none of them.
#[derive(Clone, Debug)]
pub(crate) struct Incidence {
    /// The objects of every distinct row, ascending; rows in the order of their first objects.
    pub(crate) objects: ConceptLinks,
    /// The row of every object.
    pub(crate) row_of: Vec<u32>,
    rows: Sets,
    columns: Sets,
    attributes: usize,
}

/// The maximum number of words for sparse sets stored as bits: 128 MiB.
const MAX_WORDS: usize = 1 << 24;

/// Sets of small numbers, stored as bits if that takes less memory than lists.
#[derive(Clone, Debug)]
enum Sets {
    Bits { width: usize, words: Vec<u64> },
    Lists(Relation),
}

impl Sets {
    /// Uses bits unless they take more than `factor` words per cross. A list takes half a word per
    /// cross.
    fn new(lists: Relation, factor: usize) -> Sets {
        let words = lists.objects() * words_for(lists.attributes());
        if words > lists.crosses() && words > MAX_WORDS.min(lists.crosses() * factor) {
            return Sets::Lists(lists);
        }
        let width = words_for(lists.attributes());
        let mut words = vec![0; lists.objects() * width];
        for (index, row) in lists.rows().enumerate() {
            let set = &mut words[index * width..][..width];
            row.iter().for_each(|&member| insert(set, member as usize));
        }
        Sets::Bits { width, words }
    }
}

/// Reusable memory for an extent.
#[derive(Debug, Default)]
pub(crate) struct RowExtent {
    /// The distinct rows.
    pub(crate) rows: Vec<u32>,
    words: Vec<u64>,
}

impl Incidence {
    pub(crate) fn new(relation: &Relation) -> Incidence {
        let mut known: FxHashMap<&[u32], usize> = FxHashMap::default();
        let mut firsts: Vec<&[u32]> = Vec::new();
        let mut row_of = Vec::with_capacity(relation.objects());
        for row in relation.rows() {
            let index = *known.entry(row).or_insert_with(|| {
                firsts.push(row);
                firsts.len() - 1
            });
            row_of.push(u32::try_from(index).expect("object numbers fit in 32 bits"));
        }
        let distinct = Relation::new(relation.attributes(), &firsts).expect("rows of a relation");
        let mut single = ConceptLinks::new();
        row_of.iter().for_each(|&row| single.push([row]));
        Incidence {
            objects: single.reversed(firsts.len()),
            row_of,
            // Columns of bits are intersected a word at a time, which pays off even if most bits
            // are clear.
            columns: Sets::new(distinct.transposed(), 8),
            rows: Sets::new(distinct, 1),
            attributes: relation.attributes(),
        }
    }

    /// The number of distinct rows.
    pub(crate) fn rows(&self) -> usize {
        self.objects.len()
    }

    /// The number of attributes.
    pub(crate) fn attributes(&self) -> usize {
        self.attributes
    }

    /// Finds the rows that have all of some attributes, ascending.
    pub(crate) fn extent(&self, attributes: &[u64], out: &mut RowExtent) {
        out.rows.clear();
        let mut required = members(attributes);
        let Some(first) = required.next() else {
            return out
                .rows
                .extend(0..u32::try_from(self.rows()).expect("row numbers fit in 32 bits"));
        };
        match &self.columns {
            Sets::Bits { width, words } => {
                out.words.clear();
                out.words.extend_from_slice(&words[first * width..][..*width]);
                for attribute in required {
                    let column = &words[attribute * width..][..*width];
                    out.words.iter_mut().zip(column).for_each(|(word, column)| *word &= column);
                }
                push_members(&out.words, &mut out.rows);
            }
            Sets::Lists(columns) => {
                let mut required = Vec::new();
                push_members(attributes, &mut required);
                let column = |&attribute: &u32| columns.row(attribute as usize);
                let shortest = required.iter().map(column).min_by_key(|column| column.len());
                let shortest = shortest.expect("there is a first attribute");
                let has_all = |&row: &u32| self.row_has_all(row as usize, attributes, &required);
                out.rows.extend(shortest.iter().copied().filter(has_all));
            }
        }
    }

    /// Whether a row has all of some attributes, which are given as words and as a list.
    fn row_has_all(&self, row: usize, attributes: &[u64], list: &[u32]) -> bool {
        match &self.rows {
            Sets::Bits { width, words } => is_subset(attributes, &words[row * width..][..*width]),
            Sets::Lists(rows) => {
                let mut left = rows.row(row).iter();
                // Both lists are ascending, so the search continues where it stopped.
                list.iter().all(|attribute| left.find(|has| *has >= attribute) == Some(attribute))
            }
        }
    }

    /// The attributes of a row, as words.
    pub(crate) fn row_words(&self, row: usize) -> Vec<u64> {
        match &self.rows {
            Sets::Bits { width, words } => words[row * width..][..*width].to_vec(),
            Sets::Lists(rows) => rows.row_words(row),
        }
    }

    /// Calls `show` with each attribute of a row, ascending.
    pub(crate) fn attributes_of(&self, row: usize, mut show: impl FnMut(u32)) {
        match &self.rows {
            Sets::Bits { width, words } => {
                for (base, &word) in (0u32..).step_by(64).zip(&words[row * width..][..*width]) {
                    let mut left = word;
                    while left != 0 {
                        show(base + left.trailing_zeros());
                        left &= left - 1;
                    }
                }
            }
            Sets::Lists(rows) => rows.row(row).iter().for_each(|&attribute| show(attribute)),
        }
    }

    /// The attributes that all of some rows have.
    pub(crate) fn intent(&self, rows: &[u32]) -> Vec<u64> {
        rows.iter().fold(full(self.attributes), |mut intent, &row| {
            let words = self.row_words(row as usize);
            intent.iter_mut().zip(words).for_each(|(word, row)| *word &= row);
            intent
        })
    }

    /// For every attribute outside `intent`, adds the keys of the rows that have it to `sums`, and
    /// inserts the attribute into `met`.
    pub(crate) fn add_keys(
        &self,
        rows: impl Iterator<Item = (u32, u64)>,
        intent: &[u64],
        sums: &mut [u64],
        met: &mut [u64],
    ) {
        match &self.rows {
            Sets::Bits { width, words } => {
                for (row, key) in rows {
                    let row = &words[row as usize * width..][..*width];
                    for (word, ((&has, &known), met)) in
                        row.iter().zip(intent).zip(&mut *met).enumerate()
                    {
                        let mut left = has & !known;
                        *met |= left;
                        let sums = &mut sums[word * 64..];
                        while left != 0 {
                            let sum = &mut sums[left.trailing_zeros() as usize];
                            *sum = sum.wrapping_add(key);
                            left &= left - 1;
                        }
                    }
                }
            }
            Sets::Lists(lists) => {
                for (row, key) in rows {
                    for &attribute in lists.row(row as usize) {
                        let sum = &mut sums[attribute as usize];
                        *sum = sum.wrapping_add(key);
                        insert(met, attribute as usize);
                    }
                }
                // Attributes of the intent were counted too, because testing for them costs more.
                for (word, &known) in intent.iter().enumerate() {
                    let mut known = met[word] & known;
                    met[word] ^= known;
                    while known != 0 {
                        sums[word * 64 + known.trailing_zeros() as usize] = 0;
                        known &= known - 1;
                    }
                }
            }
        }
    }
}

fn push_members(words: &[u64], out: &mut Vec<u32>) {
    for (base, &bits) in (0u32..).step_by(64).zip(words) {
        let mut left = bits;
        while left != 0 {
            out.push(base + left.trailing_zeros());
            left &= left - 1;
        }
    }
}
