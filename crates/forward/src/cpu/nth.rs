//! The score of a given rank among some, sixteen at a time.

use pellucid_bits::{FLOATS, Simd};

/// Fewer scores are sorted.
const FEW: usize = 64;
/// Scores that are looked at for a pivot.
const PROBES: usize = 16;

/// The score of a rank (1 is the highest) among the first `count` scores, how many of them are above it, and
/// how many have it. What is in both buffers is lost; each has room for 32 scores more. A score is never -0
/// or no number.
///
/// # Panics
/// When the rank is not between one and the number of scores.
#[inline(always)]
pub(super) fn nth<S: Simd>(
    simd: S,
    scores: &mut Vec<f32>,
    spare: &mut Vec<f32>,
    mut count: usize,
    rank: usize,
) -> (f32, usize, usize) {
    assert!((1..=count).contains(&rank), "a rank among them");
    // Those that are known to be above.
    let mut passed = 0;
    while count > FEW {
        let pivot = pivot(scores, count, rank - passed);
        let (above, tied) = split(simd, scores, count, pivot);
        if rank - passed <= above {
            keep::<S, true>(simd, scores, count, pivot, spare);
            count = above;
        } else if rank - passed <= above + tied {
            return (pivot, passed + above, tied);
        } else {
            keep::<S, false>(simd, scores, count, pivot, spare);
            passed += above + tied;
            count -= above + tied;
        }
        std::mem::swap(scores, spare);
    }
    let scores = &mut scores[..count];
    scores.sort_unstable_by(|one, other| other.total_cmp(one));
    let found = scores[rank - passed - 1];
    let above = scores.iter().filter(|&&score| score > found).count();
    let tied = scores.iter().filter(|&&score| score == found).count();
    (found, passed + above, tied)
}

/// A score that has about the rank among some.
fn pivot(scores: &[f32], count: usize, rank: usize) -> f32 {
    let mut probes = [0.0; PROBES];
    for (number, probe) in probes.iter_mut().enumerate() {
        *probe = scores[number * count / PROBES];
    }
    probes.sort_unstable_by(|one, other| other.total_cmp(one));
    probes[(rank * PROBES / count).min(PROBES - 1)]
}

/// How many scores are above a pivot, and how many are equal to it.
#[inline(always)]
fn split<S: Simd>(simd: S, scores: &[f32], count: usize, pivot: f32) -> (usize, usize) {
    let pivot = simd.splat_float(pivot);
    let (mut above, mut tied) = (0, 0);
    for (number, sixteen) in
        scores[..count.next_multiple_of(FLOATS)].as_chunks().0.iter().enumerate()
    {
        let scores = simd.load_sixteen(sixteen);
        let counted = counted(count, number);
        above += (simd.above(scores, pivot) & counted).count_ones() as usize;
        tied += (simd.equal(scores, pivot) & counted).count_ones() as usize;
    }
    (above, tied)
}

/// Puts the scores above a pivot, or those below it, side by side.
#[inline(always)]
fn keep<S: Simd, const ABOVE: bool>(
    simd: S,
    scores: &[f32],
    count: usize,
    pivot: f32,
    kept: &mut [f32],
) {
    let pivot = simd.splat_float(pivot);
    let mut place = 0;
    for (number, sixteen) in
        scores[..count.next_multiple_of(FLOATS)].as_chunks().0.iter().enumerate()
    {
        let scores = simd.load_sixteen(sixteen);
        let wanted = if ABOVE { simd.above(scores, pivot) } else { simd.above(pivot, scores) };
        let wanted = wanted & counted(count, number);
        simd.compress_floats(scores, wanted, kept, place);
        place += wanted.count_ones() as usize;
    }
}

/// Which scores of a block are among the first so many.
#[inline(always)]
fn counted(count: usize, block: usize) -> u16 {
    match count - block * FLOATS {
        left @ 0..FLOATS => (1u16 << left) - 1,
        _ => u16::MAX,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pellucid_bits::{Kernel, Level};
    use proptest::prelude::*;

    struct Nth(Vec<f32>, usize);

    impl Kernel for Nth {
        type Output = (f32, usize, usize);

        #[inline(always)]
        fn run<S: Simd>(self, simd: S) -> Self::Output {
            let Nth(mut scores, rank) = self;
            let count = scores.len();
            // What lies behind must not be seen.
            scores.resize(count + 2 * FLOATS, f32::MAX);
            let mut spare = vec![f32::MAX; count + 2 * FLOATS];
            nth(simd, &mut scores, &mut spare, count, rank)
        }
    }

    proptest! {
        #[test]
        fn it_is_the_one_that_sorting_finds(
            scores in prop::collection::vec(prop_oneof![3 => (-40i8..40).prop_map(f32::from), 1 => -4.0f32..4.0, 1 => Just(f32::NEG_INFINITY)], 1..900),
            rank: prop::sample::Index,
        ) {
            let scores: Vec<f32> = scores.into_iter().map(|score| score + 0.0).collect();
            let rank = 1 + rank.index(scores.len());
            let mut sorted = scores.clone();
            sorted.sort_by(|one, other| other.total_cmp(one));
            let found = sorted[rank - 1];
            let above = scores.iter().filter(|&&score| score > found).count();
            let tied = scores.iter().filter(|&&score| score == found).count();
            for level in Level::ALL.into_iter().filter(|level| level.is_available()) {
                prop_assert_eq!(level.run(Nth(scores.clone(), rank)), (found, above, tied), "{}", level);
            }
        }
    }
}
