//! Encodes plans as the kernels read them: flat lists of words.
//!
//! Comparisons of one column become **jobs** of up to sixteen, in groups of four. Parts and roots
//! become **bundles** of eight formulas of similar shape, which run the same steps in parallel. A
//! formula with fewer conjunctions than the others is padded with conjunctions that are always
//! false, and a shorter conjunction is padded with tokens that are always true.

mod bundle;
mod leaves;

use super::argument::{BUNDLE, COMPLEMENT, NONE, SPECIAL_SLOTS, TilePlan};
use crate::plan::{Groups, Plan};
use crate::table::Column;
use bundle::{Bundle, STEP_TOKENS};
use leaves::{JOB_POSITION, JOB_WORDS, Jobs, POSITION_WORDS};
use pellucid_bits::as_u32;
use pellucid_device::gpu::{record_words, write_record};

/// The number of words of a level.
const LEVEL_WORDS: usize = 2;
/// The number of words of a plan.
const PLAN_WORDS: usize = record_words::<TilePlan>();

/// Encoded plans.
#[derive(Debug, Default)]
pub(super) struct Program {
    plans: Vec<TilePlan>,
    jobs: Jobs,
    levels: Vec<u32>,
    starts: Vec<u32>,
    targets: Vec<u32>,
    steps: Vec<u16>,
    /// The maximum number of slots and of bundles of roots in a plan.
    slots: usize,
    bundles: usize,
    scratch: EncodeScratch,
}

/// Scratch memory for encoding, kept for the next plan.
#[derive(Debug, Default)]
struct EncodeScratch {
    /// By part: its level.
    level_of: Vec<u32>,
    /// Parts sorted by level, and by shape within a level: level, length and index.
    parts: Vec<(u32, u32, u32)>,
    formulas: Vec<(u32, Groups)>,
    bundle: Bundle,
}

impl Program {
    pub(super) fn clear(&mut self) {
        self.plans.clear();
        self.jobs.clear();
        self.levels.clear();
        self.starts.clear();
        self.targets.clear();
        self.steps.clear();
        (self.slots, self.bundles) = (0, 0);
    }

    /// Adds a plan. Its roots are numbered from `first_root` on.
    pub(super) fn add(&mut self, columns: &[Column], plan: &Plan, first_root: u32) {
        let first_job = self.jobs.len();
        self.jobs.add(columns, plan);
        let first_level = self.levels.len() / LEVEL_WORDS;
        let mut scratch = std::mem::take(&mut self.scratch);
        self.add_parts(plan, &mut scratch);
        let bundles = plan.roots.len().div_ceil(BUNDLE);
        self.add_level(plan, &plan.roots, first_root, &mut scratch.bundle);
        self.scratch = scratch;
        self.plans.push(TilePlan {
            first_job: as_u32(first_job),
            jobs: as_u32(self.jobs.len() - first_job),
            slots: as_u32(plan.slots()),
            first_level: as_u32(first_level),
            levels: as_u32(self.levels.len() / LEVEL_WORDS - first_level),
        });
        self.slots = self.slots.max(plan.slots() + SPECIAL_SLOTS);
        self.bundles = self.bundles.max(bundles);
    }

    /// Adds the parts, level by level. Parts of one level use only slots of earlier levels.
    fn add_parts(&mut self, plan: &Plan, scratch: &mut EncodeScratch) {
        let EncodeScratch { level_of, parts, formulas, bundle } = scratch;
        let leaves = plan.leaves.len();
        level_of.clear();
        parts.clear();
        for (index, &groups) in (0u32..).zip(&plan.parts) {
            let (lengths, literals) = plan.groups(groups);
            let count: u32 = lengths.iter().sum();
            let below = literals[..count as usize].iter().filter_map(|&slot| {
                (slot as usize).checked_sub(leaves).map(|part| level_of[part] + 1)
            });
            let level = below.max().unwrap_or(0);
            level_of.push(level);
            parts.push((level, count, index));
        }
        parts.sort_unstable();
        for level in parts.chunk_by(|one, other| one.0 == other.0) {
            formulas.clear();
            formulas.extend(
                level
                    .iter()
                    .map(|&(_, _, index)| (as_u32(leaves) + index, plan.parts[index as usize])),
            );
            self.add_level(plan, formulas, 0, bundle);
        }
    }

    /// Adds formulas that do not depend on each other. `first` is added to their targets.
    fn add_level(
        &mut self,
        plan: &Plan,
        formulas: &[(u32, Groups)],
        first: u32,
        bundle: &mut Bundle,
    ) {
        let start = self.starts.len();
        for formulas in formulas.chunks(BUNDLE) {
            self.starts.push(as_u32(self.steps.len() / STEP_TOKENS));
            let target = |&(to, groups): &(u32, Groups)| {
                (to + first) | if groups.complement { COMPLEMENT } else { 0 }
            };
            self.targets.extend(formulas.iter().map(target));
            self.targets.resize(self.starts.len() * BUNDLE, NONE);
            bundle.set(plan, formulas);
            bundle.write(plan, formulas, &mut self.steps);
        }
        self.levels.extend([as_u32(start), as_u32(self.starts.len())]);
    }
}

/// The total size of some programs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    pub(super) plans: usize,
    /// The number of slots of the largest plan, including the special ones.
    pub(super) slots: usize,
    /// The number of entries for roots in the largest plan.
    pub(super) places: usize,
    /// The number of words that [`write()`] needs.
    pub(super) words: usize,
}

/// The starts of the lists of written programs, in words from the beginning.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sections {
    pub(super) plans: usize,
    pub(super) jobs: usize,
    pub(super) leaves: usize,
    pub(super) levels: usize,
    pub(super) starts: usize,
    pub(super) targets: usize,
    pub(super) steps: usize,
}

/// Returns the total size of programs that are sent together.
pub(super) fn extent(programs: &[&Program]) -> Extent {
    let sizes = |size: fn(&Program) -> usize| programs.iter().map(move |program| size(program));
    let sum = |size| sizes(size).sum::<usize>();
    let most = |size| sizes(size).max().unwrap_or(0);
    let lists = [
        sum(|program| program.plans.len() * PLAN_WORDS),
        sum(|program| program.jobs.jobs.len()),
        sum(|program| program.jobs.leaves.len()),
        sum(|program| program.levels.len()),
        // The end of the last bundle follows all starts.
        sum(|program| program.starts.len()) + 1,
        sum(|program| program.targets.len()),
        // The kernels read one step ahead.
        (sum(|program| program.steps.len()) + STEP_TOKENS) / 2,
    ];
    Extent {
        plans: sum(|program| program.plans.len()),
        slots: most(|program| program.slots),
        places: most(|program| program.bundles) * BUNDLE,
        words: lists.iter().map(|words| words.next_multiple_of(ALIGNMENT)).sum(),
    }
}

/// The alignment of lists, in words.
pub(super) const ALIGNMENT: usize = 4;

/// Writes programs into one range of memory. Each list contains the entries of the first program,
/// then those of the second, and so on. Indices into a list are shifted accordingly.
pub(super) fn write(programs: &[&Program], out: &mut [u32]) -> Sections {
    let mut out = Writer { out, at: 0 };
    let plans = out.list();
    let (mut jobs_before, mut levels_before) = (0, 0);
    for program in programs {
        for &plan in &program.plans {
            let (first_job, first_level) =
                (plan.first_job + jobs_before, plan.first_level + levels_before);
            out.record(&TilePlan { first_job, first_level, ..plan });
        }
        jobs_before += as_u32(program.jobs.len());
        levels_before += as_u32(program.levels.len() / LEVEL_WORDS);
    }
    let jobs = out.list();
    let mut before = 0;
    for program in programs {
        let jobs = out.copy(&program.jobs.jobs).chunks_exact_mut(JOB_WORDS);
        jobs.for_each(|job| job[JOB_POSITION] += before);
        before += as_u32(program.jobs.leaves.len() / POSITION_WORDS);
    }
    let leaves = out.list();
    for program in programs {
        out.copy(&program.jobs.leaves);
    }
    let levels = out.list();
    let mut before = 0;
    for program in programs {
        out.copy(&program.levels).iter_mut().for_each(|bundle| *bundle += before);
        before += as_u32(program.starts.len());
    }
    let starts = out.list();
    let mut before = 0;
    for program in programs {
        out.copy(&program.starts).iter_mut().for_each(|step| *step += before);
        before += as_u32(program.steps.len() / STEP_TOKENS);
    }
    out.copy(&[before]);
    let targets = out.list();
    for program in programs {
        out.copy(&program.targets);
    }
    let steps = out.list();
    for program in programs {
        out.copy_pairs(&program.steps);
    }
    out.copy_pairs(&[0; STEP_TOKENS]);
    Sections { plans, jobs, leaves, levels, starts, targets, steps }
}

/// Writes consecutive lists.
struct Writer<'a> {
    out: &'a mut [u32],
    at: usize,
}

impl Writer<'_> {
    /// Begins a list and returns its start.
    fn list(&mut self) -> usize {
        self.at = self.at.next_multiple_of(ALIGNMENT);
        self.at
    }

    fn copy(&mut self, words: &[u32]) -> &mut [u32] {
        let start = self.at;
        self.at += words.len();
        let copied = &mut self.out[start..self.at];
        copied.copy_from_slice(words);
        copied
    }

    fn record(&mut self, plan: &TilePlan) {
        write_record(plan, &mut self.out[self.at..]);
        self.at += PLAN_WORDS;
    }

    fn copy_pairs(&mut self, halves: &[u16]) {
        let pairs = halves.as_chunks::<2>().0;
        for (word, pair) in self.out[self.at..].iter_mut().zip(pairs) {
            *word = u32::from(pair[0]) | u32::from(pair[1]) << 16;
        }
        self.at += pairs.len();
    }
}
