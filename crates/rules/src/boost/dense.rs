//! The search over few examples.
//!
//! With a few thousand examples, lists of examples and the memory for them cost more than the sums. Here a
//! conjunction is a mask with one byte per example, and sums over a mask are loops without branches over
//! contiguous columns, which the compiler turns into vector instructions. The results are the same as
//! those of [`local`](super::local), which is made for many examples.

use super::gain::{CandidateRank, GainMeasure, fewest};
use super::local::Block;
use super::mask::{ByStep, Ends, Lanes, MEMBER, MaskSums, Narrow, SumsUpTo, in_lanes};
use super::members::{KnownRule, KnownRules, Members};
use super::scan::{Best, ColumnScan, FEW, ScanTarget, drawn, scan_sums};
use super::screen::is_sampled;
use super::search::{ExampleSource, Extended, FoundRule, RuleSearch, ScanPlan};
use super::stepped::{SteppedColumn, UNKNOWN};
use super::sums::{Contribution, Sums};
use super::test::{StepSet, Test};
use pellucid_bits::Level;
use pellucid_learn::rng::{Stream, Streams};

/// Examples times columns of one task.
const TASK: usize = 1 << 18;

/// The contributions of all examples to sums, by kind, and the digest of each example.
#[derive(Debug)]
pub(super) struct DenseExamples<'a> {
    /// The contribution of each example; 0 for held-out examples.
    parts: Vec<Contribution>,
    /// The same contributions, in groups.
    lanes: Vec<Lanes>,
    digests: &'a [u64],
    level: Level,
}

/// The examples of a conjunction.
#[derive(Clone, Debug)]
pub(super) struct DenseEntry {
    /// By example, [`MEMBER`] or 0.
    mask: Vec<u8>,
    /// The same as a list, for sums by step.
    list: Vec<u32>,
    members: Members,
    sums: Sums,
}

/// The examples of a beam.
struct DenseBeam<'a> {
    search: &'a RuleSearch<'a>,
    examples: &'a DenseExamples<'a>,
    gain: &'a GainMeasure,
    beam: Vec<DenseEntry>,
}

impl<'a> DenseExamples<'a> {
    /// Returns all examples, of which those in blocks contribute to sums.
    pub(super) fn new(level: Level, digests: &'a [u64], blocks: &[Block]) -> DenseExamples<'a> {
        let mut parts = vec![Contribution::default(); digests.len()];
        for block in blocks {
            for (&example, &part) in block.examples.iter().zip(&block.parts) {
                parts[example as usize] = part;
            }
        }
        let lanes = in_lanes(&parts);
        DenseExamples { parts, lanes, digests, level }
    }

    /// Returns an entry for a mask.
    fn entry(&self, mask: Vec<u8>) -> DenseEntry {
        let (members, sums) =
            self.level.run(MaskSums { mask: &mask, parts: &self.lanes, digests: self.digests });
        let list = (0u32..).zip(&mask).filter(|(_, own)| **own == MEMBER);
        let list = list.map(|(example, _)| example).collect();
        DenseEntry { mask, list, members, sums }
    }

    /// Returns the sums of each step over a conjunction; the last sum is that of missing values.
    fn by_step(&self, stepped: &SteppedColumn, list: &[u32]) -> Vec<Sums> {
        let count = stepped.count + 1;
        let mut sums = vec![Sums::default(); 2 * count];
        let (even, odd) = sums.split_at_mut(count);
        self.level.run(ByStep { steps: &stepped.steps, list, parts: &self.parts, even, odd });
        even.iter_mut().zip(odd).for_each(|(even, odd)| even.add(odd));
        sums.truncate(count);
        sums
    }
}

impl RuleSearch<'_> {
    /// Returns the rule with the largest gain that differs from the known rules, for few examples; `None` if
    /// no rule has a gain. `unit` is the weight of one unit in a sum.
    pub(super) fn best_dense(
        &self,
        (examples, unit): (&DenseExamples<'_>, f64),
        chosen: &[u32],
        rules: &[KnownRule],
        streams: Streams,
    ) -> Option<FoundRule> {
        if self.is_stopped() {
            return None;
        }
        let mut mask = vec![0; examples.digests.len()];
        chosen.iter().for_each(|&example| mask[example as usize] = MEMBER);
        let whole = examples.entry(mask);
        let known = KnownRules { all: whole.members, least: fewest(chosen.len()), rules };
        let gain = GainMeasure::new(whole.sums, unit, chosen.len(), self.alone, self.clear)
            .with_level(examples.level);
        let beam = || DenseBeam { search: self, examples, gain: &gain, beam: vec![whole.clone()] };
        self.best_of(beam, &known, streams)
    }
}

impl DenseBeam<'_> {
    /// Scans a column for a further condition.
    fn scan_column(
        &self,
        from: usize,
        target: ScanTarget<'_>,
        plan: &ScanPlan<'_>,
        mut stream: Stream,
    ) -> ColumnScan {
        let (stepped, entry) = (target.stepped, &self.beam[from]);
        let (cuts, gain) = (self.search.cuts, &self.gain.of_scan(plan.sampled));
        let best = match stepped.may_be {
            [false, false] => [None; 2],
            _ if !cuts.are_all() && !stepped.cuts.is_empty() => {
                self.at_few(entry, target, gain, plan.conditions, &mut stream)
            }
            _ => {
                let sampled: Vec<u32>;
                let list = match plan.sampled {
                    false => &entry.list,
                    true => {
                        let list = entry.list.iter().copied();
                        sampled = list.filter(|&one| is_sampled(u64::from(one))).collect();
                        &sampled
                    }
                };
                let sums = self.examples.by_step(stepped, list);
                scan_sums(&sums, target, cuts, gain, plan.conditions, &mut stream)
            }
        };
        ColumnScan { best, sums: Vec::new() }
    }

    /// Returns the best of two random cut points.
    fn at_few(
        &self,
        entry: &DenseEntry,
        target: ScanTarget<'_>,
        gain: &GainMeasure,
        conditions: usize,
        stream: &mut Stream,
    ) -> [Option<(CandidateRank, StepSet)>; 2] {
        let DenseExamples { lanes: parts, level, .. } = self.examples;
        let (steps, mask) = (&target.stepped.steps[..], &entry.mask[..]);
        let mut best = Best::new(target, gain, conditions);
        let ends = level.run(Ends { steps, mask });
        let (first, last) = (usize::from(ends.first), usize::from(ends.last));
        if first >= last {
            return best.found;
        }
        let total = match ends.has_missing {
            false => entry.sums,
            true => level.run(SumsUpTo { steps, mask, parts, cuts: [UNKNOWN - 1] })[0],
        };
        let mut drawn: [Option<u8>; FEW] = drawn(target.stepped, first, last, stream);
        drawn.sort_unstable();
        let cuts = drawn.map(Option::unwrap_or_default);
        let sums = level.run(SumsUpTo { steps, mask, parts, cuts });
        for (cut, below) in
            drawn.into_iter().zip(sums).filter_map(|(cut, below)| Some((cut?, below)))
        {
            best.cut(&below, &total, cut);
        }
        best.found
    }
}

impl ExampleSource for DenseBeam<'_> {
    type Extension = DenseEntry;

    fn scan(&mut self, beam: &[Vec<Test>], plan: &ScanPlan<'_>) -> Vec<Vec<ColumnScan>> {
        let RuleSearch { features, constraints, .. } = *self.search;
        let columns = TASK / self.examples.digests.len().max(1);
        let this = &*self;
        let scan = |from: usize, feature: usize| {
            let demands = constraints.demands(&beam[from], feature);
            let target = ScanTarget { stepped: &features[feature], demands };
            let stream = plan.streams.stream(&[from.into(), feature.into()]);
            this.scan_column(from, target, plan, stream)
        };
        this.search.scan_wanted(plan, |_| columns, scan)
    }

    fn extend_by(&mut self, _: &[Vec<Test>], candidates: &[Extended], place: usize) -> DenseEntry {
        let (_, from, test) = candidates[place];
        let steps = &self.search.features[test.feature].steps;
        let mut mask = vec![0; steps.len()];
        let old = &self.beam[from].mask;
        self.examples.level.run(Narrow { steps, old, set: test.set, mask: &mut mask });
        self.examples.entry(mask)
    }

    fn is_same(one: &DenseEntry, other: &DenseEntry) -> bool {
        one.members == other.members && one.mask == other.mask
    }

    fn members(longer: &DenseEntry) -> Members {
        longer.members
    }

    fn weight(&self, longer: &DenseEntry) -> f64 {
        self.gain.weight_of(&longer.sums)
    }

    fn whole_weight(&self) -> f64 {
        self.gain.weight()
    }

    fn favors(&self, longer: &DenseEntry) -> bool {
        self.gain.favors(&longer.sums)
    }

    fn set_beam(&mut self, beam: Vec<(usize, DenseEntry)>) {
        self.beam = beam.into_iter().map(|(_, entry)| entry).collect();
    }
}
