//! The points of all rules: a penalized logistic regression of the class on the rules that apply.
//!
//! It minimizes, with `y` 1 inside the class and 0 outside and `p` the predicted probability:
//!
//! ```text
//! sum over examples of logloss(y, p)  +  sum over rules of points^2 / (2 FREEDOM)
//! ```
//!
//! by Newton's method on patterns. The points of a rule must favor the class that the rule makes more
//! likely; points that would not are set to 0 for now.

use super::class_fit::ClassFit;
use pellucid_learn::linear::solve_positive;

/// The inverse of the penalty of points.
pub(super) const FREEDOM: f64 = 0.5;
/// The most Newton steps.
const STEPS: usize = 25;
/// The least improvement, as a share of the loss, that a step must promise to continue.
const LEAST_GAIN: f64 = 1e-7;

impl ClassFit {
    /// Fits all points.
    pub(super) fn refit(&mut self) {
        let mut active: Vec<usize> = (0..self.votes.len()).collect();
        loop {
            self.descend(&active);
            let wrong = |&rule: &usize| (self.votes[rule] > 0.0) != self.favors[rule];
            if !active.iter().any(wrong) {
                return;
            }
            active.retain(|rule| !wrong(rule));
            let votes = self.votes.iter().enumerate();
            self.votes = votes
                .map(|(rule, &vote)| if active.contains(&rule) { vote } else { 0.0 })
                .collect();
        }
    }

    /// Runs Newton's method for the intercept and some points.
    fn descend(&mut self, active: &[usize]) {
        let rows = Rows::new(self, active);
        let mut at: Vec<f64> =
            std::iter::once(self.base).chain(active.iter().map(|&rule| self.votes[rule])).collect();
        let (mut loss, mut shares) = rows.loss(&at);
        for _ in 0..STEPS {
            let Some((step, promised)) = rows.newton(&at, &shares) else { break };
            let moved = |length: f64| -> Vec<f64> {
                at.iter().zip(&step).map(|(at, step)| at + length * step).collect()
            };
            if promised <= LEAST_GAIN * loss {
                // This close to the minimum the loss is nearly quadratic, so the full step is taken
                // without a check.
                at = moved(1.0);
                break;
            }
            let next = [1.0, 0.5, 0.25, 0.125, 0.0625].into_iter().find_map(|length| {
                let there = moved(length);
                let (lower, shares) = rows.loss(&there);
                (lower < loss).then_some((there, lower, shares))
            });
            let Some(next) = next else { break };
            (at, loss, shares) = next;
        }
        self.base = at[0];
        active.iter().zip(&at[1..]).for_each(|(&rule, &vote)| self.votes[rule] = vote);
    }
}

/// Patterns as the rows of a sparse matrix, contiguous in memory.
struct Rows {
    /// The start of each row's rules; the last entry is the end.
    starts: Vec<usize>,
    /// The indices of rules among the parameters, ascending within a row; the intercept has index
    /// 0.
    places: Vec<usize>,
    /// The weight of all examples of each row, and of those in the class.
    weights: Vec<(f64, f64)>,
}

impl Rows {
    /// Creates the rows from patterns with training examples. Rules without points are left out.
    fn new(residual: &ClassFit, active: &[usize]) -> Rows {
        let mut place = vec![None; residual.votes.len()];
        active.iter().enumerate().for_each(|(at, &rule)| place[rule] = Some(at + 1));
        let mut rows = Rows { starts: vec![0], places: Vec::new(), weights: Vec::new() };
        for pattern in &residual.patterns {
            let weight = pattern.inside + pattern.outside;
            if weight > 1e-9 {
                rows.places.extend(pattern.rules.iter().filter_map(|&rule| place[rule as usize]));
                rows.starts.push(rows.places.len());
                rows.weights.push((weight, pattern.inside));
            }
        }
        rows
    }

    fn rules(&self, row: usize) -> &[usize] {
        &self.places[self.starts[row]..self.starts[row + 1]]
    }

    /// Returns the loss, and the predicted probability of each row.
    fn loss(&self, at: &[f64]) -> (f64, Vec<f64>) {
        let mut loss = at[1..].iter().map(|vote| vote * vote).sum::<f64>() / (2.0 * FREEDOM);
        let share = |(row, &(weight, inside)): (usize, &(f64, f64))| {
            let margin = at[0] + self.rules(row).iter().map(|&place| at[place]).sum::<f64>();
            // One exponential serves both `ln(1 + exp(margin))` and the probability.
            let small = libm::exp(-margin.abs());
            loss += weight * (margin.max(0.0) + libm::log1p(small)) - inside * margin;
            if margin < 0.0 { small / (1.0 + small) } else { 1.0 / (1.0 + small) }
        };
        let shares = self.weights.iter().enumerate().map(share).collect();
        (loss, shares)
    }

    /// Returns Newton's step and the reduction of the loss that it promises.
    fn newton(&self, at: &[f64], shares: &[f64]) -> Option<(Vec<f64>, f64)> {
        let size = at.len();
        let mut gradient = vec![0.0; size];
        let mut curvature = vec![0.0; size * size];
        for (row, (&(weight, inside), &share)) in self.weights.iter().zip(shares).enumerate() {
            let (missing, bend) = (inside - weight * share, weight * share * (1.0 - share));
            gradient[0] += missing;
            curvature[0] += bend;
            let rules = self.rules(row);
            for (index, &place) in rules.iter().enumerate() {
                gradient[place] += missing;
                let line = &mut curvature[place * size..][..=place];
                line[0] += bend;
                // Rules are in ascending order, so this fills the lower triangle.
                rules[..=index].iter().for_each(|&other| line[other] += bend);
            }
        }
        for place in 1..size {
            gradient[place] -= at[place] / FREEDOM;
            curvature[place * size + place] += 1.0 / FREEDOM;
        }
        curvature[0] += 1e-9;
        let step = solve_positive(curvature, gradient.clone())?;
        let promised = step.iter().zip(&gradient).map(|(step, slope)| step * slope).sum::<f64>();
        Some((step, promised / 2.0))
    }
}
