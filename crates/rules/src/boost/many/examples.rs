//! The search over local examples of many classes.

use super::super::gain::fewest;
use super::super::members::{KnownRule, KnownRules, Members};
use super::super::scan::ColumnScan;
use super::super::screen::is_sampled;
use super::super::search::{ExampleSource, Extended, FoundRule, RuleSearch, ScanPlan};
use super::super::test::Test;
use super::contribution::Contributions;
use super::gain::ManyGain;
use super::scan::scan_sums;
use pellucid_learn::rng::Streams;

/// Examples times columns of one task.
const TASK: usize = 1 << 16;

/// The examples of a conjunction.
#[derive(Clone, Debug)]
pub(super) struct ManyEntry {
    examples: Vec<u32>,
    members: Members,
    sums: Vec<i64>,
}

/// The examples of a beam.
struct ManyBeam<'a> {
    search: &'a RuleSearch<'a>,
    contributions: &'a Contributions,
    gain: &'a ManyGain,
    beam: Vec<ManyEntry>,
}

impl Contributions {
    /// Returns some examples with their sums.
    fn entry(&self, examples: Vec<u32>) -> ManyEntry {
        let (members, sums) = (Members::of(&examples), self.sums(&examples));
        ManyEntry { examples, members, sums }
    }
}

impl RuleSearch<'_> {
    /// Returns the rule with the largest gain over all classes that differs from the known rules;
    /// `None` if no rule has a gain.
    pub(super) fn best_of_many(
        &self,
        contributions: &Contributions,
        examples: &[u32],
        rules: &[KnownRule],
        streams: Streams,
    ) -> Option<FoundRule> {
        if self.is_stopped() {
            return None;
        }
        let whole = contributions.entry(examples.to_vec());
        let known = KnownRules { all: whole.members, least: fewest(examples.len()), rules };
        let Contributions { layout, unit, .. } = *contributions;
        let level = self.threads.level();
        let gain = ManyGain::new(layout, &whole.sums, unit, examples.len(), self.clear, level);
        let beam =
            || ManyBeam { search: self, contributions, gain: &gain, beam: vec![whole.clone()] };
        self.best_of(beam, &known, streams)
    }
}

impl ExampleSource for ManyBeam<'_> {
    type Extension = ManyEntry;

    fn scan(&mut self, _: &[Vec<Test>], plan: &ScanPlan<'_>) -> Vec<Vec<ColumnScan>> {
        let RuleSearch { features, cuts, .. } = *self.search;
        let gain = self.gain.of_scan(plan.sampled);
        let sample = |entry: &ManyEntry| -> Vec<u32> {
            entry.examples.iter().copied().filter(|&one| is_sampled(u64::from(one))).collect()
        };
        let sampled: Vec<Vec<u32>> = match plan.sampled {
            true => self.beam.iter().map(sample).collect(),
            false => Vec::new(),
        };
        let examples = |from: usize| sampled.get(from).unwrap_or(&self.beam[from].examples);
        let columns = |from: usize| TASK / examples(from).len().max(1);
        let scan = |from: usize, feature: usize| {
            let stepped = &features[feature];
            let sums =
                self.contributions.by_step(&stepped.steps, stepped.count + 1, examples(from));
            let mut stream = plan.streams.stream(&[from.into(), feature.into()]);
            let best = scan_sums(&sums, stepped, cuts, &gain, plan.conditions, &mut stream);
            ColumnScan { best, sums: Vec::new() }
        };
        self.search.scan_wanted(plan, columns, scan)
    }

    fn extend_by(&mut self, _: &[Vec<Test>], candidates: &[Extended], place: usize) -> ManyEntry {
        let (_, from, test) = candidates[place];
        let steps = &self.search.features[test.feature].steps;
        let all = self.beam[from].examples.iter().copied();
        let own = all.filter(|&example| test.set.contains(steps[example as usize]));
        self.contributions.entry(own.collect())
    }

    fn is_same(one: &ManyEntry, other: &ManyEntry) -> bool {
        one.members == other.members && one.examples == other.examples
    }

    fn members(longer: &ManyEntry) -> Members {
        longer.members
    }

    fn weight(&self, longer: &ManyEntry) -> f64 {
        self.gain.weight_of(&longer.sums)
    }

    fn whole_weight(&self) -> f64 {
        self.gain.weight()
    }

    /// A rule with points for several classes has no side; [`ManyFit`](super::fit::ManyFit) finds
    /// it by class.
    fn favors(&self, _: &ManyEntry) -> bool {
        true
    }

    fn set_beam(&mut self, beam: Vec<(usize, ManyEntry)>) {
        self.beam = beam.into_iter().map(|(_, entry)| entry).collect();
    }
}
