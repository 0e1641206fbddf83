//! The points of the newest rule alone.
//!
//! Fitting all points again takes time with the square of the number of rules. In a large model the newest
//! rule hardly changes the points of the others, so most of the time only its own are fitted, on the
//! patterns that it covers.

use super::fit::ManyFit;
use super::refit::{FREEDOM, LARGEST};

/// The number of rounds over the classes.
const ROUNDS: usize = 2;

/// The scores of a pattern by class, with the weight of each class.
struct Row {
    scores: Vec<f64>,
    weights: Vec<f64>,
    total: f64,
}

impl ManyFit {
    /// Fits the points of the newest rule; all other points and the intercepts stay.
    pub(super) fn refit_newest(&mut self) {
        let Some(newest) = self.rules.len().checked_sub(1) else { return };
        let mut rows = self.rows_of(newest);
        for _ in 0..ROUNDS {
            for place in 0..self.rules[newest].len() {
                let entry = &mut self.rules[newest][place];
                let class = entry.class as usize;
                let (mut gradient, mut curvature) =
                    (-entry.points / FREEDOM, 1.0 / FREEDOM + f64::MIN_POSITIVE);
                for row in &rows {
                    let share = row.share(class);
                    gradient += row.weights[class] - row.total * share;
                    curvature += row.total * share * (1.0 - share);
                }
                let step = (gradient / curvature).clamp(-LARGEST, LARGEST);
                let new = entry.points + step;
                let new = if (new > 0.0) == entry.favors { new } else { 0.0 };
                let moved = new - entry.points;
                entry.points = new;
                rows.iter_mut().for_each(|row| row.scores[class] += moved);
            }
        }
    }

    /// Returns the patterns with training examples that a rule covers.
    fn rows_of(&self, rule: usize) -> Vec<Row> {
        let is_covered = |rules: &[u32]| rules.iter().any(|&own| own as usize == rule);
        let row = |(place, weights): (usize, &Vec<f64>)| {
            let mut scores = vec![0.0; self.classes];
            self.write_scores(place, &mut scores);
            Row { scores, weights: weights.clone(), total: weights.iter().sum() }
        };
        let covered = self.patterns.iter().enumerate();
        let covered = covered.filter(|(_, pattern)| is_covered(&pattern.rules));
        let rows = covered.map(|(place, pattern)| row((place, &pattern.weights)));
        rows.filter(|row| row.total > 1e-9).collect()
    }
}

impl Row {
    /// Returns the predicted probability of a class.
    fn share(&self, class: usize) -> f64 {
        let largest = self.scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = self.scores.iter().map(|score| libm::exp(score - largest)).sum();
        libm::exp(self.scores[class] - largest) / sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        /// The fit changes only the points of the newest rule, and no small change of them is better.
        #[test]
        fn only_the_newest_points_change_and_they_are_optimal(
            examples in prop::collection::vec((0u32..3, any::<[bool; 3]>()), 30..80),
        ) {
            let codes: Vec<u32> = examples.iter().map(|one| one.0).collect();
            let weights = vec![1.0; codes.len()];
            let mut fit = ManyFit::new(3, codes.into(), weights.into());
            for rule in 0..3 {
                let covered = (0u32..).zip(&examples).filter(|(_, one)| one.1[rule]);
                fit.add_rule(&covered.map(|(example, _)| example).collect::<Vec<u32>>());
                fit.refit(if rule < 2 { 4 } else { 0 });
            }
            let (rules, base) = (fit.rules.clone(), fit.base.clone());
            (0..50).for_each(|_| fit.refit_newest());
            prop_assert_eq!((&fit.rules[..2], &fit.base), (&rules[..2], &base));
            let lowest = fit.loss();
            for place in 0..fit.rules[2].len() {
                for step in [-0.02, 0.02] {
                    let mut other = fit.clone();
                    let entry = &mut other.rules[2][place];
                    entry.points += step;
                    if (entry.points > 0.0) == entry.favors {
                        prop_assert!(other.loss() > lowest - 1e-3);
                    }
                }
            }
        }
    }
}
