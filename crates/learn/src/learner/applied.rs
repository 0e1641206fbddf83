//! What a model says of data.

use crate::metrics::ConfusionMatrix;
use crate::run::Figures;
use serde_json::Value;
use std::fmt::{self, Display, Formatter};

/// Any error, where the learner is not known.
pub type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// A model on data: one class, or one number, for each example that was asked about.
///
/// Whoever also answers [`Applied::votes`] gets [calibrated probabilities](crate::calibrate) from the house.
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

    /// The class of an example, by its code; 0 where a number is predicted.
    fn predicted(&self, example: usize) -> u32;

    /// What is predicted for an example, where that is a number.
    fn number(&self, example: usize) -> Option<f64> {
        let _ = example;
        None
    }

    /// The number that an example has, where one is predicted and the data says.
    fn actual_number(&self, example: usize) -> Option<f64> {
        let _ = example;
        None
    }

    /// Whether the model votes.
    fn has_votes(&self) -> bool {
        false
    }

    /// The votes of each class, for models that vote: any scores that are larger for a likelier class.
    fn votes(&self, example: usize) -> Option<Vec<f64>> {
        let _ = example;
        None
    }

    /// The example that has a row of the data, counted from 0; nothing where there is no such row.
    fn example_of_row(&self, row: usize) -> Option<usize> {
        (row < self.len()).then_some(row)
    }

    /// Why an example gets its class.
    ///
    /// # Errors
    /// When that cannot be found out.
    fn explain(&self, example: usize) -> Result<Explanation, BoxError>;

    /// The same for who asks about this example alone: what spoke for its class, and what might have and did not.
    ///
    /// # Errors
    /// When that cannot be found out.
    fn explain_fully(&self, example: usize) -> Result<Explanation, BoxError> {
        self.explain(example)
    }

    /// Why an example gets a class that was not chosen as the model chooses, but by its probability.
    ///
    /// # Errors
    /// When that cannot be found out.
    fn explain_decided(
        &self,
        example: usize,
        decided: &Decided,
        fully: bool,
    ) -> Result<Explanation, BoxError> {
        let told = if fully { self.explain_fully(example) } else { self.explain(example) }?;
        let text = format!("{}: {decided}\n{}", self.name(example), told.text);
        Ok(Explanation { text, ..told })
    }

    /// The class that an example has, where the data says.
    fn actual(&self, example: usize) -> Option<Actual> {
        let _ = example;
        None
    }
}

/// A class that was chosen by its probability.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decided {
    /// The class.
    pub class: String,
    /// What chose it, as in `decided by probability: 31.0 % is not below the threshold of 20.0 %`.
    pub why: String,
}

impl Display for Decided {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        write!(out, "{}, {}", self.class, self.why)
    }
}

/// Why an example gets its class.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// For people.
    pub text: String,
    /// For programs.
    pub json: Value,
}

/// The class that an example has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Actual {
    /// One that the model knows, by its code.
    Class(u32),
    /// One that the model has never met, by its name.
    Stranger(String),
}

impl Actual {
    /// The classes of data by the data's codes, in the model's words. `classes` are the data's names by its own codes,
    /// `known` the model's.
    #[must_use]
    pub fn of_classes(classes: &[String], known: &[String]) -> Vec<Actual> {
        let place = |name: &String| known.iter().position(|class| class == name);
        let actual = |name: &String| match place(name).and_then(|place| u32::try_from(place).ok()) {
            Some(code) => Actual::Class(code),
            None => Actual::Stranger(name.clone()),
        };
        classes.iter().map(actual).collect()
    }
}

/// How well predictions do: accuracy, balanced accuracy and F1 (of the positive class, or the mean over classes where there
/// are more than two).
#[must_use]
pub fn scores(codes: &[u32], predicted: &[u32], classes: usize) -> Figures {
    let Ok(matrix) = ConfusionMatrix::from_codes(codes, predicted, classes) else {
        return Figures::new();
    };
    scores_of(&matrix)
}

/// The same of a table of what was predicted for each class.
#[must_use]
pub fn scores_of(matrix: &ConfusionMatrix) -> Figures {
    let f1 =
        if matrix.classes() == 2 { matrix.against_rest(1).f_beta(1.0) } else { matrix.macro_f1() };
    Figures::new()
        .with("accuracy", matrix.accuracy())
        .with("balanced_accuracy", matrix.balanced_accuracy())
        .with("f1", f1)
}
