use std::borrow::Cow;
use std::fmt::Display;

/// A parameter that is not allowed as it is. It is called by its name in the table; whoever shows the error may spell it as
/// its users do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {problem}")]
pub struct ParamError {
    /// The parameter.
    pub field: Cow<'static, str>,
    /// What is wrong, as in "found 0, allowed 2 to 1000000".
    pub problem: String,
}

impl ParamError {
    /// A value that is not allowed: what was found, and what would be accepted.
    pub fn new(
        field: impl Into<Cow<'static, str>>,
        found: impl Display,
        allowed: impl Display,
    ) -> Self {
        Self::saying(field, format!("found {found}, allowed {allowed}"))
    }

    /// Anything else that is wrong with a parameter.
    pub fn saying(field: impl Into<Cow<'static, str>>, problem: impl Into<String>) -> Self {
        Self { field: field.into(), problem: problem.into() }
    }
}
