//! The slots of literals and parts in the current plan.

use super::numbers::NumberMap;
use super::{Literal, Token};
use crate::plan::{LeafJob, Plan};
use crate::table::Column;
use pellucid_bits::as_u32;

/// The slot of each token.
///
/// Planning looks up every literal of every formula. If the table has few enough values, each
/// possible literal has its own entry in an array. Otherwise literals are looked up in a map, as
/// parts always are.
#[derive(Debug, Default)]
pub(super) struct Slots {
    /// By literal: the slot in the lower half, and the stamp of its plan in the upper half.
    entries: Vec<u64>,
    /// By column: the entry of its first literal. Empty if there would be too many entries.
    first: Vec<u32>,
    stamp: u32,
    others: NumberMap,
}

/// The maximum number of entries, chosen so that they stay in the cache of a core.
const MAX_ENTRIES: usize = 1 << 17;

impl Slots {
    /// Prepares for formulas over the given columns.
    pub(super) fn prepare(&mut self, columns: &[Column]) {
        self.first.clear();
        let mut next = 0;
        for column in columns {
            self.first.push(as_u32(next));
            // Two literals for every value: the comparison and its opposite.
            next += 2 * column.ranks();
            if next > MAX_ENTRIES {
                self.first.clear();
                break;
            }
        }
        if self.entries.len() < next && !self.first.is_empty() {
            self.entries.resize(next, 0);
        }
        self.clear();
    }

    /// Removes all slots.
    pub(super) fn clear(&mut self) {
        self.others.clear();
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            // The stamp wrapped around, so old slots would become valid again.
            self.entries.fill(0);
            self.stamp = 1;
        }
    }

    /// Returns the slot of a literal or part. A new one gets the slot that `new` returns.
    #[inline]
    pub(super) fn get_or(&mut self, token: Token, new: impl FnOnce() -> u32) -> u32 {
        let literal = Literal::from_number(token.0);
        let column = literal.column() as usize;
        // The column number of a part is beyond every column.
        let Some(&first) = self.first.get(column) else { return self.others.get_or(token.0, new) };
        let entry = &mut self.entries[first as usize + literal.code() as usize];
        if (*entry >> 32) as u32 != self.stamp {
            *entry = u64::from(self.stamp) << 32 | u64::from(new());
        }
        lower(*entry)
    }

    /// Writes the slots of tokens into a plan, and adds a leaf for each new literal. Parts already
    /// have slots.
    #[inline]
    pub(super) fn write(&mut self, columns: &[Column], tokens: &[Token], plan: &mut Plan) {
        if self.first.is_empty() {
            plan.literals(tokens, |leaves, token| {
                self.get_or(token, || new_leaf(leaves, token, columns))
            });
            return;
        }
        let Slots { entries, first, stamp, others } = self;
        let (entries, first, stamp) = (entries.as_mut_slice(), first.as_slice(), *stamp);
        plan.literals(tokens, |leaves, token| {
            let literal = Literal::from_number(token.0);
            match first.get(literal.column() as usize) {
                Some(&first) => {
                    let entry = &mut entries[first as usize + literal.code() as usize];
                    if (*entry >> 32) as u32 != stamp {
                        let leaf = new_leaf(leaves, token, columns);
                        *entry = u64::from(stamp) << 32 | u64::from(leaf);
                    }
                    lower(*entry)
                }
                // The column number of a part is beyond every column.
                None => others.get_or(token.0, || new_leaf(leaves, token, columns)),
            }
        });
    }

    /// Returns the slot of a part, if it has one.
    pub(super) fn of_part(&self, token: Token) -> Option<u32> {
        self.others.get(token.0)
    }
}

/// Adds the leaf of a literal, and returns its slot.
fn new_leaf(leaves: &mut Vec<LeafJob>, token: Token, columns: &[Column]) -> u32 {
    leaves.push(Literal::from_number(token.0).job(columns));
    as_u32(leaves.len() - 1)
}

#[expect(clippy::cast_possible_truncation, reason = "the lower half")]
#[inline]
fn lower(entry: u64) -> u32 {
    entry as u32
}
