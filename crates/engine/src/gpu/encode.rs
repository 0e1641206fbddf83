//! Plans as the kernels read them: flat lists of words.
//!
//! Comparisons of one column become **jobs** of up to sixteen, in fours. Parts and roots become **bundles** of eight formulas of
//! about the same shape, which take the same steps side by side: where one formula has fewer conjunctions than another
//! it is given some that are never true, and where a conjunction is shorter it is filled up with what is always true.

use super::work::{BUNDLE, COMPLEMENT, NONE, PLAN_WORDS, QUARTERS, SPECIAL_SLOTS};
use crate::kernel::{Groups, LeafJob, Plan, Test};
use crate::table::Column;

/// Comparisons in a job.
const JOB: usize = 4 * QUARTERS;
/// Words of a job and a level.
const JOB_WORDS: usize = 4;
const LEVEL_WORDS: usize = 2;
/// Tokens of 16 bits in a step: four for each formula.
const STEP_TOKENS: usize = 4 * BUNDLE;

/// Some plans, ready to be sent.
#[derive(Debug, Default)]
pub(super) struct Program {
    plans: Vec<u32>,
    jobs: Vec<u32>,
    leaves: Vec<u32>,
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

/// The shape that eight formulas share, and the steps that it takes.
#[derive(Debug, Default)]
struct Bundle {
    /// The lengths of the conjunctions, the shortest first.
    shape: Vec<u32>,
    steps: Steps,
}

/// The steps of a bundle.
#[derive(Debug, Default)]
struct Steps {
    /// By place among the tokens of a formula: where the token goes, from the first step of the bundle on.
    places: Vec<u32>,
    /// The kinds of the steps.
    kinds: Vec<u16>,
}

/// Where the lists of a program start, in words from its beginning.
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

impl Program {
    pub(super) fn clear(&mut self) {
        self.plans.clear();
        self.jobs.clear();
        self.leaves.clear();
        self.levels.clear();
        self.starts.clear();
        self.targets.clear();
        self.steps.clear();
        (self.slots, self.bundles) = (0, 0);
    }

    pub(super) fn plans(&self) -> usize {
        self.plans.len() / PLAN_WORDS
    }

    /// The slots of the largest plan, the special ones among them.
    pub(super) fn slots(&self) -> usize {
        self.slots
    }

    /// The places for roots that the largest plan needs.
    pub(super) fn places(&self) -> usize {
        self.bundles * BUNDLE
    }

    /// Adds a plan whose roots are counted from `first_root` on.
    pub(super) fn add(&mut self, columns: &[Column], plan: &Plan, first_root: u32) {
        let first_job = self.jobs.len() / JOB_WORDS;
        self.add_leaves(columns, plan);
        let first_level = self.levels.len() / LEVEL_WORDS;
        let mut room = std::mem::take(&mut self.room);
        self.add_parts(plan, &mut room);
        let bundles = plan.roots.len().div_ceil(BUNDLE);
        self.add_level(plan, &plan.roots, first_root, &mut room.bundle);
        self.room = room;
        self.plans.extend([
            small(first_job),
            small(self.jobs.len() / JOB_WORDS - first_job),
            small(plan.slots()),
            0,
            small(first_level),
            small(self.levels.len() / LEVEL_WORDS - first_level),
        ]);
        self.slots = self.slots.max(plan.slots() + SPECIAL_SLOTS);
        self.bundles = self.bundles.max(bundles);
    }

    /// No more plans will come.
    pub(super) fn close(&mut self) {
        self.starts.push(small(self.steps.len() / STEP_TOKENS));
        // The kernels read one step ahead.
        self.steps.extend([0; STEP_TOKENS]);
    }

    fn add_leaves(&mut self, columns: &[Column], plan: &Plan) {
        let mut slot = 0;
        while let Some(first) = plan.leaves.get(slot) {
            let (kind, column) = (Kind::of(first.test), &columns[first.column as usize]);
            let alike = |leaf: &&LeafJob| {
                leaf.column == first.column
                    && Kind::of(leaf.test) == kind
                    && plane(leaf) == plane(first)
            };
            // In equal shares, because warps take jobs in turns.
            let all = plan.leaves[slot..].iter().take_while(alike).count();
            let leaves = &plan.leaves[slot..slot + all.div_ceil(all.div_ceil(JOB))];
            let planes = match first.test {
                Test::Plane(plane) => plane..plane + 1,
                _ => column.planes(),
            };
            let (height, fours) = (planes.end - planes.start, leaves.len().div_ceil(QUARTERS));
            self.jobs.extend([
                planes.start,
                height | small(fours) << 8 | u32::from(kind == Kind::Equal) << 16,
                column.validity().unwrap_or(NONE),
                small(self.leaves.len() / 4),
            ]);
            self.add_cuts(kind, height as usize, leaves, fours);
            let ends = leaves.iter().zip(slot..).map(|(leaf, slot)| {
                let opposite = matches!(leaf.test, Test::AtMost(_) | Test::Unequal(_));
                small(slot) << 16 | u32::from(leaf.negate) << 1 | u32::from(opposite)
            });
            self.leaves.extend(ends);
            self.leaves.resize(self.leaves.len().next_multiple_of(QUARTERS), NONE);
            slot += leaves.len();
        }
    }

    /// Adds the bits of the cuts as bytes: four words for every sixteen planes of each comparison.
    fn add_cuts(&mut self, kind: Kind, height: usize, leaves: &[LeafJob], fours: usize) {
        let start = self.leaves.len();
        // By order, bits are inverted; so are those beyond the cut, which change nothing then.
        let inverted = if kind == Kind::Order { u32::MAX } else { 0 };
        let words = fours * QUARTERS * 4;
        self.leaves.resize(start + height.div_ceil(16) * words, inverted);
        for (sixteen, cuts) in self.leaves[start..].chunks_exact_mut(words).enumerate() {
            for (leaf, cuts) in leaves.iter().zip(cuts.as_chunks_mut::<4>().0) {
                let cut = cut(leaf) >> (16 * sixteen);
                *cuts = std::array::from_fn(|word| bytes(cut >> (4 * word) & 15) ^ inverted);
            }
        }
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
                    .map(|&(_, _, index)| (small(leaves) + index, plan.parts[index as usize])),
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
            self.starts.push(small(self.steps.len() / STEP_TOKENS));
            let target = |&(to, groups): &(u32, Groups)| {
                (to + first) | if groups.complement { COMPLEMENT } else { 0 }
            };
            self.targets.extend(formulas.iter().map(target));
            self.targets.resize(self.starts.len() * BUNDLE, NONE);
            bundle.set(plan, formulas);
            bundle.write(plan, formulas, &mut self.steps);
        }
        self.levels.extend([small(start), small(self.starts.len())]);
    }

    /// Writes everything into one stretch of memory, each list at a multiple of 16 bytes.
    pub(super) fn write(&self, out: &mut [u32]) -> Sections {
        let mut next = 0;
        let [plans, jobs, leaves, levels, starts, targets] = self.lists().map(|list| {
            let start = next;
            out[start..start + list.len()].copy_from_slice(list);
            next = (start + list.len()).next_multiple_of(4);
            start
        });
        for (word, pair) in out[next..].iter_mut().zip(self.steps.as_chunks::<2>().0) {
            *word = u32::from(pair[0]) | u32::from(pair[1]) << 16;
        }
        Sections { plans, jobs, leaves, levels, starts, targets, steps: next }
    }

    /// Words that [`Program::write`] needs.
    pub(super) fn words(&self) -> usize {
        let lists: usize = self.lists().iter().map(|list| list.len().next_multiple_of(4)).sum();
        lists + self.steps.len() / 2
    }

    fn lists(&self) -> [&[u32]; 6] {
        let Program { plans, jobs, leaves, levels, starts, targets, .. } = self;
        [plans, jobs, leaves, levels, starts, targets]
    }
}

/// How a comparison walks over the planes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Order,
    Equal,
}

impl Kind {
    fn of(test: Test) -> Kind {
        match test {
            Test::Plane(_) | Test::Above(_) | Test::AtMost(_) => Kind::Order,
            Test::Equal(_) | Test::Unequal(_) => Kind::Equal,
        }
    }
}

/// The only plane that a comparison asks about.
fn plane(leaf: &LeafJob) -> Option<u32> {
    match leaf.test {
        Test::Plane(plane) => Some(plane),
        _ => None,
    }
}

/// Four bits as four bytes.
fn bytes(bits: u32) -> u32 {
    // The product puts each bit into a byte of its own.
    (bits * 0x0020_4081 & 0x0101_0101) * 0xFF
}

/// What a comparison compares the rank with.
fn cut(leaf: &LeafJob) -> u32 {
    match leaf.test {
        // A plane is set where the number made of it alone is above zero.
        Test::Plane(_) => 0,
        Test::Above(cut) | Test::Equal(cut) | Test::AtMost(cut) | Test::Unequal(cut) => cut,
    }
}

impl Bundle {
    /// Finds the shape of up to eight formulas, and the steps for it.
    fn set(&mut self, plan: &Plan, formulas: &[(u32, Groups)]) {
        self.shape.clear();
        for &(_, groups) in formulas {
            // The longest conjunctions lie side by side, because formulas are sorted by their shortest.
            let (lengths, _) = plan.groups(groups);
            if self.shape.len() < lengths.len() {
                self.shape.resize(lengths.len(), 0);
            }
            for (most, &length) in self.shape.iter_mut().zip(lengths.iter().rev()) {
                *most = length.max(*most);
            }
        }
        self.shape.reverse();
        let steps = &mut self.steps;
        steps.places.clear();
        steps.kinds.clear();
        let mut shape = self.shape.as_slice();
        loop {
            // The kinds are those of the kernel.
            let taken = match shape {
                [] => return,
                [1, 1, 1, 1, ..] => steps.step(6, 4, 4),
                [1, 1, 1, ..] => steps.step(5, 3, 3),
                [1, 1, ..] => steps.step(4, 2, 2),
                [2, 2, ..] => steps.step(7, 4, 2),
                [length @ 1..=4, ..] => steps.step(short(length - 1), *length, 1),
                [length, ..] => {
                    steps.step(8, 4, 1);
                    let mut left = length - 4;
                    while left > 4 {
                        steps.step(9, 4, 1);
                        left -= 4;
                    }
                    steps.step(9 + short(left), left, 1)
                }
            };
            shape = &shape[taken..];
        }
    }

    /// Writes the steps of all formulas side by side.
    fn write(&self, plan: &Plan, formulas: &[(u32, Groups)], out: &mut Vec<u16>) {
        let Steps { places, kinds } = &self.steps;
        if kinds.is_empty() {
            return;
        }
        let (zero, one) = (token(plan.slots()), token(plan.slots() + 1));
        let start = out.len();
        // What no formula says is never true.
        out.resize(start + kinds.len() * STEP_TOKENS, zero);
        let out = &mut out[start..];
        for (index, &(_, groups)) in formulas.iter().enumerate() {
            let out = &mut out[index % QUARTERS * 8 + index / QUARTERS * 4..];
            let (lengths, literals) = plan.groups(groups);
            if lengths == self.shape {
                // Most formulas: no padding, and one loop.
                for (&slot, &place) in literals.iter().zip(places) {
                    out[place as usize] = token(slot as usize);
                }
                continue;
            }
            let missing = self.shape.len() - lengths.len();
            let skipped = self.shape[..missing].iter().sum::<u32>() as usize;
            let (mut places, mut literals) = (places[skipped..].iter(), literals.iter());
            for (&length, &most) in lengths.iter().zip(&self.shape[missing..]) {
                let group =
                    literals.by_ref().take(length as usize).map(|&slot| token(slot as usize));
                let padded = group.chain(std::iter::repeat_n(one, (most - length) as usize));
                for (token, &place) in padded.zip(places.by_ref().take(most as usize)) {
                    out[place as usize] = token;
                }
            }
        }
        // The kind of a step lies in the upper bits of the first two tokens of each quarter.
        for (step, &kind) in out.chunks_exact_mut(STEP_TOKENS).zip(kinds) {
            for quarter in step.chunks_exact_mut(STEP_TOKENS / QUARTERS) {
                quarter[0] |= (kind & 3) << 14;
                quarter[1] |= (kind >> 2) << 14;
            }
        }
    }
}

impl Steps {
    /// Adds a step that uses so many tokens; gives back the conjunctions that it ends.
    fn step(&mut self, kind: u16, tokens: u32, conjunctions: usize) -> usize {
        let first = small(self.kinds.len() * STEP_TOKENS);
        self.places.extend(first..first + tokens);
        self.kinds.push(kind);
        conjunctions
    }
}

/// A slot as steps name it: in units of 16 bytes. There are at most 2,048 slots.
#[expect(clippy::cast_possible_truncation)]
fn token(slot: usize) -> u16 {
    (slot * 8) as u16
}

/// A conjunction ends with at most four tokens.
#[expect(clippy::cast_possible_truncation)]
fn short(number: u32) -> u16 {
    number as u16
}

/// Programs have far fewer words than 2^32.
#[expect(clippy::cast_possible_truncation)]
fn small(number: usize) -> u32 {
    number as u32
}
