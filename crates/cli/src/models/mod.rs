//! `pellucid learn`, `cv`, `predict` and `show`, for every learner in the registry.

pub(crate) mod cv;
mod data;
pub(crate) mod learn;
pub(crate) mod predict;
pub(crate) mod show;

use anyhow::{Error, anyhow};
use pellucid::learn::params::ParamError;
use pellucid::registry;

/// An error of a library as the command says it: a parameter is called by its flag.
fn spelled(error: registry::Error) -> Error {
    let is_name = |text: &str| text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    match error {
        registry::Error::Param(ParamError { field, problem }) if is_name(&field) => {
            anyhow!("--{}: {problem}", field.replace('_', "-"))
        }
        registry::Error::Other(error) => Error::from_boxed(error),
        other => other.into(),
    }
}
