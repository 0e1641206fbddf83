//! Computes the tests of a plan on one tile: planes to bits.

use crate::plan::{LeafJob, Test};
use crate::table::{Column, Tile};
use pellucid_bits::{Block, Kernel, Simd, digits, invert, load, planes};

/// A position in a table: a tile and the index of a block in it.
#[derive(Clone, Copy)]
pub(super) struct BlockPosition<'a> {
    pub(super) tile: Tile<'a>,
    pub(super) offset: usize,
}

/// Writes the bits of all leaves for the `N` blocks `here`, and prefetches the planes for the
/// blocks `next`.
///
/// Leaves are sorted by column. If a column has many comparisons, its planes are first turned into
/// digits, from which each comparison takes a few operations. Otherwise they are computed `K` at a
/// time: each block of a plane is then read once for all of them, and their dependency chains run in
/// parallel.
pub(super) struct Leaves<'a, const N: usize, const K: usize> {
    pub(super) here: BlockPosition<'a>,
    pub(super) next: Option<BlockPosition<'a>>,
    pub(super) columns: &'a [Column],
    pub(super) jobs: &'a [LeafJob],
    pub(super) slots: &'a mut [[Block; N]],
    /// Scratch memory for the planes of one column, plain and inverted, or for its digits.
    pub(super) planes: &'a mut Vec<Block>,
}

impl<const N: usize, const K: usize> Kernel for Leaves<'_, N, K> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Leaves { here, next, columns, mut jobs, mut slots, planes: scratch } = self;
        while let Some(first) = jobs.first() {
            let column = &columns[first.column as usize];
            let planes = here.planes(column);
            if let Some(next) = next {
                next.planes(column)
                    .rank()
                    .for_each(|plane| plane.iter().take(N).for_each(|block| simd.prefetch(block)));
            }
            let ordered = |job: &&LeafJob| job.column == first.column && job.test.is_by_order();
            let by_order = jobs.iter().take_while(ordered).count();
            let (ordered, rest) = jobs.split_at(by_order);
            let (out, rest_out) = slots.split_at_mut(by_order);
            if by_order >= many::<S>() {
                by_digits(simd, planes, ordered, scratch, out);
            } else {
                by_planes::<S, N, K>(simd, planes, ordered, scratch, out);
            }
            let others = rest.iter().take_while(|job| job.column == first.column).count();
            let (others, rest) = rest.split_at(others);
            let (out, rest_out) = rest_out.split_at_mut(others.len());
            for (job, out) in others.iter().zip(out) {
                let bits = match job.test {
                    Test::Plane(plane) => planes.load(simd, plane),
                    Test::Equal(cut) | Test::Unequal(cut) => equal(simd, planes, cut),
                    Test::Above(_) | Test::AtMost(_) => unreachable!("comparisons come first"),
                };
                finish(simd, planes, *job, bits, out);
            }
            (jobs, slots) = (rest, rest_out);
        }
    }
}

/// Returns the number of comparisons of a column from which digits are faster. With instructions of
/// three operands, a plane takes a single one, so that digits pay off later.
fn many<S: Simd>() -> usize {
    if S::TERNARY { 16 } else { 6 }
}

/// Computes comparisons of a column from its digits.
#[inline(always)]
fn by_digits<S: Simd, const N: usize>(
    simd: S,
    planes: Planes<'_>,
    jobs: &[LeafJob],
    rows: &mut Vec<Block>,
    slots: &mut [[Block; N]],
) {
    digits::write(simd, planes.rank().map(first::<N>), rows);
    let valid = planes.column.validity().map(|plane| planes.load::<S, N>(simd, plane));
    for (job, out) in jobs.iter().zip(slots) {
        let mut bits = digits::above::<S, N>(simd, rows, job.test.by_order().unwrap_or(0));
        // Without branches, because the next kind of comparison is unpredictable.
        let is_at_most = matches!(job.test, Test::AtMost(_));
        if let Some(valid) = valid {
            let opposite = simd.splat(is_at_most);
            for (bits, valid) in bits.iter_mut().zip(valid) {
                *bits = simd.and(simd.xor(*bits, opposite), valid);
            }
        }
        let opposite = simd.splat(job.negate != (is_at_most && valid.is_none()));
        for (block, bits) in out.iter_mut().zip(bits) {
            simd.store(simd.xor(bits, opposite), block);
        }
    }
}

/// Computes comparisons of a column plane by plane, `K` at a time.
#[inline(always)]
fn by_planes<S: Simd, const N: usize, const K: usize>(
    simd: S,
    planes: Planes<'_>,
    jobs: &[LeafJob],
    signed: &mut Vec<Block>,
    slots: &mut [[Block; N]],
) {
    let cut = |job: &LeafJob| job.test.by_order().unwrap_or(0);
    if !S::TERNARY {
        if !jobs.is_empty() {
            sign::<S, N>(simd, planes, signed);
        }
        for (job, out) in jobs.iter().zip(slots) {
            finish(simd, planes, *job, above_signed::<S, N>(simd, signed, cut(job)), out);
        }
        return;
    }
    let (several, single) = jobs.as_chunks::<K>();
    let (several_out, single_out) = slots.split_at_mut(several.len() * K);
    for (jobs, out) in several.iter().zip(several_out.as_chunks_mut::<K>().0) {
        let cuts = std::array::from_fn(|index| cut(&jobs[index]));
        for (index, bits) in above::<S, N, K>(simd, planes, cuts).into_iter().enumerate() {
            finish(simd, planes, jobs[index], bits, &mut out[index]);
        }
    }
    for (job, out) in single.iter().zip(single_out) {
        let [bits] = above::<S, N, 1>(simd, planes, [cut(job)]);
        finish(simd, planes, *job, bits, out);
    }
}

impl<'a> BlockPosition<'a> {
    #[inline(always)]
    fn planes(self, column: &'a Column) -> Planes<'a> {
        Planes { position: self, column }
    }
}

/// Converts `rank > cut`, `rank = cut` or a plane to the result of the job, and stores it.
#[inline(always)]
fn finish<S: Simd, const N: usize>(
    simd: S,
    planes: Planes<'_>,
    job: LeafJob,
    mut bits: [S::Bits; N],
    out: &mut [Block; N],
) {
    if let Test::AtMost(_) | Test::Unequal(_) = job.test {
        bits = planes.valid_but_not(simd, bits);
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
    position: BlockPosition<'a>,
    column: &'a Column,
}

impl<'a> Planes<'a> {
    /// Returns the planes of the rank, lowest bit first, each from the position on.
    #[inline(always)]
    fn rank(self) -> impl ExactSizeIterator<Item = &'a [Block]> {
        let planes = self.position.tile.planes(self.column.planes());
        let BlockPosition { tile: Tile { height, .. }, offset } = self.position;
        // `chunks_exact` would divide first, which costs as much as a plane.
        (0..self.column.planes().len())
            .map(move |plane| &planes[plane * height + offset..(plane + 1) * height])
    }

    #[inline(always)]
    fn load<S: Simd, const N: usize>(self, simd: S, plane: u32) -> [S::Bits; N] {
        load(simd, first(&self.position.tile.plane(plane)[self.position.offset..]))
    }

    /// Returns the rows that have a value but for which `bits` is clear.
    #[inline(always)]
    fn valid_but_not<S: Simd, const N: usize>(self, simd: S, bits: [S::Bits; N]) -> [S::Bits; N] {
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

/// Returns the next `N` blocks of a plane. The sweep guarantees that they exist.
#[inline(always)]
fn first<const N: usize>(plane: &[Block]) -> &[Block; N] {
    plane.first_chunk().expect("a tile has all its blocks")
}

/// Returns `rank > cut` for `K` cuts.
#[inline(always)]
fn above<S: Simd, const N: usize, const K: usize>(
    simd: S,
    planes: Planes<'_>,
    cuts: [u32; K],
) -> [[S::Bits; N]; K] {
    planes::above(simd, planes.rank().map(first), cuts, [false; K])
}

/// Writes every plane of the rank, plain and inverted, as [`above_signed`] reads them.
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

/// Returns `rank > cut` on instruction sets where a majority takes four instructions. If the bit of
/// the cut is set, the step is an AND with the plane. If it is clear, the step is an OR, computed
/// as the inverted AND of both inverted operands. Only the change of sign between two planes
/// remains: two instructions per plane.
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

/// Returns `rank = cut`.
#[inline(always)]
fn equal<S: Simd, const N: usize>(simd: S, planes: Planes<'_>, cut: u32) -> [S::Bits; N] {
    planes::equal(simd, planes.rank().map(first), cut)
}
