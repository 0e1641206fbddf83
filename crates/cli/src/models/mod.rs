//! `pellucid learn`, `cv`, `predict`, `show`, `report`, `compare` and `monitor`, for every learner in the
//! registry.

mod alternatives;
pub(crate) mod compare;
pub(crate) mod cv;
mod data;
pub(crate) mod learn;
pub(crate) mod monitor;
mod numbers;
pub(crate) mod predict;
pub(crate) mod report;
pub(crate) mod show;

use anyhow::{Result, anyhow};
use pellucid::io::is_ontology;
use pellucid::registry::{AnyModel, Registry};
use std::fs::File;
use std::io::Read as _;
use std::path::Path;

/// Opens a model, with about `rules` rules if that is given.
fn open(path: &Path, rules: Option<usize>) -> Result<Box<dyn AnyModel>> {
    let model = Registry::standard().open(path).map_err(|error| match what_else(path) {
        Some(what) => anyhow!("{} {what}", path.display()),
        None => error.into(),
    })?;
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

/// Returns what a file is that was given as a model, if it is something else.
fn what_else(path: &Path) -> Option<&'static str> {
    let mut first = [0; 64];
    let length = File::open(path).and_then(|mut file| file.read(&mut first)).ok()?;
    match first[..length].trim_ascii_start().first() {
        None | Some(b'{') => None,
        Some(_) if is_ontology(path) => Some("is an ontology; expected a model"),
        Some(_) => Some("is not a model; if it is a table, use 'pellucid describe' to describe it"),
    }
}
