//! Predictions of a model on data.

use crate::metrics::ConfusionMatrix;
use crate::run::Figures;
use serde_json::Value;
use std::fmt::{self, Display, Formatter};

/// Any error of a learner.
pub type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// A model applied to data: one class or one number for each example.
///
/// Models that implement [`Applied::votes`] get [calibrated probabilities](crate::calibrate).
pub trait Applied: Send {
    /// Returns the number of examples.
    fn len(&self) -> usize;

    /// Returns whether there are no examples.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the heading of the column of example names: `row`, the name of the bag column, or
    /// `individual`.
    fn heading(&self) -> String {
        "example".to_owned()
    }

    /// Returns the name of an example, by default its number from 1 on.
    fn name(&self, example: usize) -> String {
        (example + 1).to_string()
    }

    /// Returns the predicted class of an example, by code; 0 if a number is predicted.
    fn predicted(&self, example: usize) -> u32;

    /// Returns the predicted number of an example, if a number is predicted.
    fn number(&self, example: usize) -> Option<f64> {
        let _ = example;
        None
    }

    /// Returns the actual number of an example, if a number is predicted and the data has it.
    fn actual_number(&self, example: usize) -> Option<f64> {
        let _ = example;
        None
    }

    /// Returns whether the model has scores.
    fn has_votes(&self) -> bool {
        false
    }

    /// Returns the score of each class, larger for a more likely class; `None` for models without
    /// scores.
    fn votes(&self, example: usize) -> Option<Vec<f64>> {
        let _ = example;
        None
    }

    /// Returns the example of a row of the data, counted from 0; `None` if the row does not exist.
    fn example_of_row(&self, row: usize) -> Option<usize> {
        (row < self.len()).then_some(row)
    }

    /// Explains the prediction for an example.
    ///
    /// # Errors
    /// If the explanation fails.
    fn explain(&self, example: usize) -> Result<Explanation, BoxError>;

    /// Explains the prediction for a single example in full, including what does not apply.
    ///
    /// # Errors
    /// If the explanation fails.
    fn explain_fully(&self, example: usize) -> Result<Explanation, BoxError> {
        self.explain(example)
    }

    /// Explains a class that was decided by its probability and not by the model.
    ///
    /// # Errors
    /// If the explanation fails.
    fn explain_decided(
        &self,
        example: usize,
        decided: &Decided,
        fully: bool,
    ) -> Result<Explanation, BoxError> {
        let own = if fully { self.explain_fully(example) } else { self.explain(example) }?;
        let text = format!("{}: {decided}\n{}", self.name(example), own.text);
        Ok(Explanation { text, ..own })
    }

    /// Returns the actual class of an example, if the data has it.
    fn actual(&self, example: usize) -> Option<Actual> {
        let _ = example;
        None
    }
}

/// A class that was decided by its probability.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decided {
    /// The class.
    pub class: String,
    /// The reason, such as `decided by probability: 31.0 % ill is at or above the threshold of 20.0 %`.
    pub why: String,
}

impl Display for Decided {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        write!(out, "{}, {}", self.class, self.why)
    }
}

/// The explanation of a prediction.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// The explanation as text.
    pub text: String,
    /// The explanation as JSON.
    pub json: Value,
}

/// The actual class of an example.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Actual {
    /// A class that the model knows, by code.
    Class(u32),
    /// A class that the model does not know, by name.
    Unknown(String),
}

impl Actual {
    /// Returns the classes of the data, by the codes of the data. `classes` are the classes of the
    /// data, `known` those of the model.
    #[must_use]
    pub fn of_classes(classes: &[String], known: &[String]) -> Vec<Actual> {
        let place = |name: &String| known.iter().position(|class| class == name);
        let actual = |name: &String| match place(name).and_then(|place| u32::try_from(place).ok()) {
            Some(code) => Actual::Class(code),
            None => Actual::Unknown(name.clone()),
        };
        classes.iter().map(actual).collect()
    }
}

/// Returns accuracy, balanced accuracy and F1 of predictions (F1 of the positive class, or the mean
/// over classes if there are more than two).
#[must_use]
pub fn scores(codes: &[u32], predicted: &[u32], classes: usize) -> Figures {
    let Ok(matrix) = ConfusionMatrix::from_codes(codes, predicted, classes) else {
        return Figures::new();
    };
    scores_of(&matrix)
}

/// Returns the same metrics of a confusion matrix.
#[must_use]
pub fn scores_of(matrix: &ConfusionMatrix) -> Figures {
    let f1 =
        if matrix.classes() == 2 { matrix.against_rest(1).f_beta(1.0) } else { matrix.macro_f1() };
    Figures::new()
        .with("accuracy", matrix.accuracy())
        .with("balanced_accuracy", matrix.balanced_accuracy())
        .with("f1", f1)
}
