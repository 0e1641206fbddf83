//! `pellucid learn`, `cv`, `predict` and `show`, for every learner in the registry.

pub(crate) mod cv;
mod data;
pub(crate) mod learn;
mod numbers;
pub(crate) mod predict;
pub(crate) mod show;

use anyhow::{Error, Result, anyhow};
use pellucid::learn::params::ParamError;
use pellucid::registry::{self, AnyModel, Registry};
use std::path::Path;

/// Opens a model, with about `rules` rules if that is given.
fn open(path: &Path, rules: Option<usize>) -> Result<Box<dyn AnyModel>> {
    let model = Registry::standard().open(path).map_err(learner_error)?;
    match rules {
        None => Ok(model),
        Some(rules) => model.with_rules(rules).ok_or_else(|| {
            anyhow!(
                "--rules: {} has a single size; only rule models of mode default or list have several",
                path.display()
            )
        }),
    }
}

/// Converts an error of the library, with its parameter named by its flag.
fn learner_error(error: registry::Error) -> Error {
    let is_name = |text: &str| text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    match error {
        registry::Error::Param(ParamError { field, problem }) if is_name(&field) => {
            anyhow!("--{}: {problem}", field.replace('_', "-"))
        }
        registry::Error::Other(error) => Error::from_boxed(error),
        other => other.into(),
    }
}
