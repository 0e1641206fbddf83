//! The scan of one column for the conditions with the largest gain over all classes.

use super::super::gain::CandidateRank;
use super::super::scan::{CATEGORY_SHRINKAGE, MOST_CATEGORIES, better, centered, drawn};
use super::super::search::Cuts;
use super::super::stepped::SteppedColumn;
use super::super::test::StepSet;
use super::gain::{ManyCuts, ManyGain};
use pellucid_learn::rng::Stream;

/// The best conditions: one from below, one from above.
pub(in crate::boost) type BestTests = [Option<(CandidateRank, StepSet)>; 2];

/// Scans a column, given the sums of all steps, with missing values last.
pub(in crate::boost) fn scan_sums(
    sums: &[i64],
    stepped: &SteppedColumn,
    cuts: Cuts,
    gain: &ManyGain,
    conditions: usize,
    stream: &mut Stream,
) -> BestTests {
    let stride = gain.layout.stride();
    let known: Vec<&[i64]> = sums.chunks_exact(stride).take(stepped.count).collect();
    match (stepped.may_be, stepped.cuts.is_empty()) {
        ([false, false], _) => [None; 2],
        (_, true) => sets(&known, gain, conditions),
        (_, false) => at_cuts(&known, stepped, cuts, gain, conditions, stream),
    }
}

/// Returns the best of all cut points, or of a few random ones.
fn at_cuts(
    sums: &[&[i64]],
    stepped: &SteppedColumn,
    cuts: Cuts,
    gain: &ManyGain,
    conditions: usize,
    stream: &mut Stream,
) -> BestTests {
    let mut best = [None; 2];
    let is_met = |step: usize| sums[step][gain.layout.weight()] > 0;
    let ends =
        ((0..sums.len()).find(|&step| is_met(step)), (0..sums.len()).rfind(|&step| is_met(step)));
    let (Some(first), Some(last)) = ends else { return best };
    if first >= last {
        return best;
    }
    let few = (!cuts.are_all()).then(|| drawn(stepped, first, last, stream));
    let is_candidate = |step: u8| match &few {
        None => is_met(usize::from(step)) && stepped.cuts[usize::from(step)].is_finite(),
        Some(few) => few.contains(&Some(step)),
    };
    let mut found = ManyCuts::new(gain.layout, last);
    let mut below = vec![0; gain.layout.stride()];
    for (step, own) in (0u8..).zip(&sums[..last]) {
        below.iter_mut().zip(*own).for_each(|(below, own)| *below += own);
        if is_candidate(step) {
            gain.push_cut(&mut found, step, &below);
        }
    }
    let mut total = below;
    sums[last..]
        .iter()
        .for_each(|own| total.iter_mut().zip(*own).for_each(|(all, own)| *all += own));
    gain.of_cuts(&mut found, &total, conditions);
    let all = total[gain.layout.weight()];
    for (place, (&step, &weight)) in found.steps.iter().zip(&found.weights).enumerate() {
        let sides = [(weight, StepSet::UpTo(step)), (all - weight, StepSet::Above(step))];
        for (side, (weight, set)) in
            sides.into_iter().enumerate().filter(|one| stepped.may_be[one.0])
        {
            let score = found.gains[side][place];
            better(&mut best[side], CandidateRank { score, weight }, set);
        }
    }
    match few {
        Some(_) => best,
        None => best.map(|found| Some(centered(found?, stepped, last, is_met))),
    }
}

/// Returns the best sets of categories. Categories are sorted by the gradient of each class in turn, in both
/// directions, and the first few form a set.
fn sets(sums: &[&[i64]], gain: &ManyGain, conditions: usize) -> BestTests {
    let mut met: Vec<(u8, &[i64])> = (0..=u8::MAX)
        .zip(sums.iter().copied())
        .filter(|(_, sums)| sums[gain.layout.weight()] > 0)
        .collect();
    // A condition with all categories would always be true.
    let most = met.len().saturating_sub(1).min(MOST_CATEGORIES);
    met.retain(|(_, sums)| gain.is_clear(sums));
    let mut best = [None; 2];
    for class in 0..gain.layout.classes {
        let lean = |sums: &[i64]| gain.lean(sums, class, CATEGORY_SHRINKAGE);
        for (best, sign) in best.iter_mut().zip([1.0, -1.0]) {
            met.sort_by(|left, right| {
                let [one, other] = [left, right].map(|(_, sums)| sign * lean(sums));
                one.total_cmp(&other).then(left.0.cmp(&right.0))
            });
            let (mut total, mut set) = (vec![0; gain.layout.stride()], [0u64; 4]);
            for &(step, sums) in met.iter().take(most) {
                total.iter_mut().zip(sums).for_each(|(total, own)| *total += own);
                set[usize::from(step / 64)] |= 1 << (step % 64);
                better(best, gain.rank(&total, conditions), StepSet::Among(set));
            }
        }
    }
    best
}
