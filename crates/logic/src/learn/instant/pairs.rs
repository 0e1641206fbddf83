//! Evaluates all pairs of literals.
//!
//! A part is a conjunction of two literals, each plain or negated. Its value is the weighted sum of
//! the target examples it covers minus that of the others. The weighted sum over the intersection
//! of two literals, together with the sums of each literal and of all examples, determines the
//! values of all four conjunctions; the four disjunctions are their complements. So one pass over
//! the words of two rows evaluates the pair completely.

use super::conjunctions::HighestConjunction;
use super::literals::Literals;
use super::region::RegionLiterals;
use super::rows::ExampleLayout;
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

    /// Returns the best part that reaches the minimum value, which is above 0. `stop` is polled and ends the
    /// search early.
    pub(super) fn best(
        &self,
        objective: &PairObjective<'_>,
        threads: &Threads,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<LiteralPair> {
        let region = RegionLiterals::new(self.literals, objective, self.layout.split(), self.level);
        let search = PairSearch::new(&region, objective, self.layout, self.level);
        // Strided, so that every share has long and short rows.
        let shares = if region.len() < 512 { 1 } else { threads.count() };
        let found = threads.map(shares, |share| search.best_in_share(share, shares, stop));
        found.into_iter().flatten().min_by(LiteralPair::order)
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

/// The search for the best pair of the distinct rows of a region.
///
/// Pairs of literals with the same row are left out: one of the two alone has the same value and is shorter.
/// If their rows are complements, the value is 0.
struct PairSearch<'a> {
    region: &'a RegionLiterals,
    weights: [i32; 2],
    least: i32,
    level: Level,
    /// The value of each row, and that of all examples.
    alone: Vec<i32>,
    all: i32,
}

impl<'a> PairSearch<'a> {
    fn new(
        region: &'a RegionLiterals,
        objective: &PairObjective<'_>,
        layout: ExampleLayout,
        level: Level,
    ) -> PairSearch<'a> {
        let (weights, least) = (objective.weights, objective.least);
        let [positive, negative] = layout.counts(objective.region).map(u32::cast_signed);
        let all = positive * weights[0] + negative * weights[1];
        let mut alone = vec![0; region.len()];
        let columns = region.columns(region.len());
        overlap(level, region.all(), columns, region.split, weights, &mut alone);
        PairSearch { region, weights, least, level, alone, all }
    }

    fn best_in_share(
        &self,
        share: usize,
        shares: usize,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<LiteralPair> {
        let mut best: Option<LiteralPair> = None;
        let mut shared = vec![0; self.alone.len()];
        for (turn, one) in (share..self.region.len()).step_by(shares).enumerate() {
            if turn % 64 == 0 && stop() {
                break;
            }
            let (a, rest) = (self.alone[one], self.all - self.alone[one]);
            for (complement, value) in [(false, a), (true, rest)] {
                self.improve(&mut best, (one, complement), (one, complement), value);
            }
            let shared = &mut shared[..one];
            let (row, columns) = (self.region.row(one), self.region.columns(one));
            overlap(self.level, row, columns, self.region.split, self.weights, shared);
            let shared = &*shared;
            let highest =
                HighestConjunction { shared, alone: &self.alone[..one], inside: a, outside: rest };
            let highest = self.level.run(highest);
            if highest < best.map_or(self.least, |best| best.value) {
                continue;
            }
            for (other, (&s, &b)) in shared.iter().zip(&self.alone).enumerate() {
                for (combination, value) in [s, a - s, b - s, rest + s - b].into_iter().enumerate()
                {
                    let signs = (combination >= 2, combination % 2 == 1);
                    self.improve(&mut best, (one, signs.0), (other, signs.1), value);
                }
            }
        }
        best
    }

    /// Keeps a conjunction of two rows or their complements if both have literals and it ranks above the best
    /// one.
    fn improve(
        &self,
        best: &mut Option<LiteralPair>,
        one: (usize, bool),
        other: (usize, bool),
        value: i32,
    ) {
        if value < best.map_or(self.least, |best| best.value) {
            return;
        }
        let (Some(left), Some(right)) =
            (self.region.form(one.0, one.1), self.region.form(other.0, other.1))
        else {
            return;
        };
        let length = if one == other { left.length } else { left.length + right.length + 1 };
        let (one, other) = (left.literal.max(right.literal), left.literal.min(right.literal));
        let part = LiteralPair { one, other, value, length };
        if best.is_none_or(|best| part.order(&best) == Ordering::Less) {
            *best = Some(part);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const EXAMPLES: usize = 90;

    /// Returns the best part by comparing all pairs and signs, example by example.
    fn naive(
        rows: &[Vec<bool>],
        lengths: &[[Option<u32>; 2]],
        region: &[bool],
        worth: impl Fn(usize) -> i32,
        objective: &PairObjective<'_>,
    ) -> [Option<LiteralPair>; 2] {
        let mut found: Vec<LiteralPair> = Vec::new();
        for (i, one) in (0u32..).zip(rows) {
            for (j, other) in (0..=i).zip(rows) {
                for (x, y) in [(false, false), (false, true), (true, false), (true, true)] {
                    let length = |literal: u32, negative: bool| {
                        lengths[literal as usize][usize::from(negative != objective.negated)]
                    };
                    let (Some(left), Some(right)) = (length(i, x), length(j, y)) else { continue };
                    if i == j && x != y {
                        continue;
                    }
                    let covers = |at: &usize| region[*at] && one[*at] != x && other[*at] != y;
                    let value: i32 = (0..EXAMPLES).filter(covers).map(&worth).sum();
                    let length = if i == j { left } else { left + right + 1 };
                    found.push(LiteralPair { one: (i, x), other: (j, y), value, length });
                }
            }
        }
        found.retain(|part| part.value >= objective.least);
        let alone = found.iter().filter(|part| part.one == part.other);
        [
            alone.copied().min_by(LiteralPair::order),
            found.iter().copied().min_by(LiteralPair::order),
        ]
    }

    /// Lengths of the plain and the negated form; one of them may be missing.
    fn lengths() -> impl Strategy<Value = [Option<u32>; 2]> {
        let lengths = (1u32..4, 1u32..4, 0usize..6);
        lengths.prop_map(|(plain, negated, missing)| {
            let mut lengths = [Some(plain), Some(negated)];
            lengths.iter_mut().skip(missing).take(1).for_each(|length| *length = None);
            lengths
        })
    }

    fn row() -> impl Strategy<Value = Vec<bool>> {
        prop::collection::vec(any::<bool>(), EXAMPLES)
    }

    proptest! {
        #[test]
        fn finds_the_best_part(
            drawn in prop::collection::vec((row(), lengths()), 1..30),
            region in prop::collection::vec(prop::bool::weighted(0.3), EXAMPLES),
            positives in 0usize..=EXAMPLES,
            weights in [-3i32..4, -3i32..4],
            least in 1i32..5,
            negated: bool,
        ) {
            let layout = ExampleLayout { positives, negatives: EXAMPLES - positives };
            let pack = |bits: &[bool]| {
                let mut words = vec![0; layout.words()];
                for at in (0..EXAMPLES).filter(|&at| bits[at]) {
                    let (word, bit) = layout.position(at);
                    words[word] |= bit;
                }
                words
            };
            let (rows, lengths): (Vec<Vec<bool>>, Vec<[Option<u32>; 2]>) = drawn.into_iter().unzip();
            let packed_rows = rows.iter().map(|row| pack(row)).collect();
            let literals = Literals::plain(layout, packed_rows, &lengths);
            let pairs = LiteralPairs::new(&literals, layout, Level::best());
            let packed = pack(&region);
            let objective = PairObjective { region: &packed, weights, least, negated };
            let worth = |at: usize| if at < positives { weights[0] } else { weights[1] };
            let [alone, best] = naive(&rows, &lengths, &region, worth, &objective);
            let one_thread = Threads::new(std::num::NonZeroUsize::new(1)).expect("a thread");
            prop_assert_eq!(pairs.best(&objective, &one_thread, &|| false), best);
            prop_assert_eq!(pairs.best_alone(&objective), alone);
            for level in Level::ALL.into_iter().filter(|level| level.is_available()) {
                let region = RegionLiterals::new(&literals, &objective, layout.split(), level);
                let search = PairSearch::new(&region, &objective, layout, level);
                for shares in 2..5 {
                    let parts = (0..shares).map(|share| search.best_in_share(share, shares, &|| false));
                    prop_assert_eq!(parts.flatten().min_by(LiteralPair::order), best, "{}", level);
                }
            }
        }
    }
}
