//! Selects rules for more than two classes.
//!
//! A rule says something about every class: that some are more likely and others less. Rules are therefore
//! selected by the multinomial log loss: each time the rule whose points for all classes together reduce the
//! loss most. After each rule the points of all selected rules are adjusted.

use crate::compact::{Candidate, SIZES, WeightedRows};
use crate::refit::{ClassScores, PENALTY, add, step};

/// The number of candidates with the largest gains that are compared in the steps between two comparisons of
/// all candidates.
const SHORT_LIST: usize = 256;
/// The number of steps between two comparisons of all candidates.
const STEPS: usize = 8;
/// All candidates are compared on about this many of the examples that each of them covers.
const MAX_COMPARED: usize = 1_000;
/// The share of its gain that a rule loses for every condition after the first.
const LENGTH_PENALTY: f64 = 0.04;
/// The minimum gain of a rule, per class. The inner folds select the size, so later rules may be weak.
const MIN_GAIN: f64 = 0.1;
/// How often the points of all rules are adjusted after each rule.
const PASSES: usize = 2;

/// The rules selected for more than two classes.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct JointSelection {
    /// The selected candidates in order.
    pub(crate) order: Vec<usize>,
    /// The points of the first rules in smaller selections, the smallest first, and at last in the whole one.
    pub(crate) sizes: Vec<ClassScores>,
}

impl JointSelection {
    /// Returns the class that each rule raises most.
    pub(crate) fn raised_classes(&self) -> Vec<u32> {
        let rules = self.sizes.last().map_or(&[][..], |size| &size.rules);
        let of_rule = |points: &Vec<f64>| {
            let classes = (0..).zip(points);
            let most =
                classes.max_by(|one, other| one.1.total_cmp(other.1).then(other.0.cmp(&one.0)));
            most.map_or(0, |(class, _)| class)
        };
        rules.iter().map(of_rule).collect()
    }
}

/// Selects up to `most` candidates. Stops early, with the rules selected so far, once `is_late` returns true.
pub(crate) fn select_jointly(
    candidates: &[Candidate],
    rows: WeightedRows<'_>,
    count: usize,
    most: usize,
    is_late: &dyn Fn() -> bool,
) -> JointSelection {
    let mut growing = GrowingModel::new(candidates, rows, count);
    let mut sizes = Vec::new();
    while growing.order.len() < most && !is_late() {
        if SIZES.contains(&growing.order.len()) {
            sizes.push(growing.points.clone());
        }
        let Some(rule) = growing.best() else { break };
        growing.add(rule);
    }
    if sizes.last().is_none_or(|last| last.rules.len() < growing.order.len()) {
        sizes.push(growing.points);
    }
    JointSelection { order: growing.order, sizes }
}

/// A model that grows by one rule at a time.
struct GrowingModel<'a> {
    candidates: &'a [Candidate],
    rows: WeightedRows<'a>,
    points: ClassScores,
    order: Vec<usize>,
    /// Whether a candidate is selected or covers nearly the same examples as a selected one.
    is_closed: Vec<bool>,
    /// The score by example and class.
    scores: Vec<f64>,
    /// The slope and the curvature of the loss by example, class by class.
    slopes: Vec<f64>,
    short_list: Vec<usize>,
}

impl<'a> GrowingModel<'a> {
    fn new(candidates: &'a [Candidate], rows: WeightedRows<'a>, count: usize) -> GrowingModel<'a> {
        let mut examples = vec![0.5; count];
        for (row, &class) in rows.classes.iter().enumerate() {
            examples[class as usize] += rows.weight(row);
        }
        let fewest = examples.iter().copied().fold(f64::INFINITY, f64::min);
        let base: Vec<f64> = examples.iter().map(|own| libm::log(own / fewest)).collect();
        let scores = base.repeat(rows.classes.len());
        let mut growing = GrowingModel {
            candidates,
            rows,
            points: ClassScores { base, rules: Vec::new() },
            order: Vec::new(),
            is_closed: vec![false; candidates.len()],
            slopes: vec![0.0; 2 * scores.len()],
            scores,
            short_list: Vec::new(),
        };
        growing.update_slopes();
        growing
    }

    /// Returns the number of classes.
    fn count(&self) -> usize {
        self.points.base.len()
    }

    /// Computes the slopes from the scores.
    fn update_slopes(&mut self) {
        let count = self.count();
        let slopes = self.slopes.chunks_exact_mut(2 * count);
        for ((row, own), slopes) in self.scores.chunks_exact(count).enumerate().zip(slopes) {
            let largest = own.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let (slope, curvature) = slopes.split_at_mut(count);
            slope.iter_mut().zip(own).for_each(|(share, own)| *share = libm::exp(own - largest));
            let total: f64 = slope.iter().sum();
            let weight = self.rows.weight(row);
            for (slope, curvature) in slope.iter_mut().zip(curvature) {
                let share = *slope / total;
                *curvature = weight * share * (1.0 - share);
                *slope = -weight * share;
            }
            slope[self.rows.classes[row] as usize] += weight;
        }
    }

    /// Returns how much a rule reduces the loss, from one of `stride` covered examples.
    fn gain(&self, rule: usize, stride: usize) -> f64 {
        let Candidate { tests, members, .. } = &self.candidates[rule];
        let count = self.count();
        let mut sums = vec![0.0; 2 * count];
        for &row in members.iter().step_by(stride) {
            let own = &self.slopes[row as usize * 2 * count..][..2 * count];
            sums.iter_mut().zip(own).for_each(|(sum, own)| *sum += own);
        }
        let (slope, curvature) = sums.split_at(count);
        let scale = stride as f64;
        let of_class = |(slope, curvature): (&f64, &f64)| {
            0.5 * (scale * slope) * (scale * slope) / (scale * curvature + PENALTY)
        };
        let gain: f64 = slope.iter().zip(curvature).map(of_class).sum();
        gain * (1.0 - LENGTH_PENALTY * tests.len().saturating_sub(1) as f64).max(0.1)
    }

    /// Returns the candidate that reduces the loss most, if it is worth its points.
    fn best(&mut self) -> Option<usize> {
        let is_time = self.order.len().is_multiple_of(STEPS);
        if is_time {
            self.compare_all();
        }
        self.best_of_short_list().or_else(|| {
            self.compare_all();
            self.best_of_short_list()
        })
    }

    /// Puts the candidates with the largest gains on the short list.
    fn compare_all(&mut self) {
        let stride =
            |rule: usize| self.candidates[rule].members.len().div_ceil(MAX_COMPARED).max(1);
        let open = (0..self.candidates.len()).filter(|&rule| !self.is_closed[rule]);
        let mut gains = in_order(open.map(|rule| (self.gain(rule, stride(rule)), rule)));
        gains.truncate(SHORT_LIST);
        self.short_list = gains.into_iter().map(|(_, rule)| rule).collect();
    }

    /// Returns the best candidate on the short list that covers other examples than the selected rules.
    fn best_of_short_list(&mut self) -> Option<usize> {
        let open = self.short_list.iter().filter(|&&rule| !self.is_closed[rule]);
        let gains = in_order(open.map(|&rule| (self.gain(rule, 1), rule)));
        let is_worth_it = |&(gain, _): &(f64, usize)| gain > MIN_GAIN * self.count() as f64;
        let worth_it: Vec<usize> =
            gains.into_iter().take_while(is_worth_it).map(|(_, rule)| rule).collect();
        worth_it.into_iter().find(|&rule| {
            let own = &self.candidates[rule];
            let is_near = |&other: &usize| own.covers_nearly_the_same_as(&self.candidates[other]);
            self.is_closed[rule] = self.order.iter().any(is_near);
            !self.is_closed[rule]
        })
    }

    /// Adds a rule and adjusts the points of all rules.
    fn add(&mut self, rule: usize) {
        self.is_closed[rule] = true;
        self.order.push(rule);
        self.points.rules.push(vec![0.0; self.count()]);
        let all = || 0..pellucid_bits::as_u32(self.rows.classes.len());
        let change = step(&self.scores, self.rows, all(), &vec![0.0; self.count()], 0.0);
        add(&mut self.scores, all(), &change);
        self.points.base.iter_mut().zip(&change).for_each(|(base, change)| *base += change);
        for _ in 0..PASSES {
            self.adjust_points();
        }
        self.update_slopes();
    }

    /// Moves the points of every rule towards those that fit best, the newest rule first.
    fn adjust_points(&mut self) {
        for (&rule, points) in self.order.iter().zip(&mut self.points.rules).rev() {
            let members = || self.candidates[rule].members.iter().copied();
            let change = step(&self.scores, self.rows, members(), points, PENALTY);
            add(&mut self.scores, members(), &change);
            points.iter_mut().zip(&change).for_each(|(points, change)| *points += change);
        }
    }
}

/// Returns gains and candidates, the largest gain first; in a tie, the first candidate.
fn in_order(gains: impl Iterator<Item = (f64, usize)>) -> Vec<(f64, usize)> {
    let mut gains: Vec<(f64, usize)> = gains.collect();
    gains.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
    gains
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const CLASSES: usize = 4;

    fn rule(members: impl IntoIterator<Item = u32>) -> Candidate {
        let members = members.into_iter().collect();
        Candidate { class: 0, slot: 0, tests: Vec::new(), members }
    }

    /// Generates examples of four classes, sorted by class, and rules that cover ranges of them.
    fn ranges() -> impl Strategy<Value = (Vec<u32>, Vec<Candidate>)> {
        let classes = prop::collection::vec(0_u32..4, 30..150);
        let rules = prop::collection::vec((0_u32..100, 5_u32..60), 1..40);
        (classes, rules).prop_map(|(mut classes, rules)| {
            classes.sort_unstable();
            let end = pellucid_bits::as_u32(classes.len());
            let made = rules
                .iter()
                .map(|(first, length)| rule(*first.min(&end)..(first + length).min(end)));
            (classes, made.collect())
        })
    }

    /// Returns the loss of a model with its penalty.
    fn loss(rules: &[&[u32]], classes: &[u32], points: &ClassScores) -> f64 {
        let of_row = |(row, &class): (u32, &u32)| {
            let covering =
                rules.iter().zip(&points.rules).filter(|(members, _)| members.contains(&row));
            let mut scores = points.base.clone();
            for (_, points) in covering {
                scores.iter_mut().zip(points).for_each(|(score, points)| *score += points);
            }
            libm::log(scores.iter().map(|score| libm::exp(*score)).sum()) - scores[class as usize]
        };
        let squares: f64 = points.rules.iter().flatten().map(|points| points * points).sum();
        (0..).zip(classes).map(of_row).sum::<f64>() + 0.5 * PENALTY * squares
    }

    proptest! {
        #[test]
        fn more_rules_fit_the_examples_better((classes, rules) in ranges()) {
            let known = WeightedRows { classes: &classes, weights: None };
            let found = select_jointly(&rules, known, CLASSES, 12, &|| false);
            let members: Vec<&[u32]> = found.order.iter().map(|&rule| &rules[rule].members[..]).collect();
            prop_assert_eq!(found.sizes.last().map(|last| last.rules.len()), Some(members.len()));
            let losses: Vec<f64> = found.sizes.iter().map(|size| loss(&members, &classes, size)).collect();
            prop_assert!(losses.is_sorted_by(|more, less| *less <= more + 1e-9), "{losses:?}");
        }

        #[test]
        fn no_two_selected_rules_cover_nearly_the_same((classes, rules) in ranges()) {
            let known = WeightedRows { classes: &classes, weights: None };
            let found = select_jointly(&rules, known, CLASSES, 12, &|| false).order;
            for (place, &one) in found.iter().enumerate() {
                for &other in &found[..place] {
                    prop_assert!(!rules[one].covers_nearly_the_same_as(&rules[other]), "{one} and {other}");
                }
            }
        }

        /// An example with weight 2 counts like two examples.
        #[test]
        fn weights_are_copies((classes, rules) in ranges()) {
            let doubled: Vec<u32> = classes.iter().flat_map(|&class| [class, class]).collect();
            let copies = |one: &Candidate| rule(one.members.iter().flat_map(|&row| [2 * row, 2 * row + 1]));
            let twice: Vec<Candidate> = rules.iter().map(copies).collect();
            let weights = vec![2.0; classes.len()];
            let weighted = WeightedRows { classes: &classes, weights: Some(&weights) };
            let repeated = WeightedRows { classes: &doubled, weights: None };
            let one = GrowingModel::new(&rules, weighted, CLASSES);
            let other = GrowingModel::new(&twice, repeated, CLASSES);
            for rule in 0..rules.len() {
                let (one, other) = (one.gain(rule, 1), other.gain(rule, 1));
                prop_assert!((one - other).abs() <= 1e-9 * one.abs().max(1.0), "{one} and {other}");
            }
        }
    }

    #[test]
    fn a_rule_that_excludes_half_of_the_classes_is_selected_first() {
        // The first rule covers a third of one class and nothing else; the second covers two whole classes.
        let classes: Vec<u32> = (0..120).map(|row| row / 30).collect();
        let rules = [rule(0..10), rule(0..60)];
        let known = WeightedRows { classes: &classes, weights: None };
        let found = select_jointly(&rules, known, CLASSES, 2, &|| false);
        assert_eq!(found.order, [1, 0]);
        let points = &found.sizes[found.sizes.len() - 1].rules[0];
        assert!(
            points[0] > 0.5 && points[1] > 0.5 && points[2] < -0.5 && points[3] < -0.5,
            "{points:?}"
        );
    }

    #[test]
    fn a_selection_that_is_late_has_no_rules() {
        let classes: Vec<u32> = (0..120).map(|row| row / 30).collect();
        let known = WeightedRows { classes: &classes, weights: None };
        let found = select_jointly(&[rule(0..30)], known, CLASSES, 2, &|| true);
        assert_eq!((found.order.len(), found.sizes.len()), (0, 1));
    }
}
