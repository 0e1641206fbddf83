use pellucid_data::{Message, message, parameter};
use std::borrow::Cow;
use std::fmt::Display;

/// An invalid parameter. It has the name of the parameter in the table; a user interface may replace
/// it, for example by the name of a flag.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {problem}")]
pub struct ParamError {
    /// The parameter.
    pub field: Cow<'static, str>,
    /// The problem, such as "found 0; expected a number from 2 to 1000000".
    pub problem: String,
}

impl ParamError {
    /// Returns an error with the value found and the values expected.
    pub fn new(
        field: impl Into<Cow<'static, str>>,
        found: impl Display,
        expected: impl Display,
    ) -> Self {
        Self::with_problem(field, format!("found {found}; expected {expected}"))
    }

    /// Returns an error with any other problem.
    pub fn with_problem(field: impl Into<Cow<'static, str>>, problem: impl Into<String>) -> Self {
        Self { field: field.into(), problem: problem.into() }
    }

    /// Returns the message, with the parameter in it.
    #[must_use]
    pub fn message(&self) -> Message {
        let Self { field, problem } = self;
        message!(parameter(field.clone()), ": {problem}")
    }
}
