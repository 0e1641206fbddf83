//! Hypotheses as values: formulas over the columns of a table, written as text, interned, counted.
//!
//! An [`Expr`] is what a person writes: names, values, `and`, `or`, `not`. It prints as readable text and
//! parses back to the same expression.
//!
//! [`Programs`] is what the engine works with: a pool in which every formula over one [`Schema`] exists once
//! (hash-consing). Formulas that say the same thing in another order, with other brackets or doubled
//! negations are the same [`ProgramId`], so a population of hypotheses that share parts shares their
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
//! is applied after that, so `not age > 40` holds where the age is unknown and `age <= 40` does not.
//!
//! **Node counts** follow the genetic-programming literature: a comparison is three nodes (operator,
//! attribute, value), a connective of *n* operands *n - 1*, a negation one, a named column one; an interval
//! is two comparisons joined, a set as many as it has values. A rule of *n* comparisons thus has *4n - 1*.

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
