//! Decisions of a model about examples with known classes.

use super::estimate::UnitSum;

/// The scores or probabilities behind a decision.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Backing {
    /// No numbers, only the class.
    #[default]
    Nothing,
    /// A score for each class, by code; only the order is meaningful.
    Scores(Vec<f64>),
    /// A calibrated probability for each class, by code.
    Probabilities(Vec<f64>),
}

impl Backing {
    /// Returns the numbers, by class.
    #[must_use]
    pub fn numbers(&self) -> Option<&[f64]> {
        match self {
            Backing::Nothing => None,
            Backing::Scores(numbers) | Backing::Probabilities(numbers) => Some(numbers),
        }
    }
}

/// A decision about an example with a known class.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// The unit: decisions about one example, or about one group of examples, have the same unit and
    /// do not count as independent.
    pub unit: u32,
    /// The model: each fold of a cross-validation has its own. Scores of two models are not compared.
    pub model: u32,
    /// The actual class, by code.
    pub actual: u32,
    /// The predicted class, by code.
    pub predicted: u32,
    /// The scores or probabilities.
    pub backing: Backing,
}

/// All decisions of a model on some data, or of all folds of a cross-validation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Decisions {
    /// The classes, by code. Of two classes the last is positive.
    pub classes: Vec<String>,
    /// The number of further examples whose class the model does not know.
    pub unknown_class: usize,
    list: Vec<Decision>,
}

impl Decisions {
    /// Returns an empty list.
    #[must_use]
    pub fn new(classes: Vec<String>) -> Decisions {
        Decisions { classes, unknown_class: 0, list: Vec::new() }
    }

    /// Adds a decision. Decisions with an invalid class code are ignored.
    pub fn push(&mut self, decision: Decision) {
        let known = |code: u32| (code as usize) < self.classes.len();
        let fits = |numbers: &[f64]| {
            numbers.len() == self.classes.len() && numbers.iter().all(|number| !number.is_nan())
        };
        if known(decision.actual) && known(decision.predicted) {
            let is_backed = decision.backing.numbers().is_none_or(fits);
            let backing = if is_backed { decision.backing } else { Backing::Nothing };
            self.list.push(Decision { backing, ..decision });
        }
    }

    /// Returns the decisions in order.
    #[must_use]
    pub fn list(&self) -> &[Decision] {
        &self.list
    }

    /// Returns whether every decision has probabilities.
    pub(super) fn has_probabilities(&self) -> bool {
        self.list.iter().all(|one| matches!(one.backing, Backing::Probabilities(_)))
    }

    /// Returns whether every decision has scores or probabilities.
    pub(super) fn has_numbers(&self) -> bool {
        self.list.iter().all(|one| one.backing.numbers().is_some())
    }

    /// Returns for each unit the sum of a number over its decisions, and their count.
    pub(super) fn by_unit(&self, number: impl Fn(usize, &Decision) -> Option<f64>) -> Vec<UnitSum> {
        let units = self.list.iter().map(|one| one.unit as usize + 1).max().unwrap_or(0);
        let mut sums = vec![UnitSum::default(); units];
        for (place, one) in self.list.iter().enumerate() {
            if let Some(number) = number(place, one) {
                let unit = &mut sums[one.unit as usize];
                unit.sum += number;
                unit.count += 1.0;
            }
        }
        sums
    }

    /// Returns for each decision the ranking score of a class: its probability, or its score minus the
    /// best other score.
    pub(super) fn ranking_scores(&self, class: usize) -> Vec<f64> {
        let score = |one: &Decision| match &one.backing {
            Backing::Nothing => 0.0,
            Backing::Probabilities(shares) => shares[class],
            Backing::Scores(scores) => {
                let others = scores.iter().enumerate().filter(|(other, _)| *other != class);
                let best = others.map(|(_, &score)| score).fold(f64::NEG_INFINITY, f64::max);
                if best == f64::NEG_INFINITY { scores[class] } else { scores[class] - best }
            }
        };
        self.list.iter().map(score).collect()
    }
}
