//! What a model says of data, and how much of it is right.

use crate::metrics::ConfusionMatrix;
use crate::run::Figures;
use serde_json::Value;

/// Any error, where the learner is not known.
pub type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// A model on data: one class for each example that was asked about.
pub trait Applied: Send {
    /// How many examples there are.
    fn len(&self) -> usize;

    /// Whether there is none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What the examples are, as the head of a column: `row`, the name of the column of bags, `individual`.
    fn heading(&self) -> String {
        "example".to_owned()
    }

    /// What an example is called; unless there is a name, its number from 1 on.
    fn name(&self, example: usize) -> String {
        (example + 1).to_string()
    }

    /// The class of an example, by its code.
    fn predicted(&self, example: usize) -> u32;

    /// Whether the model votes.
    fn has_votes(&self) -> bool {
        false
    }

    /// The votes of each class, for models that vote.
    fn votes(&self, example: usize) -> Option<Vec<f64>> {
        let _ = example;
        None
    }

    /// Why an example gets its class.
    ///
    /// # Errors
    /// When that cannot be found out.
    fn explain(&self, example: usize) -> Result<Explanation, BoxError>;

    /// What is known of the examples, and what the model says of those.
    fn truth(&self) -> Option<Truth>;
}

/// Why an example gets its class.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// For people.
    pub text: String,
    /// For programs.
    pub json: Value,
}

/// The classes of examples, and what a model says of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Truth {
    /// The class that each has, by the model's codes.
    pub actual: Vec<u32>,
    /// The class that the model gives it.
    pub predicted: Vec<u32>,
    /// How many more there are whose class the model has never met.
    pub strangers: usize,
}

impl Truth {
    /// The truth about examples whose classes have other codes than the model's. `classes` are the data's names by its
    /// own codes, `known` the model's.
    #[must_use]
    pub fn of(codes: &[u32], classes: &[String], predicted: &[u32], known: &[String]) -> Truth {
        let place = |name: &String| known.iter().position(|class| class == name);
        let places: Vec<Option<u32>> = classes
            .iter()
            .map(|name| place(name).and_then(|place| u32::try_from(place).ok()))
            .collect();
        let code = |code: u32| places.get(code as usize).copied().flatten();
        let pairs =
            codes.iter().zip(predicted).filter_map(|(&own, &class)| Some((code(own)?, class)));
        let (actual, predicted): (Vec<u32>, Vec<u32>) = pairs.unzip();
        let strangers = codes.len() - actual.len();
        Truth { actual, predicted, strangers }
    }
}

/// How much of what a model says is right.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// How many examples were judged.
    pub judged: usize,
    /// How many of them are right.
    pub right: usize,
    /// How many more have a class that the model has never met.
    pub strangers: usize,
    /// The scores, see [`scores`].
    pub values: Figures,
}

impl Judgement {
    /// Judges by what is known.
    #[must_use]
    pub fn of(truth: &Truth, classes: usize) -> Judgement {
        let pairs = truth.actual.iter().zip(&truth.predicted);
        Judgement {
            judged: truth.actual.len(),
            right: pairs.filter(|(actual, predicted)| actual == predicted).count(),
            strangers: truth.strangers,
            values: scores(&truth.actual, &truth.predicted, classes),
        }
    }
}

/// How well predictions do: accuracy, balanced accuracy and F1 (of the positive class, or the mean over classes where there
/// are more than two).
#[must_use]
pub fn scores(codes: &[u32], predicted: &[u32], classes: usize) -> Figures {
    let Ok(matrix) = ConfusionMatrix::from_codes(codes, predicted, classes) else {
        return Figures::new();
    };
    let f1 = if classes == 2 { matrix.against_rest(1).f_beta(1.0) } else { matrix.macro_f1() };
    Figures::new()
        .with("accuracy", matrix.accuracy())
        .with("balanced_accuracy", matrix.balanced_accuracy())
        .with("f1", f1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_known_by_name_and_strangers_are_not_judged() {
        let names = |list: &[&str]| list.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let (of_data, of_model) = (names(&["yes", "maybe", "no"]), names(&["no", "yes"]));
        let truth = Truth::of(&[0, 1, 2, 0], &of_data, &[1, 1, 1, 1], &of_model);
        assert_eq!((&truth.actual[..], &truth.predicted[..]), (&[1, 0, 1][..], &[1, 1, 1][..]));
        let judged = Judgement::of(&truth, 2);
        assert_eq!((judged.judged, judged.right, judged.strangers), (3, 2, 1));
        assert_eq!(judged.values.get("f1"), Some(0.8));
    }
}
