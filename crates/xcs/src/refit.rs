//! Points for several classes: with more than two classes, a rule also says which other classes are
//! more or less likely.
//!
//! The points of all selected rules are fitted together by multinomial logistic regression with a
//! ridge penalty, rule by rule, starting from the points of the selection. Then small points are
//! removed, and the others are fitted again.

use crate::compact::WeightedRows;

/// The penalty of squared points, in examples.
pub(crate) const PENALTY: f64 = 4.0;
/// The minimum size of the points for a class, as a share of the largest points of the rule.
const MIN_SHARE: f64 = 0.3;
/// The maximum number of passes over all rules.
const MOST_PASSES: usize = 50;
/// The maximum number of exponentials, which limits the passes.
const MOST_WORK: usize = 20_000_000;

/// The points of rules for each class.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ClassScores {
    /// The starting score of each class.
    pub(crate) base: Vec<f64>,
    /// The points of each rule for each class; 0 for classes that it does not mention.
    pub(crate) rules: Vec<Vec<f64>>,
}

/// Fits the points of rules, given the examples that each of them covers. Rules keep points for their
/// own class, whose index is given.
pub(crate) fn refit(
    members: &[&[u32]],
    own: &[u32],
    rows: WeightedRows<'_>,
    start: ClassScores,
) -> ClassScores {
    let everything = start.rules.iter().map(|points| vec![true; points.len()]).collect::<Vec<_>>();
    let mut found = fit(members, &everything, rows, start);
    let keep = |(points, &own): (&Vec<f64>, &u32)| -> Vec<bool> {
        let largest = points.iter().fold(0.0_f64, |most, points| most.max(points.abs()));
        let is_kept = |(class, points): (u32, &f64)| {
            class == own || points.abs() >= MIN_SHARE * largest && largest > 0.0
        };
        (0..).zip(points).map(is_kept).collect()
    };
    let kept: Vec<Vec<bool>> = found.rules.iter().zip(own).map(keep).collect();
    for (points, kept) in found.rules.iter_mut().zip(&kept) {
        let removed = points.iter_mut().zip(kept).filter(|(_, is_kept)| !**is_kept);
        removed.for_each(|(points, _)| *points = 0.0);
    }
    let mut found = fit(members, &kept, rows, found);
    // Three decimals are what the text shows.
    let all = found.base.iter_mut().chain(found.rules.iter_mut().flatten());
    all.for_each(|points| *points = pellucid_ruleset::path::rounded(*points));
    found
}

/// Fits the points that are not fixed at 0.
fn fit(
    members: &[&[u32]],
    free: &[Vec<bool>],
    rows: WeightedRows<'_>,
    mut points: ClassScores,
) -> ClassScores {
    let count = points.base.len();
    let mut scores = points.base.repeat(rows.classes.len());
    for (members, own) in members.iter().zip(&points.rules) {
        add(&mut scores, members.iter().copied(), own);
    }
    let work = count * (rows.classes.len() + members.iter().map(|own| own.len()).sum::<usize>());
    let passes = (MOST_WORK / work.max(1)).clamp(5, MOST_PASSES);
    let all = || 0..pellucid_bits::as_u32(rows.classes.len());
    for _ in 0..passes {
        let change = step(&scores, rows, all(), &vec![0.0; count], 0.0);
        add(&mut scores, all(), &change);
        points.base.iter_mut().zip(&change).for_each(|(base, change)| *base += change);
        for ((members, free), own) in members.iter().zip(free).zip(&mut points.rules) {
            let mut change = step(&scores, rows, members.iter().copied(), own, PENALTY);
            let fixed = change.iter_mut().zip(free).filter(|(_, is_free)| !**is_free);
            fixed.for_each(|(change, _)| *change = 0.0);
            add(&mut scores, members.iter().copied(), &change);
            own.iter_mut().zip(&change).for_each(|(own, change)| *own += change);
        }
    }
    points
}

/// Returns the accuracy of the first rules, starting with no rule. In a tie the first class is predicted.
pub(crate) fn accuracy_by_number(
    members: &[&[u32]],
    rows: WeightedRows<'_>,
    points: &ClassScores,
) -> Vec<f64> {
    let mut scores = points.base.repeat(rows.classes.len());
    let accuracy = |scores: &[f64]| {
        let predicted = scores.chunks(points.base.len()).map(pellucid_ruleset::model::winner);
        let right = predicted.zip(rows.classes).filter(|(predicted, actual)| predicted == *actual);
        right.count() as f64 / rows.classes.len().max(1) as f64
    };
    let mut all = vec![accuracy(&scores)];
    for (members, own) in members.iter().zip(&points.rules) {
        add(&mut scores, members.iter().copied(), own);
        all.push(accuracy(&scores));
    }
    all
}

/// Adds points to the scores of some examples.
pub(crate) fn add(scores: &mut [f64], examples: impl Iterator<Item = u32>, points: &[f64]) {
    for example in examples {
        let own = &mut scores[example as usize * points.len()..][..points.len()];
        own.iter_mut().zip(points).for_each(|(score, points)| *score += points);
    }
}

/// Returns the step of each class towards the best points of a rule. The curvature of the loss is at
/// most half of the weight of the covered examples (Böhning 1992), so a step never increases the loss.
pub(crate) fn step(
    scores: &[f64],
    rows: WeightedRows<'_>,
    examples: impl Iterator<Item = u32>,
    points: &[f64],
    penalty: f64,
) -> Vec<f64> {
    let count = points.len();
    let mut slope: Vec<f64> = points.iter().map(|points| -penalty * points).collect();
    let mut total = 0.0;
    let mut shares = vec![0.0; count];
    for example in examples {
        let own = &scores[example as usize * count..][..count];
        let largest = own.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        shares.iter_mut().zip(own).for_each(|(share, own)| *share = libm::exp(own - largest));
        let weight = rows.weight(example as usize);
        let part = weight / shares.iter().sum::<f64>();
        slope.iter_mut().zip(&shares).for_each(|(slope, share)| *slope -= share * part);
        slope[rows.classes[example as usize] as usize] += weight;
        total += weight;
    }
    let curvature = 0.5 * total + penalty;
    slope.iter().map(|slope| if curvature > 0.0 { slope / curvature } else { 0.0 }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The penalized loss.
    fn loss(members: &[&[u32]], rows: WeightedRows<'_>, points: &ClassScores) -> f64 {
        let count = points.base.len();
        let mut scores = points.base.repeat(rows.classes.len());
        for (members, own) in members.iter().zip(&points.rules) {
            add(&mut scores, members.iter().copied(), own);
        }
        let of_row = |(row, &class): (usize, &u32)| {
            let own = &scores[row * count..][..count];
            let sum: f64 = own.iter().map(|score| libm::exp(*score)).sum();
            rows.weight(row) * (libm::log(sum) - own[class as usize])
        };
        let squares: f64 = points.rules.iter().flatten().map(|points| points * points).sum();
        rows.classes.iter().enumerate().map(of_row).sum::<f64>() + 0.5 * PENALTY * squares
    }

    proptest! {
        #[test]
        fn fitted_points_are_finite_and_never_worse(
            classes in prop::collection::vec(0_u32..4, 5..60),
            rules in prop::collection::vec((0_u32..4, prop::collection::vec(any::<bool>(), 60)), 1..6),
            weights in prop::collection::vec(0.0..3.0_f64, 60),
        ) {
            let rows = WeightedRows { classes: &classes, weights: Some(&weights[..classes.len()]) };
            let covered: Vec<Vec<u32>> = rules
                .iter()
                .map(|(_, is_covered)| {
                    let all = (0..).zip(is_covered).take(classes.len());
                    all.filter(|(_, is_covered)| **is_covered).map(|(row, _)| row).collect()
                })
                .collect();
            let members: Vec<&[u32]> = covered.iter().map(|own| &own[..]).collect();
            let own: Vec<u32> = rules.iter().map(|(class, _)| *class).collect();
            let start = ClassScores {
                base: vec![0.0; 4],
                rules: own
                    .iter()
                    .map(|&class| (0..4).map(|other| f64::from(u8::from(other == class))).collect())
                    .collect(),
            };
            let free = vec![vec![true; 4]; rules.len()];
            let fitted = fit(&members, &free, rows, start.clone());
            prop_assert!(loss(&members, rows, &fitted) <= loss(&members, rows, &start) + 1e-9);
            let found = refit(&members, &own, rows, start);
            let mut all = found.base.iter().chain(found.rules.iter().flatten());
            prop_assert!(all.all(|points| points.is_finite()));
        }
    }

    #[test]
    fn a_rule_lowers_the_class_that_it_excludes() {
        // The rule covers all examples of class 0, half of those of class 1, and none of class 2.
        let classes: Vec<u32> = (0..90).map(|row| row / 30).collect();
        let members: Vec<u32> = (0..45).collect();
        let rows = WeightedRows { classes: &classes, weights: None };
        let start = ClassScores { base: vec![0.0; 3], rules: vec![vec![0.5, 0.0, 0.0]] };
        let found = refit(&[&members], &[0], rows, start);
        assert!(found.rules[0][0] > 0.5 && found.rules[0][2] < -0.5, "{found:?}");
    }
}
