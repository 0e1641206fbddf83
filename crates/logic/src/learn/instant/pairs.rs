//! All pairs of literals, counted.
//!
//! What two literals share says everything about the pair: with the counts of each alone, it gives those of the four
//! conjunctions that can be made of them and their negations, and the four disjunctions are the complements of those. So
//! one pass over the words of two rows counts eight hypotheses.

use super::literals::Literals;
use super::rows::{Shape, and};
use pellucid_engine::{Block, Level, Threads, overlap};
use std::cmp::Ordering;

/// Two literals, each as it is or negated, and what their conjunction covers in a region.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Part {
    pub(super) one: (u32, bool),
    pub(super) other: (u32, bool),
    pub(super) value: f64,
    pub(super) length: u32,
}

impl Part {
    /// `Less` where it goes before the other: by value, then shortness, then the order of literals.
    fn order(&self, other: &Part) -> Ordering {
        let names = |part: &Part| (part.one, part.other);
        let value = other.value.total_cmp(&self.value);
        value.then(self.length.cmp(&other.length)).then_with(|| names(self).cmp(&names(other)))
    }
}

/// What is wanted of a part.
pub(super) struct Wanted<'a> {
    /// The examples that count.
    pub(super) region: &'a [u64],
    /// Which of the two counts, positive (0) or negative (1), is welcome.
    pub(super) good: usize,
    /// What so many welcome and so many unwelcome ones are worth; never less for more welcome ones.
    pub(super) value: &'a (dyn Fn(u32, u32) -> f64 + Sync),
    /// What must be surpassed.
    pub(super) floor: f64,
}

/// Literals laid out for the kernel.
pub(super) struct Pairs<'a> {
    literals: &'a Literals,
    shape: Shape,
    level: Level,
    /// Eight literals side by side, word by word.
    columns: Vec<Block>,
}

impl<'a> Pairs<'a> {
    pub(super) fn new(literals: &'a Literals, shape: Shape) -> Pairs<'a> {
        let words = shape.words();
        let mut columns = vec![Block::ZERO; literals.len().div_ceil(8) * words];
        for at in 0..literals.len() {
            // Literals are numbered by u32.
            #[expect(clippy::cast_possible_truncation)]
            let row = literals.row(at as u32);
            for (word, &bits) in row.iter().enumerate() {
                columns[at / 8 * words + word].0[at % 8] = bits;
            }
        }
        let level = Level::chosen().unwrap_or(Level::Portable);
        Pairs { literals, shape, level, columns }
    }

    pub(super) fn literals(&self) -> &'a Literals {
        self.literals
    }

    /// How many hypotheses a look at all pairs evaluates.
    pub(super) fn hypotheses(&self) -> u64 {
        let count = self.literals.len() as u64;
        count * count.saturating_sub(1) / 2 * 8 + 2 * count
    }

    /// The best part, if one surpasses the floor. `stop` is asked now and then and ends it early.
    pub(super) fn best(
        &self,
        wanted: &Wanted<'_>,
        threads: &Threads,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<Part> {
        // Strided, so that every share has long and short rows.
        let shares = if self.literals.len() < 256 { 1 } else { threads.count() };
        let found = threads.map(shares, |share| self.share(wanted, share, shares, stop));
        found.into_iter().flatten().min_by(Part::order)
    }

    fn share(
        &self,
        wanted: &Wanted<'_>,
        share: usize,
        shares: usize,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<Part> {
        let (count, words) = (self.literals.len(), self.shape.words());
        let all = self.shape.counts(wanted.region);
        // The counts of every literal alone.
        let mut alone = vec![[0; 2]; count];
        overlap(self.level, wanted.region, &self.columns, self.shape.split(), &mut alone);
        let mut best: Option<Part> = None;
        let mut need = Need::new(wanted, all);
        let mut shared = vec![[0; 2]; count];
        for one in (share..count).step_by(shares) {
            if one % 64 < shares && stop() {
                break;
            }
            // Literals are numbered by u32.
            #[expect(clippy::cast_possible_truncation)]
            let number = one as u32;
            let masked = and(self.literals.row(number), wanted.region);
            let partners = one + 1;
            let blocks = &self.columns[..partners.div_ceil(8) * words];
            let shared = &mut shared[..partners];
            overlap(self.level, &masked, blocks, self.shape.split(), shared);
            let a = alone[one];
            for (other, (s, b)) in shared.iter().zip(&alone).enumerate() {
                let conjunctions = [
                    *s,
                    [a[0] - s[0], a[1] - s[1]],
                    [b[0] - s[0], b[1] - s[1]],
                    [all[0] + s[0] - a[0] - b[0], all[1] + s[1] - a[1] - b[1]],
                ];
                for (combination, counts) in conjunctions.into_iter().enumerate() {
                    let (good, bad) = (counts[wanted.good], counts[1 - wanted.good]);
                    if good < need.of(bad) {
                        continue;
                    }
                    #[expect(clippy::cast_possible_truncation)]
                    let part = self.part(
                        wanted,
                        (number, combination >= 2),
                        (other as u32, combination % 2 == 1),
                        (good, bad),
                    );
                    if let Some(part) = part
                        && best.is_none_or(|best| part.order(&best) == Ordering::Less)
                    {
                        if best.is_none_or(|best| part.value > best.value) {
                            need.raise(wanted, part.value);
                        }
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
        (good, bad): (u32, u32),
    ) -> Option<Part> {
        // A part that covers what is not wanted is written negated.
        let flip = wanted.good == 1;
        let allowed = |(literal, negative): (u32, bool)| self.literals.has(literal, negative != flip);
        if !allowed(one) || !allowed(other) || (one.0 == other.0 && one.1 != other.1) {
            return None;
        }
        let value = (wanted.value)(good, bad);
        let length = if one == other {
            self.literals.length(one.0, one.1 != flip)
        } else {
            self.literals.length(one.0, one.1 != flip)
                + self.literals.length(other.0, other.1 != flip)
                + 1
        };
        (value > wanted.floor).then_some(Part { one, other, value, length })
    }
}

/// By how many unwelcome examples there are: how many welcome ones it takes to be as good as the best so far.
struct Need {
    least: Vec<u32>,
    most: u32,
}

impl Need {
    fn new(wanted: &Wanted<'_>, all: [u32; 2]) -> Need {
        let (most, bad) = (all[wanted.good], all[1 - wanted.good]);
        let mut need = Need { least: vec![0; bad as usize + 1], most };
        need.fill(wanted, |value| value > wanted.floor);
        need
    }

    #[inline(always)]
    fn of(&self, bad: u32) -> u32 {
        self.least[bad as usize]
    }

    /// From now on, nothing worse than this counts.
    fn raise(&mut self, wanted: &Wanted<'_>, value: f64) {
        self.fill(wanted, |other| other >= value);
    }

    fn fill(&mut self, wanted: &Wanted<'_>, enough: impl Fn(f64) -> bool) {
        for (bad, least) in (0u32..).zip(&mut self.least) {
            let (mut low, mut high) = (*least, self.most + 1);
            while low < high {
                let middle = low + (high - low) / 2;
                if enough((wanted.value)(middle, bad)) {
                    high = middle;
                } else {
                    low = middle + 1;
                }
            }
            *least = low;
        }
    }
}
