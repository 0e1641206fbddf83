//! Decisions of a model about examples with known classes.

use super::estimate::UnitSum;

/// The scores or probabilities behind a decision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Backing<'a> {
    /// No numbers, only the class.
    Nothing,
    /// A score for each class, by code; only the order is meaningful.
    Scores(&'a [f64]),
    /// A calibrated probability for each class, by code.
    Probabilities(&'a [f64]),
}

impl<'a> Backing<'a> {
    /// Returns the numbers, by class.
    #[must_use]
    pub fn numbers(self) -> Option<&'a [f64]> {
        match self {
            Backing::Nothing => None,
            Backing::Scores(numbers) | Backing::Probabilities(numbers) => Some(numbers),
        }
    }

    fn kind(self) -> BackingKind {
        match self {
            Backing::Nothing => BackingKind::Nothing,
            Backing::Scores(_) => BackingKind::Scores,
            Backing::Probabilities(_) => BackingKind::Probabilities,
        }
    }
}

/// The kind of the numbers behind a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BackingKind {
    Nothing,
    Scores,
    Probabilities,
}

/// A decision about an example with a known class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
}

impl Decision {
    /// Returns the cost of the decision, given the cost of a missed example of each class.
    pub(super) fn cost(&self, miss_costs: &[f64]) -> f64 {
        match self.actual == self.predicted {
            true => 0.0,
            false => miss_costs.get(self.actual as usize).copied().unwrap_or(1.0),
        }
    }
}

/// All decisions of a model on some data, or of all folds of a cross-validation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Decisions {
    /// The classes, by code. Of two classes the last is positive.
    pub classes: Vec<String>,
    /// The number of further examples whose class the model does not know.
    pub unknown_class: usize,
    /// The cost of a missed example of each class, if the models are judged by cost.
    pub miss_costs: Option<Vec<f64>>,
    list: Vec<Decision>,
    kinds: Vec<BackingKind>,
    /// A number for each class, decision by decision; 0 for decisions without numbers.
    numbers: Vec<f64>,
}

impl Decisions {
    /// Returns an empty list.
    #[must_use]
    pub fn new(classes: Vec<String>) -> Decisions {
        Decisions { classes, ..Decisions::default() }
    }

    /// Sets the cost of a missed example of each class.
    #[must_use]
    pub fn with_miss_costs(mut self, costs: Option<Vec<f64>>) -> Decisions {
        self.miss_costs = costs;
        self
    }

    /// Adds a decision. Decisions with an invalid class code are ignored.
    pub fn push(&mut self, decision: Decision, backing: Backing<'_>) {
        let known = |code: u32| (code as usize) < self.classes.len();
        if !known(decision.actual) || !known(decision.predicted) {
            return;
        }
        let fits = |numbers: &&[f64]| {
            numbers.len() == self.classes.len() && numbers.iter().all(|number| !number.is_nan())
        };
        self.list.push(decision);
        match backing.numbers().filter(fits) {
            Some(numbers) => {
                self.kinds.push(backing.kind());
                self.numbers.extend_from_slice(numbers);
            }
            None => {
                self.kinds.push(BackingKind::Nothing);
                self.numbers.resize(self.numbers.len() + self.classes.len(), 0.0);
            }
        }
    }

    /// Adds the decisions of another list with the same classes.
    pub fn append(&mut self, other: &Decisions) {
        self.unknown_class += other.unknown_class;
        for (place, &decision) in other.list.iter().enumerate() {
            self.push(decision, other.backing(place));
        }
    }

    /// Returns the decisions in order.
    #[must_use]
    pub fn list(&self) -> &[Decision] {
        &self.list
    }

    /// Assigns all decisions to a model, and each to a unit.
    #[must_use]
    pub fn of_model(mut self, model: u32, units: impl Iterator<Item = u32>) -> Decisions {
        for (decision, unit) in self.list.iter_mut().zip(units) {
            (decision.model, decision.unit) = (model, unit);
        }
        self
    }

    /// Returns the numbers behind a decision.
    #[must_use]
    pub fn backing(&self, place: usize) -> Backing<'_> {
        let width = self.classes.len();
        let numbers = || &self.numbers[place * width..(place + 1) * width];
        match self.kinds[place] {
            BackingKind::Nothing => Backing::Nothing,
            BackingKind::Scores => Backing::Scores(numbers()),
            BackingKind::Probabilities => Backing::Probabilities(numbers()),
        }
    }

    /// Returns by decision the score or probability of a class; `None` if a decision has no numbers.
    #[must_use]
    pub fn numbers_of(&self, class: usize) -> Option<Vec<f64>> {
        let number = |place| self.backing(place).numbers()?.get(class).copied();
        (0..self.list.len()).map(number).collect()
    }

    /// Returns whether every decision has probabilities.
    #[must_use]
    pub fn has_probabilities(&self) -> bool {
        self.kinds.iter().all(|&kind| kind == BackingKind::Probabilities)
    }

    /// Returns whether every decision has scores or probabilities.
    pub(super) fn has_numbers(&self) -> bool {
        self.kinds.iter().all(|&kind| kind != BackingKind::Nothing)
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
        let score = |place: usize| match self.backing(place) {
            Backing::Nothing => 0.0,
            Backing::Probabilities(shares) => shares[class],
            Backing::Scores(scores) => {
                let others = scores.iter().enumerate().filter(|(other, _)| *other != class);
                let best = others.map(|(_, &score)| score).fold(f64::NEG_INFINITY, f64::max);
                if best == f64::NEG_INFINITY { scores[class] } else { scores[class] - best }
            }
        };
        (0..self.list.len()).map(score).collect()
    }
}
