//! Errors of this crate.

use pellucid_data::{DataError, Message};
use pellucid_device::DeviceError;
use pellucid_export::conform::MisfitError;
use pellucid_export::sql::NulError;
use pellucid_forward::{ForwardError, InputsError, ShapeError};
use pellucid_learn::learner::LearnerError;
use pellucid_learn::params::ParamError;

/// The reason why training failed or a model cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum NetworkError {
    /// The data has no classes.
    #[error(transparent)]
    Data(#[from] DataError),
    /// A parameter does not suit the data.
    #[error(transparent)]
    Param(ParamError),
    /// Rows in parts have a target without two classes.
    #[error(
        "{name}: networks learn from distributed rows only if the target has two classes; \
         the target is '{target}'"
    )]
    Distributed {
        /// The name of the data.
        name: String,
        /// The target column.
        target: String,
    },
    /// The shape of the network is invalid.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// The rows cannot be laid out in memory.
    #[error(transparent)]
    Inputs(#[from] InputsError),
    /// A device failed.
    #[error(transparent)]
    Rank(#[from] ForwardError),
    /// A remote part of the rows failed.
    #[error(transparent)]
    Part(#[from] DeviceError),
    /// No column can be used.
    #[error(
        "{0}: no usable column; at least one column besides the target must have two different values"
    )]
    NoColumns(String),
    /// The data does not match the model.
    #[error(transparent)]
    Misfit(#[from] MisfitError),
    /// An input of the model is invalid.
    #[error(
        "invalid model: the input from column '{column}' has a number that is not finite, \
         bins that are out of order, or a different column type"
    )]
    Input {
        /// The column.
        column: String,
    },
    /// The model is invalid.
    #[error("invalid model: {0}")]
    Model(String),
    /// The model cannot be exported in the requested format.
    #[error(transparent)]
    Export(#[from] NulError),
    /// The checkpoint does not match the run.
    #[error("the checkpoint does not match this run: {0}")]
    Checkpoint(&'static str),
}

impl LearnerError for NetworkError {
    fn parameter(&self) -> Option<&ParamError> {
        match self {
            NetworkError::Param(error) | NetworkError::Misfit(MisfitError::Bags(error)) => {
                Some(error)
            }
            _ => None,
        }
    }

    fn message(&self) -> Message {
        match self {
            NetworkError::Data(error) => error.message(),
            NetworkError::Param(error) => error.message(),
            other => other.to_string().into(),
        }
    }
}
