use super::LogicModelError;
use crate::KbError;
use pellucid_learn::params::ParamError;
use pellucid_program::ProgramError;
use pellucid_relate::ReasonError;
use thiserror::Error;

/// Why learning or prediction failed.
#[derive(Debug, Error)]
pub enum LogicError {
    /// The examples are invalid.
    #[error(transparent)]
    Kb(#[from] KbError),
    /// An excluded name does not exist.
    #[error("cannot exclude '{name}': '{ontology}' has no class or property of that name{hint}")]
    Exclude {
        /// The name.
        name: String,
        /// The name of the ontology.
        ontology: String,
        /// A suggestion.
        hint: String,
    },
    /// The model uses a name that the ontology does not have.
    #[error("the model does not fit '{ontology}': {error}")]
    Misfit {
        /// The name of the ontology.
        ontology: String,
        /// The missing name.
        error: ProgramError,
    },
    /// The model file is invalid.
    #[error(transparent)]
    Model(#[from] LogicModelError),
    /// An expression cannot be evaluated.
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// A parameter is invalid.
    #[error(transparent)]
    Param(#[from] ParamError),
    /// Evaluation failed.
    #[error(transparent)]
    Evaluate(#[from] ReasonError),
    /// The checkpoint is invalid.
    #[error("invalid checkpoint: {0}")]
    Checkpoint(String),
}
