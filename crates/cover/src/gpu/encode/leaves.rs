//! Encodes comparisons as jobs of up to sixteen comparisons of one column, or of up to sixteen planes
//! of any columns, in groups of four.

use crate::gpu::argument::{NONE, QUARTERS};
use crate::plan::{LeafJob, Plan, Test};
use crate::table::Column;
use pellucid_bits::as_u32;

/// The number of warps that take jobs in turn, on a GPU with the maximum number of threads in a
/// block.
const WARPS: usize = 32;
/// The number of comparisons in a job.
const JOB: usize = 4 * QUARTERS;
/// The number of words of a job.
pub(super) const JOB_WORDS: usize = 4;
/// The word of a job with the position of its comparisons, in units of [`POSITION_WORDS`].
pub(super) const JOB_POSITION: usize = 3;
/// The number of words of the unit in which comparisons are counted.
pub(super) const POSITION_WORDS: usize = 2;

/// Encoded jobs, and the cuts of their comparisons.
#[derive(Debug, Default)]
pub(super) struct Jobs {
    pub(super) jobs: Vec<u32>,
    pub(super) leaves: Vec<u32>,
}

impl Jobs {
    pub(super) fn clear(&mut self) {
        self.jobs.clear();
        self.leaves.clear();
    }

    pub(super) fn len(&self) -> usize {
        self.jobs.len() / JOB_WORDS
    }

    /// Adds the comparisons of a plan.
    pub(super) fn add(&mut self, columns: &[Column], plan: &Plan) {
        let mut order = plan.leaves_by_column();
        let leaf = |&slot: &u32| &plan.leaves[slot as usize];
        // Planes of all columns are copied together.
        order.sort_by_key(|slot| Kind::of(leaf(slot).test) == Kind::Plane);
        let alike = |one: &u32, other: &u32| {
            let (one, other) = (leaf(one), leaf(other));
            let kind = Kind::of(one.test);
            kind == Kind::of(other.test) && (kind == Kind::Plane || one.column == other.column)
        };
        let first_job = self.jobs.len();
        for slots in order.chunk_by(alike) {
            let share = slots.len().div_ceil(slots.len().div_ceil(JOB)).next_multiple_of(QUARTERS);
            for slots in slots.chunks(share) {
                self.add_job(&columns[leaf(&slots[0]).column as usize], plan, slots);
            }
        }
        // Longest first, because warps take jobs in turn. Every other round is reversed, so that no
        // warp gets the longest job of every round.
        let length = |job: &[u32; JOB_WORDS]| (job[1] & 0xFF) * (job[1] >> 8 & 0xFF);
        let jobs = self.jobs[first_job..].as_chunks_mut::<JOB_WORDS>().0;
        jobs.sort_unstable_by_key(|job| std::cmp::Reverse(length(job)));
        jobs.chunks_exact_mut(WARPS).skip(1).step_by(2).for_each(<[_]>::reverse);
    }

    /// Adds comparisons that differ only in their cuts, or planes, given by their slots.
    fn add_job(&mut self, column: &Column, plan: &Plan, slots: &[u32]) {
        let kind = Kind::of(plan.leaves[slots[0] as usize].test);
        let (planes, validity) = match kind {
            // Each plane is given by its leaf.
            Kind::Plane => (0..1, None),
            Kind::Order | Kind::Equal => (column.planes(), column.validity()),
        };
        let (height, fours) = (planes.end - planes.start, slots.len().div_ceil(QUARTERS));
        self.jobs.extend([
            planes.start,
            height | as_u32(fours) << 8 | (kind as u32) << 16,
            validity.unwrap_or(NONE),
            as_u32(self.leaves.len() / POSITION_WORDS),
        ]);
        for &slot in slots {
            let leaf = &plan.leaves[slot as usize];
            let opposite = matches!(leaf.test, Test::AtMost(_) | Test::Unequal(_));
            let end = slot << 16 | u32::from(leaf.negate) << 1 | u32::from(opposite);
            self.leaves.extend([cut(leaf), end]);
        }
        for _ in slots.len()..fours * QUARTERS {
            self.leaves.extend([0, NONE]);
        }
    }
}

/// How a comparison reads the planes. The kernel uses the same numbers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Order = 0,
    Equal = 1,
    /// It is a plane.
    Plane = 2,
}

impl Kind {
    fn of(test: Test) -> Kind {
        match test {
            Test::Plane(_) => Kind::Plane,
            Test::Above(_) | Test::AtMost(_) => Kind::Order,
            Test::Equal(_) | Test::Unequal(_) => Kind::Equal,
        }
    }
}

/// Returns the number that the rank is compared with, or the plane.
fn cut(leaf: &LeafJob) -> u32 {
    match leaf.test {
        Test::Plane(plane) => plane,
        Test::Above(cut) | Test::Equal(cut) | Test::AtMost(cut) | Test::Unequal(cut) => cut,
    }
}
