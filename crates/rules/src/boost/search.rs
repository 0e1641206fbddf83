//! The search for one rule: the conjunction that explains most of what is left.
//!
//! It begins with every single condition, keeps the few best, and makes each longer by every condition that goes with it. For one
//! conjunction and one column a single pass over the examples gives the sums of all steps, and with them what any cut would
//! be worth. Of a conjunction that holds for most examples, the pass goes over the few that it loses: their sums are taken from
//! those of the conjunction it was made of.
//!
//! **Few cuts.** Of a hundred examples and hundreds of columns some cut always looks excellent. So a look at a column may see
//! only a few cuts drawn by chance, half of them evenly over the values, where wide gaps are hit most often, and half evenly
//! over the examples. On small sets that was measured to be worth several points of accuracy, unless the truth is a plain
//! rule; inner validation says which of the two it is.

use super::allowed::Allowed;
use super::ask::{Test, stronger};
use super::look::{Looked, Seen, look};
use super::stepped::Stepped;
use super::sums::{Part, Sums};
use super::worth::{Lead, Worth};
use pellucid_device::Threads;
use pellucid_learn::fingerprint::Fingerprint;
use pellucid_learn::rng::Streams;
use std::ops::Range;

/// How many conjunctions of a length are made longer.
const BEAM: usize = 4;
/// What a rule explains at least; the best of many that mean nothing explain more.
const WORTH: f64 = 0.1;
/// From so many examples on the sums of a conjunction are kept for those that are made of it.
const KEEP: usize = 2048;
/// Examples that are worth a task of their own.
const TASK: usize = 1 << 14;

/// The cuts that a look at a column sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    /// A digest of the examples it holds for: a rule on a million of them need not be kept to be known again.
    pub(super) print: Fingerprint,
    /// Whether they are of the class more often than others.
    pub(super) speaks_for: bool,
    /// How much it explains.
    pub(super) score: f64,
}

/// What may be asked, and how.
#[derive(Clone, Copy, Debug)]
pub(super) struct Search<'a> {
    pub(super) features: &'a [Stepped],
    pub(super) allowed: &'a Allowed,
    /// Conditions at most.
    pub(super) most: usize,
    pub(super) cuts: Cuts,
    /// Whether a rule is judged by what its own examples win alone, not by what the others win with it.
    pub(super) alone: bool,
    pub(super) threads: &'a Threads,
}

/// Something that rules explain: a class, or a number.
pub(super) trait Explained {
    /// What some examples add to a sum, and what one unit in it weighs.
    fn parts(&self, examples: &[u32]) -> (Vec<Part>, f64);
}

/// A digest of some examples.
pub(super) fn print(examples: &[u32]) -> Fingerprint {
    examples
        .iter()
        .fold(Fingerprint::new(), |print, &example| print.with_number(u64::from(example)))
}

/// A set of examples with what they add to a sum.
#[derive(Clone, Debug, Default)]
pub(super) struct Crowd {
    pub(super) examples: Vec<u32>,
    pub(super) parts: Vec<Part>,
}

impl Crowd {
    /// Those for which a condition holds, and the others.
    fn split(&self, holds: impl Fn(u32) -> bool) -> (Crowd, Crowd) {
        let (mut own, mut rest) = (Crowd::default(), Crowd::default());
        own.examples.reserve(self.examples.len());
        own.parts.reserve(self.examples.len());
        for (&example, &part) in self.examples.iter().zip(&self.parts) {
            let to = if holds(example) { &mut own } else { &mut rest };
            to.examples.push(example);
            to.parts.push(part);
        }
        (own, rest)
    }
}

/// A conjunction on its way.
#[derive(Clone, Debug)]
struct Growing {
    tests: Vec<Test>,
    crowd: Crowd,
    /// The place of the conjunction it was made of among those before it, and the examples of that one that it does not
    /// hold for.
    made_of: (usize, Crowd),
}

impl Search<'_> {
    /// The rule that explains most of what is left to these examples and holds for others of them than the rules known;
    /// nothing where none explains anything.
    pub(super) fn best(
        &self,
        left: &impl Explained,
        examples: &[u32],
        known: &[Fingerprint],
        streams: Streams,
    ) -> Option<FoundRule> {
        let (parts, unit) = left.parts(examples);
        let crowd = Crowd { examples: examples.to_vec(), parts };
        let worth = Worth::new(Sums::of(&crowd.parts), unit, examples.len(), self.alone);
        let mut best: Option<FoundRule> = None;
        let mut beam = vec![Growing { tests: Vec::new(), crowd, made_of: (0, Crowd::default()) }];
        let mut sums_before: Vec<Vec<Vec<Sums>>> = Vec::new();
        for conditions in 1..=self.most {
            let looked =
                self.looks(&beam, &sums_before, &worth, conditions, streams.at(conditions));
            let mut longer: Vec<(Lead, usize, Test)> = Vec::new();
            for (from, looked) in looked.iter().enumerate() {
                for (feature, looked) in looked.iter().enumerate() {
                    let found = looked.best.iter().flatten();
                    longer.extend(found.map(|&(lead, ask)| (lead, from, Test { feature, ask })));
                }
            }
            sums_before = looked
                .into_iter()
                .map(|looked| looked.into_iter().map(|looked| looked.sums).collect())
                .collect();
            // Of equals the first: the sort keeps their order.
            longer.sort_by_key(|(lead, ..)| std::cmp::Reverse(*lead));
            let mut next: Vec<Growing> = Vec::new();
            for (Lead { score, .. }, from, test) in longer {
                let leads = best.as_ref().is_none_or(|best| score > best.score);
                if next.len() == BEAM && !leads {
                    break;
                }
                let steps = &self.features[test.feature].steps;
                let (crowd, rest) =
                    beam[from].crowd.split(|example| test.ask.holds(steps[example as usize]));
                if next.iter().any(|other| other.crowd.examples == crowd.examples) {
                    continue;
                }
                let tests = stronger(&beam[from].tests, test);
                if leads {
                    let print = print(&crowd.examples);
                    if !known.contains(&print) {
                        let speaks_for = worth.speaks_for(&Sums::of(&crowd.parts));
                        best = Some(FoundRule { tests: tests.clone(), print, speaks_for, score });
                    }
                }
                if next.len() < BEAM {
                    next.push(Growing { tests, crowd, made_of: (from, rest) });
                }
            }
            beam = next;
        }
        best.filter(|best| best.score > WORTH)
    }

    /// By conjunction and column what a look found.
    fn looks(
        &self,
        beam: &[Growing],
        sums_before: &[Vec<Vec<Sums>>],
        worth: &Worth,
        conditions: usize,
        streams: Streams,
    ) -> Vec<Vec<Looked>> {
        let width = self.features.len();
        let keep = conditions < self.most && self.cuts == Cuts::All;
        let tasks: Vec<(usize, Range<usize>)> = beam
            .iter()
            .enumerate()
            .flat_map(|(from, growing)| {
                let chunk = (TASK / growing.crowd.examples.len().max(1)).clamp(1, width.max(1));
                (0..width).step_by(chunk).map(move |first| (from, first..width.min(first + chunk)))
            })
            .collect();
        let of_task = |task: usize| -> Vec<Looked> {
            let (from, features) = tasks[task].clone();
            let growing = &beam[from];
            let (parent, rest) = &growing.made_of;
            let is_broad = rest.examples.len() < growing.crowd.examples.len();
            let one = |feature: usize| {
                if !self.allowed.goes_with(&growing.tests, feature) {
                    return Looked::default();
                }
                let before = sums_before.get(*parent).map(|sums| &sums[feature][..]);
                let less = before.filter(|sums| is_broad && !sums.is_empty());
                let seen = Seen {
                    stepped: &self.features[feature],
                    crowd: &growing.crowd,
                    demands: self.allowed.demands(&growing.tests, feature),
                    less: less.map(|sums| (sums, rest)),
                    keep: keep && growing.crowd.examples.len() >= KEEP,
                };
                let mut stream = streams.stream(&[from.into(), feature.into()]);
                look(&seen, self.cuts, worth, conditions, &mut stream)
            };
            features.map(one).collect()
        };
        let mut looked: Vec<Vec<Looked>> = beam.iter().map(|_| Vec::with_capacity(width)).collect();
        for ((from, _), found) in tasks.iter().zip(self.threads.map(tasks.len(), of_task)) {
            looked[*from].extend(found);
        }
        looked
    }
}
