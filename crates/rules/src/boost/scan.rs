//! The scan of one column for the conditions with the largest gain.

use super::constraints::Demand;
use super::gain::{CandidateRank, CutSums, GainMeasure};
use super::local::Block;
use super::search::Cuts;
use super::stepped::{SteppedColumn, UNKNOWN};
use super::sums::{Sums, by_step};
use super::test::StepSet;
use pellucid_bits::Level;
use pellucid_learn::rng::Stream;
use std::cell::RefCell;

/// The number of cut points in a random draw.
pub(super) const FEW: usize = 2;
/// Shrinks the gradients of small categories when categories are sorted.
pub(super) const CATEGORY_SHRINKAGE: f64 = 10.0;
/// The most categories in a condition.
pub(super) const MOST_CATEGORIES: usize = 8;

/// The column to scan.
#[derive(Clone, Copy)]
pub(super) struct ScanTarget<'a> {
    pub(super) stepped: &'a SteppedColumn,
    /// The demands of a rule with a condition on it from below, or from above.
    pub(super) demands: [Demand; 2],
}

/// The input of a scan.
pub(super) struct ScanInput<'a> {
    pub(super) target: ScanTarget<'a>,
    /// The examples of the conjunction, in blocks.
    pub(super) blocks: &'a [Block],
    /// The sums of the examples, if they are already counted.
    pub(super) counted: &'a [Sums],
    /// The sums of a superset and the examples to subtract, if that is cheaper.
    pub(super) less: Option<(&'a [Sums], &'a [Block])>,
    /// Whether to return the sums.
    pub(super) keep: bool,
    /// The instructions to use.
    pub(super) level: Level,
}

/// The result of a scan.
#[derive(Clone, Debug, Default)]
pub(super) struct ColumnScan {
    /// The best conditions: one from below, one from above.
    pub(super) best: [Option<(CandidateRank, StepSet)>; 2],
    /// The sums of all steps, with missing values last, if they were wanted.
    pub(super) sums: Vec<Sums>,
}

/// Scans a column for a further condition.
pub(super) fn scan_column(
    input: &ScanInput<'_>,
    cuts: Cuts,
    gain: &GainMeasure,
    conditions: usize,
    stream: &mut Stream,
) -> ColumnScan {
    let stepped = input.target.stepped;
    if stepped.may_be == [false; 2] {
        return ColumnScan::default();
    }
    if !cuts.are_all() && !stepped.cuts.is_empty() {
        return ColumnScan { best: at_few(input, gain, conditions, stream), sums: Vec::new() };
    }
    SUMS.with_borrow_mut(|sums| {
        input.sums(sums);
        let best = scan_sums(sums, input.target, cuts, gain, conditions, stream);
        ColumnScan { best, sums: if input.keep { sums.clone() } else { Vec::new() } }
    })
}

/// Scans a column, given the sums of all steps, with missing values last.
pub(super) fn scan_sums(
    sums: &[Sums],
    target: ScanTarget<'_>,
    cuts: Cuts,
    gain: &GainMeasure,
    conditions: usize,
    stream: &mut Stream,
) -> [Option<(CandidateRank, StepSet)>; 2] {
    let stepped = target.stepped;
    let known = &sums[..stepped.count];
    match (stepped.may_be, stepped.cuts.is_empty()) {
        ([false, false], _) => [None; 2],
        (_, true) => sets(known, target.demands[0], gain, conditions),
        (_, false) if cuts.are_all() => at_all(target, known, gain, conditions),
        (_, false) => at_few_of(target, known, gain, conditions, stream),
    }
}

thread_local! {
    /// A buffer for the sums of a column, to avoid allocations.
    static SUMS: RefCell<Vec<Sums>> = const { RefCell::new(Vec::new()) };
    /// A buffer for the cut points of a column.
    static CUTS: RefCell<CutSums> = RefCell::default();
}

impl ScanInput<'_> {
    /// Computes the sums of each step, with missing values last.
    fn sums(&self, into: &mut Vec<Sums>) {
        let steps = &self.target.stepped.steps;
        let (blocks, count) =
            (self.less.map_or(self.blocks, |(_, rest)| rest), self.target.stepped.count + 1);
        match self.counted {
            [] => by_step(self.level, steps, blocks, count, into),
            counted => counted.clone_into(into),
        }
        if let Some((all, _)) = self.less {
            into.iter_mut().zip(all).for_each(|(own, all)| *own = all.without(own));
        }
    }
}

/// Returns the best of two random cut points. Two passes over the examples are faster than the sums
/// of all steps.
fn at_few(
    input: &ScanInput<'_>,
    gain: &GainMeasure,
    conditions: usize,
    stream: &mut Stream,
) -> [Option<(CandidateRank, StepSet)>; 2] {
    let (stepped, blocks) = (input.target.stepped, input.blocks);
    let examples = || blocks.iter().flat_map(|piece| &piece.examples);
    let parts = blocks.iter().flat_map(|piece| &piece.parts);
    let steps = || examples().map(|&example| stepped.steps[example as usize]);
    let known = steps().filter(|&step| step != UNKNOWN);
    let ends = known.fold((UNKNOWN, 0), |(first, last), step| (first.min(step), last.max(step)));
    let (first, last) = (usize::from(ends.0), usize::from(ends.1));
    let mut best = Best::new(input.target, gain, conditions);
    if first >= last {
        return best.found;
    }
    let mut total = Sums::default();
    let cuts = drawn(stepped, first, last, stream);
    let mut below = [Sums::default(); FEW];
    for (step, part) in steps().zip(parts).filter(|&(step, _)| step != UNKNOWN) {
        total.count(part);
        for (below, cut) in below.iter_mut().zip(cuts) {
            if cut.is_some_and(|cut| step <= cut) {
                below.count(part);
            }
        }
    }
    let mut cuts: Vec<(u8, Sums)> =
        cuts.into_iter().zip(below).filter_map(|(cut, below)| Some((cut?, below))).collect();
    cuts.sort_by_key(|(cut, _)| *cut);
    cuts.iter().for_each(|(cut, below)| best.cut(below, &total, *cut));
    best.found
}

/// Returns the best of two random cut points, given the sums of all steps.
fn at_few_of(
    target: ScanTarget<'_>,
    sums: &[Sums],
    gain: &GainMeasure,
    conditions: usize,
    stream: &mut Stream,
) -> [Option<(CandidateRank, StepSet)>; 2] {
    let mut best = Best::new(target, gain, conditions);
    let is_met = |step: &usize| sums[*step].0[2] > 0;
    let ends = ((0..sums.len()).find(is_met), (0..sums.len()).rev().find(is_met));
    let (Some(first), Some(last)) = ends else { return best.found };
    if first >= last {
        return best.found;
    }
    let up_to = |step: usize| {
        let mut below = Sums::default();
        sums[..=step].iter().for_each(|own| below.add(own));
        below
    };
    let total = up_to(sums.len() - 1);
    let mut cuts: Vec<u8> =
        drawn(target.stepped, first, last, stream).into_iter().flatten().collect();
    cuts.sort_unstable();
    cuts.iter().for_each(|&cut| best.cut(&up_to(usize::from(cut)), &total, cut));
    best.found
}

/// Returns the best of all cut points.
fn at_all(
    target: ScanTarget<'_>,
    sums: &[Sums],
    gain: &GainMeasure,
    conditions: usize,
) -> [Option<(CandidateRank, StepSet)>; 2] {
    let stepped = target.stepped;
    let mut total = Sums::default();
    sums.iter().for_each(|sums| total.add(sums));
    let mut best = Best::new(target, gain, conditions);
    let mut below = Sums::default();
    let is_met = |step: usize| sums[step].0[2] > 0;
    let Some(last) = (0..sums.len()).rev().find(|&step| is_met(step)) else { return best.found };
    CUTS.with_borrow_mut(|cuts| {
        cuts.clear();
        for (step, own) in (0u8..).zip(&sums[..last]) {
            below.add(own);
            // If no example is in a step, the cut point before it was as good.
            if own.0[2] > 0 && stepped.cuts[usize::from(step)].is_finite() {
                cuts.push(step, &below);
            }
        }
        best.cuts(cuts, &total);
    });
    best.found.map(|found| Some(centered(found?, stepped, last, is_met)))
}

/// Moves a cut point to the middle of those that separate the same examples, where the margin is
/// largest. `last` is the last step with examples.
pub(super) fn centered(
    (rank, set): (CandidateRank, StepSet),
    stepped: &SteppedColumn,
    last: usize,
    is_met: impl Fn(usize) -> bool,
) -> (CandidateRank, StepSet) {
    let middle = |step: u8| {
        let first = usize::from(step);
        let next = (first + 1..last).find(|&step| is_met(step)).unwrap_or(last);
        stepped.middle(first, next - 1)
    };
    let set = match set {
        StepSet::Above(step) => StepSet::Above(middle(step)),
        StepSet::UpTo(step) => StepSet::UpTo(middle(step)),
        set @ StepSet::Among(_) => set,
    };
    (rank, set)
}

/// The best conditions so far: one from below, one from above.
pub(super) struct Best<'a> {
    stepped: &'a SteppedColumn,
    demands: [Demand; 2],
    gain: &'a GainMeasure,
    conditions: usize,
    pub(super) found: [Option<(CandidateRank, StepSet)>; 2],
}

impl<'a> Best<'a> {
    pub(super) fn new(
        target: ScanTarget<'a>,
        gain: &'a GainMeasure,
        conditions: usize,
    ) -> Best<'a> {
        let ScanTarget { stepped, demands } = target;
        Best { stepped, demands, gain, conditions, found: [None; 2] }
    }

    /// Considers both sides of all cut points.
    fn cuts(&mut self, cuts: &mut CutSums, total: &Sums) {
        self.gain.of_cuts(cuts, total, self.conditions);
        let all = total.0[2];
        for (side, gains) in
            cuts.gains.iter().enumerate().filter(|(side, _)| self.stepped.may_be[*side])
        {
            for (place, &score) in gains.iter().enumerate() {
                // The rank decides between equal gains.
                if score <= 0.0 || self.found[side].is_some_and(|(best, _)| score < best.score) {
                    continue;
                }
                let (step, below) = (cuts.steps[place], cuts.weight(place));
                let (weight, set) = match side {
                    0 => (below, StepSet::UpTo(step)),
                    _ => (all - below, StepSet::Above(step)),
                };
                let demand = self.demands[side];
                if demand == Demand::Any {
                    better(&mut self.found[side], CandidateRank { score, weight }, set);
                } else {
                    self.demanded(side, cuts.sums(place), total, set);
                }
            }
        }
    }

    /// Considers one side of a cut point whose rule must favor a class.
    fn demanded(&mut self, side: usize, below: Sums, total: &Sums, set: StepSet) {
        let sums = if side == 0 { below } else { total.without(&below) };
        let rank = self.gain.rank(&sums, self.conditions, self.demands[side]);
        better(&mut self.found[side], rank, set);
    }

    /// Considers both sides of a cut point.
    pub(super) fn cut(&mut self, below: &Sums, total: &Sums, step: u8) {
        let sides = [(*below, StepSet::UpTo(step)), (total.without(below), StepSet::Above(step))];
        for (side, (sums, set)) in sides.into_iter().enumerate() {
            if self.stepped.may_be[side] {
                let rank = self.gain.rank(&sums, self.conditions, self.demands[side]);
                better(&mut self.found[side], rank, set);
            }
        }
    }
}

/// Draws cut points between the first and the last step with examples: the first uniformly over
/// values, the second over steps. A cut point next to infinity is not readable, so it is skipped.
pub(super) fn drawn(
    stepped: &SteppedColumn,
    first: usize,
    last: usize,
    stream: &mut Stream,
) -> [Option<u8>; FEW] {
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

pub(super) fn better(
    best: &mut Option<(CandidateRank, StepSet)>,
    rank: CandidateRank,
    set: StepSet,
) {
    if rank.score > 0.0 && best.is_none_or(|(best, _)| rank > best) {
        *best = Some((rank, set));
    }
}

/// Returns the best sets of categories: those with the smallest gradients, and those with the
/// largest. A category without a clear gradient is in neither set: it would be there by chance and
/// mislead the reader.
fn sets(
    sums: &[Sums],
    demand: Demand,
    gain: &GainMeasure,
    conditions: usize,
) -> [Option<(CandidateRank, StepSet)>; 2] {
    let lean = |sums: &Sums| {
        let [gradient, curvature, ..] = sums.0.map(|sum| sum as f64 * gain.unit);
        gradient / (curvature + CATEGORY_SHRINKAGE)
    };
    // An open range of bytes would overflow after 255.
    let mut met: Vec<(f64, u8, &Sums)> = (0..=u8::MAX)
        .zip(sums)
        .filter(|(_, sums)| sums.0[2] > 0)
        .map(|(step, sums)| (lean(sums), step, sums))
        .collect();
    // A condition with all categories would always be true.
    let most = met.len().saturating_sub(1).min(MOST_CATEGORIES);
    met.retain(|(.., sums)| gain.is_clear(sums));
    let mut best = [None; 2];
    for (best, sign) in best.iter_mut().zip([1.0, -1.0]) {
        // In a tie the first one wins in both directions, so it does not matter which class is
        // called positive.
        let order = |(lean, step, _): &(f64, u8, &Sums)| (sign * lean, *step);
        met.sort_by(|left, right| {
            let (left, right) = (order(left), order(right));
            left.0.total_cmp(&right.0).then(left.1.cmp(&right.1))
        });
        let (mut total, mut set) = (Sums::default(), [0u64; 4]);
        for &(_, step, sums) in met.iter().take(most) {
            total.add(sums);
            set[usize::from(step / 64)] |= 1 << (step % 64);
            better(best, gain.rank(&total, conditions, demand), StepSet::Among(set));
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of three categories, one clearly favors the class, one hardly, and one disfavors it.
    #[test]
    fn a_category_without_a_clear_effect_is_in_no_set() {
        let sums = [[40, 25, 100, 90], [8, 25, 100, 58], [-48, 25, 100, 2]].map(Sums);
        let mut all = Sums::default();
        sums.iter().for_each(|sums| all.add(sums));
        let named = |clear: f64| {
            let gain = GainMeasure::new(all, 1.0, 300, false, clear);
            let best = sets(&sums, Demand::Any, &gain, 1);
            best.map(|best| match best {
                Some((_, StepSet::Among([set, ..]))) => set,
                other => panic!("{other:?}"),
            })
        };
        assert_eq!(named(0.0), [0b100, 0b011]);
        assert_eq!(named(4.0), [0b100, 0b001]);
    }

    #[test]
    fn a_column_may_have_256_categories() {
        let sums = [Sums([1, 25, 100, 50]); 256];
        let mut all = Sums::default();
        sums.iter().for_each(|sums| all.add(sums));
        let gain = GainMeasure::new(all, 1.0, 25_600, false, 0.0);
        // All categories are alike, so no set says anything; what matters is that there is an answer.
        assert_eq!(sets(&sums, Demand::Any, &gain, 1).len(), 2);
    }
}
