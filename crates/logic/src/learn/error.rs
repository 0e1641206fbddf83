use pellucid_engine::{EvaluateError, ProgramError};
use pellucid_learn::params::ParamError;
use thiserror::Error;

/// Why nothing was learned.
#[derive(Debug, Error)]
pub enum LearnError {
    /// An example that the ontology does not know.
    #[error("{problem}: the {sort} example '{name}' is no individual of {ontology}{hint}")]
    Example {
        /// What the problem is called.
        problem: String,
        /// Positive or negative.
        sort: &'static str,
        /// What the file calls it.
        name: String,
        /// What the ontology is called.
        ontology: String,
        /// What may be meant.
        hint: String,
    },
    /// An example that is both.
    #[error("{problem}: '{name}' is a positive and a negative example; leave it out of one list")]
    Both {
        /// What the problem is called.
        problem: String,
        /// The individual.
        name: String,
    },
    /// Nothing to tell apart.
    #[error(
        "{problem}: there are {positive} positive and {negative} negative examples; at least one of each is needed"
    )]
    OneSided {
        /// What the problem is called.
        problem: String,
        /// How many positive examples there are.
        positive: usize,
        /// How many negative examples there are.
        negative: usize,
    },
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
    /// An expression that means nothing here.
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// An option does not fit.
    #[error(transparent)]
    Param(#[from] ParamError),
    /// Evaluation failed.
    #[error(transparent)]
    Evaluate(#[from] EvaluateError),
    /// The checkpoint makes no sense.
    #[error("the checkpoint does not hold what this run needs: {0}")]
    Checkpoint(String),
}
