//! What a learner is: its name, its data, its parameters, its models.

use super::{DataKind, Examples, ModelOf};
use crate::params::{ParamError, Parameters};
use pellucid_data::Message;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::convert::Infallible;

/// The description of a learner. [`Fit`](super::Fit) trains and applies its models.
pub trait Describe: Sized + Send + Sync + 'static {
    /// The name in files, commands and registries.
    const NAME: &'static str;
    /// The description, in one line.
    const ABOUT: &'static str;
    /// A paragraph about what it learns, for the long help; lines of at most 80 columns.
    const DETAILS: &'static str = "";
    /// The kind of data.
    const KIND: DataKind;
    /// What its models predict.
    const OUTPUT: Output = Output::SCORES;

    /// The parameters.
    type Params: Parameters;
    /// The training data.
    type Data: Examples + Clone;
    /// The body of its models.
    type Body: Clone + Serialize + DeserializeOwned + Send + Sync + 'static;
    /// The error type.
    type Error: LearnerError;

    /// Returns a model as human-readable text.
    fn text(model: &ModelOf<Self>) -> String;
}

/// What the models of a learner predict, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent properties, each named where it is set"
)]
pub struct Output {
    /// Whether models have a score for each class. Scores are calibrated on inner folds.
    pub scores: bool,
    /// Whether models can predict numbers as well as classes.
    pub numbers: bool,
    /// Whether models rank examples: a cross-validation then reports lift and AUC of every fold.
    pub ranks: bool,
    /// Whether the class with the largest calibrated probability is predicted, and not the one with the
    /// largest score.
    pub decides_by_probability: bool,
}

impl Output {
    /// Classes, without scores.
    pub const CLASSES: Output =
        Output { scores: false, numbers: false, ranks: false, decides_by_probability: false };
    /// Classes, with a score for each.
    pub const SCORES: Output = Output { scores: true, ..Output::CLASSES };
}

/// An error of a learner.
pub trait LearnerError: std::error::Error + Send + Sync + 'static {
    /// Returns the invalid parameter, if the error is about one.
    fn parameter(&self) -> Option<&ParamError> {
        None
    }

    /// Returns the message, with the parameters in it.
    fn message(&self) -> Message {
        self.to_string().into()
    }
}

impl LearnerError for Infallible {}
