//! Calibration: converts scores to probabilities.
//!
//! A score ranks the classes but is not a probability. The calibration is fitted on the scores of
//! held-out examples, whose classes are known. It is the softmax of `slope × score + offset`, with
//! one slope for all classes and one offset per class. For two classes this is Platt's sigmoid of
//! the difference of the scores. The slope is never negative, so a higher score never means a lower
//! probability.
//!
//! **Few examples.** As Platt proposed, the targets are smoothed: an example of a class with `n`
//! examples has the target `(n + 1) / (n + 2)`. So no probability becomes 0 or 1, and scores without
//! information give the class frequencies.
//!
//! Exponentials and logarithms come from `libm`, and the result is rounded to six digits, so that
//! one seed gives one model on every machine.

use crate::digits::rounded;
use crate::distinct::DistinctValues;
use crate::linear::solve;
use crate::score_matrix::ScoreMatrix;
use serde::{Deserialize, Serialize};

/// With more classes than this, all offsets are 0: there is too little data to fit each of them.
const MOST_OFFSETS: usize = 32;
/// The maximum number of steps; Newton's method on a convex function needs about a dozen.
const STEPS: usize = 100;
/// The significant digits of the slope and the offsets.
const DIGITS: usize = 6;

/// The parameters that convert scores to probabilities.
///
/// ```
/// use pellucid_learn::calibrate::Calibration;
///
/// // Scores (negative, positive) of held-out examples, and their actual classes.
/// let scores: Vec<Vec<f64>> = (0..200).map(|i| vec![0.0, f64::from(i % 20) - 10.0]).collect();
/// let actual: Vec<u32> = (0..200).map(|i| u32::from(i % 20 > 10 || i % 7 == 0)).collect();
/// let calibration = Calibration::fit(&scores, &actual, 2).expect("both classes occur");
/// let probability = |score| calibration.probabilities(&[0.0, score])[1];
/// assert!(probability(9.0) > 0.8 && probability(-9.0) < 0.3);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    /// The factor of the scores.
    pub slope: f64,
    /// The offset of each class, by code.
    pub offsets: Vec<f64>,
    /// The number of examples it was fitted on.
    pub examples: u64,
}

impl Calibration {
    /// Fits a calibration on the scores of examples (one per class) and their actual classes.
    ///
    /// Returns `None` if only one class occurs or a score is not finite.
    #[must_use]
    pub fn fit<S: AsRef<[f64]>>(
        scores: &[S],
        actual: &[u32],
        classes: usize,
    ) -> Option<Calibration> {
        Calibration::fit_repeated(scores, actual, None, 1, classes)
    }

    /// Fits a calibration where each score stands for `counts` examples and each example occurs
    /// `repeats` times. Repetitions are not new evidence: the smoothing uses the number of distinct
    /// examples.
    #[must_use]
    pub fn fit_repeated<S: AsRef<[f64]>>(
        scores: &[S],
        actual: &[u32],
        counts: Option<&[u64]>,
        repeats: usize,
        classes: usize,
    ) -> Option<Calibration> {
        let fits = |(scores, &actual): (&S, &u32)| {
            let scores = scores.as_ref();
            scores.len() == classes
                && (actual as usize) < classes
                && scores.iter().all(|score| score.is_finite())
        };
        let first = *actual.first()?;
        if scores.len() != actual.len()
            || counts.is_some_and(|counts| counts.len() != actual.len())
            || !scores.iter().zip(actual).all(fits)
            || actual.iter().all(|&class| class == first)
        {
            return None;
        }
        let problem = Problem::new(scores, actual, counts, repeats, classes);
        let mut found = problem.solve(true);
        if found[0] < 0.0 {
            // Scores with a negative slope carry no information.
            found = problem.solve(false);
        }
        let offsets =
            (0..classes).map(|class| rounded(problem.offset(&found, class), DIGITS)).collect();
        let answers = counts.map_or(scores.len() as u64, |counts| counts.iter().sum());
        let examples = answers / repeats.max(1) as u64;
        let calibration = Calibration { slope: rounded(found[0], DIGITS), offsets, examples };
        calibration.is_sound(classes).then_some(calibration)
    }

    /// Returns the calibration of a model whose scores differ by a constant per class, with the same
    /// probabilities.
    ///
    /// ```
    /// use pellucid_learn::calibrate::Calibration;
    ///
    /// let before = Calibration { slope: 2.0, offsets: vec![0.0, 0.5], examples: 10 };
    /// let after = before.clone().shifted(&[0.0, 3.0]);
    /// let (one, other) = (before.probabilities(&[0.0, 1.0]), after.probabilities(&[0.0, 4.0]));
    /// assert!((one[1] - other[1]).abs() < 1e-12);
    /// ```
    #[must_use]
    pub fn shifted(mut self, added: &[f64]) -> Calibration {
        for (offset, added) in self.offsets.iter_mut().zip(added) {
            *offset = rounded(*offset - self.slope * added, DIGITS);
        }
        self
    }

    /// Returns whether it is valid for this number of classes; files may contain anything.
    #[must_use]
    pub fn is_sound(&self, classes: usize) -> bool {
        self.slope.is_finite()
            && self.slope >= 0.0
            && self.offsets.len() == classes
            && self.offsets.iter().all(|offset| offset.is_finite())
    }

    /// Returns the probability of each class for these scores.
    #[must_use]
    pub fn probabilities(&self, scores: &[f64]) -> Vec<f64> {
        let logits = scores.iter().zip(&self.offsets).map(|(score, add)| self.slope * score + add);
        let mut shares: Vec<f64> = logits.collect();
        softmax(&mut shares);
        shares
    }

    /// Returns the probability of each class for the scores of many examples.
    #[must_use]
    pub fn probability_matrix(&self, scores: &ScoreMatrix) -> ScoreMatrix {
        let mut shares = scores.clone();
        for row in shares.iter_mut() {
            row.iter_mut()
                .zip(&self.offsets)
                .for_each(|(score, add)| *score = self.slope * *score + add);
            softmax(row);
        }
        shares
    }
}

/// Replaces numbers by their softmax.
fn softmax(numbers: &mut [f64]) {
    let largest = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    numbers.iter_mut().for_each(|number| *number = libm::exp(*number - largest));
    let sum: f64 = numbers.iter().sum();
    numbers.iter_mut().for_each(|number| *number /= sum);
}

/// Examples of one class with the same scores.
#[derive(Clone, Debug, PartialEq)]
struct ScoreGroup {
    scores: Vec<f64>,
    actual: usize,
    count: f64,
}

/// Groups examples with equal scores and classes. For two classes only the difference of the scores
/// matters, and small models give many examples the same difference.
fn group_equal_scores<S: AsRef<[f64]>>(
    scores: &[S],
    actual: &[u32],
    counts: Option<&[u64]>,
) -> Vec<ScoreGroup> {
    let count = |place: usize| counts.map_or(1, |counts| counts[place]);
    let all = || scores.iter().map(AsRef::as_ref).zip(actual).enumerate();
    let margin = |(place, (scores, &actual)): (usize, (&[f64], &u32))| match *scores {
        // Adding 0.0 turns -0.0 into 0.0.
        [one, other] => Some(Margin { margin: other - one + 0.0, actual, count: count(place) }),
        _ => None,
    };
    let Some(margins) = all().map(margin).collect::<Option<Vec<Margin>>>() else {
        let one = |(place, (scores, &actual)): (usize, (&[f64], &u32))| ScoreGroup {
            scores: scores.to_vec(),
            actual: actual as usize,
            count: count(place) as f64,
        };
        return all().map(one).collect();
    };
    match DistinctValues::of(margins.iter().map(|one| one.margin.to_bits())) {
        Some(few) => group_sorted(count_distinct(&few, &margins)),
        None => group_sorted(margins),
    }
}

/// Examples of one class with the same margin: the score of the second class minus the first.
#[derive(Clone, Copy, Debug)]
struct Margin {
    margin: f64,
    actual: u32,
    count: u64,
}

/// Groups examples by margin and class.
fn group_sorted(mut margins: Vec<Margin>) -> Vec<ScoreGroup> {
    margins.sort_unstable_by(|one, other| {
        one.margin.total_cmp(&other.margin).then(one.actual.cmp(&other.actual))
    });
    let is_same =
        |one: &Margin, other: &Margin| (one.margin, one.actual) == (other.margin, other.actual);
    let together = |same: &[Margin]| ScoreGroup {
        scores: vec![0.0, same[0].margin],
        actual: same[0].actual as usize,
        count: same.iter().map(|one| one.count).sum::<u64>() as f64,
    };
    margins.chunk_by(is_same).map(together).collect()
}

/// Counts the examples of each distinct margin and class.
fn count_distinct(few: &DistinctValues, margins: &[Margin]) -> Vec<Margin> {
    let mut counts = vec![[0; 2]; few.distinct.len()];
    for (&place, one) in few.places.iter().zip(margins) {
        counts[place as usize][one.actual as usize] += one.count;
    }
    let of_margin = |(&margin, counts): (&u64, [u64; 2])| {
        [0, 1].map(|actual| {
            let (margin, count) = (f64::from_bits(margin), counts[actual as usize]);
            Margin { margin, actual, count }
        })
    };
    let all = few.distinct.iter().zip(counts).flat_map(of_margin);
    all.filter(|one| one.count > 0).collect()
}

/// The optimization problem: minimize the sum over examples and classes of
/// -target × ln(probability).
struct Problem {
    examples: Vec<ScoreGroup>,
    classes: usize,
    /// By class: the smoothed target for the class itself and for each other class.
    targets: Vec<(f64, f64)>,
    /// The number of free offsets; the offset of the first class is 0.
    offsets: usize,
}

impl Problem {
    fn new<S: AsRef<[f64]>>(
        scores: &[S],
        actual: &[u32],
        counts: Option<&[u64]>,
        repeats: usize,
        classes: usize,
    ) -> Problem {
        let examples = group_equal_scores(scores, actual, counts);
        let mut counts = vec![0.0; classes];
        let share = 1.0 / repeats.max(1) as f64;
        examples.iter().for_each(|group| counts[group.actual] += share * group.count);
        let others = (classes - 1) as f64;
        let smoothed = |count: &f64| ((count + 1.0) / (count + 2.0), 1.0 / (count + 2.0) / others);
        let offsets = if classes <= MOST_OFFSETS { classes - 1 } else { 0 };
        Problem { examples, classes, targets: counts.iter().map(smoothed).collect(), offsets }
    }

    /// Returns the offset of a class; element 0 of the solution is the slope.
    fn offset(&self, found: &[f64], class: usize) -> f64 {
        if class == 0 || self.offsets == 0 { 0.0 } else { found[class] }
    }

    fn target(&self, actual: usize, class: usize) -> f64 {
        let (own, other) = self.targets[actual];
        if actual == class { own } else { other }
    }

    fn logits(&self, found: &[f64], scores: &[f64], out: &mut [f64]) {
        for (class, (out, score)) in out.iter_mut().zip(scores).enumerate() {
            *out = found[0] * score + self.offset(found, class);
        }
    }

    fn loss(&self, found: &[f64]) -> f64 {
        let mut logits = vec![0.0; self.classes];
        let of_examples = |group: &ScoreGroup| {
            self.logits(found, &group.scores, &mut logits);
            let largest = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let sum: f64 = logits.iter().map(|logit| libm::exp(logit - largest)).sum();
            let all = largest + libm::log(sum);
            let cost =
                |(class, logit): (usize, &f64)| self.target(group.actual, class) * (all - logit);
            group.count * logits.iter().enumerate().map(cost).sum::<f64>()
        };
        self.examples.iter().map(of_examples).sum()
    }

    /// Returns the gradient and the Hessian.
    fn derivatives(&self, found: &[f64]) -> (Vec<f64>, Vec<Vec<f64>>) {
        let size = 1 + self.offsets;
        let (mut gradient, mut curvature) = (vec![0.0; size], vec![vec![0.0; size]; size]);
        let mut shares = vec![0.0; self.classes];
        for ScoreGroup { scores, actual, count } in &self.examples {
            self.logits(found, scores, &mut shares);
            softmax(&mut shares);
            let mean: f64 = shares.iter().zip(scores).map(|(share, score)| share * score).sum();
            for class in 0..self.classes {
                let miss = count * (shares[class] - self.target(*actual, class));
                let share = count * shares[class];
                gradient[0] += miss * scores[class];
                curvature[0][0] += share * (scores[class] - mean) * (scores[class] - mean);
                if class == 0 || self.offsets == 0 {
                    continue;
                }
                gradient[class] += miss;
                let mixed = share * (scores[class] - mean);
                curvature[0][class] += mixed;
                curvature[class][0] += mixed;
                for other in 1..self.classes {
                    let own = if other == class { share } else { 0.0 };
                    curvature[class][other] += own - share * shares[other];
                }
            }
        }
        (gradient, curvature)
    }

    /// Returns the slope and the offsets from the second class on. The slope is 0 unless it is free.
    fn solve(&self, free_slope: bool) -> Vec<f64> {
        let mut found = vec![0.0; 1 + self.offsets];
        let mut loss = self.loss(&found);
        for _ in 0..STEPS {
            let (mut gradient, mut curvature) = self.derivatives(&found);
            if !free_slope {
                gradient[0] = 0.0;
                curvature[0].iter_mut().for_each(|entry| *entry = 0.0);
                curvature.iter_mut().for_each(|row| row[0] = 0.0);
            }
            // Regularization keeps flat directions from diverging.
            (0..curvature.len()).for_each(|place| curvature[place][place] += 1e-9);
            let step = solve(curvature, gradient);
            // Halve the step until the loss decreases.
            let mut part = 1.0;
            let next = loop {
                let next: Vec<f64> =
                    found.iter().zip(&step).map(|(now, step)| now - part * step).collect();
                let there = self.loss(&next);
                if there < loss {
                    break Some((next, there));
                }
                part /= 2.0;
                if part < 1e-6 {
                    break None;
                }
            };
            let Some((next, there)) = next else { break };
            let gained = loss - there;
            (found, loss) = (next, there);
            if gained <= 1e-12 * (1.0 + loss) {
                break;
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Streams;
    use proptest::prelude::*;

    /// Draws examples from a known calibration.
    fn drawn(seed: u64, classes: usize, slope: f64, offsets: &[f64]) -> (Vec<Vec<f64>>, Vec<u32>) {
        let mut stream = Streams::new(seed).stream(&[]);
        let truth = Calibration { slope, offsets: offsets.to_vec(), examples: 0 };
        (0..4000)
            .map(|_| {
                let scores: Vec<f64> = (0..classes).map(|_| stream.range(-2.0, 2.0)).collect();
                let class = stream.weighted(&truth.probabilities(&scores)).expect("shares");
                (scores, u32::try_from(class).expect("few"))
            })
            .unzip()
    }

    #[test]
    fn recovers_the_calibration_that_generated_the_data() {
        for (classes, slope, offsets) in [(2, 1.5, vec![0.0, -0.7]), (3, 0.8, vec![0.0, 0.5, -1.0])]
        {
            let (scores, actual) = drawn(7, classes, slope, &offsets);
            let found = Calibration::fit(&scores, &actual, classes).expect("all classes occur");
            assert!((found.slope - slope).abs() < 0.12, "{found:?}");
            for (found, offset) in found.offsets.iter().zip(&offsets) {
                assert!((found - offset).abs() < 0.15, "{found} {offset}");
            }
        }
    }

    #[test]
    fn misleading_scores_give_the_class_frequencies() {
        let actual: Vec<u32> = (0..400).map(|i| u32::from(i % 4 == 0)).collect();
        let wrong: Vec<Vec<f64>> =
            actual.iter().map(|&class| vec![f64::from(class), 0.0]).collect();
        let found = Calibration::fit(&wrong, &actual, 2).expect("both occur");
        assert_eq!(found.slope, 0.0);
        assert!((found.probabilities(&[5.0, 0.0])[1] - 0.25).abs() < 0.01);
    }

    #[test]
    fn ten_perfect_examples_do_not_give_certainty() {
        let actual: Vec<u32> = (0..10).map(|i| u32::from(i < 5)).collect();
        let scores: Vec<Vec<f64>> =
            actual.iter().map(|&class| vec![0.5, f64::from(class)]).collect();
        let found = Calibration::fit(&scores, &actual, 2).expect("both occur");
        let sure = found.probabilities(&[0.5, 1.0])[1];
        assert!((sure - 6.0 / 7.0).abs() < 1e-4, "{sure}");
    }

    #[test]
    fn invalid_input_gives_no_calibration() {
        assert_eq!(Calibration::fit(&[] as &[Vec<f64>], &[], 2), None);
        assert_eq!(Calibration::fit(&[vec![0.0, 1.0]], &[1], 2), None);
        let odd = [vec![0.0, f64::NAN], vec![0.0, 1.0]];
        assert_eq!(Calibration::fit(&odd, &[0, 1], 2), None);
    }

    proptest! {
        #[test]
        fn grouping_by_sorting_and_by_counting_agree(
            margins in prop::collection::vec((-3i8..3, 0u32..2), 50..200),
        ) {
            let margin = |&(margin, actual): &(i8, u32)| {
                Margin { margin: f64::from(margin) / 3.0, actual, count: 1 }
            };
            let each: Vec<Margin> = margins.iter().map(margin).collect();
            let few = DistinctValues::of(each.iter().map(|one| one.margin.to_bits())).expect("six margins");
            let fewer = count_distinct(&few, &each);
            let fitted = |margins: &[Margin]| {
                let scores: Vec<[f64; 2]> = margins.iter().map(|one| [0.0, one.margin]).collect();
                let actual: Vec<u32> = margins.iter().map(|one| one.actual).collect();
                let counts: Vec<u64> = margins.iter().map(|one| one.count).collect();
                Calibration::fit_repeated(&scores, &actual, Some(&counts), 1, 2)
            };
            prop_assert_eq!(fitted(&fewer), fitted(&each));
            prop_assert_eq!(group_sorted(fewer), group_sorted(each));
        }

        #[test]
        fn probabilities_sum_to_one_and_grow_with_the_score(
            rows in prop::collection::vec((prop::collection::vec(-50.0_f64..50.0, 3), 0_u32..3), 2..60),
            asked in prop::collection::vec(-1e6_f64..1e6, 3),
            more in 0.1_f64..10.0,
        ) {
            let (scores, actual): (Vec<Vec<f64>>, Vec<u32>) = rows.into_iter().unzip();
            if let Some(found) = Calibration::fit(&scores, &actual, 3) {
                let shares = found.probabilities(&asked);
                prop_assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9);
                prop_assert!(shares.iter().all(|share| (0.0..=1.0).contains(share)));
                let raised = [asked[0], asked[1] + more, asked[2]];
                prop_assert!(found.probabilities(&raised)[1] >= shares[1]);
            } else {
                prop_assert!(actual.iter().all(|&class| class == actual[0]));
            }
        }
    }
}
