//! The search by sums that another machine or a GPU computes.
//!
//! Conjunctions are sent as conditions, and only sums come back, so nothing has to be kept between two
//! questions. A [`SumSource`] answers: [`remote`](super::remote) workers, or a [GPU](super::on_gpu).

use super::gain::{GainMeasure, fewest};
use super::members::{KnownRule, KnownRules, Members};
use super::scan::{ColumnScan, ScanTarget, scan_sums};
use super::search::{ExampleSource, Extended, FoundRule, RuleSearch, ScanPlan};
use super::sums::Sums;
use super::test::Test;
use pellucid_learn::rng::Streams;

/// The number of candidates per question; usually the beam needs no more.
const CANDIDATES: usize = 6;
/// The number of columns whose cut points a task compares.
const COLUMNS: usize = 4;

/// A conjunction, and whether each feature is scanned for it.
pub(super) type Wanted = (Vec<Test>, Vec<bool>);

/// Computes sums over the examples of a search. The answer is `None` after a failure, and the result of the
/// search is then not used.
pub(super) trait SumSource: Sync {
    /// Returns sums by conjunction, wanted feature and step, with missing values last, `count` in total; over
    /// all examples or a [sample](super::screen).
    fn step_sums(&self, beam: Vec<Wanted>, sampled: bool, count: usize) -> Option<Vec<Sums>>;

    /// Returns the digest and the sums of each conjunction.
    fn totals(&self, conjunctions: Vec<Vec<Test>>) -> Option<Vec<ConjunctionTotal>>;
}

/// The digest and the sums of the examples of a conjunction.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ConjunctionTotal {
    pub(super) members: Members,
    pub(super) sums: Sums,
}

/// The answers for some successive candidates of a scan.
#[derive(Debug)]
pub(super) struct Answers<E> {
    /// The index of the first candidate.
    first: usize,
    found: Vec<E>,
}

impl<E> Default for Answers<E> {
    fn default() -> Answers<E> {
        Answers { first: 0, found: Vec::new() }
    }
}

impl<E: Clone> Answers<E> {
    /// Returns the answer for a candidate; if it is unknown, asks for it together with those that follow.
    pub(super) fn get(
        &mut self,
        beam: &[Vec<Test>],
        candidates: &[Extended],
        place: usize,
        ask: impl FnOnce(Vec<Vec<Test>>) -> Option<Vec<E>>,
    ) -> Option<E> {
        if !(self.first..self.first + self.found.len()).contains(&place) {
            let tests = |(_, from, test): &Extended| {
                beam[*from].iter().copied().chain([*test]).collect::<Vec<Test>>()
            };
            let next = candidates[place..].iter().take(CANDIDATES).map(tests).collect();
            (self.first, self.found) = (place, ask(next).unwrap_or_default());
        }
        self.found.get(place - self.first).cloned()
    }
}

/// The beam of a search by sums.
struct SumBeam<'a, S> {
    source: &'a S,
    search: &'a RuleSearch<'a>,
    gain: &'a GainMeasure,
    answers: Answers<ConjunctionTotal>,
}

impl RuleSearch<'_> {
    /// Returns the rule with the largest gain that differs from the known rules, given the number of examples
    /// and the weight of one unit in a sum; `None` if no rule has a gain, or after a failure.
    pub(super) fn best_by_sums(
        &self,
        source: &impl SumSource,
        (examples, unit): (usize, f64),
        rules: &[KnownRule],
        streams: Streams,
    ) -> Option<FoundRule> {
        let all = source.totals(vec![Vec::new()])?;
        let &ConjunctionTotal { members, sums } = all.first()?;
        let known = KnownRules { all: members, least: fewest(examples), rules };
        let gain = GainMeasure::new(sums, unit, examples, self.alone, self.clear)
            .with_level(self.threads.level());
        let beam = || SumBeam { source, search: self, gain: &gain, answers: Answers::default() };
        self.best_of(beam, &known, streams)
    }
}

impl<S: SumSource> ExampleSource for SumBeam<'_, S> {
    type Extension = ConjunctionTotal;

    fn scan(&mut self, beam: &[Vec<Test>], plan: &ScanPlan<'_>) -> Vec<Vec<ColumnScan>> {
        let RuleSearch { features, constraints, cuts, .. } = *self.search;
        let &ScanPlan { wanted, sampled, conditions, streams } = plan;
        let gain = &self.gain.of_scan(sampled);
        let (mut firsts, mut count) = (Vec::with_capacity(beam.len() * features.len()), 0);
        for (stepped, &is_wanted) in wanted.iter().flat_map(|wanted| features.iter().zip(wanted)) {
            firsts.push(count);
            count += if is_wanted { stepped.count + 1 } else { 0 };
        }
        self.answers = Answers::default();
        let asked = beam.iter().cloned().zip(wanted.iter().cloned()).collect();
        let Some(found) = self.source.step_sums(asked, sampled, count) else { return Vec::new() };
        let scan = |from: usize, feature: usize| {
            let stepped = &features[feature];
            let sums = &found[firsts[from * features.len() + feature]..][..=stepped.count];
            let demands = constraints.demands(&beam[from], feature);
            let target = ScanTarget { stepped, demands };
            let mut stream = streams.stream(&[from.into(), feature.into()]);
            let best = scan_sums(sums, target, cuts, gain, conditions, &mut stream);
            ColumnScan { best, sums: Vec::new() }
        };
        self.search.scan_wanted(plan, |_| COLUMNS, scan)
    }

    fn extend_by(
        &mut self,
        beam: &[Vec<Test>],
        candidates: &[Extended],
        place: usize,
    ) -> ConjunctionTotal {
        let ask = |conjunctions| self.source.totals(conjunctions);
        // After a failure the result does not matter.
        self.answers.get(beam, candidates, place, ask).unwrap_or_default()
    }

    fn is_same(one: &ConjunctionTotal, other: &ConjunctionTotal) -> bool {
        one.members == other.members
    }

    fn members(longer: &ConjunctionTotal) -> Members {
        longer.members
    }

    fn weight(&self, longer: &ConjunctionTotal) -> f64 {
        self.gain.weight_of(&longer.sums)
    }

    fn whole_weight(&self) -> f64 {
        self.gain.weight()
    }

    fn favors(&self, longer: &ConjunctionTotal) -> bool {
        self.gain.favors(&longer.sums)
    }

    fn set_beam(&mut self, _: Vec<(usize, ConjunctionTotal)>) {}
}
