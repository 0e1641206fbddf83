//! Counts pairs of positives and negatives: the positives are sorted, and every negative is looked
//! up among them.
//!
//! The range of the scores of positives is divided into equal cells, several for each positive. The
//! cell of a negative tells which positives are below it, except for the few in the same cell; most
//! cells have at most two.

use super::scored::{Members, Scored};
use crate::Pairs;
use crate::inputs::TILE_BLOCKS;
use pellucid_bits::{FLOATS, FloatBlock, Kernel, Simd, as_u32};

/// Adding it to an integer below 2²³ moves the integer to the last bits.
const WHOLE: f32 = 8_388_608.0;
/// The number of cells per positive, and its limits.
const CELLS_EACH: usize = 4;
const MIN_CELLS: usize = 256;
const MAX_CELLS: usize = 1 << 16;

/// Buffers for counting pairs.
#[derive(Debug, Default)]
pub(super) struct PairsScratch {
    /// The scores of the positives, ascending, followed by two infinities.
    sorted: Vec<f32>,
    /// The number of positives in the cells before each cell.
    start: Vec<u32>,
    /// The scores of the negatives.
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
        // No score is positive infinity.
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
                    // Equal scores are in the same cell.
                    let below = sorted[first..place].partition_point(|&score| score < negative);
                    pairs.tied += (place - first - below) as u64;
                }
            }
        }
        pairs
    }
}

/// Collects the scores of positives and of negatives.
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

/// Computes the number of sorted scores in the cells before each cell, and in all cells.
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

/// Equal cells over a range of scores; scores outside are in the first or the last cell. The cell
/// number never decreases with the score, whatever the rounding.
#[derive(Clone, Copy, Debug)]
struct Cells {
    count: usize,
    scale: f32,
    offset: f32,
}

impl Cells {
    /// Creates cells over the finite ones of some ascending scores.
    fn over(sorted: &[f32]) -> Cells {
        let count = (CELLS_EACH * sorted.len()).clamp(MIN_CELLS, MAX_CELLS);
        let finite = &sorted[sorted.partition_point(|score| !score.is_finite())..];
        let one = Cells { count, scale: 0.0, offset: 0.0 };
        let (Some(first), Some(last)) = (finite.first(), finite.last()) else { return one };
        let scale = as_u32(count - 1) as f32 / (last - first);
        let offset = -first * scale;
        if scale.is_finite() && offset.is_finite() { Cells { count, scale, offset } } else { one }
    }

    /// Returns the cells of sixteen scores.
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
