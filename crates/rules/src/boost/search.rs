//! The search for one rule: the conjunction that explains most of what is left.
//!
//! It begins with every single condition, keeps the few best, and makes each longer by every condition that goes with it. All it needs
//! to know of the examples are sums over those of a conjunction, and which conjunctions hold for the same ones; whoever has the
//! examples ([`ExampleSource`]) tells: [`near`](super::near) where they are here, [`elsewhere`](super::elsewhere) where they are not.
//!
//! **Few cuts.** Of a hundred examples and hundreds of columns some cut always looks excellent. So a look at a column may see
//! only a few cuts drawn by chance, half of them evenly over the values, where wide gaps are hit most often, and half evenly
//! over the examples. On small sets that was measured to be gain several points of accuracy, unless the truth is a plain
//! rule; inner validation says which of the two it is. Of many columns only some are drawn, too, and the best of several such
//! searches counts: on seventeen other sets that was gain a tenth of a point to a point and a half, with fewer rules.

use super::FeatureTable;
use super::constraints::Constraints;
use super::gain::{CandidateRank, GainMeasure};
use super::members::{KnownRules, Members};
use super::scan::ColumnScan;
use super::screen;
use super::stepped::SteppedColumn;
use super::sums::Sums;
use super::test::{Test, stronger};
use pellucid_device::Threads;
use pellucid_learn::rng::Streams;
use pellucid_learn::run::Control;
use serde::{Deserialize, Serialize};

/// How many conjunctions of a length are made longer.
const BEAM: usize = 4;
/// Where cuts are drawn by chance, a conjunction is made longer by conditions on this share of the columns, and never on fewer than so
/// many.
const DRAWN: (f64, f64) = (0.15, 20.0);
/// How many searches there are where columns are drawn.
const SEARCHES: usize = 4;
/// Among few examples a shorter rule is preferred that explains at least this share of what the best explains: what one more condition explains is
/// mostly chance. On twelve sets, with two seeds each, models with a fourth fewer comparisons were as good in accuracy and better in ranking;
/// with half in place of this share they were not. Among many examples it would be many short rules in place of the one that is true.
const SHORTER: f64 = 0.65;
/// But never where the best explains more than that by so much, as twice the logarithm of a likelihood: the best of a hundred thousand conditions that mean nothing explains 25.
const CHANCE: f64 = 30.0;
/// Among many examples a category is named in a condition where what is missing to it is, squared, so many times its variance: sets are shorter (on
/// adult 3.4 categories for 5.7) and rank no worse. Among few that was measured to cost a point of AUC and more.
const CLEAR: f64 = 4.0;
/// From so many examples on there is enough to tell good cuts and conditions from others.
pub(crate) const MANY_EXAMPLES: usize = 5000;
/// What a rule explains at least; the best of many that mean nothing explain more.
const LEAST_GAIN: f64 = 0.1;
/// The same for each example. Among millions a rule that means nothing can be told from one that does, but nobody would read either: of all that there
/// is to explain it is a thirty-thousandth.
const LEAST_GAIN_PER_EXAMPLE: f64 = 5e-5;

/// The cuts that a look at a column sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) enum Cuts {
    /// A few, drawn by chance each time.
    Few,
    /// A few, for rules of one condition: where examples are few, what conditions have in common is mostly chance.
    Single,
    /// Every one.
    All,
}

impl Cuts {
    /// How many conditions a rule has at most, where so many are allowed.
    pub(super) fn conditions(self, most: usize) -> usize {
        if self == Cuts::Single { most.min(1) } else { most }
    }
}

/// A rule that was found.
#[derive(Clone, Debug)]
pub(super) struct FoundRule {
    pub(super) tests: Vec<Test>,
    /// The examples it holds for, as one number: they need not be kept for the rule to be known again.
    pub(super) members: Members,
    /// Whether they are of the class more often than others.
    pub(super) favors: bool,
    /// How much it explains.
    pub(super) score: f64,
}

/// What may be asked, and how.
#[derive(Clone, Copy, Debug)]
pub(super) struct RuleSearch<'a> {
    pub(super) features: &'a [SteppedColumn],
    pub(super) allowed: &'a Constraints,
    /// Conditions at most.
    pub(super) most: usize,
    pub(super) cuts: Cuts,
    /// Whether a rule is judged by what its own examples win alone, not by what the others win with it.
    pub(super) alone: bool,
    /// The share of what the best rule explains with which a shorter one is preferred.
    pub(super) enough: f64,
    /// What is missing to a category that is named is, squared, at least so many times its variance.
    pub(super) clear: f64,
    pub(super) threads: &'a Threads,
    /// What may end the search before its time.
    pub(super) control: &'a Control,
}

/// The share of what the best rule explains that is enough for a shorter one, where there are so many examples.
pub(super) fn enough(examples: usize) -> f64 {
    if examples < MANY_EXAMPLES { SHORTER } else { 1.0 }
}

/// From where on a category is named.
pub(super) fn clear(table: &FeatureTable) -> f64 {
    match table.numbers {
        // Of numbers it was not measured.
        Some(_) => 0.0,
        None if table.codes.len() < MANY_EXAMPLES => 0.0,
        None => CLEAR,
    }
}

/// How a beam is scans at.
pub(super) struct ScanPlan<'a> {
    /// By conjunction and column whether it is scans at.
    pub(super) wanted: &'a [Vec<bool>],
    /// Whether a sample is enough.
    pub(super) sampled: bool,
    pub(super) gain: &'a GainMeasure,
    /// How many conditions a conjunction has with the one that is scans for.
    pub(super) conditions: usize,
    pub(super) streams: Streams,
}

/// Who has the examples of conjunctions. There is a beam of these, at first the one without a condition.
pub(super) trait ExampleSource {
    /// The examples of a conjunction that was made longer.
    type Extension;

    /// By conjunction of the beam and by column what a look finds, for a condition that makes so many: in all examples, or in a
    /// [sample](super::screen) of them, and nothing in columns that are not wanted.
    fn scan(&mut self, beam: &[Vec<Test>], plan: &ScanPlan<'_>) -> Vec<Vec<ColumnScan>>;

    /// What becomes of one of some candidates; each is the place of a conjunction and a further condition.
    fn extend_by(
        &mut self,
        beam: &[Vec<Test>],
        candidates: &[(CandidateRank, usize, Test)],
        place: usize,
    ) -> Self::Extension;

    /// Whether two conjunctions hold for the same examples.
    fn is_same(one: &Self::Extension, other: &Self::Extension) -> bool;

    /// Which examples they are.
    fn members(longer: &Self::Extension) -> Members;

    /// The sums over the examples.
    fn sums(longer: &Self::Extension) -> Sums;

    /// The beam from now on: each with the place of the conjunction it was made of.
    fn set_beam(&mut self, beam: Vec<(usize, Self::Extension)>);
}

impl RuleSearch<'_> {
    /// The rule that explains most of what is left and says other things of the examples than the rules known;
    /// nothing where none explains anything. A search begins with a beam of its own.
    pub(super) fn best_of<C: ExampleSource>(
        &self,
        mut beam: impl FnMut() -> C,
        gain: &GainMeasure,
        known: &KnownRules<'_>,
        streams: Streams,
    ) -> Option<FoundRule> {
        let found = (0..self.searches())
            .filter_map(|search| self.found(&mut beam(), gain, known, streams.at(search)));
        found.reduce(|best, next| if next.score > best.score { next } else { best })
    }

    /// Whether the search is to end now, whatever it has found.
    pub(super) fn is_stopped(&self) -> bool {
        self.control.should_stop().is_some()
    }

    /// How often it is searched: several times only where columns are drawn.
    pub(super) fn searches(&self) -> usize {
        if self.drawn() < 1.0 { SEARCHES } else { 1 }
    }

    /// The share of columns that are drawn.
    fn drawn(&self) -> f64 {
        match self.cuts {
            Cuts::All => 1.0,
            Cuts::Few | Cuts::Single => DRAWN.0.max(DRAWN.1 / self.features.len() as f64),
        }
    }

    /// What one search finds.
    fn found<C: ExampleSource>(
        &self,
        source: &mut C,
        gain: &GainMeasure,
        known: &KnownRules<'_>,
        streams: Streams,
    ) -> Option<FoundRule> {
        let mut by_length: Vec<FoundRule> = Vec::new();
        let mut beam: Vec<Vec<Test>> = vec![Vec::new()];
        let mut weights = vec![gain.weight()];
        for conditions in 1..=self.most {
            if self.is_stopped() {
                return None;
            }
            let mut best: Option<FoundRule> = None;
            let streams = streams.at(conditions);
            let wanted = self.wanted(source, &beam, &weights, gain, conditions, streams);
            let plan = ScanPlan { wanted: &wanted, sampled: false, gain, conditions, streams };
            let scans = source.scan(&beam, &plan);
            let mut longer: Vec<(CandidateRank, usize, Test)> = Vec::new();
            for (from, scans) in scans.iter().enumerate() {
                for (feature, scans) in scans.iter().enumerate() {
                    let found = scans.best.iter().flatten();
                    longer.extend(found.map(|&(rank, set)| (rank, from, Test { feature, set })));
                }
            }
            // Of equals the first: the sort keeps their order.
            longer.sort_by_key(|(rank, ..)| std::cmp::Reverse(*rank));
            let mut next: Vec<(usize, C::Extension)> = Vec::new();
            let mut next_tests: Vec<Vec<Test>> = Vec::new();
            for (place, &(CandidateRank { score, .. }, from, test)) in longer.iter().enumerate() {
                let is_first = best.is_none();
                if next.len() == BEAM && !is_first {
                    break;
                }
                let extension = source.extend_by(&beam, &longer, place);
                if next.iter().any(|(_, other)| C::is_same(other, &extension)) {
                    continue;
                }
                let tests = stronger(&beam[from], test);
                if is_first {
                    let members = C::members(&extension);
                    if !known.has(&tests, members) {
                        let favors = gain.favors(&C::sums(&extension));
                        best = Some(FoundRule { tests: tests.clone(), members, favors, score });
                    }
                }
                if next.len() < BEAM {
                    next.push((from, extension));
                    next_tests.push(tests);
                }
            }
            by_length.extend(best);
            weights =
                next.iter().map(|(_, extension)| gain.weight_of(&C::sums(extension))).collect();
            source.set_beam(next);
            beam = next_tests;
        }
        let least = LEAST_GAIN.max(LEAST_GAIN_PER_EXAMPLE * gain.weight());
        let most = by_length.iter().map(|rule| rule.score).fold(0.0, f64::max);
        let least_told = (self.enough * most).max(most - CHANCE);
        let best = by_length.into_iter().find(|rule| rule.score >= least_told);
        best.filter(|best| best.score > least)
    }

    /// By conjunction of a beam and by column whether it is scans at: all that conditions may be on, or some of these by chance, or, where
    /// a conjunction weighs much, those that a sample shows to be the best.
    fn wanted<C: ExampleSource>(
        &self,
        source: &mut C,
        beam: &[Vec<Test>],
        weights: &[f64],
        gain: &GainMeasure,
        conditions: usize,
        streams: Streams,
    ) -> Vec<Vec<bool>> {
        let may = |tests: &Vec<Test>| -> Vec<bool> {
            let may = |(feature, stepped): (usize, &SteppedColumn)| {
                stepped.may_be != [false; 2] && self.allowed.allows(tests, feature)
            };
            self.features.iter().enumerate().map(may).collect()
        };
        let mut wanted: Vec<Vec<bool>> = beam.iter().map(may).collect();
        let share = self.drawn();
        if share < 1.0 {
            for (from, wanted) in wanted.iter_mut().enumerate() {
                let mut stream = streams.stream(&["columns".into(), from.into()]);
                wanted.iter_mut().for_each(|wanted| *wanted &= stream.unit() < share);
            }
        }
        let is_large = |place: usize| weights[place] >= screen::LARGE;
        let pays = self.cuts == Cuts::All && screen::pays(self.features.len());
        if pays && (0..beam.len()).any(is_large) {
            let of_large = |(place, wanted): (usize, &Vec<bool>)| match is_large(place) {
                true => wanted.clone(),
                false => vec![false; wanted.len()],
            };
            let first: Vec<Vec<bool>> = wanted.iter().enumerate().map(of_large).collect();
            let gain = &gain.of_sample(screen::SAMPLED);
            let plan = ScanPlan { wanted: &first, sampled: true, gain, conditions, streams };
            for (place, scans) in source.scan(beam, &plan).iter().enumerate() {
                if is_large(place) {
                    wanted[place] = screen::best(scans);
                }
            }
        }
        wanted
    }
}
