//! What is to be computed: from many programs, or flat formulas, to lists of steps over numbered slots.
//!
//! ```text
//! programs (what was meant) -> bound (what it means on this table) -> plan (what is computed) -> a backend
//! ```
//!
//! - [`Hypothesis`]: what is counted, over rows or bags.
//! - `bind`: values become ranks, every question about a column becomes one test on its planes, negations move into
//!   edges, and what is equal on this table becomes one node.
//! - [`Formulas`]: the short way for learners that breed: formulas already in ranks, flat, planned without a pool.
//! - `planner`: a batch of roots becomes lists of leaves, shared parts and roots over numbered slots, ready for tiles.

mod bind;
mod formulas;
mod planner;
mod question;
mod shape;

pub use bind::BindError;
pub(crate) use bind::{Bound, Lit, Test};
pub(crate) use formulas::Fingerprint;
pub(crate) use formulas::FormulaPlanner;
pub use formulas::{Formulas, Literal, LiteralError, Part};
pub(crate) use planner::{Groups, LeafJob, Plan, PlanLimits, Planner, SlotOrder};
pub(crate) use question::Decision;
pub use question::{Hypothesis, Tallies};
pub(crate) use shape::Shape;
