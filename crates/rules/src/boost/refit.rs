//! All votes at once: the penalised logistic regression of the class on the rules that hold.
//!
//! Minimised, with `y` 1 in the class and 0 outside and `p` the predicted share:
//!
//! ```text
//! sum over examples of logloss(y, p)  +  sum over rules of vote^2 / (2 FREEDOM)
//! ```
//!
//! by Newton's method on patterns. A vote must speak for what its rule makes more likely; one that would not is left out for
//! the time being.

use super::residual::{Pattern, Residual, share};

/// How far votes may go: the penalty's inverse.
pub(super) const FREEDOM: f64 = 0.5;
/// Steps at most.
const STEPS: usize = 25;
/// What a step must win, as a share of the loss, to be followed by another.
const WORTH: f64 = 1e-7;

impl Residual<'_> {
    /// Finds the votes that fit best.
    pub(super) fn refit(&mut self) {
        let mut active: Vec<usize> = (0..self.votes.len()).collect();
        loop {
            self.descend(&active);
            let wrong = |&rule: &usize| (self.votes[rule] > 0.0) != self.speaks_for[rule];
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

    /// Newton's steps for the base and some votes.
    fn descend(&mut self, active: &[usize]) {
        let mut place = vec![None; self.votes.len()];
        active.iter().enumerate().for_each(|(at, &rule)| place[rule] = Some(at + 1));
        // Rules without a vote do not matter here.
        let rows: Vec<(Vec<usize>, &Pattern)> = self
            .patterns
            .iter()
            .filter(|pattern| pattern.inside + pattern.outside > 1e-9)
            .map(|pattern| {
                let places = pattern.rules.iter().filter_map(|&rule| place[rule as usize]);
                (places.collect(), pattern)
            })
            .collect();
        let mut at: Vec<f64> =
            std::iter::once(self.base).chain(active.iter().map(|&rule| self.votes[rule])).collect();
        let mut loss = loss_of(&rows, &at);
        for _ in 0..STEPS {
            let Some(step) = newton(&rows, &at) else { break };
            let next = [1.0, 0.5, 0.25, 0.125, 0.0625].into_iter().find_map(|length| {
                let moved: Vec<f64> =
                    at.iter().zip(&step).map(|(at, step)| at + length * step).collect();
                let lower = loss_of(&rows, &moved);
                (lower < loss).then_some((moved, lower))
            });
            let Some((moved, lower)) = next else { break };
            let won = loss - lower;
            (at, loss) = (moved, lower);
            if won <= WORTH * loss {
                break;
            }
        }
        self.base = at[0];
        active.iter().zip(&at[1..]).for_each(|(&rule, &vote)| self.votes[rule] = vote);
    }
}

fn margin(rules: &[usize], at: &[f64]) -> f64 {
    at[0] + rules.iter().map(|&place| at[place]).sum::<f64>()
}

fn loss_of(rows: &[(Vec<usize>, &Pattern)], at: &[f64]) -> f64 {
    let of_row = |(rules, pattern): &(Vec<usize>, &Pattern)| {
        let margin = margin(rules, at);
        (pattern.inside + pattern.outside) * soft_plus(margin) - pattern.inside * margin
    };
    let penalty = at[1..].iter().map(|vote| vote * vote).sum::<f64>() / (2.0 * FREEDOM);
    rows.iter().map(of_row).sum::<f64>() + penalty
}

/// `ln(1 + exp(x))`.
pub(super) fn soft_plus(number: f64) -> f64 {
    number.max(0.0) + libm::log1p(libm::exp(-number.abs()))
}

/// The step to where the second derivatives say that the loss is least.
fn newton(rows: &[(Vec<usize>, &Pattern)], at: &[f64]) -> Option<Vec<f64>> {
    let size = at.len();
    let mut gradient = vec![0.0; size];
    let mut curvature = vec![0.0; size * size];
    for (rules, pattern) in rows {
        let weight = pattern.inside + pattern.outside;
        let share = share(margin(rules, at));
        let (missing, bend) = (pattern.inside - weight * share, weight * share * (1.0 - share));
        gradient[0] += missing;
        curvature[0] += bend;
        for (index, &row) in rules.iter().enumerate() {
            gradient[row] += missing;
            curvature[row * size] += bend;
            // Rules are in ascending order, so this fills the lower triangle.
            for &column in &rules[..=index] {
                curvature[row * size + column] += bend;
            }
        }
    }
    for place in 1..size {
        gradient[place] -= at[place] / FREEDOM;
        curvature[place * size + place] += 1.0 / FREEDOM;
    }
    curvature[0] += 1e-9;
    solve(curvature, gradient)
}

/// Solves a symmetric positive system, given its lower triangle, by Cholesky's decomposition.
fn solve(mut matrix: Vec<f64>, mut right: Vec<f64>) -> Option<Vec<f64>> {
    let size = right.len();
    for row in 0..size {
        for column in 0..=row {
            let (head, tail) = matrix.split_at(row * size);
            let above =
                if column == row { &tail[..column] } else { &head[column * size..][..column] };
            let dot: f64 = tail[..column].iter().zip(above).map(|(left, right)| left * right).sum();
            let rest = tail[column] - dot;
            matrix[row * size + column] = if column < row {
                rest / matrix[column * size + column]
            } else if rest > 0.0 {
                rest.sqrt()
            } else {
                return None;
            };
        }
    }
    for row in 0..size {
        let dot: f64 = (0..row).map(|column| matrix[row * size + column] * right[column]).sum();
        right[row] = (right[row] - dot) / matrix[row * size + row];
    }
    for row in (0..size).rev() {
        let dot: f64 = (row + 1..size).map(|below| matrix[below * size + row] * right[below]).sum();
        right[row] = (right[row] - dot) / matrix[row * size + row];
    }
    right.iter().all(|number| number.is_finite()).then_some(right)
}
