//! A model's answers about data, with probabilities where the model is calibrated, and how they become decisions.

use super::{Actual, Applied, BoxError, Decided, Explanation};
use crate::calibrate::Calibration;
use crate::metrics::{Backing, Decision, Decisions, Middle, NumberDecision, NumberDecisions};
use crate::params::ParamError;
use crate::suggest::listed;

/// How a class is chosen.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Deciding {
    /// As the model does it.
    #[default]
    Model,
    /// The positive class from this probability on; for two classes.
    Threshold(f64),
    /// The class that costs least to be wrong about: what it costs to miss an example of a class, by name; 1 where nothing
    /// is said.
    Costs(Vec<(String, f64)>),
}

/// A model on data, ready to be told: the class of each example, how likely each class is, and what the class really is.
pub struct Predictions {
    applied: Box<dyn Applied>,
    classes: Vec<String>,
    calibration: Option<Calibration>,
    /// By class: what its probability is multiplied by before the largest is taken.
    costs: Option<Vec<f64>>,
    /// The probability from which on the positive class is taken, where one was chosen.
    threshold: Option<f64>,
}

impl Predictions {
    /// Answers of a model with these classes.
    #[must_use]
    pub fn new(
        applied: Box<dyn Applied>,
        classes: &[String],
        calibration: Option<&Calibration>,
    ) -> Predictions {
        let sound = calibration.filter(|calibration| calibration.is_sound(classes.len()));
        let calibration = sound.filter(|_| applied.has_votes()).cloned();
        Predictions {
            applied,
            classes: classes.to_vec(),
            calibration,
            costs: None,
            threshold: None,
        }
    }

    /// The same with classes chosen in another way.
    ///
    /// # Errors
    /// When there are no probabilities to choose by, a threshold is no probability or meets more than two classes, or a
    /// cost is not above 0 or is that of no class.
    pub fn deciding(mut self, how: &Deciding) -> Result<Predictions, ParamError> {
        let name = match how {
            Deciding::Model => return Ok(self),
            Deciding::Threshold(_) => "threshold",
            Deciding::Costs(_) => "cost",
        };
        if self.calibration.is_none() {
            let allowed =
                "a model with probabilities; learn it again with this version and with inner folds";
            return Err(ParamError::new(name, "a model without calibrated probabilities", allowed));
        }
        self.costs = Some(match how {
            Deciding::Model => return Ok(self),
            Deciding::Threshold(least) => {
                if self.classes.len() != 2 {
                    let found = format!("{} classes", self.classes.len());
                    return Err(ParamError::new(name, found, "two classes, or a cost for each"));
                }
                if !(*least > 0.0 && *least < 1.0) {
                    return Err(ParamError::new(name, least, "more than 0, less than 1"));
                }
                self.threshold = Some(*least);
                // p >= t is the same as p (1 - t) >= (1 - p) t.
                vec![*least, 1.0 - least]
            }
            Deciding::Costs(costs) => {
                let mut all = vec![1.0; self.classes.len()];
                for (class, cost) in costs {
                    let Some(place) = self.classes.iter().position(|known| known == class) else {
                        let known = listed(self.classes.iter().map(String::as_str), 8);
                        return Err(ParamError::new(name, format_args!("class '{class}'"), known));
                    };
                    if !(*cost > 0.0 && cost.is_finite()) {
                        return Err(ParamError::new(name, cost, "more than 0"));
                    }
                    all[place] = *cost;
                }
                all
            }
        });
        Ok(self)
    }

    /// The model's own answers.
    #[must_use]
    pub fn applied(&self) -> &dyn Applied {
        &*self.applied
    }

    /// How many examples there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.applied.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.applied.is_empty()
    }

    /// Whether the model's scores are calibrated.
    #[must_use]
    pub fn has_probabilities(&self) -> bool {
        self.calibration.is_some()
    }

    /// Whether the data says the class of any example.
    #[must_use]
    pub fn has_actual(&self) -> bool {
        (0..self.len()).any(|example| self.applied.actual(example).is_some())
    }

    /// How likely each class is, by code; nothing where the model is not calibrated.
    #[must_use]
    pub fn probabilities(&self, example: usize) -> Option<Vec<f64>> {
        let calibration = self.calibration.as_ref()?;
        Some(calibration.probabilities(&self.applied.votes(example)?))
    }

    /// The class of an example, by its code.
    #[must_use]
    pub fn predicted(&self, example: usize) -> u32 {
        match (&self.costs, self.probabilities(example)) {
            (Some(costs), Some(shares)) => cheapest(&shares, costs),
            _ => self.applied.predicted(example),
        }
    }

    /// The class of an example, by its name.
    #[must_use]
    pub fn class(&self, example: usize) -> String {
        let code = self.predicted(example);
        self.classes.get(code as usize).cloned().unwrap_or_else(|| code.to_string())
    }

    /// What was said about the examples whose number is known, by a model that predicts one and was learned from numbers with this
    /// middle; nothing where the data says nothing of any.
    #[must_use]
    pub fn numbers(&self, trivial: Middle) -> Option<NumberDecisions> {
        let mut said = NumberDecisions::default();
        for (unit, example) in (0_u32..).zip(0..self.len()) {
            let known = self.applied.actual_number(example).zip(self.applied.number(example));
            if let Some((actual, predicted)) = known {
                said.push(NumberDecision { unit, actual, predicted, trivial });
            }
        }
        (!said.list().is_empty()).then_some(said)
    }

    /// Why an example gets its class: told by what speaks, or `fully`, by what might have and did not as well.
    ///
    /// # Errors
    /// When that cannot be found out.
    pub fn explain(&self, example: usize, fully: bool) -> Result<Explanation, BoxError> {
        match self.decided(example) {
            Some(decided) => self.applied.explain_decided(example, &decided, fully),
            None if fully => self.applied.explain_fully(example),
            None => self.applied.explain(example),
        }
    }

    /// The class of an example and what chose it, where that was not the model itself.
    fn decided(&self, example: usize) -> Option<Decided> {
        let (costs, shares) = (self.costs.as_ref()?, self.probabilities(example)?);
        let class = self.class(example);
        let why = match (self.threshold, shares.last(), self.classes.last()) {
            (Some(least), Some(&share), Some(positive)) => {
                let is_below = if share < least { "below" } else { "not below" };
                let (share, least) = (percent(share), percent(least));
                format!(
                    "decided by probability: {share} {positive} is {is_below} the threshold of {least}"
                )
            }
            _ => {
                let each = self.classes.iter().zip(&shares).zip(costs);
                let each: Vec<String> = each
                    .map(|((class, share), cost)| format!("{} {class} at {cost}", percent(*share)))
                    .collect();
                format!("decided by probability and what a miss costs: {}", each.join(", "))
            }
        };
        Some(Decided { class, why })
    }

    /// The class that an example really has, by its name, where the data says.
    #[must_use]
    pub fn actual(&self, example: usize) -> Option<String> {
        Some(match self.applied.actual(example)? {
            Actual::Stranger(name) => name,
            Actual::Class(code) => self.classes.get(code as usize)?.clone(),
        })
    }

    /// What was decided about the examples whose class is known; nothing where the data says nothing of any.
    #[must_use]
    pub fn decisions(&self) -> Option<Decisions> {
        let mut decisions = Decisions::new(self.classes.clone());
        let mut known = false;
        for (unit, example) in (0_u32..).zip(0..self.len()) {
            let Some(actual) = self.applied.actual(example) else { continue };
            known = true;
            let Actual::Class(actual) = actual else {
                decisions.strangers += 1;
                continue;
            };
            let backing = match (self.probabilities(example), self.applied.votes(example)) {
                (Some(shares), _) => Backing::Probabilities(shares),
                (None, Some(votes)) => Backing::Scores(votes),
                (None, None) => Backing::Nothing,
            };
            let predicted = self.predicted(example);
            decisions.push(Decision { unit, model: 0, actual, predicted, backing });
        }
        known.then_some(decisions)
    }
}

/// A probability in percents; what is not certain is not shown as certain.
#[must_use]
pub fn percent(share: f64) -> String {
    match 100.0 * share {
        percents if percents > 99.95 && share < 1.0 => "over 99.9 %".to_owned(),
        percents if percents < 0.05 && share > 0.0 => "under 0.1 %".to_owned(),
        percents => format!("{percents:.1} %"),
    }
}

/// The class that it would cost most to miss; of equal ones the last, so that a threshold that is met counts as met.
fn cheapest(shares: &[f64], costs: &[f64]) -> u32 {
    let weight = |class: usize| shares[class] * costs[class];
    let best = (0..shares.len().min(costs.len()))
        .reduce(|best, class| if weight(class) >= weight(best) { class } else { best });
    best.and_then(|class| u32::try_from(class).ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learner::{BoxError, Explanation};
    use proptest::prelude::*;

    /// One example for each list of votes; the first class is the actual one of all.
    struct Voted(Vec<Vec<f64>>);

    impl Applied for Voted {
        fn len(&self) -> usize {
            self.0.len()
        }

        fn heading(&self) -> String {
            "row".to_owned()
        }

        fn name(&self, example: usize) -> String {
            example.to_string()
        }

        fn predicted(&self, example: usize) -> u32 {
            u32::from(self.0[example][1] > self.0[example][0])
        }

        fn has_votes(&self) -> bool {
            true
        }

        fn votes(&self, example: usize) -> Option<Vec<f64>> {
            Some(self.0[example].clone())
        }

        fn explain(&self, _: usize) -> Result<Explanation, BoxError> {
            Err("nobody asks".into())
        }

        fn actual(&self, example: usize) -> Option<Actual> {
            (example > 0)
                .then(|| if example == 1 { Actual::Stranger("?".into()) } else { Actual::Class(0) })
        }
    }

    fn predictions(votes: Vec<Vec<f64>>) -> Predictions {
        let classes: Vec<String> = ["well", "ill"].map(str::to_owned).to_vec();
        let calibration = Calibration { slope: 1.0, offsets: vec![0.0, 0.0], examples: 9 };
        Predictions::new(Box::new(Voted(votes)), &classes, Some(&calibration))
    }

    proptest! {
        #[test]
        fn a_threshold_is_a_cost(ill in -5.0_f64..5.0, least in 0.01_f64..0.99) {
            let by = |how| predictions(vec![vec![0.0, ill]]).deciding(&how).expect("allowed");
            let at_threshold = by(Deciding::Threshold(least));
            let probability = at_threshold.probabilities(0).expect("calibrated")[1];
            prop_assume!((probability - least).abs() > 1e-9);
            prop_assert_eq!(at_threshold.predicted(0), u32::from(probability >= least));
            // To miss an ill one costs as many times more as a healthy one is likelier at the threshold.
            let costs = by(Deciding::Costs(vec![("ill".into(), (1.0 - least) / least)]));
            prop_assert_eq!(costs.predicted(0), at_threshold.predicted(0));
        }
    }

    #[test]
    fn examples_without_a_class_are_not_judged_and_strangers_are_counted() {
        let decisions = predictions(vec![vec![0.0, 1.0]; 5]).decisions().expect("some are known");
        assert_eq!((decisions.list().len(), decisions.strangers), (3, 1));
        assert_eq!(decisions.summary().accuracy.map(|figure| figure.estimate.value), Some(0.0));
        let strangers = predictions(vec![vec![0.0, 1.0]; 2]).decisions().expect("a stranger");
        assert_eq!((strangers.summary().accuracy, strangers.strangers), (None, 1));
        assert_eq!(predictions(vec![vec![0.0, 1.0]]).decisions(), None);
    }

    #[test]
    fn what_cannot_be_decided_by_is_refused() {
        let refused =
            |how| predictions(vec![vec![0.0, 1.0]]).deciding(&how).err().map(|e| e.to_string());
        assert_eq!(
            refused(Deciding::Threshold(1.5)).as_deref(),
            Some("threshold: found 1.5, allowed more than 0, less than 1")
        );
        assert_eq!(
            refused(Deciding::Costs(vec![("sick".into(), 2.0)])).as_deref(),
            Some("cost: found class 'sick', allowed well, ill")
        );
        assert!(refused(Deciding::Costs(vec![("ill".into(), f64::INFINITY)])).is_some());
        let raw = Predictions::new(
            Box::new(Voted(vec![vec![0.0, 1.0]])),
            &["a".into(), "b".into()],
            None,
        );
        assert!(raw.deciding(&Deciding::Threshold(0.5)).is_err());
    }
}
