//! Why an individual is covered by a class expression, or why not.
//!
//! An [`ExpressionExplanation`] is a tree of the expression's parts, each with whether it holds. A restriction tells the fillers that
//! decide: those that satisfy what is asked, and those that do not. Where one filler alone decides (a witness of `some`, the
//! counter-example to `only`), the tree goes on with it. What decides comes first: of the parts of a conjunction that fail,
//! and of the parts of a disjunction that hold, the shortest.
//!
//! ```text
//! Heinz is covered: Male (yes) and hasChild some Female (yes: Anna)
//! Heinz is not covered: hasSibling some Parent fails: none of 2 (Bert, Carl) is Parent
//! ```

mod text;
mod tree;

use crate::syntax::Names;
use pellucid_program::{Expr, ProgramError, Programs};
use pellucid_relate::{MisuseError, World, check};
use serde::Serialize;
use thiserror::Error;

/// How many fillers are named, of those that satisfy and of those that do not.
const LISTED: usize = 10;

/// Why an expression holds for an individual, or why not. It prints as a sentence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ExpressionExplanation {
    /// The individual, as it is shown.
    pub individual: String,
    /// Whether the whole expression holds.
    pub holds: bool,
    /// The whole expression.
    pub part: Part,
}

/// A part of an expression, asked of an individual.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Part {
    /// Whom it is asked of, where that is another individual than the whole is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<String>,
    /// The part in Manchester syntax.
    pub text: String,
    /// Whether it holds.
    pub holds: bool,
    /// What kind of part it is, and what decides it.
    #[serde(flatten)]
    pub evidence: Evidence,
    /// Its own parts; what decides comes first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Part>,
}

/// What decides whether a part holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Evidence {
    /// It always holds, or never.
    Constant,
    /// The individual is in the class, or is not.
    Class,
    /// It is one of those named, or is not.
    Individual,
    /// The one part does not hold, or does.
    Not,
    /// All parts.
    And,
    /// One part.
    Or,
    /// Those that a property leads to.
    Fillers(Fillers),
}

/// What a property leads to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fillers {
    /// The property, as it is written.
    pub property: String,
    /// `some`, `only`, `min 2`, …
    pub quantifier: String,
    /// What is asked of each, in Manchester syntax; nothing where everything counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub filler: Option<String>,
    /// Whether they are values and not individuals.
    pub values: bool,
    /// How many there are.
    pub total: usize,
    /// How many satisfy the filler.
    pub satisfying: usize,
    /// Some of those that do.
    pub yes: Vec<String>,
    /// Some of those that do not.
    pub no: Vec<String>,
    /// The one that decides alone: it satisfies the filler of `some`, or fails that of `only`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub witness: Option<String>,
}

/// Why nothing can be explained.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ExplainError {
    /// The expression names what the world lacks.
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// The expression asks the wrong sort of thing.
    #[error(transparent)]
    Misuse(#[from] MisuseError),
    /// No such individual.
    #[error("there is no individual number {number}; there are {count}")]
    Individual {
        /// The number given.
        number: u32,
        /// How many there are.
        count: usize,
    },
}

/// Explains why an expression holds for an individual of a world, or why not.
///
/// # Errors
/// When the expression makes no sense over the world, or there is no such individual.
pub fn explain(
    world: &World,
    names: &dyn Names,
    expr: &Expr,
    individual: u32,
) -> Result<ExpressionExplanation, ExplainError> {
    if individual as usize >= world.len() {
        return Err(ExplainError::Individual { number: individual, count: world.len() });
    }
    let mut programs = Programs::new(world.schema());
    let root = programs.add(expr)?;
    for checked in check(world, &programs, &[root]) {
        checked?;
    }
    let mut teller = tree::Teller { world, names, programs };
    let part = teller.part(expr, individual)?;
    let individual = teller.shown(individual);
    Ok(ExpressionExplanation { individual, holds: part.holds, part })
}
