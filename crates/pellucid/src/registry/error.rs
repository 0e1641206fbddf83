use super::Data;
use crate::learn::learner::{BoxError, Learner};
use crate::learn::model::ModelError;
use crate::learn::params::ParamError;
use crate::learn::run::RunError;
use crate::learn::split::SplitError;
use std::path::PathBuf;

/// What can go wrong with a learner or a model that is known by name only.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A parameter is not allowed as it is. It is named as in the table; a face may spell it as its users do.
    #[error(transparent)]
    Param(#[from] ParamError),
    /// There is no learner of that name.
    #[error("there is no learner '{name}', there are: {known}")]
    Learner {
        /// The name.
        name: String,
        /// The names there are.
        known: String,
    },
    /// A model of a learner that is not here.
    #[error("{path}: found a model of learner '{learner}', this version knows: {known}")]
    ModelOf {
        /// The file.
        path: PathBuf,
        /// The learner that made it.
        learner: String,
        /// The learners there are.
        known: String,
    },
    /// The data is of another kind.
    #[error("{learner} takes {expected}, found {found}")]
    Kind {
        /// The learner.
        learner: &'static str,
        /// What it takes.
        expected: &'static str,
        /// What it was given.
        found: &'static str,
    },
    /// There is no such form of the model.
    #[error("a model of {learner} is shown as {known}, not as {name}")]
    Form {
        /// The learner.
        learner: &'static str,
        /// The form asked for.
        name: String,
        /// The forms there are.
        known: String,
    },
    /// The examples cannot be split into folds.
    #[error(transparent)]
    Split(#[from] SplitError),
    /// A model file cannot be read or written.
    #[error(transparent)]
    File(#[from] ModelError),
    /// A model makes no sense.
    #[error("{path}: {error}")]
    Model {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        #[source]
        error: BoxError,
    },
    /// Something is wrong with the target, and the target was assumed.
    #[error("{error}; assumed column '{column}' is the target, use `target` to change it")]
    Guessed {
        /// What is wrong.
        #[source]
        error: Box<Error>,
        /// The column that was assumed to be the target.
        column: String,
    },
    /// Whatever else the learner says.
    #[error(transparent)]
    Other(BoxError),
}

impl Error {
    /// The same error about some data: where it is about the target and that was assumed, it says so.
    #[must_use]
    pub fn about(self, data: &Data) -> Error {
        let Some(column) = data.guessed_target() else { return self };
        let is_about_target = match &self {
            Error::Split(_) => true,
            Error::Other(error) => error.to_string().contains(&format!("target column '{column}'")),
            _ => false,
        };
        if !is_about_target {
            return self;
        }
        Error::Guessed { error: Box::new(self), column: column.to_owned() }
    }

    /// What a learner says.
    pub(super) fn of<L: Learner>(error: L::Error) -> Error {
        match L::parameter(&error) {
            Some(parameter) => Error::Param(parameter.clone()),
            None => Error::Other(Box::new(error)),
        }
    }

    /// What a run says.
    pub(crate) fn of_run<L: Learner>(error: RunError<L::Error>) -> Error {
        match error {
            RunError::Learner(error) => Error::of::<L>(error),
            RunError::Param(error) => Error::Param(error),
            other => Error::Other(Box::new(other)),
        }
    }
}
