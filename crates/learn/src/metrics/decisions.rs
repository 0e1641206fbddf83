//! What a model said of examples whose class is known.

use super::estimate::UnitSum;

/// What stands behind a decision.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Backing {
    /// The class alone.
    #[default]
    Nothing,
    /// A score for each class, by code; only their order means something.
    Scores(Vec<f64>),
    /// A calibrated probability for each class, by code.
    Probabilities(Vec<f64>),
}

impl Backing {
    /// The numbers, by class.
    #[must_use]
    pub fn numbers(&self) -> Option<&[f64]> {
        match self {
            Backing::Nothing => None,
            Backing::Scores(numbers) | Backing::Probabilities(numbers) => Some(numbers),
        }
    }
}

/// One decision about an example whose class is known.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// What the decision is about: decisions about one example, or about one group of examples that belong together, have
    /// the same number and are not counted as independent.
    pub unit: u32,
    /// Which model it is by: the folds of a cross-validation have one each, and what two models say cannot be put in one order.
    pub model: u32,
    /// The class that it has, by code.
    pub actual: u32,
    /// The class that it was given.
    pub predicted: u32,
    /// What stands behind that.
    pub backing: Backing,
}

/// All decisions of one study: of a model on some data, or of the folds of a cross-validation together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Decisions {
    /// The classes, by code. Of two the last is the positive one.
    pub classes: Vec<String>,
    /// How many examples more have a class that the model has never met.
    pub strangers: usize,
    list: Vec<Decision>,
}

impl Decisions {
    /// No decision yet.
    #[must_use]
    pub fn new(classes: Vec<String>) -> Decisions {
        Decisions { classes, strangers: 0, list: Vec::new() }
    }

    /// Adds a decision. One about a class that is not there is passed over.
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

    /// The decisions, in the order in which they came.
    #[must_use]
    pub fn list(&self) -> &[Decision] {
        &self.list
    }

    /// Whether every decision has a probability.
    pub(super) fn has_probabilities(&self) -> bool {
        self.list.iter().all(|one| matches!(one.backing, Backing::Probabilities(_)))
    }

    /// Whether every decision has a number to be ranked by.
    pub(super) fn has_numbers(&self) -> bool {
        self.list.iter().all(|one| one.backing.numbers().is_some())
    }

    /// For each unit the sum of a number over its decisions, and how many of them have it.
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

    /// How far each decision speaks for a class: its probability, or by how much its score is above the best other one.
    pub(super) fn towards(&self, class: usize) -> Vec<f64> {
        let lead = |one: &Decision| match &one.backing {
            Backing::Nothing => 0.0,
            Backing::Probabilities(shares) => shares[class],
            Backing::Scores(scores) => {
                let others = scores.iter().enumerate().filter(|(other, _)| *other != class);
                let best = others.map(|(_, &score)| score).fold(f64::NEG_INFINITY, f64::max);
                if best == f64::NEG_INFINITY { scores[class] } else { scores[class] - best }
            }
        };
        self.list.iter().map(lead).collect()
    }
}
