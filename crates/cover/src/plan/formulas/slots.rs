//! Which slot a literal or part has in the plan at hand.

use super::numbers::Numbers;
use super::{Literal, Token};
use crate::plan::Plan;
use crate::table::Column;
use pellucid_bits::as_u32;

/// Slots by token.
///
/// Planning looks up every literal of every formula. Where the table has few enough values, each possible
/// literal has a place of its own; else they are looked up by number, as parts always are.
#[derive(Debug, Default)]
pub(super) struct Slots {
    /// By literal: the stamp of the plan in which it had a slot, above the slot.
    places: Vec<u64>,
    /// By column: the place of its first literal; empty where places are too many.
    first: Vec<u32>,
    stamp: u32,
    others: Numbers,
}

/// The most places: so many that they stay in a core's own cache.
const MOST_PLACES: usize = 1 << 17;

impl Slots {
    /// Gets ready for formulas over some columns.
    pub(super) fn prepare(&mut self, columns: &[Column]) {
        self.first.clear();
        let mut next = 0;
        for column in columns {
            self.first.push(as_u32(next));
            // Every value, and its opposite.
            next += 2 * column.ranks();
            if next > MOST_PLACES {
                self.first.clear();
                break;
            }
        }
        if self.places.len() < next && !self.first.is_empty() {
            self.places.resize(next, 0);
        }
        self.clear();
    }

    /// Forgets all slots.
    pub(super) fn clear(&mut self) {
        self.others.clear();
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            // All stamps were used: old slots would come back.
            self.places.fill(0);
            self.stamp = 1;
        }
    }

    /// The slot of a literal or part. Where it has none, `new` gives it one.
    #[inline]
    pub(super) fn get_or(&mut self, token: Token, new: impl FnOnce() -> u32) -> u32 {
        let literal = Literal::of_number(token.0);
        let column = literal.column() as usize;
        // A part's number is beyond every column.
        let Some(&first) = self.first.get(column) else { return self.others.get_or(token.0, new) };
        let place = &mut self.places[first as usize + literal.code() as usize];
        if (*place >> 32) as u32 != self.stamp {
            *place = u64::from(self.stamp) << 32 | u64::from(new());
        }
        lower(*place)
    }

    /// Writes the slots of many tokens into a plan, and a leaf for each literal that has none. Parts have
    /// theirs.
    #[inline]
    pub(super) fn write(&mut self, columns: &[Column], tokens: &[Token], plan: &mut Plan) {
        plan.expect_literals(tokens.len());
        if self.first.is_empty() {
            for &token in tokens {
                let slot =
                    self.get_or(token, || plan.leaf(Literal::of_number(token.0).job(columns)));
                plan.literal(slot);
            }
            return;
        }
        let Slots { places, first, stamp, others } = self;
        let (places, first, stamp) = (places.as_mut_slice(), first.as_slice(), *stamp);
        for &token in tokens {
            let literal = Literal::of_number(token.0);
            let slot = match first.get(literal.column() as usize) {
                Some(&first) => {
                    let place = &mut places[first as usize + literal.code() as usize];
                    if (*place >> 32) as u32 != stamp {
                        let leaf = plan.leaf(literal.job(columns));
                        *place = u64::from(stamp) << 32 | u64::from(leaf);
                    }
                    lower(*place)
                }
                // A part's number is beyond every column.
                None => others.get_or(token.0, || plan.leaf(literal.job(columns))),
            };
            plan.literal(slot);
        }
    }

    /// The slot of a part, if it has one.
    pub(super) fn of_part(&self, token: Token) -> Option<u32> {
        self.others.get(token.0)
    }
}

#[expect(clippy::cast_possible_truncation, reason = "the lower half")]
#[inline]
fn lower(place: u64) -> u32 {
    place as u32
}
