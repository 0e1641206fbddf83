//! The native half of the `pellucid` Python package: a thin face.
//!
//! Picture a counter between two rooms. On one side lie data frames and keyword arguments, on the other data sets, settings and
//! models; what is said over the counter is translated and nothing is decided there. Names, defaults and help of parameters come
//! from the learners' own table, tables go the way that files go, and models are the files of the command line.
//!
//! Whatever takes time runs on a thread of its own, detached from the interpreter, while the calling thread looks for Ctrl-C and
//! hands on progress (`watch.rs`). Panics become exceptions in `guard.rs`.
//!
//! The package itself, `python`, adds the command to these; neither waits for the other to be built.

#![deny(unsafe_code)]
// Functions for Python take what Python hands over.
#![allow(clippy::needless_pass_by_value)]

mod agent;
mod append;
#[allow(unsafe_code, reason = "Arrow's C interface hands over pointers")]
mod arrow;
mod columns;
mod concepts;
mod engine;
mod errors;
mod fit;
mod guard;
mod json;
mod lattice;
mod learners;
mod logic;
mod machine;
mod model;
mod parts;
mod predictions;
mod table;
mod watch;
mod words;

use pyo3::prelude::*;

/// Adds all classes and functions to a module.
///
/// # Errors
/// What Python says where a name cannot be added.
pub fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<table::Table>()?;
    module.add_class::<model::Model>()?;
    module.add_class::<predictions::Predictions>()?;
    module.add_class::<engine::Evaluator>()?;
    module.add_class::<logic::KnowledgeBase>()?;
    module.add_class::<concepts::Context>()?;
    module.add_class::<concepts::Concepts>()?;
    module.add_class::<lattice::Lattice>()?;
    module.add_class::<agent::Agent>()?;
    module.add_class::<parts::Part>()?;
    module.add_function(wrap_pyfunction!(parts::join_outlines, module)?)?;
    module.add_function(wrap_pyfunction!(parts::fit_parts, module)?)?;
    module.add_function(wrap_pyfunction!(learners::learners, module)?)?;
    module.add_function(wrap_pyfunction!(learners::check_settings, module)?)?;
    module.add_function(wrap_pyfunction!(fit::fit_table, module)?)?;
    #[cfg(debug_assertions)]
    module.add_function(wrap_pyfunction!(guard::simulate_panic, module)?)?;
    Ok(())
}
