//! What is to be computed: from many programs, or flat formulas, to lists of steps over numbered slots.
//!
//! ```text
//! programs (what was meant) -> bound (what it means on this table) -> plan (what is computed) -> a backend
//! ```
//!
//! - [`Hypothesis`]: what is counted, over rows or bags.
//! - `nodes`: conjunctions of tests and of each other, every distinct one once. `bind`: programs become such
//!   nodes: values become ranks, every question about a column becomes one test on its planes, negations move
//!   into edges, and what is equal on this table becomes one node.
//! - `steps`: a plan: leaves, shared parts and roots over numbered slots, ready for tiles. `pipeline`: from
//!   roots to plans, with three front ends: `programs`; [`Formulas`], the short way for learners that breed,
//!   flat and already in ranks; and [`Combinations`] of given rows of bits.

mod bind;
mod combine;
mod formulas;
mod nodes;
mod pipeline;
mod programs;
mod question;
mod shape;
mod steps;

pub use bind::BindError;
pub(crate) use bind::BoundPrograms;
pub use combine::{Combinations, Combined, Term};
pub(crate) use formulas::Fingerprint;
pub(crate) use formulas::FormulaPlanner;
pub use formulas::{Formulas, Literal, LiteralError, Part};
pub(crate) use nodes::{Lit, Test};
pub(crate) use pipeline::{Pipeline, PlanLimits, SlotOrder};
pub(crate) use programs::ProgramPlanner;
pub(crate) use question::Decision;
pub use question::{Hypothesis, Tallies};
pub(crate) use shape::Shape;
pub(crate) use steps::{Groups, LeafJob, Plan};
