//! Up to 512 sets at once: follow every edge once, for all of them.

use super::lanes::from_rows;
use crate::bits::{BLOCK_BITS, Block};
use crate::cpu::{Kernel, Simd};
use crate::world::Edges;

/// Which subjects are asked, in which order; the first is bit 0 of the answer.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Subjects<'a> {
    /// Those from a first one on, so many.
    From(u32, usize),
    /// Some.
    Listed(&'a [u32]),
}

impl Subjects<'_> {
    pub(crate) fn len(self) -> usize {
        match self {
            Subjects::From(_, len) => len,
            Subjects::Listed(list) => list.len(),
        }
    }

    #[inline(always)]
    pub(super) fn get(self, place: usize) -> u32 {
        match self {
            // Subjects are numbered as u32.
            #[expect(clippy::cast_possible_truncation)]
            Subjects::From(first, _) => first + place as u32,
            Subjects::Listed(list) => list[place],
        }
    }
}

/// What is asked of every lane: at least so many objects that are, or are not, in the lane's set.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    /// Lanes that ask for objects outside their sets.
    outside: Block,
    /// Bit by bit, the least number of each lane.
    at_least: Vec<Block>,
}

impl Asked {
    /// For each lane whether it asks for objects outside its set, and the least number, which is not 0.
    pub(crate) fn new(lanes: impl IntoIterator<Item = (bool, u32)>) -> Asked {
        let mut asked = Asked { outside: Block::ZERO, at_least: Vec::new() };
        for (lane, (outside, at_least)) in lanes.into_iter().enumerate() {
            debug_assert!(at_least > 0, "at least none is always so");
            if outside {
                asked.outside.set(lane);
            }
            let planes = (u32::BITS - at_least.leading_zeros()) as usize;
            if asked.at_least.len() < planes {
                asked.at_least.resize(planes, Block::ZERO);
            }
            for (plane, block) in asked.at_least.iter_mut().enumerate() {
                if at_least >> plane & 1 == 1 {
                    block.set(lane);
                }
            }
        }
        asked
    }
}

/// What becomes of the answers.
pub(crate) enum Wanted<'a> {
    /// The bits of lane `l` from block `l * stride` on.
    Bits { bits: &'a mut [Block], stride: usize },
    /// Counts of each class are added to `counts[lane * classes + class]`; the masks of a block's classes lie side by side.
    Counts { masks: &'a [Block], classes: usize, counts: &'a mut [u64] },
}

/// For every subject and lane: are there enough objects?
pub(crate) struct Wide<'a> {
    pub(crate) edges: &'a Edges,
    pub(crate) rows: &'a [Block],
    pub(crate) lanes: usize,
    pub(crate) asked: &'a Asked,
    pub(crate) subjects: Subjects<'a>,
    pub(crate) wanted: Wanted<'a>,
}

impl Kernel for Wide<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S) {
        let mut answers = [Block::ZERO; BLOCK_BITS];
        for block in 0..self.subjects.len().div_ceil(BLOCK_BITS) {
            let first = block * BLOCK_BITS;
            let here = (self.subjects.len() - first).min(BLOCK_BITS);
            match self.asked.at_least.len() {
                0 | 1 => self.any(simd, first, &mut answers[..here]),
                2 => self.counted::<S, 2>(simd, first, &mut answers[..here]),
                3 | 4 => self.counted::<S, 4>(simd, first, &mut answers[..here]),
                5..=8 => self.counted::<S, 8>(simd, first, &mut answers[..here]),
                _ => self.counted::<S, 32>(simd, first, &mut answers[..here]),
            }
            answers[here..].fill(Block::ZERO);
            match &mut self.wanted {
                Wanted::Bits { bits, stride } => from_rows(simd, &answers, self.lanes, |lane, found| {
                    bits[lane * *stride + block] = *found;
                }),
                Wanted::Counts { masks, classes, counts } => {
                    let masks = &masks[block * *classes..(block + 1) * *classes];
                    from_rows(simd, &answers, self.lanes, |lane, found| {
                        let counts = &mut counts[lane * *classes..(lane + 1) * *classes];
                        for (count, mask) in counts.iter_mut().zip(masks) {
                            let both = simd.and(simd.load(found), simd.load(mask));
                            *count += simd.total(simd.count(simd.no_count(), both));
                        }
                    });
                }
            }
        }
    }
}

/// How many edges ahead their rows are asked for.
const AHEAD: usize = 24;

impl Wide<'_> {
    /// Asks for the row of an edge that is followed soon.
    #[inline(always)]
    fn prefetch<S: Simd>(&self, simd: S, edge: usize) {
        if let Some(&object) = self.edges.objects().get(edge + AHEAD) {
            simd.prefetch(&self.rows[object as usize]);
        }
    }

    /// At least one in every lane.
    #[inline(always)]
    fn any<S: Simd>(&self, simd: S, first: usize, answers: &mut [Block]) {
        let outside = simd.load(&self.asked.outside);
        let (offsets, objects) = (self.edges.offsets(), self.edges.objects());
        for (place, answer) in answers.iter_mut().enumerate() {
            let subject = self.subjects.get(first + place) as usize;
            let mut any = simd.splat(false);
            for edge in offsets[subject] as usize..offsets[subject + 1] as usize {
                self.prefetch(simd, edge);
                let row = simd.load(&self.rows[objects[edge] as usize]);
                any = simd.or(any, simd.xor(row, outside));
            }
            simd.store(any, answer);
        }
    }

    /// Counters of `P` bits in every lane; what exceeds them is remembered, so none ever wraps around.
    #[inline(always)]
    fn counted<S: Simd, const P: usize>(&self, simd: S, first: usize, answers: &mut [Block]) {
        let outside = simd.load(&self.asked.outside);
        let (offsets, objects) = (self.edges.offsets(), self.edges.objects());
        for (place, answer) in answers.iter_mut().enumerate() {
            let subject = self.subjects.get(first + place) as usize;
            let mut planes = [simd.splat(false); P];
            let mut over = simd.splat(false);
            for edge in offsets[subject] as usize..offsets[subject + 1] as usize {
                self.prefetch(simd, edge);
                let row = simd.load(&self.rows[objects[edge] as usize]);
                let mut carry = simd.xor(row, outside);
                for plane in &mut planes {
                    let next = simd.and(*plane, carry);
                    *plane = simd.xor(*plane, carry);
                    carry = next;
                }
                over = simd.or(over, carry);
            }
            // From the lowest bit up, a higher one overrules the lower unless both numbers have it alike.
            let mut enough = simd.splat(true);
            for (plane, count) in planes.into_iter().enumerate() {
                let least = match self.asked.at_least.get(plane) {
                    Some(block) => simd.load(block),
                    None => simd.splat(false),
                };
                enough = simd.majority(enough, count, simd.not(least));
            }
            simd.store(simd.or(enough, over), answer);
        }
    }
}
