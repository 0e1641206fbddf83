//! The context as a lattice needs it: from both sides, every distinct row once.

use super::links::ConceptLinks;
use pellucid_bits::words::{full, insert, is_subset, members, words_for};
use pellucid_data::Relation;
use rustc_hash::FxHashMap;

/// Rows and columns of a relation. Objects with the same attributes are one row: no concept tells them apart.
#[derive(Clone, Debug)]
pub(crate) struct Sides {
    /// The objects of every distinct row, ascending; rows in the order of their first objects.
    pub(crate) objects: ConceptLinks,
    /// The row of every object.
    pub(crate) row_of: Vec<u32>,
    rows: Sets,
    columns: Sets,
    attributes: usize,
}

/// Sparse sets take no more words than this as bits: 128 MiB.
const MOST_WORDS: usize = 1 << 24;

/// Sets of small numbers, as bits where that takes less than lists.
#[derive(Clone, Debug)]
enum Sets {
    Bits { width: usize, words: Vec<u64> },
    Lists(Relation),
}

impl Sets {
    /// Bits, unless they take more words than there are crosses `dear` times over: a cross of a list is half a word.
    fn new(lists: Relation, dear: usize) -> Sets {
        let words = lists.objects() * words_for(lists.attributes());
        if words > lists.crosses() && words > MOST_WORDS.min(lists.crosses() * dear) {
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

/// Room for one extent after the other.
#[derive(Debug, Default)]
pub(crate) struct RowExtent {
    /// The distinct rows.
    pub(crate) rows: Vec<u32>,
    words: Vec<u64>,
}

impl Sides {
    pub(crate) fn new(relation: &Relation) -> Sides {
        let mut known: FxHashMap<&[u32], usize> = FxHashMap::default();
        let mut firsts: Vec<&[u32]> = Vec::new();
        let mut row_of = Vec::with_capacity(relation.objects());
        for row in relation.rows() {
            let index = *known.entry(row).or_insert_with(|| {
                firsts.push(row);
                firsts.len() - 1
            });
            row_of.push(u32::try_from(index).expect("objects are numbered by 32 bits"));
        }
        let distinct = Relation::new(relation.attributes(), &firsts).expect("rows of a relation");
        let mut single = ConceptLinks::new();
        row_of.iter().for_each(|&row| single.push([row]));
        Sides {
            objects: single.reversed(firsts.len()),
            row_of,
            // Columns of bits are intersected a word at a time: they are worth it even where most bits are clear.
            columns: Sets::new(distinct.transposed(), 8),
            rows: Sets::new(distinct, 1),
            attributes: relation.attributes(),
        }
    }

    /// How many distinct rows there are.
    pub(crate) fn rows(&self) -> usize {
        self.objects.len()
    }

    /// How many attributes there are.
    pub(crate) fn attributes(&self) -> usize {
        self.attributes
    }

    /// Finds the rows that have all of some attributes, ascending.
    pub(crate) fn extent(&self, attributes: &[u64], out: &mut RowExtent) {
        out.rows.clear();
        let mut wanted = members(attributes);
        let Some(first) = wanted.next() else {
            return out.rows.extend(0..u32::try_from(self.rows()).expect("rows by 32 bits"));
        };
        match &self.columns {
            Sets::Bits { width, words } => {
                out.words.clear();
                out.words.extend_from_slice(&words[first * width..][..*width]);
                for attribute in wanted {
                    let column = &words[attribute * width..][..*width];
                    out.words.iter_mut().zip(column).for_each(|(word, column)| *word &= column);
                }
                push_members(&out.words, &mut out.rows);
            }
            Sets::Lists(columns) => {
                let mut wanted = Vec::new();
                push_members(attributes, &mut wanted);
                let column = |&attribute: &u32| columns.row(attribute as usize);
                let shortest = wanted.iter().map(column).min_by_key(|column| column.len());
                let shortest = shortest.expect("there is a first attribute");
                let has_all = |&row: &u32| self.row_has_all(row as usize, attributes, &wanted);
                out.rows.extend(shortest.iter().copied().filter(has_all));
            }
        }
    }

    /// Whether a row has all of some attributes, which are given as words and as a list.
    fn row_has_all(&self, row: usize, attributes: &[u64], listed: &[u32]) -> bool {
        match &self.rows {
            Sets::Bits { width, words } => is_subset(attributes, &words[row * width..][..*width]),
            Sets::Lists(rows) => {
                let mut left = rows.row(row).iter();
                // Both ascend: what comes after the wanted one need not be looked at.
                listed.iter().all(|wanted| left.find(|has| *has >= wanted) == Some(wanted))
            }
        }
    }

    /// The attributes of an object, as words.
    pub(crate) fn row_words(&self, row: usize) -> Vec<u64> {
        match &self.rows {
            Sets::Bits { width, words } => words[row * width..][..*width].to_vec(),
            Sets::Lists(rows) => rows.row_words(row),
        }
    }

    /// Shows the attributes of a row, ascending.
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

    /// Adds to `sums` of every attribute outside `intent` the keys of those rows that have it, and puts the attributes met
    /// into `met`.
    pub(crate) fn deliver(
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
                // What the intent has was counted too, because looking would have cost more.
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
