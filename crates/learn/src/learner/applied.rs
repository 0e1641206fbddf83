//! Predictions of a model on data, column by column.

use crate::metrics::ConfusionMatrix;
use crate::run::Figures;
use crate::score_matrix::ScoreMatrix;
use pellucid_data::{Dataset, MISSING};
use serde_json::Value;
use std::fmt::{self, Display, Formatter};

/// Any error of a learner.
pub type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// A model applied to data: the predictions, the scores and the actual values of all examples as columns,
/// and explanations of single examples on request.
///
/// Models that have [scores](Applied::scores) get [calibrated probabilities](crate::calibrate).
pub trait Applied: Send {
    /// Returns the prediction for each example.
    fn predicted(&self) -> Predicted<'_>;

    /// Returns the score of each class for each example, larger for a more likely class; `None` for models
    /// without scores.
    fn scores(&self) -> Option<&ScoreMatrix> {
        None
    }

    /// Returns the actual class or number of each example.
    fn actual(&self) -> &Actuals;

    /// Returns whether the model assigns examples to groups.
    fn has_groups(&self) -> bool {
        false
    }

    /// Returns the group of an example, counted from 0: the rules of this group argue most for its class,
    /// which is the actual one if it is known and otherwise the predicted one. `None` if it is in no
    /// group.
    fn group(&self, _: usize) -> Option<usize> {
        None
    }

    /// Explains the prediction for an example.
    ///
    /// # Errors
    /// If the explanation fails.
    fn explain(
        &self,
        example: usize,
        request: &ExplanationRequest<'_>,
    ) -> Result<Explanation, BoxError>;

    /// Returns the heading of the column of example names: `row`, the name of the bag column, or
    /// `individual`.
    fn heading(&self) -> &str {
        "example"
    }

    /// Returns the name of an example, by default its number from 1 on.
    fn name(&self, example: usize) -> String {
        (example + 1).to_string()
    }

    /// Returns the example of a row of the data, counted from 0; `None` if the row does not exist.
    fn example_of_row(&self, row: usize) -> Option<usize> {
        (row < self.len()).then_some(row)
    }

    /// Returns the number of examples.
    fn len(&self) -> usize {
        match self.predicted() {
            Predicted::Classes(codes) => codes.len(),
            Predicted::Numbers(numbers) => numbers.len(),
        }
    }

    /// Returns whether there are no examples.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The predictions for all examples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Predicted<'a> {
    /// The predicted classes, by code.
    Classes(&'a [u32]),
    /// The predicted numbers.
    Numbers(&'a [f64]),
}

impl<'a> Predicted<'a> {
    /// Returns the class of an example, by code; 0 if a number is predicted.
    #[must_use]
    pub fn class(self, example: usize) -> u32 {
        match self {
            Predicted::Classes(codes) => codes[example],
            Predicted::Numbers(_) => 0,
        }
    }

    /// Returns the predicted numbers; `None` if classes are predicted.
    #[must_use]
    pub fn numbers(self) -> Option<&'a [f64]> {
        match self {
            Predicted::Classes(_) => None,
            Predicted::Numbers(numbers) => Some(numbers),
        }
    }
}

/// The actual values of all examples.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Actuals {
    /// The data has no target.
    #[default]
    Unlabeled,
    /// By example the place of its class in a list; [`MISSING`] if it has none.
    Classes {
        /// The places, by example.
        places: Vec<u32>,
        /// The classes of the data.
        classes: Vec<ActualClass>,
    },
    /// The numbers; NaN where they are missing.
    Numbers(Vec<f64>),
}

/// A class of the data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ActualClass {
    /// A class that the model knows, by code.
    Known(u32),
    /// A class that the model does not know, by name.
    Unknown(String),
}

impl Actuals {
    /// Returns the actual values of a table; `known` are the classes of the model.
    #[must_use]
    pub fn of_table(data: &Dataset, known: &[String]) -> Actuals {
        match (&data.target, &data.number) {
            (_, Some(number)) => Actuals::Numbers(number.values.clone()),
            (Some(target), None) => Actuals::Classes {
                places: target.codes.clone(),
                classes: ActualClass::list(&target.classes, known),
            },
            (None, None) => Actuals::Unlabeled,
        }
    }

    /// Returns the actual class of an example, if the data has it.
    #[must_use]
    pub fn class(&self, example: usize) -> Option<&ActualClass> {
        let Actuals::Classes { places, classes } = self else { return None };
        classes.get(*places.get(example)? as usize)
    }

    /// Returns the actual number of an example, if the data has it.
    #[must_use]
    pub fn number(&self, example: usize) -> Option<f64> {
        let Actuals::Numbers(numbers) = self else { return None };
        numbers.get(example).copied().filter(|number| !number.is_nan())
    }

    /// Returns whether any example has an actual value.
    #[must_use]
    pub fn has_any(&self) -> bool {
        match self {
            Actuals::Unlabeled => false,
            Actuals::Classes { places, .. } => places.iter().any(|&place| place != MISSING),
            Actuals::Numbers(numbers) => numbers.iter().any(|number| !number.is_nan()),
        }
    }
}

impl ActualClass {
    /// Returns the classes of some data, given those of the model.
    fn list(classes: &[String], known: &[String]) -> Vec<ActualClass> {
        let code = |name: &String| known.iter().position(|class| class == name);
        let actual = |name: &String| match code(name).and_then(|code| u32::try_from(code).ok()) {
            Some(code) => ActualClass::Known(code),
            None => ActualClass::Unknown(name.clone()),
        };
        classes.iter().map(actual).collect()
    }
}

/// What an explanation should contain.
#[derive(Clone, Copy, Debug, Default)]
pub struct ExplanationRequest<'a> {
    /// Whether to include what does not apply.
    pub in_full: bool,
    /// The class, if it was decided by its probability and not by the model.
    pub decision: Option<&'a DecisionReason>,
}

/// A class that was decided by its probability.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecisionReason {
    /// The class.
    pub class: String,
    /// The reason, such as `decided by probability: 31.0 % ill is at or above the threshold of 20.0 %`.
    pub why: String,
}

impl Display for DecisionReason {
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
