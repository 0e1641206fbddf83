//! Predictions with probabilities, and decision rules.

use super::{
    ActualClass, Applied, BoxError, DecisionReason, Explanation, ExplanationRequest, Predicted,
};
use crate::calibrate::Calibration;
use crate::digits::percent;
use crate::metrics::{Backing, Decision, Decisions, Middle, NumberDecision, NumberDecisions};
use crate::params::ParamError;
use crate::score_matrix::ScoreMatrix;
use crate::suggest::listed;
use std::sync::OnceLock;

/// How the predicted class is decided.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Deciding {
    /// By the model.
    #[default]
    Model,
    /// The positive class from this probability on; for two classes only.
    Threshold(f64),
    /// The class with the lowest expected cost. The list has the cost of missing an example of a class,
    /// by name; 1 for other classes.
    Costs(Vec<(String, f64)>),
}

/// The predictions of a model: the class of each example, the probabilities and the actual class.
pub struct Predictions {
    applied: Box<dyn Applied>,
    classes: Vec<String>,
    calibration: Option<Calibration>,
    /// The probabilities of all examples, computed on first use.
    probabilities: OnceLock<Option<ScoreMatrix>>,
    /// By class: the factor of its probability in the decision.
    costs: Option<Vec<f64>>,
    /// By class: the cost of a missed example, if the model is judged by cost.
    miss_costs: Option<Vec<f64>>,
    /// The decision threshold of the positive class, if there is one.
    threshold: Option<f64>,
}

impl Predictions {
    /// Returns the predictions of a model with these classes.
    #[must_use]
    pub fn new(
        applied: Box<dyn Applied>,
        classes: &[String],
        calibration: Option<&Calibration>,
    ) -> Predictions {
        let valid = calibration.filter(|calibration| calibration.is_sound(classes.len()));
        let calibration = valid.filter(|_| applied.scores().is_some()).cloned();
        Predictions {
            applied,
            classes: classes.to_vec(),
            calibration,
            probabilities: OnceLock::new(),
            costs: None,
            miss_costs: None,
            threshold: None,
        }
    }

    /// Sets the cost of a missed example of each class, by which the model is judged.
    #[must_use]
    pub fn with_miss_costs(mut self, costs: Option<Vec<f64>>) -> Predictions {
        self.miss_costs = costs;
        self
    }

    /// Sets how classes are decided.
    ///
    /// # Errors
    /// If the model has no probabilities, a threshold is invalid or there are not two classes, or a cost
    /// is not positive or is for an unknown class.
    pub fn deciding(mut self, how: &Deciding) -> Result<Predictions, ParamError> {
        let name = match how {
            Deciding::Model => return Ok(self),
            Deciding::Threshold(_) => "threshold",
            Deciding::Costs(_) => "cost",
        };
        if self.calibration.is_none() {
            let expected = "a model with probabilities; train it again with inner folds";
            return Err(ParamError::new(name, "a model without probabilities", expected));
        }
        self.costs = Some(match how {
            Deciding::Model => return Ok(self),
            Deciding::Threshold(least) => {
                if self.classes.len() != 2 {
                    let found = format!("{} classes", self.classes.len());
                    return Err(ParamError::new(name, found, "two classes; use costs for more"));
                }
                if !(*least > 0.0 && *least < 1.0) {
                    let expected = "a number greater than 0 and less than 1";
                    return Err(ParamError::new(name, least, expected));
                }
                self.threshold = Some(*least);
                // p >= t is the same as p (1 - t) >= (1 - p) t.
                vec![*least, 1.0 - least]
            }
            Deciding::Costs(costs) => {
                let mut all = vec![1.0; self.classes.len()];
                for (class, cost) in costs {
                    let Some(code) = self.classes.iter().position(|known| known == class) else {
                        let known = listed(self.classes.iter().map(String::as_str), 8);
                        return Err(ParamError::new(
                            name,
                            format_args!("class '{class}'"),
                            format_args!("one of {known}"),
                        ));
                    };
                    if !(*cost > 0.0 && cost.is_finite()) {
                        return Err(ParamError::new(name, cost, "a number greater than 0"));
                    }
                    all[code] = *cost;
                }
                self.miss_costs = Some(all.clone());
                all
            }
        });
        Ok(self)
    }

    /// Returns the predictions of the model itself.
    #[must_use]
    pub fn applied(&self) -> &dyn Applied {
        &*self.applied
    }

    /// Returns the number of examples.
    #[must_use]
    pub fn len(&self) -> usize {
        self.applied.len()
    }

    /// Returns whether there are no examples.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.applied.is_empty()
    }

    /// Returns whether the scores are calibrated.
    #[must_use]
    pub fn has_probabilities(&self) -> bool {
        self.calibration.is_some()
    }

    /// Returns whether the data has the class of any example.
    #[must_use]
    pub fn has_actual(&self) -> bool {
        self.applied.actual().has_any()
    }

    /// Returns the probability of each class for each example; `None` if the model is not calibrated.
    #[must_use]
    pub fn probability_matrix(&self) -> Option<&ScoreMatrix> {
        let compute =
            || Some(self.calibration.as_ref()?.probability_matrix(self.applied.scores()?));
        self.probabilities.get_or_init(compute).as_ref()
    }

    /// Returns the probability of each class for an example, by code; `None` if the model is not
    /// calibrated.
    #[must_use]
    pub fn probabilities(&self, example: usize) -> Option<&[f64]> {
        self.probability_matrix()?.of(example)
    }

    /// Returns the cost of a missed example of each class, if the model is judged by cost.
    #[must_use]
    pub fn miss_costs(&self) -> Option<&[f64]> {
        self.miss_costs.as_deref()
    }

    /// Returns the predicted class of an example, by code.
    #[must_use]
    pub fn predicted(&self, example: usize) -> u32 {
        match &self.costs {
            Some(costs) => match self.probabilities(example) {
                Some(shares) => lowest_cost(shares, costs),
                None => self.applied.predicted().class(example),
            },
            None => self.applied.predicted().class(example),
        }
    }

    /// Returns the predicted class of an example, by name.
    #[must_use]
    pub fn class(&self, example: usize) -> String {
        let code = self.predicted(example);
        self.classes.get(code as usize).cloned().unwrap_or_else(|| code.to_string())
    }

    /// Returns the predicted numbers of the examples with known numbers; `None` if there are none.
    /// `baseline` describes the training numbers.
    #[must_use]
    pub fn numbers(&self, baseline: Middle) -> Option<NumberDecisions> {
        let mut decisions = NumberDecisions::default();
        let Predicted::Numbers(numbers) = self.applied.predicted() else { return None };
        for (unit, (example, &predicted)) in (0_u32..).zip(numbers.iter().enumerate()) {
            if let Some(actual) = self.applied.actual().number(example) {
                decisions.push(NumberDecision { unit, actual, predicted, baseline });
            }
        }
        (!decisions.list().is_empty()).then_some(decisions)
    }

    /// Explains the prediction for an example; `fully` includes what does not apply.
    ///
    /// # Errors
    /// If the explanation fails.
    pub fn explain(&self, example: usize, fully: bool) -> Result<Explanation, BoxError> {
        let reason = self.decision_reason(example);
        let request = ExplanationRequest { in_full: fully, decision: reason.as_ref() };
        self.applied.explain(example, &request)
    }

    /// Returns the class of an example and the reason, if the model itself did not decide.
    fn decision_reason(&self, example: usize) -> Option<DecisionReason> {
        let (costs, shares) = (self.costs.as_ref()?, self.probabilities(example)?);
        let class = self.class(example);
        let why = match (self.threshold, shares.last(), self.classes.last()) {
            (Some(least), Some(&share), Some(positive)) => {
                let side = if share < least { "below" } else { "at or above" };
                let (share, least) = (percent(share), percent(least));
                format!(
                    "decided by probability: {share} {positive} is {side} the threshold of {least}"
                )
            }
            _ => {
                let each = self.classes.iter().zip(shares).zip(costs);
                let each: Vec<String> = each
                    .map(|((class, share), cost)| {
                        format!("{} {class} (cost {cost})", percent(*share))
                    })
                    .collect();
                format!("decided by expected cost: {}", each.join(", "))
            }
        };
        Some(DecisionReason { class, why })
    }

    /// Returns the actual class of an example by name, if the data has it.
    #[must_use]
    pub fn actual(&self, example: usize) -> Option<String> {
        Some(match self.applied.actual().class(example)? {
            ActualClass::Unknown(name) => name.clone(),
            ActualClass::Known(code) => self.classes.get(*code as usize)?.clone(),
        })
    }

    /// Returns the decisions about the examples with known classes; `None` if there are none.
    #[must_use]
    pub fn decisions(&self) -> Option<Decisions> {
        let mut decisions = Decisions::new(self.classes.clone());
        decisions.miss_costs.clone_from(&self.miss_costs);
        let mut known = false;
        for (unit, example) in (0_u32..).zip(0..self.len()) {
            let Some(actual) = self.applied.actual().class(example) else { continue };
            known = true;
            let ActualClass::Known(actual) = *actual else {
                decisions.unknown_class += 1;
                continue;
            };
            let scores = || self.applied.scores().and_then(|scores| scores.of(example));
            let backing = match self.probabilities(example) {
                Some(shares) => Backing::Probabilities(shares),
                None => scores().map_or(Backing::Nothing, Backing::Scores),
            };
            let predicted = self.predicted(example);
            decisions.push(Decision { unit, model: 0, actual, predicted }, backing);
        }
        known.then_some(decisions)
    }
}

/// Returns the class with the lowest expected cost; in a tie the last, so that the positive class is
/// predicted at the threshold itself.
fn lowest_cost(shares: &[f64], costs: &[f64]) -> u32 {
    let weight = |class: usize| shares[class] * costs[class];
    let best = (0..shares.len().min(costs.len()))
        .reduce(|best, class| if weight(class) >= weight(best) { class } else { best });
    best.and_then(|class| u32::try_from(class).ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learner::Actuals;
    use pellucid_data::MISSING;
    use proptest::prelude::*;

    /// Examples with two scores each; the first class is the actual class of all but the first two.
    struct ScoredRows {
        scores: ScoreMatrix,
        predicted: Vec<u32>,
        actual: Actuals,
    }

    impl Applied for ScoredRows {
        fn predicted(&self) -> Predicted<'_> {
            Predicted::Classes(&self.predicted)
        }

        fn scores(&self) -> Option<&ScoreMatrix> {
            Some(&self.scores)
        }

        fn actual(&self) -> &Actuals {
            &self.actual
        }

        fn explain(&self, _: usize, _: &ExplanationRequest<'_>) -> Result<Explanation, BoxError> {
            Err("not used".into())
        }
    }

    fn rows(scores: &[[f64; 2]]) -> Box<ScoredRows> {
        // The first example has no class, the second one that the model does not know.
        let places = [MISSING, 1].into_iter().chain(std::iter::repeat(0)).take(scores.len());
        let classes = vec![ActualClass::Known(0), ActualClass::Unknown("?".into())];
        Box::new(ScoredRows {
            scores: ScoreMatrix::new(2, scores.concat()),
            predicted: scores.iter().map(|own| u32::from(own[1] > own[0])).collect(),
            actual: Actuals::Classes { places: places.collect(), classes },
        })
    }

    fn predictions(scores: &[[f64; 2]]) -> Predictions {
        let classes: Vec<String> = ["well", "ill"].map(str::to_owned).to_vec();
        let calibration = Calibration { slope: 1.0, offsets: vec![0.0, 0.0], examples: 9 };
        Predictions::new(rows(scores), &classes, Some(&calibration))
    }

    proptest! {
        #[test]
        fn a_threshold_is_equivalent_to_a_cost(ill in -5.0_f64..5.0, least in 0.01_f64..0.99) {
            let by = |how| predictions(&[[0.0, ill]]).deciding(&how).expect("allowed");
            let at_threshold = by(Deciding::Threshold(least));
            let probability = at_threshold.probabilities(0).expect("calibrated")[1];
            prop_assume!((probability - least).abs() > 1e-9);
            prop_assert_eq!(at_threshold.predicted(0), u32::from(probability >= least));
            // The cost ratio equals the odds at the threshold.
            let costs = by(Deciding::Costs(vec![("ill".into(), (1.0 - least) / least)]));
            prop_assert_eq!(costs.predicted(0), at_threshold.predicted(0));
        }
    }

    #[test]
    fn examples_without_a_class_are_skipped_and_unknown_classes_are_counted() {
        let decisions = predictions(&[[0.0, 1.0]; 5]).decisions().expect("some are known");
        assert_eq!((decisions.list().len(), decisions.unknown_class), (3, 1));
        assert_eq!(decisions.summary().accuracy.map(|figure| figure.estimate.value), Some(0.0));
        let unknown = predictions(&[[0.0, 1.0]; 2]).decisions().expect("one unknown class");
        assert_eq!((unknown.summary().accuracy, unknown.unknown_class), (None, 1));
        assert_eq!(predictions(&[[0.0, 1.0]]).decisions(), None);
    }

    #[test]
    fn invalid_decision_rules_are_rejected() {
        let refused = |how| predictions(&[[0.0, 1.0]]).deciding(&how).err().map(|e| e.to_string());
        assert_eq!(
            refused(Deciding::Threshold(1.5)).as_deref(),
            Some("threshold: found 1.5; expected a number greater than 0 and less than 1")
        );
        assert_eq!(
            refused(Deciding::Costs(vec![("sick".into(), 2.0)])).as_deref(),
            Some("cost: found class 'sick'; expected one of well, ill")
        );
        assert!(refused(Deciding::Costs(vec![("ill".into(), f64::INFINITY)])).is_some());
        let raw = Predictions::new(rows(&[[0.0, 1.0]]), &["a".into(), "b".into()], None);
        assert!(raw.deciding(&Deciding::Threshold(0.5)).is_err());
    }
}
