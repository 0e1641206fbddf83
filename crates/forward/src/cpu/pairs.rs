//! How positives stand to negatives: the positives sorted, and every negative looked up among them.
//!
//! The range of the positives' scores is cut into equal cells, several for each positive. The cell of a
//! negative says which positives are below it but for the few in the same cell, and most cells have at most
//! two.

use super::scored::{Members, Scored};
use crate::Pairs;
use crate::inputs::TILE_BLOCKS;
use pellucid_bits::{FLOATS, FloatBlock, Kernel, Simd, as_u32};

/// Added to a whole number below 2²³ it puts it into the last bits.
const WHOLE: f32 = 8_388_608.0;
/// Cells for each positive, and how many there are at least and at most.
const CELLS_EACH: usize = 4;
const FEWEST_CELLS: usize = 256;
const MOST_CELLS: usize = 1 << 16;

/// Memory for counting pairs.
#[derive(Debug, Default)]
pub(super) struct PairsScratch {
    /// The positives' scores, ascending, and behind them two infinities.
    sorted: Vec<f32>,
    /// How many positives are in cells before each.
    start: Vec<u32>,
    /// The negatives' scores.
    negatives: Vec<f32>,
}

/// Counts the pairs of some rows.
pub(super) struct CountPairs<'a> {
    pub(super) scores: &'a Scored<'a>,
    pub(super) members: Members<'a>,
    pub(super) scratch: &'a mut PairsScratch,
}

impl Kernel for CountPairs<'_> {
    type Output = Pairs;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Pairs {
        let CountPairs { scores, members, scratch } = self;
        let mut pairs = Pairs::default();
        let positives = members.part.positives();
        if positives == 0 {
            return pairs;
        }
        split(simd, scores, members, scratch);
        let PairsScratch { sorted, start, negatives } = scratch;
        sorted.sort_unstable_by(f32::total_cmp);
        let cells = Cells::over(sorted);
        fill(simd, &cells, sorted, start);
        // No score is infinite upwards.
        sorted.extend([f32::INFINITY; 2]);
        for sixteen in negatives.chunks(FLOATS) {
            let mut block = FloatBlock::ZERO;
            block.0[..sixteen.len()].copy_from_slice(sixteen);
            let own = cells.of(simd, &block);
            for (&cell, &negative) in own.iter().zip(sixteen) {
                let (first, end) = (start[cell] as usize, start[cell + 1] as usize);
                let (one, other) = (sorted[first], sorted[first + 1]);
                let mut place =
                    first + usize::from(one <= negative) + usize::from(other <= negative);
                if end - first > 2 {
                    place = first + sorted[first..end].partition_point(|&score| score <= negative);
                }
                pairs.won += (positives - place) as u64;
                if place > 0 && sorted[place - 1] == negative {
                    // Those that are equal share a cell.
                    let below = sorted[first..place].partition_point(|&score| score < negative);
                    pairs.tied += (place - first - below) as u64;
                }
            }
        }
        pairs
    }
}

/// Puts the scores of positives and of negatives side by side.
#[inline(always)]
fn split<S: Simd>(simd: S, scores: &Scored<'_>, members: Members<'_>, scratch: &mut PairsScratch) {
    let PairsScratch { sorted, negatives, .. } = scratch;
    sorted.resize(members.positives + FLOATS, 0.0);
    negatives.resize(members.rows - members.positives + FLOATS, 0.0);
    let (mut positive, mut negative) = (0, 0);
    for (tile, column) in scores.tiles().enumerate() {
        for (block, scores) in column.iter().enumerate() {
            let place = tile * TILE_BLOCKS + block;
            let scores = simd.load_floats(scores);
            let counted = members.of_block(place);
            let first = members.positives_of_block(place);
            if first != 0 {
                simd.compress_floats(scores, first, sorted, positive);
                positive += first.count_ones() as usize;
            }
            simd.compress_floats(scores, counted & !first, negatives, negative);
            negative += (counted & !first).count_ones() as usize;
        }
    }
    sorted.truncate(positive);
    negatives.truncate(negative);
}

/// How many sorted scores are in cells before each cell, and before the end.
#[inline(always)]
fn fill<S: Simd>(simd: S, cells: &Cells, sorted: &[f32], start: &mut Vec<u32>) {
    start.clear();
    start.resize(cells.count + 1, 0);
    for sixteen in sorted.chunks(FLOATS) {
        let mut block = FloatBlock::ZERO;
        block.0[..sixteen.len()].copy_from_slice(sixteen);
        for &cell in &cells.of(simd, &block)[..sixteen.len()] {
            start[cell + 1] += 1;
        }
    }
    for cell in 0..cells.count {
        start[cell + 1] += start[cell];
    }
}

/// Equal cells over a range of scores; what lies outside is in the first or the last. A larger score is never
/// in an earlier cell, however it is rounded.
#[derive(Clone, Copy, Debug)]
struct Cells {
    count: usize,
    scale: f32,
    offset: f32,
}

impl Cells {
    /// Cells over the finite of some ascending scores.
    fn over(sorted: &[f32]) -> Cells {
        let count = (CELLS_EACH * sorted.len()).clamp(FEWEST_CELLS, MOST_CELLS);
        let finite = &sorted[sorted.partition_point(|score| !score.is_finite())..];
        let one = Cells { count, scale: 0.0, offset: 0.0 };
        let (Some(first), Some(last)) = (finite.first(), finite.last()) else { return one };
        let scale = as_u32(count - 1) as f32 / (last - first);
        let offset = -first * scale;
        if scale.is_finite() && offset.is_finite() { Cells { count, scale, offset } } else { one }
    }

    /// The cells of sixteen scores.
    #[inline(always)]
    fn of<S: Simd>(&self, simd: S, scores: &FloatBlock) -> [usize; FLOATS] {
        let (scale, offset) = (simd.splat_float(self.scale), simd.splat_float(self.offset));
        let place = simd.fused(simd.load_floats(scores), scale, offset);
        let place = simd.larger(place, simd.splat_float(0.0));
        let place = simd.smaller(place, simd.splat_float(as_u32(self.count - 1) as f32));
        let mut whole = FloatBlock::ZERO;
        simd.store_floats(simd.plus(place, simd.splat_float(WHOLE)), &mut whole);
        let mut cells = [0; FLOATS];
        for (cell, whole) in cells.iter_mut().zip(whole.0) {
            *cell = (whole.to_bits() & 0x7f_ffff) as usize;
        }
        cells
    }
}
