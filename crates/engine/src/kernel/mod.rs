//! The **cover** contract: many programs against all rows, counts per class back.
//!
//! ```text
//! programs (what was meant) -> bound (what it means on this table) -> plan (what is computed) -> a backend
//! ```
//!
//! - [`Hypothesis`]: what is counted, over rows or bags.
//! - [`spec`]: the plain answer, one row and one node at a time in `f64`. It is the specification that every backend is
//!   tested against, and the backend `PELLUCID_SIMD=scalar`.
//! - `bind`: values become ranks, every question about a column becomes one test on its planes, negations move into
//!   edges, and what is equal on this table becomes one node.
//! - [`Formulas`]: the short way for learners that breed: formulas already in ranks, flat, planned without a pool.
//! - `plan`: a batch of roots becomes lists of leaves, shared parts and roots over numbered slots, ready for tiles.

mod bind;
mod formulas;
mod plan;
mod question;
mod shape;
pub mod spec;

pub use bind::BindError;
pub(crate) use bind::{Bound, Lit, Test};
pub(crate) use formulas::Fingerprint;
pub(crate) use formulas::FormulaPlanner;
pub use formulas::{Formulas, Literal, Part};
pub(crate) use plan::{Groups, LeafJob, Plan, Planner, SlotOrder, Wish};
pub(crate) use question::Decision;
pub use question::{Hypothesis, Tallies};
pub(crate) use shape::Shape;
