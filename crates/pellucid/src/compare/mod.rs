//! Two models on the same data: their figures with paired tests, and the examples on which they disagree.
//!
//! ```
//! use pellucid::compare::{ComparedModel, Comparison};
//! use pellucid::prelude::*;
//! use pellucid::registry::Data;
//!
//! let csv = "age,smoker,class\n34,no,0\n61,yes,1\n58,yes,1\n47,no,0\n39,no,0\n66,yes,1\n";
//! let data = io::read_from(csv.as_bytes(), "example.csv", &ReadOptions::default())?;
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("model.json");
//! RuleLearner::new().most_rules(3).fit(&data)?.save(&path)?;
//! let model = Registry::standard().open(&path)?;
//!
//! let machine = Machine::processor(None)?;
//! let predictions = model.predictions(&Data::Table(data), &machine)?;
//! let one = ComparedModel { name: "model.json", model: &*model, predictions: &predictions };
//! let comparison = Comparison::new(one, one)?;
//! assert_eq!((comparison.examples, comparison.differing), (6, 0));
//! println!("{}", comparison.text(10));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod decisions;
mod json;
mod text;

pub(crate) use text::{aligned, p_text, shown};

use crate::learn::learner::Predictions;
use crate::learn::metrics::{Decisions, NumberDecisions, PairedSummary};
use crate::registry::AnyModel;
use decisions::{common_classes, in_classes, numbers};

/// A model with its predictions.
#[derive(Clone, Copy)]
pub struct ComparedModel<'a> {
    /// The name of the model, such as its file.
    pub name: &'a str,
    /// The model.
    pub model: &'a dyn AnyModel,
    /// The predictions for the data.
    pub predictions: &'a Predictions,
}

/// Why two models cannot be compared.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CompareError {
    /// The models have different targets.
    #[error(
        "{a} predicts '{target_a}' and {b} predicts '{target_b}'; expected two models of one target"
    )]
    Targets {
        /// The first model.
        a: String,
        /// Its target.
        target_a: String,
        /// The second model.
        b: String,
        /// Its target.
        target_b: String,
    },
    /// One model predicts a number and the other a class.
    #[error(
        "{number} predicts a number and {class} predicts a class; expected two models of one kind"
    )]
    Kinds {
        /// The model that predicts a number.
        number: String,
        /// The model that predicts a class.
        class: String,
    },
    /// The models predict different examples.
    #[error(
        "{a} predicts {count_a} examples ({heading_a}) and {b} predicts {count_b} ({heading_b}); \
         expected the same"
    )]
    Examples {
        /// The first model.
        a: String,
        /// Its number of examples.
        count_a: usize,
        /// The heading of its examples.
        heading_a: String,
        /// The second model.
        b: String,
        /// Its number of examples.
        count_b: usize,
        /// The heading of its examples.
        heading_b: String,
    },
}

/// A model in a comparison.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelName {
    /// The name.
    pub name: String,
    /// The learner.
    pub learner: &'static str,
    /// Whether the data has as many examples of each class as the training data.
    pub looks_like_training: bool,
}

/// The answer of a model for an example.
#[derive(Clone, Debug, PartialEq)]
pub enum ComparedAnswer {
    /// A class with its probability, if the model has probabilities.
    Class(String, Option<f64>),
    /// A number.
    Number(f64),
}

/// An example with different predictions.
#[derive(Clone, Debug, PartialEq)]
pub struct Disagreement {
    /// The name of the example.
    pub example: String,
    /// The actual class or number, if it is known.
    pub actual: Option<String>,
    /// The answers of both models.
    pub answers: [ComparedAnswer; 2],
    /// How far the predictions are apart: in the probability of the first model's class, or in the number.
    pub distance: f64,
}

/// Two models compared on the same data.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The models.
    pub models: [ModelName; 2],
    /// The target.
    pub target: String,
    /// The heading of the examples: `row`, or the name of the column of bags or row names.
    pub heading: String,
    /// The number of examples.
    pub examples: usize,
    /// The figures; `None` if the data has no actual values.
    pub summary: Option<PairedSummary>,
    /// The number of examples with different predictions.
    pub differing: usize,
    /// The examples with different predictions, the largest distance first.
    pub disagreements: Vec<Disagreement>,
    /// The classes of both models; empty if they predict numbers.
    pub classes: Vec<String>,
    /// By class of the first model, the number of examples by class of the second.
    pub predicted: Vec<Vec<u64>>,
    /// The decisions of both models about examples with a known class.
    decisions: Option<[Decisions; 2]>,
}

impl Comparison {
    /// Compares two models.
    ///
    /// # Errors
    /// If the models predict different targets or different examples.
    pub fn new(a: ComparedModel<'_>, b: ComparedModel<'_>) -> Result<Comparison, CompareError> {
        check(a, b)?;
        let target = a.model.schema().target.clone().unwrap_or_else(|| "class".to_owned());
        let mut comparison = Comparison {
            models: [a, b].map(|one| ModelName {
                name: one.name.to_owned(),
                learner: one.model.learner(),
                looks_like_training: false,
            }),
            target,
            heading: a.predictions.applied().heading().to_owned(),
            examples: a.predictions.len(),
            summary: None,
            differing: 0,
            disagreements: Vec::new(),
            classes: Vec::new(),
            predicted: Vec::new(),
            decisions: None,
        };
        match a.model.schema().number.zip(b.model.schema().number) {
            Some((first, second)) => {
                let pair =
                    [numbers(a.predictions, first.middle), numbers(b.predictions, second.middle)];
                comparison.add_numbers(a, b, &pair);
            }
            None => comparison.add_classes(a, b),
        }
        let distance = |one: &Disagreement| one.distance;
        comparison.disagreements.sort_by(|one, other| distance(other).total_cmp(&distance(one)));
        Ok(comparison)
    }

    fn add_numbers(
        &mut self,
        a: ComparedModel<'_>,
        b: ComparedModel<'_>,
        [first, second]: &[NumberDecisions; 2],
    ) {
        self.summary = PairedSummary::of_numbers(first, second);
        let applied = [a, b].map(|one| one.predictions.applied());
        let numbers = applied.map(|one| one.predicted().numbers().unwrap_or_default());
        for (example, (&one, &other)) in numbers[0].iter().zip(numbers[1]).enumerate() {
            if one == other {
                continue;
            }
            let actual = applied[0].actual().number(example);
            self.disagreements.push(Disagreement {
                example: applied[0].name(example),
                actual: actual.map(|number| number.to_string()),
                answers: [ComparedAnswer::Number(one), ComparedAnswer::Number(other)],
                distance: (one - other).abs(),
            });
        }
        self.differing = self.disagreements.len();
    }

    fn add_classes(&mut self, a: ComparedModel<'_>, b: ComparedModel<'_>) {
        let classes = common_classes(&a.model.schema().classes, &b.model.schema().classes);
        self.predicted = vec![vec![0; classes.len()]; classes.len()];
        let place = |name: &str| classes.iter().position(|class| class == name);
        for example in 0..self.examples {
            let names = [a, b].map(|one| one.predictions.class(example));
            if let (Some(one), Some(other)) = (place(&names[0]), place(&names[1])) {
                self.predicted[one][other] += 1;
            }
            if names[0] == names[1] {
                continue;
            }
            let probability = |of: ComparedModel<'_>, name: &str| {
                let code = of.model.schema().classes.iter().position(|class| class == name)?;
                of.predictions.probabilities(example)?.get(code).copied()
            };
            let shares = [a, b].map(|one| probability(one, &names[0]).unwrap_or(0.0));
            let own = [probability(a, &names[0]), probability(b, &names[1])];
            let [first, second] = names;
            self.disagreements.push(Disagreement {
                example: a.predictions.applied().name(example),
                actual: a.predictions.actual(example),
                answers: [
                    ComparedAnswer::Class(first, own[0]),
                    ComparedAnswer::Class(second, own[1]),
                ],
                distance: (shares[0] - shares[1]).abs(),
            });
        }
        self.differing = self.disagreements.len();
        if a.predictions.has_actual() {
            let pair = [a, b].map(|one| in_classes(one.predictions, one.model, &classes));
            self.summary = PairedSummary::of_classes(&pair[0], &pair[1]);
            for (name, of) in self.models.iter_mut().zip([a, b]) {
                name.looks_like_training = decisions::looks_like_training(of.model, &pair[0]);
            }
            self.decisions = Some(pair);
        }
        self.classes = classes;
    }

    /// Returns the word for one example.
    fn noun(&self) -> &str {
        match self.heading.as_str() {
            known @ ("row" | "individual") => known,
            _ => "example",
        }
    }
}

/// Checks that two models predict the same.
fn check(a: ComparedModel<'_>, b: ComparedModel<'_>) -> Result<(), CompareError> {
    let name = |of: ComparedModel<'_>| of.name.to_owned();
    let target = |of: ComparedModel<'_>| of.model.schema().target.clone();
    if let (Some(target_a), Some(target_b)) = (target(a), target(b))
        && target_a != target_b
    {
        return Err(CompareError::Targets { a: name(a), target_a, b: name(b), target_b });
    }
    let is_number = |of: ComparedModel<'_>| of.model.schema().number.is_some();
    match (is_number(a), is_number(b)) {
        (true, false) => return Err(CompareError::Kinds { number: name(a), class: name(b) }),
        (false, true) => return Err(CompareError::Kinds { number: name(b), class: name(a) }),
        _ => {}
    }
    let applied = [a, b].map(|one| one.predictions.applied());
    let count = applied[0].len();
    let is_same = count == applied[1].len()
        && (0..count).all(|example| applied[0].name(example) == applied[1].name(example));
    if is_same {
        return Ok(());
    }
    let heading = |of: usize| applied[of].heading().to_owned();
    Err(CompareError::Examples {
        a: name(a),
        count_a: count,
        heading_a: heading(0),
        b: name(b),
        count_b: applied[1].len(),
        heading_b: heading(1),
    })
}
