//! Formulas over the columns of a table: parsed from text, interned, and measured by their number of nodes.
//!
//! An [`Expr`] is a formula as written: names, values, `and`, `or`, `not`. It prints as readable text and
//! parses back to the same expression.
//!
//! [`Programs`] is the form the engine uses: a pool in which every formula over one [`Schema`] exists once
//! (hash-consing). Formulas that differ only in the order of operands, in brackets or in doubled
//! negations have the same [`ProgramId`], so a population of hypotheses with common parts shares their
//! evaluation too.
//!
//! ```
//! use pellucid_program::{Programs, Schema, Kind};
//! let schema = Schema::new([("age", Kind::Numeric), ("smoker", Kind::Boolean)]);
//! let mut programs = Programs::new(schema);
//! let one = programs.parse("smoker and (age > 40 and not not age <= 70)")?;
//! let two = programs.parse("age <= 70 and age > 40 and smoker")?;
//! assert_eq!(one, two);
//! assert_eq!(programs.text(one), "age > 40 and age <= 70 and smoker");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Missing values.** A comparison, interval, set or named column is false where the value is missing; `not`
//! is applied after that, so `not age > 40` is true where the age is missing and `age <= 40` is false.
//!
//! **Node counts** follow the genetic-programming literature: a comparison is three nodes (operator,
//! attribute, value), a connective of *n* operands *n - 1*, a negation one, a named column one; an interval
//! counts as two joined comparisons, a set as one comparison per value. A rule of *n* comparisons thus has
//! *4n - 1* nodes.

#![forbid(unsafe_code)]

mod canonical;
mod domain;
mod expr;
mod node;
mod parse;
mod pool;
mod print;
mod schema;
mod shorten;
mod simplify;
mod token;

pub use domain::Domain;
pub use expr::{Edge, Expr, Interval, MAX_DEPTH, Op, Quantifier, Role, Value};
pub use node::{Leaf, Node, ProgramId, TextId};
pub use parse::ParseError;
pub use pool::{ProgramError, Programs};
pub use print::{Otherwise, Reworded};
pub use schema::{Kind, Schema};
pub use shorten::shorten;
pub use simplify::{PerColumn, simplify};
