//! All pairs of literals, weighed.
//!
//! A part is a conjunction of two literals, each as it is or negated. It is worth what it covers of the examples that are
//! wanted, less what it covers of the others, both weighed. Such a sum over what two literals share says everything about
//! the pair: with the sums of each alone and of all, it gives those of the four conjunctions, and the four disjunctions are
//! the complements of those. So one pass over the words of two rows says everything about the two.

use super::literals::Literals;
use super::rows::{Shape, and};
use pellucid_bits::{Block, Level, overlap};
use pellucid_device::Threads;
use std::cmp::Ordering;

/// Two literals, each as it is or negated; twice the same where one alone is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LiteralPair {
    pub(super) one: (u32, bool),
    pub(super) other: (u32, bool),
    pub(super) value: i32,
    pub(super) length: u32,
}

impl LiteralPair {
    /// `Less` where it goes before the other: by value, then shortness, then the order of literals.
    fn order(&self, other: &LiteralPair) -> Ordering {
        let rest = |part: &LiteralPair| (part.length, part.one, part.other);
        other.value.cmp(&self.value).then_with(|| rest(self).cmp(&rest(other)))
    }
}

/// What is wanted of a part.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted<'a> {
    /// The examples that count.
    pub(super) region: &'a [u64],
    /// What a positive and what a negative one is worth.
    pub(super) weights: [i32; 2],
    /// What must be reached.
    pub(super) least: i32,
    /// Whether the part will be written negated.
    pub(super) negated: bool,
}

/// Literals laid out for the kernel.
pub(super) struct LiteralPairs<'a> {
    literals: &'a Literals,
    shape: Shape,
    level: Level,
    /// Eight literals side by side, word by word.
    columns: Vec<Block>,
}

impl<'a> LiteralPairs<'a> {
    pub(super) fn new(literals: &'a Literals, shape: Shape) -> LiteralPairs<'a> {
        let words = shape.words();
        let mut columns = vec![Block::ZERO; literals.len().div_ceil(8) * words];
        for (at, number) in (0u32..).enumerate().take(literals.len()) {
            for (word, &bits) in literals.row(number).iter().enumerate() {
                columns[at / 8 * words + word].0[at % 8] = bits;
            }
        }
        let level = Level::chosen().unwrap_or(Level::Portable);
        LiteralPairs { literals, shape, level, columns }
    }

    pub(super) fn literals(&self) -> &'a Literals {
        self.literals
    }

    /// The best literal alone, if one reaches what must be.
    pub(super) fn best_alone(&self, wanted: &Wanted<'_>) -> Option<LiteralPair> {
        let (alone, all) = self.alone(wanted);
        let mut best: Option<LiteralPair> = None;
        for (number, &inside) in (0u32..).zip(&alone) {
            for (negative, value) in [(false, inside), (true, all - inside)] {
                let literal = (number, negative);
                if value >= best.map_or(wanted.least, |best| best.value)
                    && let Some(part) = self.part(wanted, literal, literal, value)
                    && best.is_none_or(|best| part.order(&best) == Ordering::Less)
                {
                    best = Some(part);
                }
            }
        }
        best
    }

    /// What each literal is worth alone, and what everything is.
    fn alone(&self, wanted: &Wanted<'_>) -> (Vec<i32>, i32) {
        let (split, weights) = (self.shape.split(), wanted.weights);
        let mut alone = vec![0; self.literals.len()];
        overlap(self.level, wanted.region, &self.columns, split, weights, &mut alone);
        let [positive, negative] = self.shape.counts(wanted.region).map(u32::cast_signed);
        (alone, positive * weights[0] + negative * weights[1])
    }

    /// The best part, if one reaches what must be. `stop` is asked now and then and ends it early.
    pub(super) fn best(
        &self,
        wanted: &Wanted<'_>,
        threads: &Threads,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<LiteralPair> {
        // Strided, so that every share has long and short rows.
        let shares = if self.literals.len() < 512 { 1 } else { threads.count() };
        let found = threads.map(shares, |share| self.share(wanted, share, shares, stop));
        found.into_iter().flatten().min_by(LiteralPair::order)
    }

    fn share(
        &self,
        wanted: &Wanted<'_>,
        share: usize,
        shares: usize,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<LiteralPair> {
        let (count, words, split) = (self.literals.len(), self.shape.words(), self.shape.split());
        let (alone, all) = self.alone(wanted);
        let mut best: Option<LiteralPair> = None;
        let mut shared = vec![0; count];
        for (turn, one) in (share..count).step_by(shares).enumerate() {
            if turn % 64 == 0 && stop() {
                break;
            }
            // Literals are numbered by u32.
            #[expect(clippy::cast_possible_truncation)]
            let number = one as u32;
            let masked = and(self.literals.row(number), wanted.region);
            let partners = one + 1;
            let blocks = &self.columns[..partners.div_ceil(8) * words];
            let shared = &mut shared[..partners];
            overlap(self.level, &masked, blocks, split, wanted.weights, shared);
            let (a, rest) = (alone[one], all - alone[one]);
            let least = best.map_or(wanted.least, |best| best.value);
            if highest(shared, &alone, a, rest) < least {
                continue;
            }
            for (other, (&s, &b)) in (0u32..).zip(shared.iter().zip(&alone)) {
                for (combination, value) in [s, a - s, b - s, rest + s - b].into_iter().enumerate()
                {
                    if value < best.map_or(wanted.least, |best| best.value) {
                        continue;
                    }
                    let (one, other) = ((number, combination >= 2), (other, combination % 2 == 1));
                    if let Some(part) = self.part(wanted, one, other, value)
                        && best.is_none_or(|best| part.order(&best) == Ordering::Less)
                    {
                        best = Some(part);
                    }
                }
            }
        }
        best
    }

    /// A part, if both literals may stand so and together say something.
    fn part(
        &self,
        wanted: &Wanted<'_>,
        one: (u32, bool),
        other: (u32, bool),
        value: i32,
    ) -> Option<LiteralPair> {
        let form = |(literal, negative): (u32, bool)| (literal, negative != wanted.negated);
        let (left, right) = (form(one), form(other));
        let there = |(literal, negative)| self.literals.has(literal, negative);
        if !there(left) || !there(right) || (one.0 == other.0 && one.1 != other.1) {
            return None;
        }
        let length = |(literal, negative)| self.literals.length(literal, negative);
        let length = if left == right { length(left) } else { length(left) + length(right) + 1 };
        Some(LiteralPair { one, other, value, length })
    }
}

/// The highest value of any conjunction of one literal with some others, given what they share, what each of the others is
/// worth alone, and what the one and everything outside it are.
fn highest(shared: &[i32], alone: &[i32], inside: i32, outside: i32) -> i32 {
    let mut highest = i32::MIN;
    for (&s, &b) in shared.iter().zip(alone) {
        let with = s.max(b - s);
        let without = (inside - s).max(outside + s - b);
        highest = highest.max(with).max(without);
    }
    highest
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Every pair, sign by sign and example by example.
        #[test]
        fn the_best_part_is_the_best_of_all(
            rows in prop::collection::vec(prop::collection::vec(any::<bool>(), 90), 1..30),
            region in prop::collection::vec(any::<bool>(), 90),
            positives in 0usize..=90,
            weights in [-3i32..4, -3i32..4],
            least in -5i32..5,
            negated: bool,
        ) {
            let shape = Shape { positives, negatives: 90 - positives };
            let pack = |bits: &[bool]| {
                let mut words = vec![0; shape.words()];
                for at in (0..90).filter(|&at| bits[at]) {
                    let (word, bit) = shape.place(at);
                    words[word] |= bit;
                }
                words
            };
            let literals = Literals::plain(shape, rows.iter().map(|row| pack(row)).collect());
            let pairs = LiteralPairs::new(&literals, shape);
            let packed = pack(&region);
            let wanted = Wanted { region: &packed, weights, least, negated };
            let worth = |at: usize| if at < positives { weights[0] } else { weights[1] };
            let (mut naive, mut naive_alone): (Option<(i32, u32)>, Option<i32>) = (None, None);
            for (i, one) in rows.iter().enumerate() {
                for (j, other) in rows.iter().enumerate().take(i + 1) {
                    for (x, y) in [(false, false), (false, true), (true, false), (true, true)] {
                        if i == j && x != y {
                            continue;
                        }
                        let holds = |at: &usize| region[*at] && one[*at] != x && other[*at] != y;
                        let value: i32 = (0..90).filter(holds).map(worth).sum();
                        let length = if i == j { 1 } else { 3 };
                        let better = naive.is_none_or(|(best, short)| {
                            value > best || (value == best && length < short)
                        });
                        if value >= least && better {
                            naive = Some((value, length));
                        }
                        if value >= least && i == j {
                            naive_alone = naive_alone.max(Some(value));
                        }
                    }
                }
            }
            let one_thread = Threads::new(std::num::NonZeroUsize::new(1)).expect("a thread");
            let found = pairs.best(&wanted, &one_thread, &|| false);
            prop_assert_eq!(found.map(|part| (part.value, part.length)), naive);
            prop_assert_eq!(pairs.best_alone(&wanted).map(|part| part.value), naive_alone);
            for shares in 2..5 {
                let parts = (0..shares).map(|share| pairs.share(&wanted, share, shares, &|| false));
                prop_assert_eq!(parts.flatten().min_by(LiteralPair::order), found);
            }
        }
    }
}
