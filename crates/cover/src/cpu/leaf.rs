//! Planes to bits: the tests of a plan on one tile.

use crate::plan::{LeafJob, Test};
use crate::table::{Column, Tile};
use pellucid_bits::{Block, Kernel, Simd, invert, load, planes};

/// A place in a table: a tile and the number of a block in it.
#[derive(Clone, Copy)]
pub(super) struct Spot<'a> {
    pub(super) tile: Tile<'a>,
    pub(super) offset: usize,
}

/// Writes the bits of all leaves for the `N` blocks `here`, and asks for the planes that will be needed
/// `next`.
///
/// Leaves are sorted by column. Comparisons of one column are done `K` at a time: each block of a plane is
/// then read once for all of them, and their chains of instructions, which must wait for themselves, run
/// beside each other.
pub(super) struct Leaves<'a, const N: usize, const K: usize> {
    pub(super) here: Spot<'a>,
    pub(super) next: Option<Spot<'a>>,
    pub(super) columns: &'a [Column],
    pub(super) jobs: &'a [LeafJob],
    pub(super) slots: &'a mut [[Block; N]],
    /// Memory for the planes of one column as they are and inverted.
    pub(super) signed: &'a mut Vec<Block>,
}

impl<const N: usize, const K: usize> Kernel for Leaves<'_, N, K> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        leaves(simd, self);
    }
}

#[inline(always)]
fn leaves<S: Simd, const N: usize, const K: usize>(simd: S, leaves: Leaves<'_, N, K>) {
    let Leaves { here, next, columns, mut jobs, mut slots, signed } = leaves;
    let mut at_hand = None;
    while let Some(first) = jobs.first() {
        let column = &columns[first.column as usize];
        let planes = here.planes(column);
        if at_hand.replace(first.column) != Some(first.column) {
            if let Some(next) = next {
                next.planes(column)
                    .rank()
                    .for_each(|plane| plane.iter().take(N).for_each(|block| simd.prefetch(block)));
            }
            if !S::TERNARY {
                sign::<S, N>(simd, planes, signed);
            }
        }
        let together = |job: &LeafJob| job.column == first.column && job.test.is_by_order();
        let taken = match jobs.first_chunk::<K>() {
            Some(several) if S::TERNARY && several.iter().all(together) => {
                let cuts = several.map(|job| job.test.by_order().unwrap_or(0));
                for (index, bits) in above::<S, N, K>(simd, planes, cuts).into_iter().enumerate() {
                    finish(simd, planes, several[index], bits, &mut slots[index]);
                }
                K
            }
            _ => {
                let bits = match first.test {
                    Test::Plane(plane) => planes.load(simd, plane),
                    Test::Above(cut) | Test::AtMost(cut) if S::TERNARY => {
                        above::<S, N, 1>(simd, planes, [cut])[0]
                    }
                    Test::Above(cut) | Test::AtMost(cut) => above_signed::<S, N>(simd, signed, cut),
                    Test::Equal(cut) | Test::Unequal(cut) => equal(simd, planes, cut),
                };
                finish(simd, planes, *first, bits, &mut slots[0]);
                1
            }
        };
        jobs = &jobs[taken..];
        slots = &mut slots[taken..];
    }
}

impl<'a> Spot<'a> {
    #[inline(always)]
    fn planes(self, column: &'a Column) -> Planes<'a> {
        Planes { spot: self, column }
    }
}

/// From `rank > cut`, `rank = cut` or a plane to what the job asks for.
#[inline(always)]
fn finish<S: Simd, const N: usize>(
    simd: S,
    planes: Planes<'_>,
    job: LeafJob,
    mut bits: [S::Bits; N],
    out: &mut [Block; N],
) {
    if let Test::AtMost(_) | Test::Unequal(_) = job.test {
        bits = planes.valid_but(simd, bits);
    }
    if job.negate {
        bits = invert(simd, bits);
    }
    for (block, bits) in out.iter_mut().zip(bits) {
        simd.store(bits, block);
    }
}

#[derive(Clone, Copy)]
struct Planes<'a> {
    spot: Spot<'a>,
    column: &'a Column,
}

impl<'a> Planes<'a> {
    /// The planes of the rank, lowest bit first, each from the spot on.
    #[inline(always)]
    fn rank(self) -> impl Iterator<Item = &'a [Block]> {
        let planes = self.spot.tile.planes(self.column.planes());
        let Spot { tile: Tile { height, .. }, offset } = self.spot;
        // Not `chunks_exact`, which divides first: that costs as much as a plane.
        (0..self.column.planes().len())
            .map(move |plane| &planes[plane * height + offset..(plane + 1) * height])
    }

    #[inline(always)]
    fn load<S: Simd, const N: usize>(self, simd: S, plane: u32) -> [S::Bits; N] {
        load(simd, first(&self.spot.tile.plane(plane)[self.spot.offset..]))
    }

    /// Where there is a value but `bits` is clear.
    #[inline(always)]
    fn valid_but<S: Simd, const N: usize>(self, simd: S, bits: [S::Bits; N]) -> [S::Bits; N] {
        match self.column.validity() {
            None => invert(simd, bits),
            Some(plane) => {
                let mut valid = self.load(simd, plane);
                for (valid, bits) in valid.iter_mut().zip(bits) {
                    *valid = simd.and(*valid, simd.not(bits));
                }
                valid
            }
        }
    }
}

/// The next `N` blocks of a plane, which the walk over the tiles has seen to be there.
#[inline(always)]
fn first<const N: usize>(plane: &[Block]) -> &[Block; N] {
    plane.first_chunk().expect("a tile holds its blocks")
}

/// `rank > cut` for some cuts.
#[inline(always)]
fn above<S: Simd, const N: usize, const K: usize>(
    simd: S,
    planes: Planes<'_>,
    cuts: [u32; K],
) -> [[S::Bits; N]; K] {
    planes::above(simd, planes.rank().map(first), cuts, [false; K])
}

/// Writes every plane of the rank as it is and inverted, which is what [`above_signed`] reads.
#[inline(always)]
fn sign<S: Simd, const N: usize>(simd: S, planes: Planes<'_>, signed: &mut Vec<Block>) {
    signed.resize(planes.column.planes().len() * 2 * N, Block::ZERO);
    for (plane, pair) in planes.rank().zip(signed.as_chunks_mut::<N>().0.as_chunks_mut::<2>().0) {
        for (index, block) in first::<N>(plane).iter().enumerate() {
            let bits = simd.load(block);
            simd.store(bits, &mut pair[0][index]);
            simd.store(simd.not(bits), &mut pair[1][index]);
        }
    }
}

/// `rank > cut` where a majority takes four instructions. Where the cut's bit is set it is an AND with the
/// plane, where it is clear an OR, that is an AND of both inverted, inverted again. Between two planes only
/// the change of sign is left to do: two instructions a plane.
#[inline(always)]
fn above_signed<S: Simd, const N: usize>(simd: S, signed: &[Block], cut: u32) -> [S::Bits; N] {
    let mut greater = [simd.splat(false); N];
    let mut inverted = 0;
    for (bit, pair) in signed.as_chunks::<N>().0.as_chunks::<2>().0.iter().enumerate() {
        let clear = !cut >> bit & 1;
        let change = simd.splat(clear != inverted);
        inverted = clear;
        for (greater, block) in greater.iter_mut().zip(&pair[clear as usize]) {
            *greater = simd.and(simd.xor(*greater, change), simd.load(block));
        }
    }
    let change = simd.splat(inverted == 1);
    for greater in &mut greater {
        *greater = simd.xor(*greater, change);
    }
    greater
}

/// `rank = cut`.
#[inline(always)]
fn equal<S: Simd, const N: usize>(simd: S, planes: Planes<'_>, cut: u32) -> [S::Bits; N] {
    planes::equal(simd, planes.rank().map(first), cut)
}
