//! The points of all rules: a penalized multinomial logistic regression of the class on the rules that apply.
//!
//! It minimizes the log loss of all examples plus `points^2 / (2 FREEDOM)` for each entry, class by
//! class: with the points of the other classes fixed, one Newton step for the intercept and the
//! points of a class, until no step is large. The points of a rule must favor a class that the rule
//! makes more likely, and disfavor one that it makes less likely; points that would not are 0 for
//! now.

use super::fit::ManyFit;
use pellucid_learn::linear::solve_positive;

/// The inverse of the penalty of points.
const FREEDOM: f64 = 1.0;
/// The most rounds over all classes while a path grows: every rule brings further rounds.
pub(super) const FEW_ROUNDS: usize = 2;
/// The most rounds for a model that is kept.
pub(super) const ROUNDS: usize = 8;
/// The rounds end when all steps are smaller than this.
const SMALL: f64 = 1e-3;
/// The largest step.
const LARGEST: f64 = 2.0;

/// The patterns with training examples, contiguous in memory.
struct Rows {
    /// The start of each row's rules; the last entry is the end.
    starts: Vec<usize>,
    rules: Vec<u32>,
    /// The weight of each row, and of its examples of each class.
    totals: Vec<f64>,
    weights: Vec<f64>,
    /// The scores of each row by class, their exponentials relative to the largest, and the sum of these.
    scores: Vec<f64>,
    largest: Vec<f64>,
    exponentials: Vec<f64>,
    sums: Vec<f64>,
}

impl ManyFit {
    /// Fits all points in at most this many rounds.
    pub(super) fn refit(&mut self, rounds: usize) {
        let mut rows = Rows::new(self);
        for _ in 0..rounds {
            rows.exponentiate(self.classes);
            let mut largest = 0.0f64;
            for class in 0..self.classes {
                if self.is_seen[class] {
                    largest = largest.max(self.step(class, &mut rows).unwrap_or(0.0));
                }
            }
            if largest < SMALL {
                break;
            }
        }
        self.center();
    }

    /// Moves the intercepts so that their mean is 0. Only their differences matter.
    fn center(&mut self) {
        let seen = || self.base.iter().zip(&self.is_seen).filter(|(_, is_seen)| **is_seen);
        let mean = seen().map(|(base, _)| base).sum::<f64>() / seen().count().max(1) as f64;
        let own = self.base.iter_mut().zip(&self.is_seen).filter(|(_, is_seen)| **is_seen);
        own.for_each(|(base, _)| *base -= mean);
    }

    /// Takes one Newton step for a class. Returns the largest change.
    fn step(&mut self, class: usize, rows: &mut Rows) -> Option<f64> {
        let mut entries: Vec<(usize, usize)> = Vec::new();
        for (rule, points) in self.rules.iter().enumerate() {
            let place = points.iter().position(|entry| entry.class as usize == class);
            entries.extend(place.map(|place| (rule, place)));
        }
        let slopes = rows.slopes(class, self.classes);
        let gradients = rows.by_rule(&slopes, self.rules.len());
        // Points at 0 stay there if their gradient has the wrong sign.
        entries.retain(|&(rule, place)| {
            let entry = self.rules[rule][place];
            entry.points != 0.0 || (gradients[rule] > 0.0) == entry.favors
        });
        let mut place_of = vec![0; self.rules.len()];
        (1..).zip(&entries).for_each(|(place, &(rule, _))| place_of[rule] = place);
        let size = entries.len() + 1;
        let mut gradient = vec![slopes.iter().map(|(slope, _)| slope).sum(); 1];
        for &(rule, place) in &entries {
            gradient.push(gradients[rule] - self.rules[rule][place].points / FREEDOM);
        }
        let mut curvature = rows.curvature(&slopes, &place_of, size);
        for place in 1..size {
            curvature[place * size + place] += 1.0 / FREEDOM;
        }
        curvature[0] += 1e-6;
        let mut step = solve_positive(curvature, gradient)?;
        let most = step.iter().fold(0.0f64, |most, step| most.max(step.abs()));
        if most > LARGEST {
            step.iter_mut().for_each(|step| *step *= LARGEST / most);
        }
        self.base[class] += step[0];
        for (&(rule, place), step) in entries.iter().zip(&mut step[1..]) {
            let entry = &mut self.rules[rule][place];
            let old = entry.points;
            let new = old + *step;
            entry.points = if (new > 0.0) == entry.favors { new } else { 0.0 };
            *step = entry.points - old;
        }
        rows.take_step(class, self.classes, &step, &place_of);
        Some(most)
    }
}

impl Rows {
    fn new(fit: &ManyFit) -> Rows {
        let (classes, mut own) = (fit.classes, vec![0.0; fit.classes]);
        let (mut starts, mut rules) = (vec![0], Vec::new());
        let (mut totals, mut weights, mut scores) = (Vec::new(), Vec::new(), Vec::new());
        for (place, pattern) in fit.patterns.iter().enumerate() {
            let total: f64 = pattern.weights.iter().sum();
            if total > 1e-9 {
                rules.extend_from_slice(&pattern.rules);
                starts.push(rules.len());
                totals.push(total);
                weights.extend_from_slice(&pattern.weights);
                fit.write_scores(place, &mut own);
                scores.extend_from_slice(&own);
            }
        }
        let count = totals.len();
        let (largest, sums) = (vec![0.0; count], vec![0.0; count]);
        let exponentials = vec![0.0; count * classes];
        Rows { starts, rules, totals, weights, scores, largest, exponentials, sums }
    }

    fn rules(&self, row: usize) -> &[u32] {
        &self.rules[self.starts[row]..self.starts[row + 1]]
    }

    /// Computes the exponentials of all scores.
    fn exponentiate(&mut self, classes: usize) {
        let rows =
            self.scores.chunks_exact(classes).zip(self.exponentials.chunks_exact_mut(classes));
        for ((scores, own), (largest, sum)) in rows.zip(self.largest.iter_mut().zip(&mut self.sums))
        {
            *largest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            own.iter_mut().zip(scores).for_each(|(own, score)| *own = libm::exp(score - *largest));
            *sum = own.iter().sum();
        }
    }

    /// Returns the gradient and the curvature of each row for the score of a class.
    fn slopes(&self, class: usize, classes: usize) -> Vec<(f64, f64)> {
        let of_row = |row: usize| {
            let share = self.exponentials[row * classes + class] / self.sums[row];
            let (total, own) = (self.totals[row], self.weights[row * classes + class]);
            (own - total * share, total * share * (1.0 - share))
        };
        (0..self.totals.len()).map(of_row).collect()
    }

    /// Returns the sum of the gradients by rule.
    fn by_rule(&self, slopes: &[(f64, f64)], rules: usize) -> Vec<f64> {
        let mut sums = vec![0.0; rules];
        for (row, (gradient, _)) in slopes.iter().enumerate() {
            self.rules(row).iter().for_each(|&rule| sums[rule as usize] += gradient);
        }
        sums
    }

    /// Returns the lower triangle of the curvature of the intercept and some rules. `place_of` has
    /// the place of each rule, or 0.
    fn curvature(&self, slopes: &[(f64, f64)], place_of: &[usize], size: usize) -> Vec<f64> {
        let mut curvature = vec![0.0; size * size];
        let mut places: Vec<usize> = Vec::new();
        for (row, &(_, bend)) in slopes.iter().enumerate() {
            curvature[0] += bend;
            places.clear();
            let own = self.rules(row).iter().map(|&rule| place_of[rule as usize]);
            places.extend(own.filter(|&place| place > 0));
            for (index, &place) in places.iter().enumerate() {
                let line = &mut curvature[place * size..][..=place];
                line[0] += bend;
                // Rules are in ascending order, so this fills the lower triangle.
                places[..=index].iter().for_each(|&other| line[other] += bend);
            }
        }
        curvature
    }

    /// Changes the scores of a class.
    fn take_step(&mut self, class: usize, classes: usize, step: &[f64], place_of: &[usize]) {
        for row in 0..self.totals.len() {
            let own = self.rules(row).iter().map(|&rule| place_of[rule as usize]);
            let change: f64 = own.filter(|&place| place > 0).map(|place| step[place]).sum();
            let place = row * classes + class;
            self.scores[place] += step[0] + change;
            self.exponentials[place] = libm::exp(self.scores[place] - self.largest[row]);
            self.sums[row] = self.exponentials[row * classes..][..classes].iter().sum();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Returns the loss by definition.
    fn loss(fit: &ManyFit) -> f64 {
        let mut loss = 0.0;
        for (place, pattern) in fit.patterns.iter().enumerate() {
            let mut scores = vec![0.0; fit.classes];
            fit.write_scores(place, &mut scores);
            let total: f64 = scores.iter().map(|score| score.exp()).sum();
            let of_class = |(score, weight): (&f64, &f64)| weight * (total.ln() - score);
            loss += scores.iter().zip(&pattern.weights).map(of_class).sum::<f64>();
        }
        let points = fit.rules.iter().flatten();
        loss + points.map(|one| one.points * one.points / (2.0 * FREEDOM)).sum::<f64>()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        /// No change of a single number that keeps its sign reduces the loss.
        #[test]
        fn points_minimize_the_loss(
            examples in prop::collection::vec((0u32..3, any::<[bool; 4]>()), 20..80),
        ) {
            let codes: Vec<u32> = examples.iter().map(|one| one.0).collect();
            let weights = vec![1.0; codes.len()];
            let mut fit = ManyFit::new(3, codes.into(), weights.into());
            for rule in 0..4 {
                let all = (0u32..).zip(&examples);
                let covered: Vec<u32> =
                    all.filter(|(_, one)| one.1[rule]).map(|(example, _)| example).collect();
                fit.add_rule(&covered);
            }
            fit.refit(500);
            let least = loss(&fit);
            for rule in 0..4 {
                for place in 0..fit.rules[rule].len() {
                    for step in [-0.02, 0.02] {
                        let mut other = fit.clone();
                        let entry = &mut other.rules[rule][place];
                        entry.points += step;
                        if (entry.points > 0.0) == entry.favors {
                            let loss = loss(&other);
                            prop_assert!(loss > least - 1e-3, "{} below {}", loss, least);
                        }
                    }
                }
            }
        }
    }
}
