//! Who is in the top: the exact threshold, from a bracket around it.
//!
//! The scores of about a thousand rows show roughly where the threshold lies. One pass counts what is above the bracket and puts what is
//! within it side by side; the threshold is then found among those few. Should it not be there, all scores are within the next
//! bracket.

use super::scored::{Members, Scored};
use crate::Top;
use pellucid_bits::{FLOATS, Kernel, Simd, as_u32};

/// Rows whose scores show where the threshold lies.
const SAMPLE: usize = 1024;
/// With fewer rows a bracket is not worth the sample.
const FEW: usize = 4 * SAMPLE;
/// Standard deviations of the threshold's place in the sample that the bracket reaches to either side: a miss in thirty thousand.
const REACH: f64 = 4.0;

/// Memory for looking for thresholds.
#[derive(Debug, Default)]
pub(super) struct TopScratch {
    sample: Vec<f32>,
    band: Vec<f32>,
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
        let narrow = bracket(scores, members, wanted, &mut scratch.sample);
        for bracket in [narrow.unwrap_or(all), all] {
            let (above, band) = fill(simd, scores, members, bracket, &mut scratch.band);
            if above < wanted && wanted - above <= band.len() {
                let (threshold, more, tied) = threshold(band, wanted - above);
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
fn bracket(
    scores: &Scored<'_>,
    members: Members<'_>,
    wanted: usize,
    sample: &mut Vec<f32>,
) -> Option<Bracket> {
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
    let share = wanted as f64 / rows as f64;
    let (middle, count) = (share * sample.len() as f64, sample.len());
    let reach = REACH * (middle * (1.0 - share)).sqrt() + 2.0;
    // Both are checked against the sample.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let (first, last) = ((middle - reach).max(-1.0) as isize, (middle + reach) as usize);
    let mut at =
        |place: usize| *sample.select_nth_unstable_by(place, |one, other| other.total_cmp(one)).1;
    let upper = usize::try_from(first).ok().filter(|&first| first < count && middle > reach);
    let upper = upper.map_or(f32::INFINITY, &mut at);
    let lower = if last < count { at(last) } else { f32::NEG_INFINITY };
    Some((lower, upper))
}

/// Puts the scores within a bracket side by side, and counts those above it.
#[inline(always)]
fn fill<'a, S: Simd>(
    simd: S,
    scores: &Scored<'_>,
    members: Members<'_>,
    (lower, upper): Bracket,
    band: &'a mut Vec<f32>,
) -> (usize, &'a mut [f32]) {
    let room = members.rows + FLOATS;
    if band.len() < room {
        band.resize(room, 0.0);
    }
    let (lower, upper) = (simd.splat_float(lower), simd.splat_float(upper));
    let (mut above, mut within) = (0usize, 0usize);
    for (place, block) in scores.blocks().enumerate() {
        let scores = simd.load_floats(block);
        let counted = members.of_block(place);
        let higher = simd.above(scores, upper) & counted;
        let inside = !higher & !simd.above(lower, scores) & counted;
        simd.compress_floats(scores, inside, band, within);
        above += higher.count_ones() as usize;
        within += inside.count_ones() as usize;
    }
    (above, &mut band[..within])
}

/// The score of the last that fits among some, how many are above it, and how many have it.
fn threshold(band: &mut [f32], wanted: usize) -> (f32, usize, usize) {
    let (_, &mut threshold, _) =
        band.select_nth_unstable_by(wanted - 1, |one, other| other.total_cmp(one));
    let above = band.iter().filter(|&&score| score > threshold).count();
    let tied = band.iter().filter(|&&score| score == threshold).count();
    (threshold, above, tied)
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
    for (place, block) in scores.blocks().take(members.positives.div_ceil(FLOATS)).enumerate() {
        let scores = simd.load_floats(block);
        let counted = members.positives_of_block(place);
        above += (simd.above(scores, threshold) & counted).count_ones();
        tied += (simd.equal(scores, threshold) & counted).count_ones();
    }
    (above, tied)
}
