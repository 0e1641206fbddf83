//! The native module of the `pellucid` Python package.
//!
//! This crate is a thin layer: it converts data frames and keyword arguments to data sets and settings, and
//! makes no decisions. Names, defaults and descriptions of parameters come from the parameter tables of the
//! learners. Tables take the same path as files, and models are the model files of the command line.
//!
//! Long-running work runs on its own thread without the interpreter's lock, while the calling thread handles
//! Ctrl-C and reports progress (`watch.rs`). Panics become exceptions (`guard.rs`).
//!
//! The crate in `python` adds the command line to this one. The two are separate so that this crate and the
//! command line can be built in parallel.

#![deny(unsafe_code)]
// PyO3 passes arguments by value.
#![allow(clippy::needless_pass_by_value)]

mod agent;
mod analyses;
mod append;
#[allow(unsafe_code, reason = "Arrow's C interface hands over pointers")]
mod arrow;
mod columns;
mod concepts;
mod cross_validation;
mod engine;
mod errors;
mod fit;
mod graph;
mod guard;
mod intervals;
mod json;
mod lattice;
mod learners;
mod logic;
mod machine;
mod model;
mod out_of_fold;
mod parts;
mod predictions;
mod read;
mod report;
mod table;
mod text_encoder;
mod watch;

use pyo3::prelude::*;

/// Adds all classes and functions to a module.
///
/// # Errors
/// When a name cannot be added to the module.
pub fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<table::Table>()?;
    module.add_class::<model::Model>()?;
    module.add_class::<predictions::Predictions>()?;
    module.add_class::<engine::Evaluator>()?;
    module.add_class::<logic::KnowledgeBase>()?;
    module.add_class::<concepts::Context>()?;
    module.add_class::<concepts::Concepts>()?;
    module.add_class::<graph::Graph>()?;
    module.add_class::<graph::Clustering>()?;
    module.add_class::<lattice::Lattice>()?;
    module.add_class::<agent::Agent>()?;
    module.add_class::<parts::Part>()?;
    module.add_function(wrap_pyfunction!(cross_validation::cross_validate, module)?)?;
    module.add_function(wrap_pyfunction!(parts::join_outlines, module)?)?;
    module.add_function(wrap_pyfunction!(parts::fit_parts, module)?)?;
    module.add_function(wrap_pyfunction!(intervals::interval_patterns, module)?)?;
    module.add_function(wrap_pyfunction!(learners::learners, module)?)?;
    module.add_function(wrap_pyfunction!(engine::condition_columns, module)?)?;
    module.add_function(wrap_pyfunction!(learners::check_settings, module)?)?;
    module.add_function(wrap_pyfunction!(learners::renamed_parameters, module)?)?;
    module.add_function(wrap_pyfunction!(fit::fit_table, module)?)?;
    module.add_function(wrap_pyfunction!(read::read_table, module)?)?;
    module.add_function(wrap_pyfunction!(report::report_model, module)?)?;
    module.add_function(wrap_pyfunction!(analyses::compare_models, module)?)?;
    module.add_function(wrap_pyfunction!(analyses::monitor_model, module)?)?;
    module.add_function(wrap_pyfunction!(report::report_individuals, module)?)?;
    #[cfg(debug_assertions)]
    module.add_function(wrap_pyfunction!(guard::simulate_panic, module)?)?;
    Ok(())
}
