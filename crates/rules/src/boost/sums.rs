//! Sums over examples, in integers, so that the result does not depend on the order or the number
//! of threads.
//!
//! A search needs the gain of very many sets of examples. Four sums over a set are enough, and one
//! pass over a column gives the sums of each step, from which those of any cut point follow.

use super::local::Block;
use pellucid_bits::{Kernel, Level, Simd};

/// The integer for one unit of weight: a single example fits into 32 bits, sums over 2^32 examples
/// into 64.
pub(super) const SCALE: f64 = (1u64 << 30) as f64;

/// The number of examples whose contributions fit into the nearest cache; small in tests.
const NEARBY: usize = if cfg!(test) { 3 } else { 1 << 12 };

/// The contribution of one example to a sum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Contribution(pub(super) [i32; 4]);

/// Sums over examples: gradients, curvatures, weights, and weights inside the class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sums(pub(super) [i64; 4]);

impl Sums {
    /// Returns the sums of some examples.
    pub(super) fn of<'a>(parts: impl IntoIterator<Item = &'a Contribution>) -> Sums {
        let mut sums = Sums::default();
        parts.into_iter().for_each(|part| sums.count(part));
        sums
    }

    /// Adds an example.
    #[inline(always)]
    pub(super) fn count(&mut self, part: &Contribution) {
        for (mine, part) in self.0.iter_mut().zip(part.0) {
            *mine += i64::from(part);
        }
    }

    /// Adds an example if a mask has all bits, and nothing if it has none.
    #[inline(always)]
    pub(super) fn count_masked(&mut self, part: &Contribution, mask: i64) {
        for (mine, part) in self.0.iter_mut().zip(part.0) {
            *mine += i64::from(part) & mask;
        }
    }

    /// Adds the examples of another sum.
    #[inline]
    pub(super) fn add(&mut self, other: &Sums) {
        for (mine, other) in self.0.iter_mut().zip(other.0) {
            *mine += other;
        }
    }

    /// Returns the sums without the examples of another sum.
    #[inline]
    pub(super) fn without(mut self, other: &Sums) -> Sums {
        for (mine, other) in self.0.iter_mut().zip(other.0) {
            *mine -= other;
        }
        self
    }
}

/// Computes the sums of each step of a column.
pub(super) fn by_step(
    level: Level,
    steps: &[u8],
    pieces: &[Block],
    count: usize,
    into: &mut Vec<Sums>,
) {
    by_steps_with(level, &[(steps, count)], pieces, std::slice::from_mut(into));
}

/// Returns the same for several columns, given their steps and numbers of steps. Examples are
/// loaded once for all columns.
pub(super) fn by_steps(
    level: Level,
    columns: &[(&[u8], usize)],
    pieces: &[Block],
) -> Vec<Vec<Sums>> {
    let mut sums = vec![Vec::new(); columns.len()];
    by_steps_with(level, columns, pieces, &mut sums);
    sums
}

/// Does the same with the instructions of a level. Two histograms alternate, so that an example
/// need not wait for the previous write.
fn by_steps_with(
    level: Level,
    columns: &[(&[u8], usize)],
    pieces: &[Block],
    into: &mut [Vec<Sums>],
) {
    for (&(_, count), sums) in columns.iter().zip(&mut *into) {
        sums.clear();
        sums.resize(2 * count, Sums::default());
    }
    for piece in pieces {
        for (examples, parts) in piece.examples.chunks(NEARBY).zip(piece.parts.chunks(NEARBY)) {
            for (&(steps, count), sums) in columns.iter().zip(&mut *into) {
                let (even, odd) = sums.split_at_mut(count);
                level.run(BySteps { steps, examples, parts, even, odd });
            }
        }
    }
    for (&(_, count), sums) in columns.iter().zip(into) {
        let (even, odd) = sums.split_at_mut(count);
        even.iter_mut().zip(odd).for_each(|(even, odd)| even.add(odd));
        sums.truncate(count);
    }
}

/// Adds contributions to the sums of their steps; steps beyond the last one count as the last.
struct BySteps<'a> {
    steps: &'a [u8],
    examples: &'a [u32],
    parts: &'a [Contribution],
    even: &'a mut [Sums],
    odd: &'a mut [Sums],
}

impl Kernel for BySteps<'_> {
    type Output = ();

    // With 256-bit registers, the four sums are one register, which saved a third of the time.
    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        let last = self.even.len() - 1;
        let step = |example: u32| usize::from(self.steps[example as usize]).min(last);
        let (pairs, rest) = self.examples.as_chunks::<2>();
        let (pair_parts, rest_parts) = self.parts.as_chunks::<2>();
        for ([one, other], [part, other_part]) in pairs.iter().zip(pair_parts) {
            self.even[step(*one)].count(part);
            self.odd[step(*other)].count(other_part);
        }
        for (example, part) in rest.iter().zip(rest_parts) {
            self.even[step(*example)].count(part);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn sums_by_step_are_those_of_its_examples(
            rows in prop::collection::vec((0u8..6, any::<[i32; 4]>(), any::<bool>()), 0..50),
        ) {
            let steps: Vec<u8> = rows.iter().map(|row| row.0).collect();
            let chosen: Vec<u32> =
                (0u32..).zip(&rows).filter(|(_, row)| row.2).map(|(index, _)| index).collect();
            let parts: Vec<Contribution> =
                chosen.iter().map(|&example| Contribution(rows[example as usize].1)).collect();
            let piece = |(examples, parts): (&[u32], &[Contribution])| {
                Block { examples: examples.to_vec(), parts: parts.to_vec() }
            };
            let pieces: Vec<Block> = chosen.chunks(7).zip(parts.chunks(7)).map(piece).collect();
            let upside_down: Vec<u8> = steps.iter().map(|step| 5 - step).collect();
            for level in Level::ALL.into_iter().filter(|level| level.is_available()) {
                let mut found = vec![Vec::new(); 2];
                by_steps_with(level, &[(&steps, 6), (&upside_down, 7)], &pieces, &mut found);
                for (step, place) in (0u8..6).zip(0usize..) {
                    let is_own = |(example, _): &(&u32, _)| steps[**example as usize] == step;
                    let own = chosen.iter().zip(&parts).filter(is_own);
                    let own = Sums::of(own.map(|(_, part)| part));
                    prop_assert_eq!((own, own), (found[0][place], found[1][5 - place]), "{}", level);
                }
            }
        }
    }
}
