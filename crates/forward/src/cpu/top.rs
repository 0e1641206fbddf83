//! Who is in the top: the exact threshold, from a bracket around it.
//!
//! The scores of about a thousand rows show roughly where the threshold lies. One pass counts what is above
//! the bracket and puts what is within it side by side; the threshold is then found among those few. Should
//! it not be there, all scores are within the next bracket.

use super::nth::nth;
use super::scored::{Members, Scored};
use crate::Top;
use crate::inputs::{TILE, TILE_BLOCKS};
use crate::near::ranks_around;
use pellucid_bits::{FLOATS, Kernel, Simd, as_u32};

/// Rows whose scores show where the threshold lies.
const SAMPLE: usize = 1024;
/// With fewer rows a bracket is not worth the sample.
const FEW: usize = 4 * SAMPLE;

/// Memory for looking for thresholds.
#[derive(Debug, Default)]
pub(super) struct TopScratch {
    sample: Vec<f32>,
    band: Vec<f32>,
    spare: Vec<f32>,
}

/// Finds who is among the best of some rows.
pub(super) struct FindTop<'a> {
    pub(super) scores: &'a Scored<'a>,
    pub(super) members: Members<'a>,
    pub(super) wanted: usize,
    pub(super) scratch: &'a mut TopScratch,
}

/// From its lower to its upper end, both included.
type Bracket = (f32, f32);

impl Kernel for FindTop<'_> {
    type Output = Top;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Top {
        let FindTop { scores, members, wanted, scratch } = self;
        let all = (f32::NEG_INFINITY, f32::INFINITY);
        // Both, since they change places; what is in them is overwritten, and not cleared again.
        for buffer in [&mut scratch.band, &mut scratch.spare] {
            buffer.resize(buffer.len().max(members.rows + 2 * FLOATS), 0.0);
        }
        let narrow = bracket(simd, scores, members, wanted, scratch);
        for bracket in [narrow.unwrap_or(all), all] {
            let (above, within) = fill(simd, scores, members, bracket, &mut scratch.band);
            if above < wanted && wanted - above <= within {
                let TopScratch { band, spare, .. } = scratch;
                let (threshold, more, tied) = nth(simd, band, spare, within, wanted - above);
                let (positives_above, positives_tied) = positives(simd, scores, members, threshold);
                return Top {
                    wanted: as_u32(wanted),
                    above: as_u32(above + more),
                    tied: as_u32(tied),
                    positives_above,
                    positives_tied,
                };
            }
        }
        unreachable!("a top has between one and all of the rows")
    }
}

/// Where the threshold most likely lies.
#[inline(always)]
fn bracket<S: Simd>(
    simd: S,
    scores: &Scored<'_>,
    members: Members<'_>,
    wanted: usize,
    scratch: &mut TopScratch,
) -> Option<Bracket> {
    let TopScratch { sample, band, spare } = scratch;
    let rows = members.part.rows();
    if rows < FEW {
        return None;
    }
    sample.clear();
    let step = members.rows / SAMPLE;
    for number in 0..SAMPLE {
        // Not always at the same place of a step, should the rows repeat themselves.
        let place = number * step + number * 7 % step;
        if members.part.has(place) {
            sample.push(scores.at(place));
        }
    }
    let count = sample.len();
    let (first, last) = ranks_around(wanted, rows, count);
    let mut of_rank = |rank: usize| {
        band[..count].copy_from_slice(sample);
        nth(simd, band, spare, count, rank).0
    };
    let upper = if (1..=count).contains(&first) { of_rank(first) } else { f32::INFINITY };
    let lower = if last < count { of_rank(last + 1) } else { f32::NEG_INFINITY };
    Some((lower, upper))
}

/// Puts the scores within a bracket side by side, and counts those above it and those within.
#[inline(always)]
fn fill<S: Simd>(
    simd: S,
    scores: &Scored<'_>,
    members: Members<'_>,
    (lower, upper): Bracket,
    band: &mut [f32],
) -> (usize, usize) {
    let (lower, upper) = (simd.splat_float(lower), simd.splat_float(upper));
    let (mut above, mut within) = (0usize, 0usize);
    for (tile, column) in scores.tiles().enumerate() {
        for (block, scores) in column.iter().enumerate() {
            let scores = simd.load_floats(scores);
            let counted = members.of_block(tile * TILE_BLOCKS + block);
            let higher = simd.above(scores, upper) & counted;
            let inside = !higher & !simd.above(lower, scores) & counted;
            simd.compress_floats(scores, inside, band, within);
            above += higher.count_ones() as usize;
            within += inside.count_ones() as usize;
        }
    }
    (above, within)
}

/// How many positives are above a threshold, and how many at it.
#[inline(always)]
fn positives<S: Simd>(
    simd: S,
    scores: &Scored<'_>,
    members: Members<'_>,
    threshold: f32,
) -> (u32, u32) {
    let threshold = simd.splat_float(threshold);
    let (mut above, mut tied) = (0, 0);
    for (tile, column) in scores.tiles().take(members.positives.div_ceil(TILE)).enumerate() {
        for (block, scores) in column.iter().enumerate() {
            let scores = simd.load_floats(scores);
            let counted = members.positives_of_block(tile * TILE_BLOCKS + block);
            above += (simd.above(scores, threshold) & counted).count_ones();
            tied += (simd.equal(scores, threshold) & counted).count_ones();
        }
    }
    (above, tied)
}
