//! The influence of each example on a metric: by how much the metric moves with the example, so that the
//! variance of the metric is the sum of the squares.

use super::super::Decisions;
use super::super::summary::{log_cost, square_cost};
use super::shares;

/// Returns the influence of each decision on the mean of its values.
pub(super) fn of_mean(values: &[f64]) -> Vec<f64> {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    // Corrected, so that the sum of squares is the unbiased variance of the mean.
    let scale = correction(count) / count;
    values.iter().map(|value| (value - mean) * scale).collect()
}

/// Returns the factor that makes the variance of this many values unbiased.
fn correction(count: f64) -> f64 {
    if count > 1.0 { (count / (count - 1.0)).sqrt() } else { 1.0 }
}

/// Returns the influence on the cost per example; `None` without costs.
pub(super) fn cost(decisions: &Decisions) -> Option<Vec<f64>> {
    let costs = decisions.miss_costs.as_ref()?;
    let costs: Vec<f64> = decisions.list().iter().map(|one| one.cost(costs)).collect();
    Some(of_mean(&costs))
}

pub(super) fn log_loss(decisions: &Decisions) -> Option<Vec<f64>> {
    costs(decisions, log_cost)
}

pub(super) fn brier(decisions: &Decisions) -> Option<Vec<f64>> {
    costs(decisions, square_cost)
}

fn costs(decisions: &Decisions, cost: fn(&[f64], usize) -> f64) -> Option<Vec<f64>> {
    let of = |place: usize| {
        let actual = decisions.list()[place].actual as usize;
        Some(cost(shares(decisions, place)?, actual))
    };
    let costs: Option<Vec<f64>> = (0..decisions.list().len()).map(of).collect();
    Some(of_mean(&costs?))
}

pub(super) fn balanced_accuracy(decisions: &Decisions) -> Option<Vec<f64>> {
    let classes = decisions.classes.len();
    let (mut counts, mut hits) = (vec![0.0; classes], vec![0.0; classes]);
    for one in decisions.list() {
        counts[one.actual as usize] += 1.0;
        hits[one.actual as usize] += f64::from(u8::from(one.actual == one.predicted));
    }
    let occurring = counts.iter().filter(|count| **count > 0.0).count() as f64;
    let influence = |one: &super::super::Decision| {
        let class = one.actual as usize;
        let (count, hit) = (counts[class], f64::from(u8::from(one.actual == one.predicted)));
        (hit - hits[class] / count) * correction(count) / (count * occurring)
    };
    Some(decisions.list().iter().map(influence).collect())
}

/// F1 is a ratio of sums; its influence is that of the numerator minus F1 times that of the denominator.
pub(super) fn f1(decisions: &Decisions) -> Option<Vec<f64>> {
    let list = decisions.list();
    let is_used = |class: &usize| {
        list.iter().any(|one| one.actual as usize == *class || one.predicted as usize == *class)
    };
    let classes: Vec<usize> = match decisions.classes.len() {
        2 => vec![1],
        more => (0..more).filter(is_used).collect(),
    };
    let mut influence = vec![0.0; list.len()];
    for &class in &classes {
        let parts = |one: &super::super::Decision| {
            let (actual, predicted) =
                (one.actual as usize == class, one.predicted as usize == class);
            let hits = 2.0 * f64::from(u8::from(actual && predicted));
            (hits, f64::from(u8::from(actual)) + f64::from(u8::from(predicted)))
        };
        let (hits, all) = list
            .iter()
            .map(parts)
            .fold((0.0, 0.0), |sums, part| (sums.0 + part.0, sums.1 + part.1));
        if all == 0.0 {
            continue;
        }
        for (own, one) in influence.iter_mut().zip(list) {
            let (hit, of) = parts(one);
            *own += (hit - hits / all * of) / all / classes.len() as f64;
        }
    }
    let scale = correction(list.len() as f64);
    influence.iter_mut().for_each(|own| *own *= scale);
    Some(influence)
}

/// The influence on the AUC is the placement of `DeLong`, `DeLong` and Clarke-Pearson: for a positive the
/// share of negatives that it outranks, for a negative the share of positives that outrank it.
pub(super) fn auc(decisions: &Decisions) -> Option<Vec<f64>> {
    let list = decisions.list();
    let occurs = |class: &usize| list.iter().any(|one| one.actual as usize == *class);
    let classes: Vec<usize> = match decisions.classes.len() {
        2 => vec![1],
        more => (0..more).filter(occurs).collect(),
    };
    if !decisions.has_numbers() {
        return None;
    }
    let mut influence = vec![0.0; list.len()];
    for &class in &classes {
        let labels: Vec<bool> = list.iter().map(|one| one.actual as usize == class).collect();
        let own = placements(&decisions.ranking_scores(class), &labels)?;
        influence.iter_mut().zip(own).for_each(|(sum, own)| *sum += own / classes.len() as f64);
    }
    Some(influence)
}

/// Returns the influence of each example on the AUC of one class; `None` if a class is missing.
pub(super) fn placements(scores: &[f64], labels: &[bool]) -> Option<Vec<f64>> {
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|&one, &other| (scores[one] + 0.0).total_cmp(&(scores[other] + 0.0)));
    let positives = labels.iter().filter(|label| **label).count() as f64;
    let negatives = labels.len() as f64 - positives;
    if positives == 0.0 || negatives == 0.0 {
        return None;
    }
    // The share of examples of the other class below each example; ties count half.
    let (mut below, mut placed) = ([0.0, 0.0], vec![0.0; scores.len()]);
    for tied in order.chunk_by(|&one, &other| scores[one] == scores[other]) {
        let positive = tied.iter().filter(|&&one| labels[one]).count() as f64;
        let here = [tied.len() as f64 - positive, positive];
        for &one in tied {
            let other = usize::from(!labels[one]);
            placed[one] = below[other] + here[other] / 2.0;
        }
        below = [below[0] + here[0], below[1] + here[1]];
    }
    let area = (0..scores.len()).filter(|&one| labels[one]).map(|one| placed[one]).sum::<f64>()
        / (positives * negatives);
    let influence = |one: usize| match labels[one] {
        true => (placed[one] / negatives - area) * correction(positives) / positives,
        false => (1.0 - placed[one] / positives - area) * correction(negatives) / negatives,
    };
    Some((0..scores.len()).map(influence).collect())
}
