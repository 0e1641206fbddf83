//! The search over local examples.
//!
//! For one conjunction and one column, a single pass over the examples gives the sums of all steps,
//! and so the gain of every cut point. For a conjunction that covers most examples, the pass goes
//! over the few uncovered ones: their sums are subtracted from those of the parent conjunction.
//!
//! Examples are kept in blocks, which threads process in turn. Extending a conjunction is also a
//! pass over its examples.

use super::count::{CountTask, count_steps};
use super::dense::DenseExamples;
use super::gain::{GainMeasure, fewest};
use super::members::{KnownRule, KnownRules, Members};
use super::scan::{ColumnScan, ScanInput, ScanTarget, scan_column};
use super::screen::is_sampled;
use super::search::{ExampleSource, Extended, FoundRule, RuleSearch, ScanPlan};
use super::sums::{Contribution, Sums};
use super::test::{StepMask, Test};
use pellucid_device::Threads;
use pellucid_learn::rng::Streams;

/// From this number of examples on, the sums of a conjunction are kept for its extensions.
const KEEP: usize = 2048;
/// The number of examples in a task.
const TASK: usize = 1 << 14;
/// The number of examples in a block, before any condition; small in tests.
const PIECE: usize = if cfg!(test) { 5 } else { 1 << 16 };

/// The quantity that rules explain: a class, or a number.
pub(super) trait Objective {
    /// Returns examples with their contributions to sums, and the weight of one unit in a sum.
    fn blocks(&self, examples: &[u32], threads: &Threads) -> (Vec<Block>, f64);
}

/// Returns examples in blocks, given the contribution of each.
pub(super) fn in_blocks(
    examples: &[u32],
    threads: &Threads,
    part: impl Fn(u32) -> Contribution + Sync,
) -> Vec<Block> {
    let pieces: Vec<&[u32]> = examples.chunks(PIECE).collect();
    threads.map(pieces.len(), |piece| {
        let examples = pieces[piece].to_vec();
        let parts = examples.iter().map(|&example| part(example)).collect();
        Block { examples, parts }
    })
}

/// Returns the examples, out of `examples`, that satisfy a condition.
pub(super) fn matching(
    examples: usize,
    threads: &Threads,
    holds: impl Fn(u32) -> bool + Sync,
) -> Vec<u32> {
    let piece = |piece: usize| -> Vec<u32> {
        let first = piece * PIECE;
        let own = (0u32..).skip(first).take(PIECE.min(examples - first));
        own.filter(|&example| holds(example)).collect()
    };
    threads.map(examples.div_ceil(PIECE), piece).concat()
}

/// Examples with their contributions to sums.
#[derive(Clone, Debug, Default)]
pub(super) struct Block {
    pub(super) examples: Vec<u32>,
    pub(super) parts: Vec<Contribution>,
}

impl Block {
    /// Returns the examples that satisfy a condition.
    pub(super) fn only(&self, holds: impl Fn(u32) -> bool) -> Block {
        let all = self.examples.iter().zip(&self.parts);
        let (examples, parts) = all.filter(|(example, _)| holds(**example)).unzip();
        Block { examples, parts }
    }

    /// Returns the digest and the sums of the examples that satisfy a condition, given the steps of its
    /// column.
    fn sums_within(&self, set: &StepMask, steps: &[u8]) -> (Members, Sums) {
        let (mut members, mut sums) = (Members::default(), Sums::default());
        for (&example, part) in self.examples.iter().zip(&self.parts) {
            // A mask of all bits or none avoids a branch that is hard to predict.
            let mask = set.mask(steps[example as usize]);
            members.count_masked(example, mask);
            sums.count_masked(part, mask);
        }
        (members, sums)
    }

    /// Splits into the examples that satisfy a condition and the rest, given the steps of its column.
    fn split(&self, set: &StepMask, steps: &[u8]) -> (Block, Block) {
        let held: Vec<bool> =
            self.examples.iter().map(|&example| set.mask(steps[example as usize]) != 0).collect();
        let count = held.iter().filter(|held| **held).count();
        // Each example is written to the end of both sides and only one end moves on, which avoids
        // a branch.
        let mut sides = [self.examples.len() - count, count].map(Block::with_room);
        let mut ends = [0; 2];
        for ((&example, &part), &held) in self.examples.iter().zip(&self.parts).zip(&held) {
            for (side, end) in sides.iter_mut().zip(ends) {
                side.examples[end] = example;
                side.parts[end] = part;
            }
            ends[usize::from(held)] += 1;
        }
        let [rest, own] = sides.map(Block::without_room);
        (own, rest)
    }

    /// Returns a block with this many examples, all of them the first, and room for one more.
    fn with_room(size: usize) -> Block {
        Block { examples: vec![0; size + 1], parts: vec![Contribution::default(); size + 1] }
    }

    /// Removes the extra room.
    fn without_room(mut self) -> Block {
        self.examples.pop();
        self.parts.pop();
        self
    }
}

/// The examples of a conjunction, in blocks.
#[derive(Clone, Debug)]
struct BeamEntry {
    blocks: Vec<Block>,
    /// The index of the parent conjunction, and the parent's examples that this one does not cover.
    made_of: (usize, Vec<Block>),
}

fn size(pieces: &[Block]) -> usize {
    pieces.iter().map(|piece| piece.examples.len()).sum()
}

/// An extended conjunction: its further condition, and the digest and sums of the examples it covers.
struct LocalExtension {
    test: Test,
    members: Members,
    sums: Sums,
}

/// The examples of a beam, and the sums of the previous beam by conjunction and column.
struct LocalBeam<'a> {
    search: &'a RuleSearch<'a>,
    gain: &'a GainMeasure,
    beam: Vec<BeamEntry>,
    /// The number of conditions of a conjunction of the beam.
    conditions: usize,
    sums_before: Vec<Vec<Vec<Sums>>>,
}

impl RuleSearch<'_> {
    /// Returns the rule with the largest gain that differs from the known rules; `None` if no rule
    /// has a gain.
    pub(super) fn best(
        &self,
        left: &impl Objective,
        examples: &[u32],
        rules: &[KnownRule],
        streams: Streams,
    ) -> Option<FoundRule> {
        if self.is_stopped() {
            return None;
        }
        let (blocks, unit) = left.blocks(examples, self.threads);
        if !self.digests.is_empty() {
            let dense = DenseExamples::new(self.threads.level(), self.digests, &blocks);
            return self.best_dense((&dense, unit), examples, rules, streams);
        }
        let (mut all, mut members) = (Sums::default(), Vec::new());
        let of_piece = |piece: usize| {
            let Block { examples, parts } = &blocks[piece];
            (Sums::of(parts), Members::of(examples))
        };
        for (sums, own) in self.threads.map(blocks.len(), of_piece) {
            all.add(&sums);
            members.push(own);
        }
        let least = fewest(examples.len());
        let known = KnownRules { all: members.into_iter().sum(), least, rules };
        let gain = GainMeasure::new(all, unit, examples.len(), self.alone, self.clear)
            .with_level(self.threads.level());
        let mut blocks = Some(blocks);
        let near = || {
            // A single search can take the blocks without a copy.
            let blocks = if self.searches() == 1 { blocks.take() } else { blocks.clone() };
            let beam =
                vec![BeamEntry { blocks: blocks.unwrap_or_default(), made_of: (0, Vec::new()) }];
            let (conditions, sums_before) = (0, Vec::new());
            LocalBeam { search: self, gain: &gain, beam, conditions, sums_before }
        };
        self.best_of(near, &known, streams)
    }
}

impl LocalBeam<'_> {
    /// Returns a sample of the examples of a conjunction, if any column is wanted.
    fn sample(&self, from: usize, wanted: &[bool]) -> Vec<Block> {
        let pieces = &self.beam[from].blocks;
        if !wanted.contains(&true) {
            return Vec::new();
        }
        self.search
            .threads
            .map(pieces.len(), |piece| pieces[piece].only(|example| is_sampled(u64::from(example))))
    }
}

impl ExampleSource for LocalBeam<'_> {
    type Extension = LocalExtension;

    fn scan(&mut self, beam: &[Vec<Test>], plan: &ScanPlan<'_>) -> Vec<Vec<ColumnScan>> {
        let RuleSearch { features: all, constraints, most, cuts, threads, .. } = *self.search;
        let &ScanPlan { wanted, sampled, conditions, streams } = plan;
        let gain = &self.gain.of_scan(sampled);
        let width = all.len();
        let keep = conditions < most && cuts.are_all() && !sampled;
        let samples: Vec<Vec<Block>> = match sampled {
            true => (0..beam.len()).map(|from| self.sample(from, &wanted[from])).collect(),
            false => Vec::new(),
        };
        let blocks = |from: usize| samples.get(from).unwrap_or(&self.beam[from].blocks);
        let is_broad =
            |from: usize| !sampled && size(&self.beam[from].made_of.1) < size(blocks(from));
        let less = |from: usize, feature: usize| {
            let (parent, rest) = &self.beam[from].made_of;
            let before = self.sums_before.get(*parent).map(|sums| &sums[feature][..]);
            before.filter(|sums| is_broad(from) && !sums.is_empty()).map(|sums| (sums, &rest[..]))
        };
        let counts: Vec<(usize, CountTask<'_>)> = (0..beam.len())
            .filter(|&from| cuts.are_all() && blocks(from).len() > 1)
            .flat_map(|from| {
                let is_counted = move |feature: &usize, by_less: bool| {
                    wanted[from][*feature] && less(from, *feature).is_some() == by_less
                };
                let pieces = [&blocks(from)[..], &self.beam[from].made_of.1];
                pieces.into_iter().zip([false, true]).map(move |(pieces, by_less)| {
                    let columns = (0..width).filter(|feature| is_counted(feature, by_less));
                    (from, CountTask { pieces, columns: columns.collect() })
                })
            })
            .collect();
        let (of, counts): (Vec<usize>, Vec<CountTask<'_>>) = counts.into_iter().unzip();
        let mut sums: Vec<Vec<Vec<Sums>>> = vec![vec![Vec::new(); width]; beam.len()];
        for ((from, count), found) in of.iter().zip(&counts).zip(count_steps(all, &counts, threads))
        {
            count
                .columns
                .iter()
                .zip(found)
                .for_each(|(&column, found)| sums[*from][column] = found);
        }
        let columns = |from: usize| TASK / size(blocks(from)).max(1);
        let scan = |from: usize, feature: usize| {
            let (blocks, demands) = (blocks(from), constraints.demands(&beam[from], feature));
            let input = ScanInput {
                target: ScanTarget { stepped: &all[feature], demands },
                blocks,
                counted: &sums[from][feature],
                less: less(from, feature),
                keep: keep && size(blocks) >= KEEP,
                level: threads.level(),
            };
            let mut stream = streams.stream(&[from.into(), feature.into()]);
            scan_column(&input, cuts, gain, conditions, &mut stream)
        };
        let mut scans = self.search.scan_wanted(plan, columns, scan);
        if !sampled {
            let sums = |scans: &mut ColumnScan| std::mem::take(&mut scans.sums);
            self.sums_before =
                scans.iter_mut().map(|scans| scans.iter_mut().map(sums).collect()).collect();
        }
        scans
    }

    fn extend_by(
        &mut self,
        _: &[Vec<Test>],
        candidates: &[Extended],
        place: usize,
    ) -> LocalExtension {
        let (_, from, test) = candidates[place];
        let (steps, set) = (&self.search.features[test.feature].steps, StepMask::new(test.set));
        let pieces = &self.beam[from].blocks;
        let of_piece = |piece: usize| pieces[piece].sums_within(&set, steps);
        let (mut members, mut sums) = (Vec::new(), Sums::default());
        for (own, own_sums) in self.search.threads.map(pieces.len(), of_piece) {
            members.push(own);
            sums.add(&own_sums);
        }
        LocalExtension { test, members: members.into_iter().sum(), sums }
    }

    fn is_same(one: &LocalExtension, other: &LocalExtension) -> bool {
        one.members == other.members
    }

    fn members(longer: &LocalExtension) -> Members {
        longer.members
    }

    fn weight(&self, longer: &LocalExtension) -> f64 {
        self.gain.weight_of(&longer.sums)
    }

    fn whole_weight(&self) -> f64 {
        self.gain.weight()
    }

    fn favors(&self, longer: &LocalExtension) -> bool {
        self.gain.favors(&longer.sums)
    }

    fn set_beam(&mut self, beam: Vec<(usize, LocalExtension)>) {
        self.conditions += 1;
        if self.conditions >= self.search.most {
            // The examples of the longest conjunctions are never scanned.
            self.beam.clear();
            return;
        }
        let tasks: Vec<(usize, usize)> = (0..beam.len())
            .flat_map(|entry| {
                (0..self.beam[beam[entry].0].blocks.len()).map(move |piece| (entry, piece))
            })
            .collect();
        let sets: Vec<StepMask> =
            beam.iter().map(|(_, longer)| StepMask::new(longer.test.set)).collect();
        let split = |task: usize| {
            let (entry, piece) = tasks[task];
            let (from, longer) = &beam[entry];
            let steps = &self.search.features[longer.test.feature].steps;
            self.beam[*from].blocks[piece].split(&sets[entry], steps)
        };
        let found = self.search.threads.map(tasks.len(), split);
        let parents = beam.iter().map(|(from, _)| *from);
        let mut next: Vec<BeamEntry> = parents
            .map(|from| BeamEntry { blocks: Vec::new(), made_of: (from, Vec::new()) })
            .collect();
        for ((entry, _), (own, rest)) in tasks.into_iter().zip(found) {
            next[entry].blocks.push(own);
            next[entry].made_of.1.push(rest);
        }
        self.beam = next;
    }
}
