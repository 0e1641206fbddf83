//! Statistics of the top: finds the exact threshold from a bracket around it.
//!
//! The scores of about a thousand rows show roughly where the threshold lies. One pass counts the
//! scores above the bracket and collects those inside it; the threshold is then found among these
//! few. If it is not there, the search is repeated with all scores.

use super::nth::nth;
use super::scored::{Members, Scored};
use crate::TopCounts;
use crate::inputs::{TILE, TILE_BLOCKS};
use crate::near::ranks_around;
use pellucid_bits::{FLOATS, Kernel, Simd, as_u32};

/// The number of rows in the sample.
const SAMPLE: usize = 1024;
/// With fewer rows a sample is not worthwhile.
const FEW: usize = 4 * SAMPLE;

/// Buffers for finding thresholds.
#[derive(Debug, Default)]
pub(super) struct TopScratch {
    sample: Vec<f32>,
    band: Vec<f32>,
    spare: Vec<f32>,
}

/// Computes the statistics of the top.
pub(super) struct FindTop<'a> {
    pub(super) scores: &'a Scored<'a>,
    pub(super) members: Members<'a>,
    pub(super) wanted: usize,
    pub(super) scratch: &'a mut TopScratch,
}

/// The lower and the upper end, both included.
type Bracket = (f32, f32);

impl Kernel for FindTop<'_> {
    type Output = TopCounts;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> TopCounts {
        let FindTop { scores, members, wanted, scratch } = self;
        let all = (f32::NEG_INFINITY, f32::INFINITY);
        // Both buffers, because they are swapped. They are overwritten, so they are not cleared.
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
                return TopCounts {
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

/// Returns the range in which the threshold most likely lies.
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
        // With varying offsets, in case the rows are periodic.
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

/// Collects the scores inside a bracket. Returns the numbers of scores above it and inside it.
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

/// Returns the numbers of positives above a threshold and at it.
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
