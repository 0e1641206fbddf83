//! Plans as the kernels read them: flat lists of words.
//!
//! Comparisons of one column become **jobs** of up to sixteen. Parts and roots become **bundles** of eight formulas of
//! about the same shape, which take the same steps side by side: where one formula has fewer conjunctions than another
//! it is given some that are never true, and where a conjunction is shorter it is filled up with what is always true.

use super::work::{BUNDLE, COMPLEMENT, NONE, PLAN_WORDS, QUARTERS};
use crate::kernel::{Groups, LeafJob, Plan, Test};
use crate::table::Column;

/// Comparisons in a job.
const JOB: usize = 16;
/// Words of a job, a comparison, a level and the steps of a bundle.
const JOB_WORDS: usize = 4;
const LEAF_WORDS: usize = 2;
const LEVEL_WORDS: usize = 2;
const STEP_WORDS: usize = 4 * QUARTERS;

/// Some plans, ready to be sent.
#[derive(Debug, Default)]
pub(super) struct Program {
    plans: Vec<u32>,
    jobs: Vec<u32>,
    leaves: Vec<u32>,
    levels: Vec<u32>,
    starts: Vec<u32>,
    targets: Vec<u32>,
    steps: Vec<u32>,
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

/// Eight formulas as rows of tokens of the same length.
#[derive(Debug, Default)]
struct Bundle {
    /// The lengths of the conjunctions, the shortest first.
    shape: Vec<u32>,
    tokens: [Vec<u16>; BUNDLE],
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

    /// The slots of the largest plan, the two constants among them.
    pub(super) fn slots(&self) -> usize {
        self.slots
    }

    /// The places for roots that the largest plan needs.
    pub(super) fn places(&self) -> usize {
        self.bundles * BUNDLE
    }

    /// Adds a plan whose roots are counted from `first_root` on.
    pub(super) fn add(&mut self, columns: &[Column], plan: &Plan, first_root: u32) {
        let (first_job, first_leaf) = (self.jobs.len() / JOB_WORDS, self.leaves.len() / LEAF_WORDS);
        self.add_leaves(columns, &plan.leaves);
        let first_level = self.levels.len() / LEVEL_WORDS;
        let mut room = std::mem::take(&mut self.room);
        self.add_parts(plan, &mut room);
        let bundles = plan.roots.len().div_ceil(BUNDLE);
        self.add_level(plan, &plan.roots, first_root, &mut room.bundle);
        self.room = room;
        self.plans.extend([
            small(first_job),
            small(self.jobs.len() / JOB_WORDS - first_job),
            small(first_leaf),
            small(plan.slots()),
            small(first_level),
            small(self.levels.len() / LEVEL_WORDS - first_level),
        ]);
        self.slots = self.slots.max(plan.slots() + 2);
        self.bundles = self.bundles.max(bundles);
    }

    /// No more plans will come.
    pub(super) fn close(&mut self) {
        self.starts.push(small(self.steps.len() / STEP_WORDS));
        // The kernels read one step ahead.
        self.steps.extend([0; STEP_WORDS]);
    }

    fn add_leaves(&mut self, columns: &[Column], mut leaves: &[LeafJob]) {
        while let Some(first) = leaves.first() {
            let (kind, column) = (Kind::of(first.test), &columns[first.column as usize]);
            let alike = |leaf: &&LeafJob| {
                leaf.column == first.column && Kind::of(leaf.test) == kind && plane(leaf) == plane(first)
            };
            let count = leaves.iter().take(JOB).take_while(alike).count();
            let planes = match first.test {
                Test::Plane(plane) => plane..plane + 1,
                _ => column.planes(),
            };
            let equal = u32::from(kind == Kind::Equal);
            self.jobs.extend([
                planes.start,
                (planes.end - planes.start) | small(count) << 8 | equal << 16,
                column.validity().unwrap_or(NONE),
                small(self.leaves.len() / LEAF_WORDS),
            ]);
            for leaf in &leaves[..count] {
                let (cut, opposite) = match leaf.test {
                    // A plane is set where the number made of it alone is above zero.
                    Test::Plane(_) => (0, false),
                    Test::Above(cut) | Test::Equal(cut) => (cut, false),
                    Test::AtMost(cut) | Test::Unequal(cut) => (cut, true),
                };
                self.leaves.extend([cut, u32::from(opposite) | u32::from(leaf.negate) << 1]);
            }
            leaves = &leaves[count..];
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
            formulas.extend(level.iter().map(|&(_, _, index)| {
                (small(leaves) + index, plan.parts[index as usize])
            }));
            self.add_level(plan, formulas, 0, bundle);
        }
    }

    /// Adds formulas that do not need each other; `first` is added to where they go.
    fn add_level(&mut self, plan: &Plan, formulas: &[(u32, Groups)], first: u32, bundle: &mut Bundle) {
        let start = self.starts.len();
        for formulas in formulas.chunks(BUNDLE) {
            self.starts.push(small(self.steps.len() / STEP_WORDS));
            let target = |&(to, groups): &(u32, Groups)| {
                (to + first) | if groups.complement { COMPLEMENT } else { 0 }
            };
            self.targets.extend(formulas.iter().map(target));
            self.targets.resize(self.starts.len() * BUNDLE, NONE);
            bundle.set(plan, formulas);
            bundle.write(&mut self.steps);
        }
        self.levels.extend([small(start), small(self.starts.len())]);
    }

    /// Writes everything into one stretch of memory, each list at a multiple of 16 bytes.
    pub(super) fn write(&self, out: &mut [u32]) -> Sections {
        let mut next = 0;
        let [plans, jobs, leaves, levels, starts, targets, steps] = self.lists().map(|list| {
            let start = next;
            out[start..start + list.len()].copy_from_slice(list);
            next = (start + list.len()).next_multiple_of(4);
            start
        });
        Sections { plans, jobs, leaves, levels, starts, targets, steps }
    }

    /// Words that [`Program::write`] needs.
    pub(super) fn words(&self) -> usize {
        self.lists().iter().map(|list| list.len().next_multiple_of(4)).sum()
    }

    fn lists(&self) -> [&[u32]; 7] {
        let Program { plans, jobs, leaves, levels, starts, targets, steps, .. } = self;
        [plans, jobs, leaves, levels, starts, targets, steps]
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

impl Bundle {
    /// Takes up to eight formulas.
    fn set(&mut self, plan: &Plan, formulas: &[(u32, Groups)]) {
        self.shape.clear();
        for &(_, groups) in formulas {
            // The longest conjunctions lie side by side, because formulas are sorted by their shortest.
            let (lengths, _) = plan.groups(groups);
            self.shape.resize(self.shape.len().max(lengths.len()), 0);
            for (most, &length) in self.shape.iter_mut().zip(lengths.iter().rev()) {
                *most = length.max(*most);
            }
        }
        let (zero, one) = (token(plan.slots()), token(plan.slots() + 1));
        let length: u32 = self.shape.iter().sum();
        for (index, tokens) in self.tokens.iter_mut().enumerate() {
            tokens.clear();
            if let Some(&(_, groups)) = formulas.get(index) {
                let (lengths, literals) = plan.groups(groups);
                let mut end = lengths.iter().sum::<u32>() as usize;
                let mut filled = 0;
                for (&length, &most) in lengths.iter().rev().zip(&self.shape) {
                    let start = end - length as usize;
                    tokens.extend(literals[start..end].iter().map(|&slot| token(slot as usize)));
                    end = start;
                    filled += most as usize;
                    tokens.resize(filled, one);
                }
            }
            // Steps take four tokens even where they use fewer.
            tokens.resize(length as usize + 3, zero);
        }
    }

    /// Writes the steps of all formulas side by side.
    fn write(&self, steps: &mut Vec<u32>) {
        let mut at = 0;
        // One step that uses so many tokens, and the conjunctions that it ends.
        let mut put = |code: u32, used: usize, conjunctions: usize| {
            let word = |tokens: &[u16]| u32::from(tokens[0]) | u32::from(tokens[1]) << 16;
            for quarter in 0..QUARTERS {
                let first = &self.tokens[quarter][at..at + 4];
                let second = &self.tokens[quarter + QUARTERS][at..at + 4];
                steps.extend([
                    word(first) | (code & 3) << 14 | (code >> 2) << 30,
                    word(&first[2..]),
                    word(second),
                    word(&second[2..]),
                ]);
            }
            at += used;
            conjunctions
        };
        let mut shape = self.shape.as_slice();
        loop {
            // The codes are those of the kernel.
            let taken = match shape {
                [] => return,
                [1, 1, 1, 1, ..] => put(6, 4, 4),
                [1, 1, 1, ..] => put(5, 3, 3),
                [1, 1, ..] => put(4, 2, 2),
                [2, 2, ..] => put(7, 4, 2),
                [length @ 1..=4, ..] => put(length - 1, *length as usize, 1),
                [length, ..] => {
                    put(8, 4, 1);
                    let mut left = *length - 4;
                    while left > 4 {
                        put(9, 4, 1);
                        left -= 4;
                    }
                    put(9 + left, left as usize, 1)
                }
            };
            shape = &shape[taken..];
        }
    }
}

/// A slot as steps name it: in units of 16 bytes. There are at most 2,048 slots.
#[expect(clippy::cast_possible_truncation)]
fn token(slot: usize) -> u16 {
    (slot * 8) as u16
}

/// Programs have far fewer words than 2^32.
#[expect(clippy::cast_possible_truncation)]
fn small(number: usize) -> u32 {
    number as u32
}

#[cfg(test)]
mod timing {
    use super::*;
    use crate::device::Planners;
    use crate::kernel::*;
    use crate::table::*;
    #[test]
    fn timing() {
        let mut seed = 1u64;
        let mut draw = |end: u32| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            ((seed >> 33) as u32) % end
        };
        let rows = 100_000;
        let columns = (0..100).map(|c| (format!("c{c}"), Values::Numeric((0..rows).map(|_| f64::from(draw(256))).collect()))).collect();
        let table = Table::new(columns).unwrap();
        let pool: Vec<Literal> = (0..1000).map(|_| Literal::new(draw(100), draw(255), draw(2) == 0)).collect();
        let mut formulas = Formulas::new();
        for _ in 0..1000 {
            let mut n = 6 + draw(14);
            while n > 0 {
                let s = n.min(1 + draw(5));
                for _ in 0..s { formulas.literal(pool[draw(1000) as usize]); }
                formulas.end_group();
                n -= s;
            }
            formulas.end_root();
        }
        let mut planners = Planners::default();
        let codes: Vec<u32> = (0..rows).map(|_| draw(2)).collect();
        let labels = Labels::rows(&table, &codes, 2).unwrap();
        let batch = crate::device::Batch { roots: crate::device::Roots::Formulas { formulas: &formulas, roots: formulas.roots() }, labels: &labels, hypothesis: Hypothesis::Rows };
        let mut program = Program::default();
        let mut key = Vec::new();
        for _ in 0..10 {
            let t = std::time::Instant::now();
            for &f in formulas.roots() { formulas.key(f, &mut key); }
            let t0 = t.elapsed();
            let plans = batch.plan(&mut planners, &table, 1700);
            let t1 = t.elapsed();
            program.clear();
            for plan in &plans { program.add(table.columns(), plan, 0); }
            program.close();
            let t2 = t.elapsed();
            println!("keys {:?} plan {:?} encode {:?} plans {} words {} slots {} parts {}", t0, t1 - t0, t2 - t1, plans.len(), program.words(), program.slots(), plans[0].parts.len());
        }
    }
}
