//! Up to 512 sets at once: follows every edge once, for all of them.

use super::lanes::from_rows;
use crate::Edges;
use crate::inquiry::Question;
use pellucid_bits::planes::at_least;
use pellucid_bits::{BLOCK_BITS, Block, Kernel, Simd, as_u32};

/// The requested subjects in order; the first one is bit 0 of the answer.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Subjects<'a> {
    /// A range: the first subject and the number of subjects.
    Range(u32, usize),
    /// A list of subjects.
    List(&'a [u32]),
}

impl Subjects<'_> {
    pub(crate) fn len(self) -> usize {
        match self {
            Subjects::Range(_, len) => len,
            Subjects::List(list) => list.len(),
        }
    }

    #[inline(always)]
    pub(super) fn get(self, place: usize) -> u32 {
        match self {
            Subjects::Range(first, _) => first + as_u32(place),
            Subjects::List(list) => list[place],
        }
    }
}

/// The number of sets that fit side by side.
pub(crate) const LANES: usize = BLOCK_BITS;

/// The question of every lane: at least how many objects must be in the set of the lane, or outside
/// it.
#[derive(Clone, Debug)]
pub(crate) struct LaneQuestions {
    /// The lanes that count objects outside their sets, followed by the bits of the minimum of each
    /// lane.
    rows: Vec<Block>,
}

impl LaneQuestions {
    /// Converts questions, one lane each.
    pub(crate) fn of(questions: &[&Question<'_>]) -> LaneQuestions {
        let most = questions.iter().map(|question| question.at_least).max().unwrap_or(0);
        let mut rows = vec![Block::ZERO; 1 + (u32::BITS - most.leading_zeros()) as usize];
        for (lane, question) in questions.iter().enumerate() {
            debug_assert!(question.at_least > 0, "a minimum of zero is always satisfied");
            if question.outside {
                rows[0].set(lane);
            }
            for (plane, row) in rows[1..].iter_mut().enumerate() {
                if question.at_least >> plane & 1 == 1 {
                    row.set(lane);
                }
            }
        }
        LaneQuestions { rows }
    }

    /// Returns the lanes that count objects outside, followed by the bits of the minimums.
    pub(crate) fn rows(&self) -> &[Block] {
        &self.rows
    }
}

/// Groups questions whose minimums have the same number of bits, up to 512 per group. Returns the
/// indices and the questions of each group.
pub(crate) fn group_by_bits<'a>(
    questions: &'a [Question<'a>],
    mut places: Vec<usize>,
) -> Vec<(Vec<usize>, Vec<&'a Question<'a>>)> {
    let size = |place: usize| u32::BITS - questions[place].at_least.leading_zeros();
    places.sort_by_key(|&place| size(place));
    places
        .chunk_by(|&left, &right| size(left) == size(right))
        .flat_map(|group| group.chunks(LANES))
        .map(|group| (group.to_vec(), group.iter().map(|&place| &questions[place]).collect()))
        .collect()
}

/// What to do with the answers.
pub(crate) enum WideOutput<'a> {
    /// Write the bits of lane `l` from block `l * stride`.
    Bits { bits: &'a mut [Block], stride: usize },
    /// Add the counts of each class to `counts[lane * classes + class]`. The masks of the classes
    /// of a block are adjacent.
    Counts { masks: &'a [Block], classes: usize, counts: &'a mut [u64] },
}

/// Decides for every subject and lane whether there are enough objects.
pub(crate) struct Wide<'a> {
    pub(crate) edges: &'a Edges,
    pub(crate) rows: &'a [Block],
    pub(crate) lanes: usize,
    pub(crate) asked: &'a LaneQuestions,
    pub(crate) subjects: Subjects<'a>,
    pub(crate) output: WideOutput<'a>,
}

impl Kernel for Wide<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S) {
        // Summing a register is slow, so it is done once at the end.
        let mut sums = match self.output {
            WideOutput::Bits { .. } => Vec::new(),
            WideOutput::Counts { classes, .. } => vec![simd.no_count(); self.lanes * classes],
        };
        let (mut answers, mut found) = ([Block::ZERO; BLOCK_BITS], [Block::ZERO; BLOCK_BITS]);
        for block in 0..self.subjects.len().div_ceil(BLOCK_BITS) {
            let first = block * BLOCK_BITS;
            let here = (self.subjects.len() - first).min(BLOCK_BITS);
            match self.asked.rows.len() - 1 {
                0 | 1 => self.any(simd, first, &mut answers[..here]),
                2 => self.counted::<S, 2>(simd, first, &mut answers[..here]),
                3 | 4 => self.counted::<S, 4>(simd, first, &mut answers[..here]),
                5..=8 => self.counted::<S, 8>(simd, first, &mut answers[..here]),
                _ => self.counted::<S, 32>(simd, first, &mut answers[..here]),
            }
            answers[here..].fill(Block::ZERO);
            from_rows(simd, &answers, &mut found[..self.lanes.next_multiple_of(64)]);
            match &mut self.output {
                WideOutput::Bits { bits, stride } => {
                    for (lane, found) in found[..self.lanes].iter().enumerate() {
                        bits[lane * *stride + block] = *found;
                    }
                }
                WideOutput::Counts { masks, classes, .. } => {
                    let masks = &masks[block * *classes..(block + 1) * *classes];
                    let lanes = found.iter().zip(sums.chunks_exact_mut(*classes));
                    for (found, sums) in lanes.take(self.lanes) {
                        for (sum, mask) in sums.iter_mut().zip(masks) {
                            *sum = simd.count(*sum, simd.and(simd.load(found), simd.load(mask)));
                        }
                    }
                }
            }
        }
        if let WideOutput::Counts { counts, .. } = self.output {
            for (count, sum) in counts.iter_mut().zip(sums) {
                *count += simd.total(sum);
            }
        }
    }
}

/// The number of edges by which rows are prefetched.
const AHEAD: usize = 24;

impl Wide<'_> {
    /// Prefetches the row of an edge that is followed soon.
    #[inline(always)]
    fn prefetch<S: Simd>(&self, simd: S, edge: usize) {
        if let Some(&object) = self.edges.objects().get(edge + AHEAD) {
            simd.prefetch(&self.rows[object as usize]);
        }
    }

    /// Answers questions with a minimum of one in every lane.
    #[inline(always)]
    fn any<S: Simd>(&self, simd: S, first: usize, answers: &mut [Block]) {
        let outside = simd.load(&self.asked.rows[0]);
        let (offsets, objects) = (self.edges.offsets(), self.edges.objects());
        for (place, answer) in answers.iter_mut().enumerate() {
            let subject = self.subjects.get(first + place) as usize;
            let mut any = simd.splat(false);
            let edges = offsets[subject] as usize..offsets[subject + 1] as usize;
            for (edge, &object) in edges.clone().zip(&objects[edges]) {
                self.prefetch(simd, edge);
                let row = simd.load(&self.rows[object as usize]);
                any = simd.or(any, simd.xor(row, outside));
            }
            simd.store(any, answer);
        }
    }

    /// Counts with `P` bits in every lane. Overflows are recorded, so no count is lost.
    #[inline(always)]
    fn counted<S: Simd, const P: usize>(&self, simd: S, first: usize, answers: &mut [Block]) {
        let outside = simd.load(&self.asked.rows[0]);
        let (offsets, objects) = (self.edges.offsets(), self.edges.objects());
        for (place, answer) in answers.iter_mut().enumerate() {
            let subject = self.subjects.get(first + place) as usize;
            let mut planes = [simd.splat(false); P];
            let mut over = simd.splat(false);
            let edges = offsets[subject] as usize..offsets[subject + 1] as usize;
            for (edge, &object) in edges.clone().zip(&objects[edges]) {
                self.prefetch(simd, edge);
                let row = simd.load(&self.rows[object as usize]);
                let mut carry = simd.xor(row, outside);
                for plane in &mut planes {
                    let next = simd.and(*plane, carry);
                    *plane = simd.xor(*plane, carry);
                    carry = next;
                }
                over = simd.or(over, carry);
            }
            let enough = at_least(simd, planes, &self.asked.rows[1..]);
            simd.store(simd.or(enough, over), answer);
        }
    }
}
