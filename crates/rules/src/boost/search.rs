//! The search for one rule: the conjunction that explains most of what is left.
//!
//! It begins with every single condition, keeps the few best, and makes each longer by every condition that goes with it. For one
//! conjunction and one column a single pass over the examples gives the sums of all steps, and with them what any cut would
//! be worth.
//!
//! **Few cuts.** Of a hundred examples and hundreds of columns some cut always looks excellent. So a look at a column may see
//! only a few cuts drawn by chance, half of them evenly over the values, where wide gaps are hit most often, and half evenly
//! over the examples. On small sets that was measured to be worth several points of accuracy, unless the truth is a plain
//! rule; inner validation says which of the two it is.

use super::residual::{Residual, Sums};
use super::stepped::{Stepped, UNKNOWN};
use pellucid_device::Threads;
use pellucid_learn::fingerprint::Fingerprint;
use pellucid_learn::rng::{Stream, Streams};
use std::cell::RefCell;
use std::cmp::Ordering;

/// How many conjunctions of a length are made longer.
const BEAM: usize = 4;
/// What stands against the noise of small sums.
const SHRINKAGE: f64 = 1.0;
/// What a further condition costs, as a share of what a rule explains.
const LENGTH: f64 = 0.1;
/// What stands against the noise of small categories when they are put in order.
const CATEGORY_SHRINKAGE: f64 = 10.0;
/// Categories that a condition names at most.
const MOST_CATEGORIES: usize = 8;
/// How many cuts are few.
const FEW: usize = 2;
/// What a rule explains at least; the best of many that mean nothing explain more.
const WORTH: f64 = 0.1;

/// The cuts that a look at a column sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cuts {
    /// A few, drawn by chance each time.
    Few,
    /// Every one.
    All,
}

/// A condition on the step of a feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Test {
    pub(super) feature: usize,
    pub(super) ask: Ask,
}

/// What is asked of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ask {
    /// Beyond this one.
    Above(u8),
    /// This one at most.
    UpTo(u8),
    /// One of those whose bits are set.
    Among([u64; 4]),
}

impl Ask {
    #[inline]
    pub(super) fn holds(self, step: u8) -> bool {
        match self {
            _ if step == UNKNOWN => false,
            Ask::Above(last) => step > last,
            Ask::UpTo(last) => step <= last,
            Ask::Among(set) => set[usize::from(step / 64)] >> (step % 64) & 1 == 1,
        }
    }
}

/// A rule that was found.
#[derive(Clone, Debug)]
pub(super) struct FoundRule {
    pub(super) tests: Vec<Test>,
    /// The examples it holds for, in ascending order.
    pub(super) examples: Vec<u32>,
    /// Whether they are of the class more often than others.
    pub(super) speaks_for: bool,
    /// How much it explains.
    pub(super) score: f64,
}

/// What may be asked, and how.
#[derive(Clone, Copy, Debug)]
pub(super) struct Search<'a> {
    pub(super) features: &'a [Stepped],
    /// Conditions at most.
    pub(super) most: usize,
    pub(super) cuts: Cuts,
    pub(super) threads: &'a Threads,
}

/// How much sums are worth, given those of all examples.
#[derive(Clone, Copy, Debug)]
struct Worth {
    all: Sums,
    /// The same in units of weight.
    all_weighed: [f64; 4],
    unit: f64,
    /// The weight that a rule must cover, and leave out.
    least: f64,
}

impl Worth {
    /// How much a rule of so many conditions explains: what one vote would win, the base being free to follow. Nothing where
    /// it would speak for what its examples are seldom.
    fn of(&self, sums: &Sums, conditions: usize) -> f64 {
        let [gradient, curvature, weight, inside] = sums.0.map(|sum| sum as f64 * self.unit);
        let [all_gradient, all_curvature, all_weight, all_inside] = self.all_weighed;
        if weight < self.least || all_weight - weight < self.least {
            return 0.0;
        }
        let own = gradient - all_gradient * (curvature / all_curvature);
        let lift = inside * all_weight - all_inside * weight;
        if own * lift <= 0.0 {
            return 0.0;
        }
        let bend = curvature * (1.0 - curvature / all_curvature);
        let worth =
            own * own / (bend + SHRINKAGE) * (1.0 - LENGTH * (conditions as f64 - 1.0)).max(0.1);
        // A rule and its opposite are worth the same; in fewer digits they also look so.
        #[expect(clippy::cast_possible_truncation, reason = "meant")]
        let rounded = worth as f32;
        f64::from(rounded)
    }

    fn lead(&self, sums: &Sums, conditions: usize) -> Lead {
        Lead { score: self.of(sums, conditions), weight: sums.0[2] }
    }

    fn speaks_for(&self, sums: &Sums) -> bool {
        let [_, _, weight, inside] = sums.0.map(|sum| sum as f64);
        let [_, _, all_weight, all_inside] = self.all.0.map(|sum| sum as f64);
        inside * all_weight > all_inside * weight
    }
}

/// What puts candidates in order: how much they explain, and of equals (a rule and its opposite) how
/// much they cover: what is grown from the broader side was measured to hold better on new examples.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Lead {
    score: f64,
    weight: i64,
}

impl Eq for Lead {}

impl Ord for Lead {
    fn cmp(&self, other: &Lead) -> Ordering {
        self.score.total_cmp(&other.score).then(self.weight.cmp(&other.weight))
    }
}

impl PartialOrd for Lead {
    fn partial_cmp(&self, other: &Lead) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A digest of some examples: a rule on a million of them need not be kept to be known again.
pub(super) fn print(examples: &[u32]) -> Fingerprint {
    examples
        .iter()
        .fold(Fingerprint::new(), |print, &example| print.with_number(u64::from(example)))
}

/// A conjunction on its way.
#[derive(Clone, Debug)]
struct Growing {
    tests: Vec<Test>,
    examples: Vec<u32>,
}

impl Search<'_> {
    /// The rule that explains most of what is left and holds for other examples than those known; nothing where none
    /// explains anything.
    pub(super) fn best(
        &self,
        residual: &Residual<'_>,
        known: &[Fingerprint],
        streams: Streams,
    ) -> Option<FoundRule> {
        let of_examples = residual.of_examples();
        let mut all = Sums::default();
        of_examples.iter().for_each(|sums| all.add(sums));
        let examples = of_examples.len();
        let least = (examples as f64 / 1000.0).clamp(4.0_f64.min(examples as f64 / 4.0), 100.0);
        let unit = residual.unit();
        let all_weighed = all.0.map(|sum| sum as f64 * unit);
        let worth = Worth { all, all_weighed, unit, least };
        let everything = (0u32..).take(examples).collect();
        let mut beam = vec![Growing { tests: Vec::new(), examples: everything }];
        let mut best: Option<FoundRule> = None;
        for conditions in 1..=self.most {
            let streams = streams.at(conditions);
            let width = self.features.len();
            let found = self.threads.map(beam.len() * width, |task| {
                let (from, feature) = (task / width, task % width);
                let mut stream = streams.stream(&[from.into(), feature.into()]);
                self.conditions(&beam[from], feature, &of_examples, &worth, conditions, &mut stream)
            });
            let mut longer: Vec<(Lead, usize, Test)> = found
                .into_iter()
                .enumerate()
                .flat_map(|(task, found)| {
                    let place = move |(lead, ask)| {
                        (lead, task / width, Test { feature: task % width, ask })
                    };
                    found.into_iter().flatten().map(place)
                })
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
                let holds = |example: &u32| test.ask.holds(steps[*example as usize]);
                let examples: Vec<u32> =
                    beam[from].examples.iter().copied().filter(holds).collect();
                if next.iter().any(|other| other.examples == examples) {
                    continue;
                }
                let tests = stronger(&beam[from].tests, test);
                if leads && !known.contains(&print(&examples)) {
                    let mut sums = Sums::default();
                    examples.iter().for_each(|&example| sums.add(&of_examples[example as usize]));
                    let (speaks_for, tests) = (worth.speaks_for(&sums), tests.clone());
                    best = Some(FoundRule { tests, examples: examples.clone(), speaks_for, score });
                }
                if next.len() < BEAM {
                    next.push(Growing { tests, examples });
                }
            }
            beam = next;
        }
        best.filter(|best| best.score > WORTH)
    }

    /// The best conditions on a feature that make a conjunction longer: one from below, one from above.
    fn conditions(
        &self,
        growing: &Growing,
        feature: usize,
        of_examples: &[Sums],
        worth: &Worth,
        conditions: usize,
        stream: &mut Stream,
    ) -> [Option<(Lead, Ask)>; 2] {
        let stepped = &self.features[feature];
        if stepped.may_be == [false; 2] {
            return [None; 2];
        }
        let mut best = [None; 2];
        let mut look = |below: &Sums, total: &Sums, step: u8| {
            let sides = [(*below, Ask::UpTo(step)), (total.without(below), Ask::Above(step))];
            for (side, (sums, ask)) in sides.into_iter().enumerate() {
                if stepped.may_be[side] {
                    better(&mut best[side], worth.lead(&sums, conditions), ask);
                }
            }
        };
        let steps = || growing.examples.iter().map(|&example| stepped.steps[example as usize]);
        let sums = || growing.examples.iter().map(|&example| &of_examples[example as usize]);
        let known = steps().filter(|&step| step != UNKNOWN);
        let ends =
            known.fold((UNKNOWN, 0), |(first, last), step| (first.min(step), last.max(step)));
        let (first, last) = (usize::from(ends.0), usize::from(ends.1));
        if first >= last {
            return [None; 2];
        }
        if self.cuts == Cuts::Few && !stepped.cuts.is_empty() {
            // Two passes over the examples take less time than the sums of all steps.
            let mut total = Sums::default();
            let cuts = drawn(stepped, first, last, stream);
            let mut below = [Sums::default(); FEW];
            for (step, sums) in steps().zip(sums()).filter(|&(step, _)| step != UNKNOWN) {
                total.add(sums);
                for (below, cut) in below.iter_mut().zip(cuts) {
                    if cut.is_some_and(|cut| step <= cut) {
                        below.add(sums);
                    }
                }
            }
            let mut cuts: Vec<(u8, Sums)> = cuts
                .into_iter()
                .zip(below)
                .filter_map(|(cut, below)| Some((cut?, below)))
                .collect();
            cuts.sort_by_key(|(cut, _)| *cut);
            cuts.iter().for_each(|(cut, below)| look(below, &total, *cut));
            return best;
        }
        let sets = SUMS.with_borrow_mut(|of_steps| {
            of_steps.clear();
            of_steps.resize(stepped.count + 1, Sums::default());
            for (step, sums) in steps().zip(sums()) {
                of_steps[usize::from(step).min(stepped.count)].add(sums);
            }
            let of_steps = &of_steps[..stepped.count];
            if stepped.cuts.is_empty() {
                return Some(sets(of_steps, worth, conditions));
            }
            let mut total = Sums::default();
            of_steps.iter().for_each(|sums| total.add(sums));
            let mut below = Sums::default();
            for (step, own) in (0u8..).zip(&of_steps[..last]) {
                below.add(own);
                // Where no example is, the cut before was as good.
                if own.0[2] > 0 && stepped.cuts[usize::from(step)].is_finite() {
                    look(&below, &total, step);
                }
            }
            None
        });
        sets.unwrap_or(best)
    }
}

thread_local! {
    /// The sums of the steps of a column, kept so that they need no memory of their own each time.
    static SUMS: RefCell<Vec<Sums>> = const { RefCell::new(Vec::new()) };
}

/// A few cuts by chance between the first and the last step that is met: the first evenly over values, the second over steps.
/// Nothing finite that lies before infinity would mean anything to a reader, so such a cut is none.
fn drawn(stepped: &Stepped, first: usize, last: usize, stream: &mut Stream) -> [Option<u8>; FEW] {
    let (low, high) = (stepped.cuts[first], stepped.cuts[last - 1]);
    let mut drawn = [None; FEW];
    for (draw, place) in drawn.iter_mut().enumerate() {
        let cut = if last - first <= FEW {
            first + draw
        } else if draw % 2 == 0 && low.is_finite() && high.is_finite() {
            let value = low + stream.unit() * (high - low);
            stepped.cuts.partition_point(|&cut| cut < value).clamp(first, last - 1)
        } else {
            first + stream.index(last - first)
        };
        if cut < last && stepped.cuts[cut].is_finite() {
            *place = u8::try_from(cut).ok();
        }
    }
    drawn
}

fn better(best: &mut Option<(Lead, Ask)>, lead: Lead, ask: Ask) {
    if lead.score > 0.0 && best.is_none_or(|(best, _)| lead > best) {
        *best = Some((lead, ask));
    }
}

/// The best sets of categories: those with the least of what is missing, and those with the most.
fn sets(sums: &[Sums], worth: &Worth, conditions: usize) -> [Option<(Lead, Ask)>; 2] {
    let lean = |sums: &Sums| {
        let [gradient, curvature, ..] = sums.0.map(|sum| sum as f64 * worth.unit);
        gradient / (curvature + CATEGORY_SHRINKAGE)
    };
    let mut met: Vec<(f64, u8, &Sums)> = (0u8..)
        .zip(sums)
        .filter(|(_, sums)| sums.0[2] > 0)
        .map(|(step, sums)| (lean(sums), step, sums))
        .collect();
    let mut best = [None; 2];
    for (best, sign) in best.iter_mut().zip([1.0, -1.0]) {
        // Of equals the first, from either end: it does not matter which class is called positive.
        let order = |(lean, step, _): &(f64, u8, &Sums)| (sign * lean, *step);
        met.sort_by(|left, right| {
            let (left, right) = (order(left), order(right));
            left.0.total_cmp(&right.0).then(left.1.cmp(&right.1))
        });
        let (mut total, mut set) = (Sums::default(), [0u64; 4]);
        for &(_, step, sums) in met.iter().take(met.len().saturating_sub(1).min(MOST_CATEGORIES)) {
            total.add(sums);
            set[usize::from(step / 64)] |= 1 << (step % 64);
            better(best, worth.lead(&total, conditions), Ask::Among(set));
        }
    }
    best
}

/// A conjunction with one more condition; one of the same kind on the same feature is replaced by it.
fn stronger(tests: &[Test], test: Test) -> Vec<Test> {
    let same = |other: &&Test| {
        other.feature == test.feature
            && std::mem::discriminant(&other.ask) == std::mem::discriminant(&test.ask)
    };
    let mut stronger: Vec<Test> = tests.iter().filter(|other| !same(other)).copied().collect();
    // Of two sets both count.
    let ask = match (tests.iter().find(same).map(|other| other.ask), test.ask) {
        (Some(Ask::Among(one)), Ask::Among(two)) => {
            Ask::Among(std::array::from_fn(|word| one[word] & two[word]))
        }
        (_, ask) => ask,
    };
    stronger.push(Test { ask, ..test });
    stronger
}
