//! Out-of-fold scores: the scores of examples by models that were not fitted on them.
//!
//! [`OutOfFold`] is the source of all held-out results: the calibration of the model is fitted on its
//! scores, and every held-out metric is computed from them. A learner that validates itself provides
//! it; for other learners one model is fitted for each fold, with the same parameters. In both cases
//! a score comes from the complete training procedure, with the same ensemble and the same choice of
//! size and decision threshold, all of it fitted on the training fold.
//!
//! The probabilities in one fold come from a curve fitted on the scores of the other folds, so no
//! curve is evaluated on the labels it was fitted on.

use crate::calibrate::Calibration;
use crate::learner::Examples;
use crate::metrics::{
    Backing, Decision, Decisions, Middle, NumberDecision, NumberDecisions, NumberSummary, Summary,
};
use std::sync::OnceLock;

/// The maximum number of scored examples: a million give three correct digits.
const MOST_SCORED: usize = 1_000_000;

/// The out-of-fold scores of examples, with the fold and the unit of each.
///
/// ```
/// use pellucid_data::{ClassTarget, Dataset};
/// use pellucid_learn::out_of_fold::OutOfFold;
///
/// let codes = (0..100).map(|row| u32::from(row % 3 == 0)).collect();
/// let target = ClassTarget { name: "ill".into(), classes: vec!["no".into(), "yes".into()], codes };
/// let data = Dataset { rows: 100, target: Some(target), ..Dataset::default() };
/// let mut scores = OutOfFold::new(&data, 5);
/// for example in 0..100 {
///     let score = if example % 3 == 0 { 1.0 } else { -1.0 };
///     scores.push(example % 5, example, u32::from(score > 0.0), Some(&[0.0, score]));
/// }
/// assert_eq!(scores.summary().accuracy.map(|figure| figure.estimate.value), Some(1.0));
/// let calibration = scores.calibration().expect("both classes occur");
/// assert!(calibration.probabilities(&[0.0, 1.0])[1] > 0.9);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct OutOfFold {
    classes: Vec<String>,
    /// The class of each example, its number if one is predicted, and its unit.
    codes: Vec<u32>,
    numbers: Option<Vec<f64>>,
    units: Vec<u32>,
    answers: Vec<Answer>,
    /// The scores of each class or the predicted number, answer by answer. `None` if the models have no
    /// scores.
    scores: Option<Vec<f64>>,
    /// Whether the class with the largest calibrated probability is predicted.
    decides_by_probability: bool,
    /// The cost of a missed example of each class, if the models are judged by cost. Results that are
    /// already computed do not change.
    pub miss_costs: Option<Vec<f64>>,
    /// The scores of the models of each stored size, without the choice of a size; empty if the learner
    /// stores no sizes or has no scores of them.
    pub by_size: Vec<OutOfFold>,
    /// What the rules of the model cover in the test folds, in their order; empty if it is unknown.
    pub coverage: Vec<Option<HeldOutCoverage>>,
    /// The number of folds in each repetition.
    pub folds: usize,
    /// The seconds spent on fitting the folds; 0 if the learner validates itself.
    pub seconds: f64,
    computed: Computed,
}

/// What a rule covers in test folds: there, the rule of the fold on the same columns, in the same directions,
/// which was found without these examples, takes its place. An example counts once in each repetition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeldOutCoverage {
    /// The number of folds in which such a rule was found.
    pub folds: usize,
    /// The number of all folds.
    pub of: usize,
    /// The number of covered examples of these test folds, by class.
    pub covered: Vec<u64>,
    /// The number of all examples of these test folds, by class.
    pub examples: Vec<u64>,
}

impl HeldOutCoverage {
    /// Returns the coverage in none of this number of folds, for this number of classes.
    #[must_use]
    pub fn new(of: usize, classes: usize) -> HeldOutCoverage {
        let none = vec![0; classes.max(1)];
        HeldOutCoverage { folds: 0, of, covered: none.clone(), examples: none }
    }

    /// Adds a test fold, given the class of each example and whether the rule of the fold covers it. Of a
    /// number there is one class.
    pub fn add(&mut self, examples: impl Iterator<Item = (u32, bool)>) {
        self.folds += 1;
        for (class, is_covered) in examples {
            let place = (class as usize).min(self.examples.len() - 1);
            self.examples[place] += 1;
            self.covered[place] += u64::from(is_covered);
        }
    }
}

/// Results that are computed on first use. With a million examples each takes a second.
#[derive(Debug, Default)]
struct Computed {
    decisions: OnceLock<Decisions>,
    summary: OnceLock<Summary>,
}

impl Clone for Computed {
    /// Returns nothing: the copy may be changed before its results are used.
    fn clone(&self) -> Computed {
        Computed::default()
    }
}

impl PartialEq for Computed {
    /// Returns true: results follow from the other fields.
    fn eq(&self, _: &Computed) -> bool {
        true
    }
}

/// The prediction of one fold for one example.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Answer {
    example: u32,
    /// The fold, counted over all repetitions.
    fold: u32,
    /// The model. A fold may have several models of different sizes.
    model: u32,
    /// The predicted class by code; 0 if a number is predicted.
    predicted: u32,
}

impl OutOfFold {
    /// Returns an empty list of scores for data that is split into this number of folds.
    #[must_use]
    pub fn new<D: Examples>(data: &D, folds: usize) -> OutOfFold {
        let codes = data.codes();
        OutOfFold {
            classes: data.classes(),
            units: data.groups().unwrap_or_else(|| (0..).take(codes.len()).collect()),
            numbers: data.numbers(),
            codes,
            answers: Vec::new(),
            scores: Some(Vec::new()),
            decides_by_probability: false,
            miss_costs: None,
            by_size: Vec::new(),
            coverage: Vec::new(),
            folds,
            seconds: 0.0,
            computed: Computed::default(),
        }
    }

    /// Sets whether the models predict the class with the largest calibrated probability.
    #[must_use]
    pub fn deciding_by_probability(mut self, decides: bool) -> OutOfFold {
        (self.decides_by_probability, self.computed) = (decides, Computed::default());
        self
    }

    /// Returns n if only every n-th of very many examples is scored.
    #[must_use]
    pub fn step(examples: usize) -> usize {
        examples.div_ceil(MOST_SCORED).max(1)
    }

    /// Adds the prediction of a fold for an example: the predicted class, and the score of each class
    /// or the predicted number. Predictions for an invalid example or with another number of scores are
    /// ignored.
    pub fn push(&mut self, fold: u32, example: u32, predicted: u32, scores: Option<&[f64]>) {
        self.push_of_model((fold, fold), example, predicted, scores);
    }

    /// Adds a prediction of one of several models of a fold. Scores of different models are not
    /// compared.
    pub fn push_of_model(
        &mut self,
        (fold, model): (u32, u32),
        example: u32,
        predicted: u32,
        scores: Option<&[f64]>,
    ) {
        let outputs = self.outputs();
        if example as usize >= self.codes.len() || scores.is_some_and(|own| own.len() != outputs) {
            return;
        }
        if self.computed.decisions.get().is_some() {
            self.computed = Computed::default();
        }
        match (&mut self.scores, scores) {
            (Some(all), Some(own)) => all.extend_from_slice(own),
            _ => self.scores = None,
        }
        self.answers.push(Answer { example, fold, model, predicted });
    }

    /// Returns the number of scores per answer.
    fn outputs(&self) -> usize {
        if self.numbers.is_some() { 1 } else { self.classes.len() }
    }

    /// Returns the scores of an answer; `None` if the models have no scores.
    fn scores_of(&self, answer: usize) -> Option<&[f64]> {
        let outputs = self.outputs();
        self.scores.as_ref()?.get(answer * outputs..)?.get(..outputs)
    }

    /// Returns the calibration of the final model. `None` for models without scores, or if only one
    /// class occurs.
    #[must_use]
    pub fn calibration(&self) -> Option<Calibration> {
        self.calibration_of(|_| true)
    }

    /// Fits the calibration on some of the examples.
    fn calibration_of(&self, is_used: impl Fn(u32) -> bool) -> Option<Calibration> {
        if self.numbers.is_some() {
            return None;
        }
        let (mut scores, mut actual) = (Vec::new(), Vec::new());
        for (place, answer) in self.answers.iter().enumerate() {
            let own = self.scores_of(place)?;
            if is_used(answer.example) {
                scores.push(own);
                actual.push(self.codes[answer.example as usize]);
            }
        }
        Calibration::fit_repeated(&scores, &actual, None, self.repeats(), self.classes.len())
    }

    /// Returns the average number of answers per example, rounded up.
    fn repeats(&self) -> usize {
        let mut is_scored = vec![false; self.codes.len()];
        self.answers.iter().for_each(|answer| is_scored[answer.example as usize] = true);
        let examples = is_scored.iter().filter(|scored| **scored).count();
        self.answers.len().div_ceil(examples.max(1)).max(1)
    }

    /// Returns the number of folds in all repetitions.
    fn fold_count(&self) -> usize {
        self.answers.iter().map(|answer| answer.fold as usize + 1).max().unwrap_or(0)
    }

    /// Returns the decisions about all examples, with probabilities if the scores can be calibrated.
    #[must_use]
    pub fn decisions(&self) -> &Decisions {
        self.computed.decisions.get_or_init(|| self.compute_decisions())
    }

    fn compute_decisions(&self) -> Decisions {
        // An example with several answers is excluded from its curve every time.
        let folds = u32::try_from(self.folds).unwrap_or(u32::MAX).max(1);
        let mut parts: Vec<u32> = vec![0; self.codes.len()];
        for answer in self.answers.iter().rev() {
            parts[answer.example as usize] = answer.fold % folds;
        }
        let curves: Vec<Option<Calibration>> = (0..folds)
            .map(|part| self.calibration_of(|example| parts[example as usize] != part))
            .collect();
        let mut decisions = self.no_decisions();
        for (place, &Answer { example, model, predicted, .. }) in self.answers.iter().enumerate() {
            let curve = curves.get(parts[example as usize] as usize).and_then(Option::as_ref);
            let scores = self.scores_of(place);
            let shares = scores.zip(curve).map(|(scores, curve)| curve.probabilities(scores));
            let backing = match (&shares, scores) {
                (Some(shares), _) => Backing::Probabilities(shares),
                (None, Some(scores)) => Backing::Scores(scores),
                (None, None) => Backing::Nothing,
            };
            let predicted = match &shares {
                Some(shares) if self.decides_by_probability => likeliest(shares),
                _ => predicted,
            };
            let (unit, actual) = (self.units[example as usize], self.codes[example as usize]);
            decisions.push(Decision { unit, model, actual, predicted }, backing);
        }
        decisions
    }

    fn no_decisions(&self) -> Decisions {
        Decisions::new(self.classes.clone()).with_miss_costs(self.miss_costs.clone())
    }

    /// Returns the decisions with each example once, by its first answer.
    #[must_use]
    pub fn first_decisions(&self, decisions: &Decisions) -> Decisions {
        let mut is_new = vec![true; self.codes.len()];
        let mut once = self.no_decisions();
        for (place, (answer, decision)) in self.answers.iter().zip(decisions.list()).enumerate() {
            if std::mem::take(&mut is_new[answer.example as usize]) {
                once.push(*decision, decisions.backing(place));
            }
        }
        once
    }

    /// Returns the held-out metrics. They are means over all answers; the confusion matrix and the
    /// counts have each example once, by its first answer.
    #[must_use]
    pub fn summary(&self) -> &Summary {
        self.computed.summary.get_or_init(|| self.compute_summary())
    }

    fn compute_summary(&self) -> Summary {
        let decisions = self.decisions();
        let mut summary = decisions.summary().stretched(self.stretch());
        let once = self.first_decisions(decisions);
        // A curve has a slope and an offset for each class but one. Fitting k numbers on n units costs
        // about k / 2n of log loss and k / n of the baseline Brier score; the actual cost is random.
        let cost = self.classes.len() as f64 / summary.units.max(1) as f64;
        if let Some(loss) = &mut summary.log_loss {
            loss.estimate = loss.estimate.widened(cost);
        }
        if let Some(brier) = &mut summary.brier {
            brier.estimate = brier.estimate.widened(cost * brier.baseline);
        }
        if once.list().len() < decisions.list().len() {
            let once = once.summary();
            (summary.evaluated, summary.confusion) = (once.evaluated, once.confusion);
            // The baseline counts each example once.
            for (figure, once) in [
                (&mut summary.accuracy, once.accuracy),
                (&mut summary.f1, once.f1),
                (&mut summary.log_loss, once.log_loss),
                (&mut summary.brier, once.brier),
                (&mut summary.cost, once.cost),
            ] {
                if let (Some(figure), Some(once)) = (figure, once) {
                    figure.baseline = once.baseline;
                }
            }
            for (class, once) in summary.classes.iter_mut().zip(once.classes) {
                (class.examples, class.predicted) = (once.examples, once.predicted);
            }
        }
        summary
    }

    /// Returns the held-out metrics if a number is predicted, otherwise `None`.
    #[must_use]
    pub fn number_summary(&self) -> Option<NumberSummary> {
        let decisions = self.number_decisions()?;
        (!decisions.list().is_empty()).then(|| decisions.summary().stretched(self.stretch()))
    }

    /// Returns the predicted numbers of all answers, or `None` if classes are predicted.
    #[must_use]
    pub fn number_decisions(&self) -> Option<NumberDecisions> {
        let numbers = self.numbers.as_ref()?;
        let mut decisions = NumberDecisions::default();
        let baselines = self.baselines(numbers);
        for (place, &Answer { example, fold, .. }) in self.answers.iter().enumerate() {
            let predicted = *self.scores_of(place)?.first()?;
            let (unit, actual) = (self.units[example as usize], numbers[example as usize]);
            let baseline = baselines[fold as usize];
            decisions.push(NumberDecision { unit, actual, predicted, baseline });
        }
        Some(decisions)
    }

    /// Returns the predicted numbers with each example once, by its first answer, or `None` if classes are
    /// predicted.
    #[must_use]
    pub fn first_number_decisions(&self) -> Option<NumberDecisions> {
        let all = self.number_decisions()?;
        let mut is_new = vec![true; self.codes.len()];
        let mut once = NumberDecisions::default();
        for (answer, &decision) in self.answers.iter().zip(all.list()) {
            if std::mem::take(&mut is_new[answer.example as usize]) {
                once.push(decision);
            }
        }
        Some(once)
    }

    /// Returns the factor by which intervals are wider than for independent decisions. The models of k
    /// folds share most of their training examples, and the final model is one more: the variance is
    /// larger by a factor of 1 + k / (k - 1) (Nadeau and Bengio 2003).
    fn stretch(&self) -> f64 {
        let folds = self.folds.max(2) as f64;
        (1.0 + folds / (folds - 1.0)).sqrt()
    }

    /// Returns by fold the mean and the median of the training numbers.
    fn baselines(&self, numbers: &[f64]) -> Vec<Middle> {
        let baseline = |fold: usize| {
            let mut is_held_out = vec![false; numbers.len()];
            let own = self.answers.iter().filter(|answer| answer.fold as usize == fold);
            own.for_each(|answer| is_held_out[answer.example as usize] = true);
            let rest = numbers.iter().zip(is_held_out).filter(|(_, held_out)| !held_out);
            Middle::of(&rest.map(|(&number, _)| number).collect::<Vec<_>>())
        };
        (0..self.fold_count()).map(baseline).collect()
    }
}

/// Returns the class with the largest probability; in a tie, the first.
#[must_use]
pub fn likeliest(probabilities: &[f64]) -> u32 {
    let larger = |best: usize, class: usize| {
        if probabilities[class] > probabilities[best] { class } else { best }
    };
    let best = (0..probabilities.len()).reduce(larger).unwrap_or(0);
    u32::try_from(best).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::ConfusionMatrix;
    use crate::rng::Streams;
    use pellucid_data::{ClassTarget, Dataset};
    use proptest::prelude::*;

    fn labeled(codes: &[u32]) -> Dataset {
        let classes = vec!["no".into(), "yes".into()];
        let target = ClassTarget { name: "ill".into(), classes, codes: codes.to_vec() };
        Dataset { rows: codes.len(), target: Some(target), ..Dataset::default() }
    }

    #[test]
    fn a_summary_includes_answers_that_arrive_after_an_earlier_one() {
        let mut scores = OutOfFold::new(&labeled(&[0, 1, 0, 1]), 2);
        for example in 0..3 {
            scores.push(example % 2, example, 0, None);
        }
        assert_eq!(scores.summary().evaluated, 3);
        let mut copy = scores.clone();
        copy.push(1, 3, 1, None);
        assert_eq!((scores.summary().evaluated, copy.summary().evaluated), (3, 4));
        scores.push(1, 3, 1, None);
        assert_eq!(scores.summary(), copy.summary());
    }

    proptest! {
        #[test]
        fn counts_and_baselines_have_each_example_once(
            codes in prop::collection::vec(0_u32..2, 20..60),
            seed: u64,
        ) {
            let positives = codes.iter().filter(|&&code| code == 1).count();
            prop_assume!(positives > 4 && codes.len() - positives > 4);
            let mut stream = Streams::new(seed).stream(&[]);
            let mut scores = OutOfFold::new(&labeled(&codes), 3);
            for repeat in 0..4_u32 {
                for example in (0_u32..).take(codes.len()) {
                    // The first repetition has every example, the others some.
                    if repeat == 0 || stream.chance(0.4) {
                        let (fold, score) = (3 * repeat + (example + repeat) % 3, stream.unit() - 0.5);
                        scores.push(fold, example, u32::from(score > 0.0), Some(&[0.0, score]));
                    }
                }
            }
            let summary = scores.summary();
            prop_assert_eq!(summary.evaluated, codes.len());
            let total = summary.confusion.as_ref().map(ConfusionMatrix::total);
            prop_assert_eq!(total, Some(codes.len() as u64));
            let most = positives.max(codes.len() - positives) as f64 / codes.len() as f64;
            prop_assert_eq!(summary.accuracy.map(|one| one.baseline), Some(most));
            prop_assert!(summary.brier.is_some(), "every answer has a probability");
        }
    }

    #[test]
    fn a_curve_is_not_evaluated_on_labels_it_was_fitted_on() {
        // Flipping the labels of one fold does not change its probabilities.
        let codes: Vec<u32> = (0..90).map(|example| u32::from(example % 9 < 4)).collect();
        let flipped: Vec<u32> = (0..)
            .zip(&codes)
            .map(|(example, code)| if example % 3 == 0 { 1 - code } else { *code })
            .collect();
        let probabilities = |codes: &[u32]| -> Vec<f64> {
            let mut scores = OutOfFold::new(&labeled(codes), 3);
            for example in 0..90_u32 {
                let score = f64::from(example % 9) - 4.0;
                scores.push(example % 3, example, 0, Some(&[0.0, score]));
            }
            let decisions = scores.decisions();
            let list = decisions.list().iter().enumerate();
            let own = list.filter(|(_, one)| one.model == 0);
            own.filter_map(|(place, _)| {
                decisions.backing(place).numbers().map(|numbers| numbers[1])
            })
            .collect()
        };
        assert_eq!(probabilities(&codes), probabilities(&flipped));
        assert_eq!(probabilities(&codes).len(), 30);
    }
}
