use super::Data;
use crate::data::Message;
use crate::learn::learner::{BoxError, Fit, LearnerError as _};
use crate::learn::model::ModelError;
use crate::learn::params::ParamError;
use crate::learn::run::RunError;
use crate::learn::split::SplitError;
use std::path::PathBuf;

/// An error of a learner or a model.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A parameter does not exist or its value is not allowed. The error names the parameter as in the table;
    /// user interfaces may spell it differently.
    #[error(transparent)]
    Param(#[from] ParamError),
    /// No learner has the given name.
    #[error("unknown learner '{name}'; expected one of {known}")]
    Learner {
        /// The given name.
        name: String,
        /// The known names.
        known: String,
    },
    /// The model belongs to a learner that is not in the registry.
    #[error("{path}: found a model of learner '{learner}'; this version supports {known}")]
    UnsupportedModel {
        /// The file.
        path: PathBuf,
        /// The learner of the model.
        learner: String,
        /// The known learners.
        known: String,
    },
    /// The learner needs another kind of data.
    #[error("{learner} needs {expected}; found {found}")]
    Kind {
        /// The learner.
        learner: &'static str,
        /// The kind of data that the learner needs.
        expected: &'static str,
        /// The kind of data that was given.
        found: &'static str,
    },
    /// The model has no such export form.
    #[error("unknown form '{name}'; a model of {learner} can be written as {known}")]
    Form {
        /// The learner.
        learner: &'static str,
        /// The given name.
        name: String,
        /// The known forms.
        known: String,
    },
    /// The learner cannot be trained on rows in other processes.
    #[error("{learner} cannot be trained on rows in other processes")]
    NoParts {
        /// The learner.
        learner: &'static str,
    },
    /// The examples cannot be split into folds.
    #[error(transparent)]
    Split(#[from] SplitError),
    /// A model file cannot be read or written.
    #[error(transparent)]
    File(#[from] ModelError),
    /// A model is inconsistent.
    #[error("{path}: {error}")]
    Model {
        /// The file.
        path: PathBuf,
        /// The problem.
        #[source]
        error: BoxError,
    },
    /// There is a problem with the target, and the target was assumed.
    #[error("{}", self.message())]
    AssumedTarget {
        /// The problem.
        #[source]
        error: Box<Error>,
        /// The column that was assumed to be the target.
        column: String,
    },
    /// The learner failed, or cannot use the data or the model.
    #[error("{message}")]
    Fit {
        /// The message, with the parameters in it.
        message: Message,
        /// The error of the learner.
        #[source]
        error: BoxError,
    },
    /// Any other error of a run.
    #[error(transparent)]
    Other(BoxError),
}

impl Error {
    /// Adds to an error about the target that the target was assumed, if it was.
    #[must_use]
    pub fn about(self, data: &Data) -> Error {
        let Some(column) = data.guessed_target() else { return self };
        let is_about_target = match &self {
            Error::Split(_) => true,
            Error::Fit { message, .. } => message.contains(&format!("target column '{column}'")),
            _ => false,
        };
        if !is_about_target {
            return self;
        }
        Error::AssumedTarget { error: Box::new(self), column: column.to_owned() }
    }

    /// Converts an error of a learner.
    pub(super) fn of<L: Fit>(error: L::Error) -> Error {
        match error.parameter() {
            Some(parameter) => Error::Param(parameter.clone()),
            None => Error::Fit { message: error.message(), error: Box::new(error) },
        }
    }

    /// Converts an error of a run.
    pub(crate) fn of_run<L: Fit>(error: RunError<L::Error>) -> Error {
        match error {
            RunError::Learner(error) => Error::of::<L>(error),
            RunError::Param(error) => Error::Param(error),
            other => Error::Other(Box::new(other)),
        }
    }
}
