//! Counts the rows above a bracket and collects the scores inside it in one pass.

use super::scored::{Members, Scored};
use crate::inputs::TILE_BLOCKS;
use crate::{Bracket, Near};
use pellucid_bits::{FLOATS, Kernel, Simd};

/// Buffers for the collected scores.
#[derive(Debug, Default)]
pub(super) struct NearScratch {
    positives: Vec<f32>,
    negatives: Vec<f32>,
}

/// Finds the scores inside a bracket.
pub(super) struct FindNear<'a> {
    pub(super) scores: &'a Scored<'a>,
    pub(super) members: Members<'a>,
    pub(super) bracket: Bracket,
    pub(super) scratch: &'a mut NearScratch,
}

impl Kernel for FindNear<'_> {
    type Output = Near;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Near {
        let FindNear { scores, members, bracket, scratch } = self;
        let NearScratch { positives, negatives } = scratch;
        // The buffers are overwritten, so they are not cleared.
        positives.resize(positives.len().max(members.positives + 2 * FLOATS), 0.0);
        let others = members.rows - members.positives;
        negatives.resize(negatives.len().max(others + 2 * FLOATS), 0.0);
        let (low, high) = bracket.ends();
        let (lower, upper) = (simd.splat_float(low), simd.splat_float(high));
        let (mut above, mut own, mut rest) = ([0, 0], 0, 0);
        for (tile, column) in scores.tiles().enumerate() {
            for (block, scores) in column.iter().enumerate() {
                let scores = simd.load_floats(scores);
                let place = tile * TILE_BLOCKS + block;
                let (counted, first) = (members.of_block(place), members.positives_of_block(place));
                let higher = simd.above(scores, upper) & counted;
                let inside = !higher & !simd.above(lower, scores) & counted;
                above[0] += higher.count_ones();
                if first != 0 {
                    above[1] += (higher & first).count_ones();
                    simd.compress_floats(scores, inside & first, positives, own);
                    own += (inside & first).count_ones() as usize;
                }
                simd.compress_floats(scores, inside & !first, negatives, rest);
                rest += (inside & !first).count_ones() as usize;
            }
        }
        Near { above, positives: positives[..own].to_vec(), negatives: negatives[..rest].to_vec() }
    }
}
