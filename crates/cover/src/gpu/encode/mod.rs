//! Plans as the kernels read them: flat lists of words.
//!
//! Comparisons of one column become **jobs** of up to sixteen, in fours. Parts and roots become **bundles** of eight formulas of
//! about the same shape, which take the same steps side by side: where one formula has fewer conjunctions than another
//! it is given some that are never true, and where a conjunction is shorter it is filled up with what is always true.

mod bundle;
mod leaves;

use super::argument::{BUNDLE, COMPLEMENT, NONE, SPECIAL_SLOTS, TilePlan};
use crate::plan::{Groups, Plan};
use crate::table::Column;
use bundle::{Bundle, STEP_TOKENS};
use leaves::{JOB_PLACE, JOB_WORDS, Jobs, PLACE_WORDS};
use pellucid_bits::as_u32;
use pellucid_device::gpu::{record_words, write_record};

/// Words of a level.
const LEVEL_WORDS: usize = 2;
/// Words of a plan.
const PLAN_WORDS: usize = record_words::<TilePlan>();

/// Some plans, encoded.
#[derive(Debug, Default)]
pub(super) struct Program {
    plans: Vec<TilePlan>,
    jobs: Jobs,
    levels: Vec<u32>,
    starts: Vec<u32>,
    targets: Vec<u32>,
    steps: Vec<u16>,
    /// The most slots and the most bundles of roots that a plan has.
    slots: usize,
    bundles: usize,
    room: Room,
}

/// Memory that encoding needs, kept for the next plan.
#[derive(Debug, Default)]
struct Room {
    /// By part: its level.
    level_of: Vec<u32>,
    /// Parts in the order of their levels, and of their shapes within one.
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

    /// Adds a plan whose roots are counted from `first_root` on.
    pub(super) fn add(&mut self, columns: &[Column], plan: &Plan, first_root: u32) {
        let first_job = self.jobs.len();
        self.jobs.add(columns, plan);
        let first_level = self.levels.len() / LEVEL_WORDS;
        let mut room = std::mem::take(&mut self.room);
        self.add_parts(plan, &mut room);
        let bundles = plan.roots.len().div_ceil(BUNDLE);
        self.add_level(plan, &plan.roots, first_root, &mut room.bundle);
        self.room = room;
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

    /// Adds the parts, level by level: those of one level use slots of earlier levels alone.
    fn add_parts(&mut self, plan: &Plan, room: &mut Room) {
        let Room { level_of, parts, formulas, bundle } = room;
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

    /// Adds formulas that do not need each other; `first` is added to where they go.
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

/// How large some programs are together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    pub(super) plans: usize,
    /// The slots of the largest plan, the special ones among them.
    pub(super) slots: usize,
    /// The places for roots that the largest plan needs.
    pub(super) places: usize,
    /// Words that [`write()`] needs.
    pub(super) words: usize,
}

/// Where the lists of written programs start, in words from the beginning.
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

/// Measures programs that will be sent together.
pub(super) fn extent<'a>(programs: impl Iterator<Item = &'a Program> + Clone) -> Extent {
    let sum = |size: fn(&Program) -> usize| programs.clone().map(size).sum::<usize>();
    let most = |size: fn(&Program) -> usize| programs.clone().map(size).max().unwrap_or(0);
    let lists = [
        sum(|program| program.plans.len() * PLAN_WORDS),
        sum(|program| program.jobs.jobs.len()),
        sum(|program| program.jobs.leaves.len()),
        sum(|program| program.levels.len()),
        // The end of the last bundle stands behind all starts.
        sum(|program| program.starts.len()) + 1,
        sum(|program| program.targets.len()),
        // The kernels read one step ahead.
        (sum(|program| program.steps.len()) + STEP_TOKENS) / 2,
    ];
    Extent {
        plans: sum(|program| program.plans.len()),
        slots: most(|program| program.slots),
        places: most(|program| program.bundles) * BUNDLE,
        words: lists.iter().map(|words| words.next_multiple_of(ALIGNED)).sum(),
    }
}

/// Lists start at multiples of so many words.
pub(super) const ALIGNED: usize = 4;

/// Writes programs into one stretch of memory: of each list first that of the first program, then that of the second, and
/// so on. What they count from their own beginning is then counted from the first one's.
pub(super) fn write<'a>(
    programs: impl Iterator<Item = &'a Program> + Clone,
    out: &mut [u32],
) -> Sections {
    let mut out = Writer { out, at: 0 };
    let plans = out.list();
    let (mut jobs_before, mut levels_before) = (0, 0);
    for program in programs.clone() {
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
    for program in programs.clone() {
        let jobs = out.copy(&program.jobs.jobs).chunks_exact_mut(JOB_WORDS);
        jobs.for_each(|job| job[JOB_PLACE] += before);
        before += as_u32(program.jobs.leaves.len() / PLACE_WORDS);
    }
    let leaves = out.list();
    for program in programs.clone() {
        out.copy(&program.jobs.leaves);
    }
    let levels = out.list();
    let mut before = 0;
    for program in programs.clone() {
        out.copy(&program.levels).iter_mut().for_each(|bundle| *bundle += before);
        before += as_u32(program.starts.len());
    }
    let starts = out.list();
    let mut before = 0;
    for program in programs.clone() {
        out.copy(&program.starts).iter_mut().for_each(|step| *step += before);
        before += as_u32(program.steps.len() / STEP_TOKENS);
    }
    out.copy(&[before]);
    let targets = out.list();
    for program in programs.clone() {
        out.copy(&program.targets);
    }
    let steps = out.list();
    for program in programs {
        out.copy_pairs(&program.steps);
    }
    out.copy_pairs(&[0; STEP_TOKENS]);
    Sections { plans, jobs, leaves, levels, starts, targets, steps }
}

/// Writes lists one after the other.
struct Writer<'a> {
    out: &'a mut [u32],
    at: usize,
}

impl Writer<'_> {
    /// Begins a list, and says where.
    fn list(&mut self) -> usize {
        self.at = self.at.next_multiple_of(ALIGNED);
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
