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

/// Opens a model, with about so many rules where that is asked for.
fn open(path: &Path, rules: Option<usize>) -> Result<Box<dyn AnyModel>> {
    let model = Registry::standard().open(path).map_err(spelled)?;
    match rules {
        None => Ok(model),
        Some(rules) => model.with_rules(rules).ok_or_else(|| {
            anyhow!(
                "--rules: {} is a model of one size; only rules that were found one after the other have more",
                path.display()
            )
        }),
    }
}

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
