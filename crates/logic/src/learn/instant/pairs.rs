//! Evaluates all pairs of literals.
//!
//! A part is a conjunction of two literals, each plain or negated. Its value is the weighted sum of
//! the target examples it covers minus that of the others. The weighted sum over the intersection
//! of two literals, together with the sums of each literal and of all examples, determines the
//! values of all four conjunctions; the four disjunctions are their complements. So one pass over
//! the words of two rows evaluates the pair completely.

use super::literals::Literals;
use super::rows::{ExampleLayout, and};
use pellucid_bits::{Block, Level, overlap};
use pellucid_device::Threads;
use std::cmp::Ordering;

/// Two literals, each plain or negated; equal for a single literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LiteralPair {
    pub(super) one: (u32, bool),
    pub(super) other: (u32, bool),
    pub(super) value: i32,
    pub(super) length: u32,
}

impl LiteralPair {
    /// `Less` if it ranks above the other: by value, then length, then literals.
    fn order(&self, other: &LiteralPair) -> Ordering {
        let rest = |part: &LiteralPair| (part.length, part.one, part.other);
        other.value.cmp(&self.value).then_with(|| rest(self).cmp(&rest(other)))
    }
}

/// The objective of the search for a part.
#[derive(Clone, Copy, Debug)]
pub(super) struct PairObjective<'a> {
    /// The examples to consider.
    pub(super) region: &'a [u64],
    /// The weights of a positive and of a negative example.
    pub(super) weights: [i32; 2],
    /// The minimum value.
    pub(super) least: i32,
    /// Whether the part will be negated.
    pub(super) negated: bool,
}

/// Literals in the layout of the kernel.
pub(super) struct LiteralPairs<'a> {
    literals: &'a Literals,
    layout: ExampleLayout,
    level: Level,
    /// Eight literals side by side, word by word.
    columns: Vec<Block>,
}

impl<'a> LiteralPairs<'a> {
    pub(super) fn new(
        literals: &'a Literals,
        layout: ExampleLayout,
        level: Level,
    ) -> LiteralPairs<'a> {
        let words = layout.words();
        let mut columns = vec![Block::ZERO; literals.len().div_ceil(8) * words];
        for (at, number) in (0u32..).enumerate().take(literals.len()) {
            for (word, &bits) in literals.row(number).iter().enumerate() {
                columns[at / 8 * words + word].0[at % 8] = bits;
            }
        }
        LiteralPairs { literals, layout, level, columns }
    }

    pub(super) fn literals(&self) -> &'a Literals {
        self.literals
    }

    /// Returns the best single literal that reaches the minimum value.
    pub(super) fn best_alone(&self, objective: &PairObjective<'_>) -> Option<LiteralPair> {
        let (alone, all) = self.alone(objective);
        let mut best: Option<LiteralPair> = None;
        for (number, &inside) in (0u32..).zip(&alone) {
            for (negative, value) in [(false, inside), (true, all - inside)] {
                let literal = (number, negative);
                if value >= best.map_or(objective.least, |best| best.value)
                    && let Some(part) = self.part(objective, literal, literal, value)
                    && best.is_none_or(|best| part.order(&best) == Ordering::Less)
                {
                    best = Some(part);
                }
            }
        }
        best
    }

    /// Returns the value of each single literal, and that of all examples.
    fn alone(&self, objective: &PairObjective<'_>) -> (Vec<i32>, i32) {
        let (split, weights) = (self.layout.split(), objective.weights);
        let mut alone = vec![0; self.literals.len()];
        overlap(self.level, objective.region, &self.columns, split, weights, &mut alone);
        let [positive, negative] = self.layout.counts(objective.region).map(u32::cast_signed);
        (alone, positive * weights[0] + negative * weights[1])
    }

    /// Returns the best part that reaches the minimum value. `stop` is polled and ends the search
    /// early.
    pub(super) fn best(
        &self,
        objective: &PairObjective<'_>,
        threads: &Threads,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<LiteralPair> {
        // Strided, so that every share has long and short rows.
        let shares = if self.literals.len() < 512 { 1 } else { threads.count() };
        let found = threads.map(shares, |share| self.best_in_share(objective, share, shares, stop));
        found.into_iter().flatten().min_by(LiteralPair::order)
    }

    fn best_in_share(
        &self,
        objective: &PairObjective<'_>,
        share: usize,
        shares: usize,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<LiteralPair> {
        let (count, words, split) = (self.literals.len(), self.layout.words(), self.layout.split());
        let (alone, all) = self.alone(objective);
        let mut best: Option<LiteralPair> = None;
        let mut shared = vec![0; count];
        for (turn, one) in (share..count).step_by(shares).enumerate() {
            if turn % 64 == 0 && stop() {
                break;
            }
            // Literals have 32-bit numbers.
            #[expect(clippy::cast_possible_truncation)]
            let number = one as u32;
            let masked = and(self.literals.row(number), objective.region);
            let partners = one + 1;
            let blocks = &self.columns[..partners.div_ceil(8) * words];
            let shared = &mut shared[..partners];
            overlap(self.level, &masked, blocks, split, objective.weights, shared);
            let (a, rest) = (alone[one], all - alone[one]);
            let least = best.map_or(objective.least, |best| best.value);
            if highest(shared, &alone, a, rest) < least {
                continue;
            }
            for (other, (&s, &b)) in (0u32..).zip(shared.iter().zip(&alone)) {
                for (combination, value) in [s, a - s, b - s, rest + s - b].into_iter().enumerate()
                {
                    if value < best.map_or(objective.least, |best| best.value) {
                        continue;
                    }
                    let (one, other) = ((number, combination >= 2), (other, combination % 2 == 1));
                    if let Some(part) = self.part(objective, one, other, value)
                        && best.is_none_or(|best| part.order(&best) == Ordering::Less)
                    {
                        best = Some(part);
                    }
                }
            }
        }
        best
    }

    /// Returns a part if both literals exist in this form and are not contradictory.
    fn part(
        &self,
        objective: &PairObjective<'_>,
        one: (u32, bool),
        other: (u32, bool),
        value: i32,
    ) -> Option<LiteralPair> {
        let form = |(literal, negative): (u32, bool)| (literal, negative != objective.negated);
        let (left, right) = (form(one), form(other));
        let exists = |(literal, negative)| self.literals.has(literal, negative);
        if !exists(left) || !exists(right) || (one.0 == other.0 && one.1 != other.1) {
            return None;
        }
        let length = |(literal, negative)| self.literals.length(literal, negative);
        let length = if left == right { length(left) } else { length(left) + length(right) + 1 };
        Some(LiteralPair { one, other, value, length })
    }
}

/// The highest value of any conjunction of one literal with some others, given the values of the
/// intersections, of each other literal, of the literal and of its complement.
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
        /// Compares with all pairs and signs, example by example.
        #[test]
        fn finds_the_best_part(
            rows in prop::collection::vec(prop::collection::vec(any::<bool>(), 90), 1..30),
            region in prop::collection::vec(any::<bool>(), 90),
            positives in 0usize..=90,
            weights in [-3i32..4, -3i32..4],
            least in -5i32..5,
            negated: bool,
        ) {
            let layout = ExampleLayout { positives, negatives: 90 - positives };
            let pack = |bits: &[bool]| {
                let mut words = vec![0; layout.words()];
                for at in (0..90).filter(|&at| bits[at]) {
                    let (word, bit) = layout.position(at);
                    words[word] |= bit;
                }
                words
            };
            let literals = Literals::plain(layout, rows.iter().map(|row| pack(row)).collect());
            let pairs = LiteralPairs::new(&literals, layout, Level::best());
            let packed = pack(&region);
            let objective = PairObjective { region: &packed, weights, least, negated };
            let worth = |at: usize| if at < positives { weights[0] } else { weights[1] };
            let (mut naive, mut naive_alone): (Option<(i32, u32)>, Option<i32>) = (None, None);
            for (i, one) in rows.iter().enumerate() {
                for (j, other) in rows.iter().enumerate().take(i + 1) {
                    for (x, y) in [(false, false), (false, true), (true, false), (true, true)] {
                        if i == j && x != y {
                            continue;
                        }
                        let covers = |at: &usize| region[*at] && one[*at] != x && other[*at] != y;
                        let value: i32 = (0..90).filter(covers).map(worth).sum();
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
            let found = pairs.best(&objective, &one_thread, &|| false);
            prop_assert_eq!(found.map(|part| (part.value, part.length)), naive);
            prop_assert_eq!(pairs.best_alone(&objective).map(|part| part.value), naive_alone);
            for shares in 2..5 {
                let best = |share| pairs.best_in_share(&objective, share, shares, &|| false);
                let parts = (0..shares).map(best);
                prop_assert_eq!(parts.flatten().min_by(LiteralPair::order), found);
            }
        }
    }
}
