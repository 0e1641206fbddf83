//! Errors of this crate.

use pellucid_bits::LevelError;
use pellucid_data::{DataError, Message};
use pellucid_export::conform::MisfitError;
use pellucid_learn::learner::LearnerError;
use pellucid_learn::params::ParamError;
use pellucid_matching::ExamplesError;
use pellucid_ruleset::apply::ApplyError;
use pellucid_ruleset::export::ExportError;
use pellucid_ruleset::model::RuleError;

/// The reason why learning failed or a model cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum XcsError {
    /// The instruction set cannot be used.
    #[error(transparent)]
    Level(#[from] LevelError),
    /// The data has no classes.
    #[error(transparent)]
    Data(#[from] DataError),
    /// A parameter does not suit the data.
    #[error(transparent)]
    Unknown(ParamError),
    /// The data has no columns.
    #[error("{0}: no column to learn from; expected at least one besides the target")]
    NoColumns(String),
    /// The data cannot be encoded.
    #[error(transparent)]
    Examples(#[from] ExamplesError),
    /// A model cannot be applied.
    #[error(transparent)]
    Apply(Box<ApplyError>),
    /// The rules of the model are invalid.
    #[error(transparent)]
    Rule(#[from] RuleError),
    /// The model does not have figures for all rules.
    #[error("the model has {rules} rules, but figures for {figures}")]
    Figures {
        /// The number of rules.
        rules: usize,
        /// The number of rules with figures.
        figures: usize,
    },
    /// A group of examples refers to a rule that does not exist.
    #[error("a group of examples refers to rule {rule}, but the model has {rules} rules")]
    Group {
        /// The number of the rule.
        rule: usize,
        /// The number of rules.
        rules: usize,
    },
    /// The population of the model is too large.
    #[error(
        "the population of the model has a total numerosity of {found}; expected at most {most}"
    )]
    Copies {
        /// The total numerosity.
        found: u64,
        /// The maximum total numerosity.
        most: u64,
    },
    /// The model cannot be exported in the requested format.
    #[error(transparent)]
    Export(#[from] ExportError),
    /// The model to continue from uses a column that the data does not have.
    #[error("the model to continue from uses column '{0}', which the data does not have")]
    OtherColumn(String),
    /// The model to continue from has a condition for another column type.
    #[error(
        "the model to continue from has the condition '{0}', which does not match the column type"
    )]
    OtherKind(String),
    /// The model to continue from predicts something else.
    #[error(
        "the model to continue from predicts {earlier}, but the data has {} as target",
        if *earlier == "classes" { "a number" } else { "classes" }
    )]
    OtherTarget {
        /// What it predicts.
        earlier: &'static str,
    },
    /// The model to continue from cannot be read.
    #[error(transparent)]
    Earlier(#[from] pellucid_learn::model::ModelError),
    /// The checkpoint does not match the run.
    #[error("the checkpoint does not match this run: {0}")]
    Checkpoint(&'static str),
}

impl From<ApplyError> for XcsError {
    fn from(error: ApplyError) -> XcsError {
        XcsError::Apply(Box::new(error))
    }
}

impl LearnerError for XcsError {
    fn parameter(&self) -> Option<&ParamError> {
        match self {
            XcsError::Unknown(error) => Some(error),
            XcsError::Apply(error) => match &**error {
                ApplyError::Misfit(MisfitError::Bags(error)) => Some(error),
                _ => None,
            },
            _ => None,
        }
    }

    fn message(&self) -> Message {
        match self {
            XcsError::Data(error) => error.message(),
            XcsError::Unknown(error) => error.message(),
            other => other.to_string().into(),
        }
    }
}
