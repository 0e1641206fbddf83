//! Plans: turns programs or flat formulas into lists of steps over numbered slots.
//!
//! ```text
//! programs -> bound programs (in the ranks of one table) -> plan (the steps) -> backend
//! ```
//!
//! - [`Hypothesis`]: what to count, over rows or bags.
//! - `nodes`: conjunctions of tests and of other conjunctions, each distinct one stored once.
//!   `bind`: turns programs into nodes. Values become ranks, every comparison becomes one test on
//!   the planes of its column, negations move into edges, and programs that are equal on this table
//!   become one node.
//! - `steps`: a plan: leaves, shared parts and roots over numbered slots, ready to run tile by
//!   tile. `pipeline`: turns roots into plans. It has three front ends: `programs`; [`Formulas`], a
//!   flat form in ranks for evolutionary learners; and [`Combinations`] of given rows of bits.

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
pub use combine::{CombinationPlan, Combinations, Term};
pub(crate) use formulas::Fingerprint;
pub use formulas::{FormulaPart, Formulas, Literal, LiteralError};
pub(crate) use formulas::{FormulaPlanner, Variety};
pub(crate) use nodes::{Lit, Test};
pub(crate) use pipeline::{Pipeline, PlanLimits, SlotOrder};
pub(crate) use programs::ProgramPlanner;
pub(crate) use question::Decision;
pub use question::{Hypothesis, Tallies};
pub(crate) use shape::Shape;
pub(crate) use steps::{Groups, LeafJob, Plan};
