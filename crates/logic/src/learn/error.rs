use super::ModelProblem;
use crate::KbError;
use pellucid_learn::params::ParamError;
use pellucid_program::ProgramError;
use pellucid_relate::ReasonError;
use thiserror::Error;

/// Why nothing was learned.
#[derive(Debug, Error)]
pub enum LogicError {
    /// The examples cannot be used.
    #[error(transparent)]
    Kb(#[from] KbError),
    /// A name that should be left out and is not there.
    #[error(
        "'{name}' is to be left out, but {ontology} has no class or property of that name{hint}"
    )]
    Exclude {
        /// The name.
        name: String,
        /// What the ontology is called.
        ontology: String,
        /// What may be meant.
        hint: String,
    },
    /// A model that names what an ontology lacks.
    #[error("the model does not fit '{ontology}': {error}")]
    Misfit {
        /// What the ontology is called.
        ontology: String,
        /// What is missing.
        error: ProgramError,
    },
    /// A model file that cannot be used.
    #[error(transparent)]
    Model(#[from] ModelProblem),
    /// An expression that means nothing here.
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// An option does not fit.
    #[error(transparent)]
    Param(#[from] ParamError),
    /// Evaluation failed.
    #[error(transparent)]
    Evaluate(#[from] ReasonError),
    /// The checkpoint makes no sense.
    #[error("the checkpoint does not hold what this run needs: {0}")]
    Checkpoint(String),
}
