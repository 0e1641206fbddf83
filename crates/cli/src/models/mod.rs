//! `pellucid learn`, `cv`, `predict`, `show` and `report`, for every learner in the registry.

pub(crate) mod cv;
mod data;
pub(crate) mod learn;
mod numbers;
pub(crate) mod predict;
pub(crate) mod report;
pub(crate) mod show;

use anyhow::{Result, anyhow};
use pellucid::registry::{AnyModel, Registry};
use std::path::Path;

/// Opens a model, with about `rules` rules if that is given.
fn open(path: &Path, rules: Option<usize>) -> Result<Box<dyn AnyModel>> {
    let model = Registry::standard().open(path)?;
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
