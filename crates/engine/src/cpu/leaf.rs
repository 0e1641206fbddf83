//! Planes to bits: one test of one column.

use super::simd::Simd;
use crate::bits::Block;
use crate::kernel::{LeafJob, Test};
use crate::table::{Column, Tile};

/// Writes the bits of a leaf for `N` blocks of a tile, from block `offset` of the tile on.
#[inline(always)]
pub(super) fn leaf<S: Simd, const N: usize>(
    simd: S,
    tile: Tile<'_>,
    offset: usize,
    column: &Column,
    job: LeafJob,
    out: &mut [Block; N],
) {
    let planes = Planes { tile, offset, column };
    let mut bits: [S::Bits; N] = match job.test {
        Test::Plane(plane) => planes.load(simd, plane),
        Test::Above(cut) => above(simd, planes, cut),
        Test::AtMost(cut) => planes.valid_but(simd, above(simd, planes, cut)),
        Test::Equal(cut) => equal(simd, planes, cut),
        Test::Unequal(cut) => planes.valid_but(simd, equal(simd, planes, cut)),
    };
    if job.negate {
        bits = bits.map(|bits| simd.not(bits));
    }
    for (block, bits) in out.iter_mut().zip(bits) {
        simd.store(bits, block);
    }
}

#[derive(Clone, Copy)]
struct Planes<'a> {
    tile: Tile<'a>,
    offset: usize,
    column: &'a Column,
}

impl Planes<'_> {
    #[inline(always)]
    fn load<S: Simd, const N: usize>(&self, simd: S, plane: u32) -> [S::Bits; N] {
        let blocks: &[Block; N] = self.tile.plane(plane)[self.offset..].first_chunk().expect("a tile holds its blocks");
        std::array::from_fn(|index| simd.load(&blocks[index]))
    }

    /// Where there is a value but `bits` is clear.
    #[inline(always)]
    fn valid_but<S: Simd, const N: usize>(&self, simd: S, bits: [S::Bits; N]) -> [S::Bits; N] {
        match self.column.validity() {
            None => bits.map(|bits| simd.not(bits)),
            Some(plane) => {
                let valid: [S::Bits; N] = self.load(simd, plane);
                std::array::from_fn(|index| simd.and(valid[index], simd.not(bits[index])))
            }
        }
    }
}

/// `rank > cut`, from the lowest plane up: a higher bit overrules what the lower ones said unless it equals the cut's.
/// With the cut's bit inverted that is a majority of three.
#[inline(always)]
fn above<S: Simd, const N: usize>(simd: S, planes: Planes<'_>, cut: u32) -> [S::Bits; N] {
    let mut greater = [simd.splat(false); N];
    // No rank exceeds the cut in its lowest bits as long as those of the cut are ones.
    let start = cut.trailing_ones();
    for (bit, plane) in planes.column.planes().enumerate().skip(start as usize) {
        let clear = simd.splat(cut >> bit & 1 == 0);
        let blocks: [S::Bits; N] = planes.load(simd, plane);
        greater = std::array::from_fn(|index| simd.majority(greater[index], blocks[index], clear));
    }
    greater
}

/// `rank = cut`.
#[inline(always)]
fn equal<S: Simd, const N: usize>(simd: S, planes: Planes<'_>, cut: u32) -> [S::Bits; N] {
    let mut same = [simd.splat(true); N];
    for (bit, plane) in planes.column.planes().enumerate() {
        let set = simd.splat(cut >> bit & 1 == 1);
        let blocks: [S::Bits; N] = planes.load(simd, plane);
        same = std::array::from_fn(|index| simd.and_same(same[index], blocks[index], set));
    }
    same
}
