//! What can go wrong.

use pellucid_data::DataError;
use pellucid_learn::params::ParamError;
use pellucid_matching::ExamplesError;
use pellucid_ruleset::apply::ApplyError;
use pellucid_ruleset::conform::MisfitError;
use pellucid_ruleset::export::ExportError;
use pellucid_ruleset::model::RuleError;

/// Why nothing was learned, or a model could not be used.
#[derive(Debug, thiserror::Error)]
pub enum XcsError {
    /// The data has no classes to learn.
    #[error(transparent)]
    Data(#[from] DataError),
    /// Rows that are grouped or weighed, which this learner does not know.
    #[error(transparent)]
    Unknown(ParamError),
    /// Nothing to make conditions from.
    #[error("{0}: there is no column to learn from; at least one beside the target was expected")]
    NoColumns(String),
    /// The data cannot be laid out.
    #[error(transparent)]
    Examples(#[from] ExamplesError),
    /// A model could not be applied.
    #[error(transparent)]
    Apply(Box<ApplyError>),
    /// The model makes no sense.
    #[error(transparent)]
    Rule(#[from] RuleError),
    /// The model lacks what is known of its rules.
    #[error(
        "the model has {rules} rules and {told} lists of figures about them; as many are needed"
    )]
    Figures {
        /// How many rules there are.
        rules: usize,
        /// How many are told about.
        told: usize,
    },
    /// A population that no run could have made.
    #[error(
        "the population of the model has {found} rules, copies counted; at most {most} were expected"
    )]
    Copies {
        /// How many it claims to have.
        found: u64,
        /// The most that a population may have.
        most: u64,
    },
    /// The model cannot be said in another form.
    #[error(transparent)]
    Export(#[from] ExportError),
    /// The model to go on from is about another table.
    #[error("the model to go on from asks for column '{0}', which the data does not have")]
    OtherColumn(String),
    /// The model to go on from is about other kinds of columns.
    #[error("the model to go on from asks '{0}', which is no question to the columns of this data")]
    OtherKind(String),
    /// The model to go on from cannot be read.
    #[error(transparent)]
    Earlier(#[from] pellucid_learn::model::ModelError),
    /// The checkpoint makes no sense.
    #[error("the checkpoint does not hold what this run needs: {0}")]
    Checkpoint(&'static str),
}

impl From<ApplyError> for XcsError {
    fn from(error: ApplyError) -> XcsError {
        XcsError::Apply(Box::new(error))
    }
}

impl XcsError {
    /// The parameter that the error is about, if it is about one.
    pub(crate) fn parameter(&self) -> Option<&ParamError> {
        match self {
            XcsError::Unknown(error) => Some(error),
            XcsError::Apply(error) => match &**error {
                ApplyError::Misfit(MisfitError::Bags(error)) => Some(error),
                _ => None,
            },
            _ => None,
        }
    }
}
