//! What can go wrong.

use pellucid_data::DataError;
use pellucid_device::DeviceError;
use pellucid_forward::{InputsError, RankError, ShapeError};
use pellucid_learn::params::ParamError;
use pellucid_ruleset::conform::MisfitError;
use pellucid_ruleset::export::ExportError;

/// Why nothing was learned, or a model could not be used.
#[derive(Debug, thiserror::Error)]
pub enum NetworkError {
    /// The data has no classes to learn.
    #[error(transparent)]
    Data(#[from] DataError),
    /// A parameter that does not fit the data.
    #[error(transparent)]
    Param(ParamError),
    /// More classes than one can be ranked before the others.
    #[error(
        "{name}: target column '{column}' has {classes} classes, a network ranks one against another; make a column of two classes of it, or leave classes out with drop_class"
    )]
    Classes {
        /// What the data is called.
        name: String,
        /// The column.
        column: String,
        /// How many classes it has.
        classes: usize,
    },
    /// No network of that shape.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// Rows that cannot be laid out.
    #[error(transparent)]
    Inputs(#[from] InputsError),
    /// The devices failed.
    #[error(transparent)]
    Rank(#[from] RankError),
    /// A part of the rows that lies elsewhere failed.
    #[error(transparent)]
    Part(#[from] DeviceError),
    /// Nothing to learn from.
    #[error(
        "{0}: no column can be learned from; at least one is needed, beside the target, that has different values"
    )]
    NoColumns(String),
    /// Data that does not fit the model.
    #[error(transparent)]
    Misfit(#[from] MisfitError),
    /// An input of the model that makes no sense.
    #[error(
        "the model's input from column '{column}' makes no sense: a number that is not finite, steps out of order, or another kind of column"
    )]
    Input {
        /// The column.
        column: String,
    },
    /// The model makes no sense.
    #[error("the model makes no sense: {0}")]
    Model(String),
    /// The model cannot be written in that form.
    #[error(transparent)]
    Export(#[from] ExportError),
    /// The checkpoint makes no sense.
    #[error("the checkpoint does not hold what this run needs: {0}")]
    Checkpoint(&'static str),
}

impl NetworkError {
    /// The parameter that the error is about, if it is about one.
    pub(crate) fn parameter(&self) -> Option<&ParamError> {
        match self {
            NetworkError::Param(error) | NetworkError::Misfit(MisfitError::Bags(error)) => {
                Some(error)
            }
            _ => None,
        }
    }
}
