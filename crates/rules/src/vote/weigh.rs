//! How much each rule's vote counts: logistic regression over what rules cover, with an elastic net that lets most rules
//! have no vote at all.
//!
//! Minimised, with `y` 1 in the class and 0 outside, `p` the predicted share, `w` the examples' weights and `n` their sum:
//!
//! ```text
//! sum w logloss(y, p) + n lambda sum over rules of  penalty (0.5 |vote| + 0.25 vote^2)
//! ```
//!
//! A vote must have the sign of what the rule covers: a rule speaks for the class that is more frequent among the examples
//! it covers than elsewhere, or not at all. Coordinate descent with the bound 1/4 on the curvature needs no line search.

use pellucid_bits::Bits;

/// The share of the penalty that is absolute, and makes votes vanish.
const ABSOLUTE: f64 = 0.5;
/// The penalty at first, halved until it is as weak as it shall be; each time from the votes of the time before.
const STRONGEST: f64 = 0.128;
/// The penalty at last, for up to so many examples. What is noise shrinks with the root of their number, and so does this.
const WEAKEST: (f64, f64) = (0.016, 200.0);
/// Shares of that penalty; which does best is for inner validation to say.
pub(crate) const STRENGTHS: [f64; 3] = [1.0, 0.5, 0.25];
/// A vote that moves less is at rest.
const STILL: f64 = 0.01;
/// Passes over the rules for one lambda at most.
const SWEEPS: usize = 60;

/// Votes, and what the class has to begin with.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Votes {
    pub(crate) base: f64,
    /// One a rule; 0 for most.
    pub(crate) votes: Vec<f64>,
}

/// Which examples rules cover, and of which class they are.
#[derive(Debug)]
pub(crate) struct Problem<'a> {
    /// By rule, the examples it covers.
    pub(crate) covers: &'a [&'a Bits],
    pub(crate) is_positive: &'a [bool],
    pub(crate) weights: &'a [f64],
}

impl Problem<'_> {
    /// The votes of at most so many rules, once for each of the [`STRENGTHS`].
    pub(crate) fn solve(&self, most: usize, stop: &dyn Fn() -> bool) -> Vec<Votes> {
        let rules: Vec<Term> = (0..self.covers.len()).filter_map(|rule| self.term(rule)).collect();
        let mut descent = Descent::new(self, rules);
        let weakest = WEAKEST.0 * (WEAKEST.1 / self.weights.len() as f64).sqrt().min(1.0);
        let mut lambda = STRONGEST;
        let mut solved = Vec::with_capacity(STRENGTHS.len());
        for strength in STRENGTHS {
            while lambda > weakest * strength && !stop() {
                descent.settle(lambda);
                lambda /= 2.0;
            }
            if !stop() {
                descent.settle(weakest * strength);
            }
            solved.push(self.few(&descent, weakest * strength, most));
        }
        solved
    }

    /// Where too many rules vote the least important go, a fifth at a time, and the others are weighed again.
    fn few(&self, all: &Descent<'_>, lambda: f64, most: usize) -> Votes {
        let mut fewer: Option<Descent<'_>> = None;
        loop {
            let votes = fewer.as_ref().unwrap_or(all);
            if votes.active() <= most {
                let mut list = vec![0.0; self.covers.len()];
                votes.rules.iter().for_each(|rule| list[rule.index] = rule.vote);
                return Votes { base: votes.base, votes: list };
            }
            let keep = most.max(votes.active() * 4 / 5);
            let mut next = Descent::new(self, votes.most_important(keep));
            next.settle(lambda);
            fewer = Some(next);
        }
    }

    /// A rule that may vote: one that covers some examples but not all.
    fn term(&self, index: usize) -> Option<Term> {
        let covered: Vec<u32> =
            self.covers[index].ones().filter_map(|example| u32::try_from(example).ok()).collect();
        let (total, positive) = self.sums(0..self.weights.len());
        let (inside, inside_positive) = self.sums(covered.iter().map(|&example| example as usize));
        let share = inside / total;
        if covered.is_empty() || covered.len() == self.weights.len() {
            return None;
        }
        let sign = if inside_positive / inside >= positive / total { 1.0 } else { -1.0 };
        let penalty = 1.0 / (4.0 * share * (1.0 - share) + 0.02).sqrt();
        Some(Term { index, covered, curvature: inside / 4.0, share, sign, penalty, vote: 0.0 })
    }

    /// The weight of some examples, and of those in the class.
    fn sums(&self, examples: impl Iterator<Item = usize>) -> (f64, f64) {
        examples.fold((0.0, 0.0), |(all, positive), example| {
            let weight = self.weights[example];
            (all + weight, positive + if self.is_positive[example] { weight } else { 0.0 })
        })
    }
}

/// One rule among those that are weighed.
#[derive(Clone, Debug)]
struct Term {
    index: usize,
    covered: Vec<u32>,
    curvature: f64,
    share: f64,
    sign: f64,
    penalty: f64,
    vote: f64,
}

/// Votes on their way down.
struct Descent<'a> {
    problem: &'a Problem<'a>,
    rules: Vec<Term>,
    base: f64,
    /// By example: the sum of votes, and the weighted error that it leaves.
    sums: Vec<f64>,
    errors: Vec<f64>,
    total: f64,
}

impl<'a> Descent<'a> {
    fn new(problem: &'a Problem<'a>, rules: Vec<Term>) -> Descent<'a> {
        let examples = problem.weights.len();
        let total = problem.weights.iter().sum();
        let (sums, errors) = (vec![0.0; examples], vec![0.0; examples]);
        let mut descent = Descent { problem, rules, base: 0.0, sums, errors, total };
        (0..examples).for_each(|example| descent.refresh(example));
        descent
    }

    fn refresh(&mut self, example: usize) {
        // The library's own exponential is the same on every machine; the system's is not.
        let expected = 1.0 / (1.0 + libm::exp(-self.sums[example]));
        let actual = f64::from(u8::from(self.problem.is_positive[example]));
        self.errors[example] = self.problem.weights[example] * (actual - expected);
    }

    fn active(&self) -> usize {
        self.rules.iter().filter(|rule| rule.vote != 0.0).count()
    }

    /// The rules whose votes move most, with their votes taken back.
    fn most_important(&self, keep: usize) -> Vec<Term> {
        let mut rules: Vec<&Term> = self.rules.iter().filter(|rule| rule.vote != 0.0).collect();
        let importance = |rule: &Term| rule.vote.abs() * (rule.share * (1.0 - rule.share)).sqrt();
        rules.sort_by(|left, right| importance(right).total_cmp(&importance(left)));
        rules.into_iter().take(keep).map(|rule| Term { vote: 0.0, ..rule.clone() }).collect()
    }

    /// Passes over the rules until none moves: all of them now and then, mostly those that vote.
    fn settle(&mut self, lambda: f64) {
        let mut full = true;
        for sweep in 0..SWEEPS {
            let moved = self.sweep(lambda, full);
            if full && moved < STILL {
                return;
            }
            full = moved < STILL || (sweep + 1) % 8 == 0;
        }
    }

    fn sweep(&mut self, lambda: f64, full: bool) -> f64 {
        self.move_base();
        self.move_base();
        let mut moved: f64 = 0.0;
        for index in 0..self.rules.len() {
            if full || self.rules[index].vote != 0.0 {
                moved = moved.max(self.move_vote(index, lambda));
            }
        }
        moved
    }

    fn move_base(&mut self) {
        let step = self.errors.iter().sum::<f64>() / (self.total / 4.0);
        self.base += step;
        for example in 0..self.sums.len() {
            self.sums[example] += step;
            self.refresh(example);
        }
    }

    /// Moves one vote to its best place, given the others; tells how far.
    fn move_vote(&mut self, index: usize, lambda: f64) -> f64 {
        let rule = &self.rules[index];
        let pull: f64 = rule.covered.iter().map(|&example| self.errors[example as usize]).sum();
        let drive = (pull + rule.curvature * rule.vote) * rule.sign;
        let strength = self.total * lambda * rule.penalty;
        let size =
            (drive - strength * ABSOLUTE).max(0.0) / (rule.curvature + strength * (1.0 - ABSOLUTE));
        let step = size * rule.sign - rule.vote;
        if step == 0.0 {
            return 0.0;
        }
        let covered = std::mem::take(&mut self.rules[index].covered);
        self.rules[index].vote += step;
        for &example in &covered {
            self.sums[example as usize] += step;
            self.refresh(example as usize);
        }
        self.rules[index].covered = covered;
        step.abs()
    }
}
