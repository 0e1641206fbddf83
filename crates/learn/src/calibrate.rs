//! From scores to probabilities.
//!
//! A model's scores say which class is likelier, not how likely it is. Picture a scale whose marks have to be found by
//! weighing things of known weight: models learned without some examples score those, and a curve is laid through what
//! then happened. It is the softmax of `slope × score + offset`, with one slope for all classes and an offset for each; for two
//! classes that is Platt's sigmoid of the difference of the scores. The slope is never below zero, so a better score is never
//! less likely.
//!
//! **Few examples.** As Platt proposed, what happened is not believed entirely: an example of a class that was met `n` times
//! counts as `(n + 1) / (n + 2)` of it. So no probability becomes 0 or 1, however few the examples are, and where scores
//! tell nothing the shares of the classes remain.
//!
//! Exponentials and logarithms are the library's own and the result is kept with six digits, so that one seed gives one
//! model on every machine.

use crate::few::Few;
use serde::{Deserialize, Serialize};

/// With more classes than this all have the same offset: there would be too little to learn each from.
const MOST_OFFSETS: usize = 32;
/// Steps at most; Newton's method on a convex function needs a dozen.
const STEPS: usize = 100;

/// How scores become probabilities.
///
/// ```
/// use pellucid_learn::calibrate::Calibration;
///
/// // Scores (against, for) of examples that the models had not seen, and what they were.
/// let scores: Vec<Vec<f64>> = (0..200).map(|i| vec![0.0, f64::from(i % 20) - 10.0]).collect();
/// let actual: Vec<u32> = (0..200).map(|i| u32::from(i % 20 > 10 || i % 7 == 0)).collect();
/// let calibration = Calibration::fit(&scores, &actual, 2).expect("both classes occur");
/// let probability = |score| calibration.probabilities(&[0.0, score])[1];
/// assert!(probability(9.0) > 0.8 && probability(-9.0) < 0.3);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    /// What the scores are multiplied by.
    pub slope: f64,
    /// What is added for each class, by code.
    pub offsets: Vec<f64>,
    /// On how many examples it was found.
    pub examples: u64,
}

impl Calibration {
    /// The curve through what examples with these scores, by class, actually were.
    ///
    /// Nothing is found where only one class occurs, or a score is no finite number.
    #[must_use]
    pub fn fit<S: AsRef<[f64]>>(
        scores: &[S],
        actual: &[u32],
        classes: usize,
    ) -> Option<Calibration> {
        Calibration::fit_repeated(scores, actual, None, 1, classes)
    }

    /// The same, where each score stands for `counts` examples and each example occurs `repeats` times. Repetitions are no new
    /// evidence: an observed share is believed as far as the number of distinct examples allows.
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
            // Scores that point the wrong way tell nothing.
            found = problem.solve(false);
        }
        let offsets = (0..classes).map(|class| short(problem.offset(&found, class))).collect();
        let answers = counts.map_or(scores.len() as u64, |counts| counts.iter().sum());
        let examples = answers / repeats.max(1) as u64;
        let calibration = Calibration { slope: short(found[0]), offsets, examples };
        calibration.is_sound(classes).then_some(calibration)
    }

    /// The calibration of a model whose scores are the same but for a constant that is added to the score of each class:
    /// probabilities stay as they are.
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
            *offset = short(*offset - self.slope * added);
        }
        self
    }

    /// Whether it can be used for so many classes; a file may hold anything.
    #[must_use]
    pub fn is_sound(&self, classes: usize) -> bool {
        self.slope.is_finite()
            && self.slope >= 0.0
            && self.offsets.len() == classes
            && self.offsets.iter().all(|offset| offset.is_finite())
    }

    /// The probability of each class, by its score.
    #[must_use]
    pub fn probabilities(&self, scores: &[f64]) -> Vec<f64> {
        let logits = scores.iter().zip(&self.offsets).map(|(score, add)| self.slope * score + add);
        let mut shares: Vec<f64> = logits.collect();
        softmax(&mut shares);
        shares
    }
}

/// Numbers become shares that grow with their exponentials.
fn softmax(numbers: &mut [f64]) {
    let largest = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    numbers.iter_mut().for_each(|number| *number = libm::exp(*number - largest));
    let sum: f64 = numbers.iter().sum();
    numbers.iter_mut().for_each(|number| *number /= sum);
}

/// A number with six digits.
fn short(number: f64) -> f64 {
    format!("{number:.5e}").parse().unwrap_or(number)
}

/// Examples of one class with the same scores.
#[derive(Clone, Debug, PartialEq)]
struct Alike {
    scores: Vec<f64>,
    actual: usize,
    count: f64,
}

/// Of two classes only the difference of the scores counts, and models of few parts give the same one to many examples: those
/// are taken together.
fn alike<S: AsRef<[f64]>>(scores: &[S], actual: &[u32], counts: Option<&[u64]>) -> Vec<Alike> {
    let count = |place: usize| counts.map_or(1, |counts| counts[place]);
    let all = || scores.iter().map(AsRef::as_ref).zip(actual).enumerate();
    let lead = |(place, (scores, &actual)): (usize, (&[f64], &u32))| match *scores {
        // One zero of the two.
        [one, other] => Some(Lead { lead: other - one + 0.0, actual, count: count(place) }),
        _ => None,
    };
    let Some(leads) = all().map(lead).collect::<Option<Vec<Lead>>>() else {
        let one = |(place, (scores, &actual)): (usize, (&[f64], &u32))| Alike {
            scores: scores.to_vec(),
            actual: actual as usize,
            count: count(place) as f64,
        };
        return all().map(one).collect();
    };
    match Few::of(leads.iter().map(|one| one.lead.to_bits())) {
        Some(few) => sorted(counted(&few, &leads)),
        None => sorted(leads),
    }
}

/// So many examples of a class, with the same lead of the second of two classes.
#[derive(Clone, Copy, Debug)]
struct Lead {
    lead: f64,
    actual: u32,
    count: u64,
}

/// Examples by lead and class.
fn sorted(mut leads: Vec<Lead>) -> Vec<Alike> {
    leads.sort_unstable_by(|one, other| {
        one.lead.total_cmp(&other.lead).then(one.actual.cmp(&other.actual))
    });
    let is_same = |one: &Lead, other: &Lead| (one.lead, one.actual) == (other.lead, other.actual);
    let together = |same: &[Lead]| Alike {
        scores: vec![0.0, same[0].lead],
        actual: same[0].actual as usize,
        count: same.iter().map(|one| one.count).sum::<u64>() as f64,
    };
    leads.chunk_by(is_same).map(together).collect()
}

/// Fewer that stand for the same examples, where few leads differ.
fn counted(few: &Few, leads: &[Lead]) -> Vec<Lead> {
    let mut counts = vec![[0; 2]; few.distinct.len()];
    for (&place, one) in few.places.iter().zip(leads) {
        counts[place as usize][one.actual as usize] += one.count;
    }
    let of_lead = |(&lead, counts): (&u64, [u64; 2])| {
        [0, 1].map(|actual| {
            let (lead, count) = (f64::from_bits(lead), counts[actual as usize]);
            Lead { lead, actual, count }
        })
    };
    let all = few.distinct.iter().zip(counts).flat_map(of_lead);
    all.filter(|one| one.count > 0).collect()
}

/// Minimised: the sum over examples of -sum over classes of target × ln(probability).
struct Problem {
    examples: Vec<Alike>,
    classes: usize,
    /// By class: how far an example of it is believed to be of it, and of each other class.
    believed: Vec<(f64, f64)>,
    /// How many offsets are looked for; the first class has none.
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
        let examples = alike(scores, actual, counts);
        let mut counts = vec![0.0; classes];
        let share = 1.0 / repeats.max(1) as f64;
        examples.iter().for_each(|alike| counts[alike.actual] += share * alike.count);
        let others = (classes - 1) as f64;
        let believed = |count: &f64| ((count + 1.0) / (count + 2.0), 1.0 / (count + 2.0) / others);
        let offsets = if classes <= MOST_OFFSETS { classes - 1 } else { 0 };
        Problem { examples, classes, believed: counts.iter().map(believed).collect(), offsets }
    }

    /// The offset of a class among what is looked for: the slope comes first.
    fn offset(&self, found: &[f64], class: usize) -> f64 {
        if class == 0 || self.offsets == 0 { 0.0 } else { found[class] }
    }

    fn target(&self, actual: usize, class: usize) -> f64 {
        let (own, other) = self.believed[actual];
        if actual == class { own } else { other }
    }

    fn logits(&self, found: &[f64], scores: &[f64], out: &mut [f64]) {
        for (class, (out, score)) in out.iter_mut().zip(scores).enumerate() {
            *out = found[0] * score + self.offset(found, class);
        }
    }

    fn loss(&self, found: &[f64]) -> f64 {
        let mut logits = vec![0.0; self.classes];
        let of_examples = |alike: &Alike| {
            self.logits(found, &alike.scores, &mut logits);
            let largest = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let sum: f64 = logits.iter().map(|logit| libm::exp(logit - largest)).sum();
            let all = largest + libm::log(sum);
            let cost =
                |(class, logit): (usize, &f64)| self.target(alike.actual, class) * (all - logit);
            alike.count * logits.iter().enumerate().map(cost).sum::<f64>()
        };
        self.examples.iter().map(of_examples).sum()
    }

    /// The gradient, and the curvature row by row.
    fn slopes(&self, found: &[f64]) -> (Vec<f64>, Vec<Vec<f64>>) {
        let size = 1 + self.offsets;
        let (mut gradient, mut curvature) = (vec![0.0; size], vec![vec![0.0; size]; size]);
        let mut shares = vec![0.0; self.classes];
        for Alike { scores, actual, count } in &self.examples {
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

    /// The slope and the offsets from the second class on; the slope stays 0 where it is not free.
    fn solve(&self, free_slope: bool) -> Vec<f64> {
        let mut found = vec![0.0; 1 + self.offsets];
        let mut loss = self.loss(&found);
        for _ in 0..STEPS {
            let (mut gradient, mut curvature) = self.slopes(&found);
            if !free_slope {
                gradient[0] = 0.0;
                curvature[0].iter_mut().for_each(|entry| *entry = 0.0);
                curvature.iter_mut().for_each(|row| row[0] = 0.0);
            }
            // A little more curvature than there is: flat directions do not run away.
            (0..curvature.len()).for_each(|place| curvature[place][place] += 1e-9);
            let step = solved(curvature, gradient);
            // Halved until it leads down.
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

/// Solves a system of equations by elimination, the largest entry first.
fn solved(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let size = right.len();
    for column in 0..size {
        let largest = (column..size)
            .max_by(|&a, &b| matrix[a][column].abs().total_cmp(&matrix[b][column].abs()))
            .unwrap_or(column);
        matrix.swap(column, largest);
        right.swap(column, largest);
        let pivot = matrix[column][column];
        if pivot == 0.0 {
            continue;
        }
        let upper = matrix[column].clone();
        for row in column + 1..size {
            let factor = matrix[row][column] / pivot;
            let entries = matrix[row].iter_mut().zip(&upper).skip(column);
            entries.for_each(|(entry, above)| *entry -= factor * above);
            right[row] -= factor * right[column];
        }
    }
    for row in (0..size).rev() {
        let known: f64 = (row + 1..size).map(|place| matrix[row][place] * right[place]).sum();
        let pivot = matrix[row][row];
        right[row] = if pivot == 0.0 { 0.0 } else { (right[row] - known) / pivot };
    }
    right
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Streams;
    use proptest::prelude::*;

    /// Draws examples whose chances are the softmax of their scores, stretched and moved.
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
    fn the_curve_that_made_the_data_is_found_again() {
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
    fn scores_that_tell_nothing_or_lie_leave_the_shares_of_the_classes() {
        let actual: Vec<u32> = (0..400).map(|i| u32::from(i % 4 == 0)).collect();
        let wrong: Vec<Vec<f64>> =
            actual.iter().map(|&class| vec![f64::from(class), 0.0]).collect();
        let found = Calibration::fit(&wrong, &actual, 2).expect("both occur");
        assert_eq!(found.slope, 0.0);
        assert!((found.probabilities(&[5.0, 0.0])[1] - 0.25).abs() < 0.01);
    }

    #[test]
    fn ten_perfect_examples_make_nobody_certain() {
        let actual: Vec<u32> = (0..10).map(|i| u32::from(i < 5)).collect();
        let scores: Vec<Vec<f64>> =
            actual.iter().map(|&class| vec![0.5, f64::from(class)]).collect();
        let found = Calibration::fit(&scores, &actual, 2).expect("both occur");
        let sure = found.probabilities(&[0.5, 1.0])[1];
        assert!((sure - 6.0 / 7.0).abs() < 1e-4, "{sure}");
    }

    #[test]
    fn what_cannot_be_calibrated_is_not() {
        assert_eq!(Calibration::fit(&[] as &[Vec<f64>], &[], 2), None);
        assert_eq!(Calibration::fit(&[vec![0.0, 1.0]], &[1], 2), None);
        let odd = [vec![0.0, f64::NAN], vec![0.0, 1.0]];
        assert_eq!(Calibration::fit(&odd, &[0, 1], 2), None);
    }

    proptest! {
        #[test]
        fn examples_are_alike_however_that_is_found(
            leads in prop::collection::vec((-3i8..3, 0u32..2), 50..200),
        ) {
            let lead = |&(lead, actual): &(i8, u32)| {
                Lead { lead: f64::from(lead) / 3.0, actual, count: 1 }
            };
            let each: Vec<Lead> = leads.iter().map(lead).collect();
            let few = Few::of(each.iter().map(|one| one.lead.to_bits())).expect("six leads");
            let fewer = counted(&few, &each);
            let fitted = |leads: &[Lead]| {
                let scores: Vec<[f64; 2]> = leads.iter().map(|one| [0.0, one.lead]).collect();
                let actual: Vec<u32> = leads.iter().map(|one| one.actual).collect();
                let counts: Vec<u64> = leads.iter().map(|one| one.count).collect();
                Calibration::fit_repeated(&scores, &actual, Some(&counts), 1, 2)
            };
            prop_assert_eq!(fitted(&fewer), fitted(&each));
            prop_assert_eq!(sorted(fewer), sorted(each));
        }

        #[test]
        fn probabilities_are_shares_and_grow_with_the_score(
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
