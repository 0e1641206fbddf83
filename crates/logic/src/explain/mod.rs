//! Explains why an individual is an instance of a class expression, or why not.
//!
//! An [`ExpressionExplanation`] is a tree of subexpressions with their truth values. A restriction
//! lists the fillers that satisfy it and those that do not. If one filler decides (a witness of
//! `some`, a counterexample to `only`), the tree continues with it. The deciding subexpression
//! comes first: the shortest false operand of a conjunction, or the shortest true operand of a
//! disjunction.
//!
//! ```text
//! Heinz is covered: Male (true) and hasChild some Female (true: Anna)
//! Heinz is not covered: hasSibling some Parent is false: none of the 2 fillers (Bert, Carl) is in Parent
//! ```

mod text;
mod tree;

use crate::syntax::NameResolver;
use pellucid_program::{Expr, ProgramError, Programs};
use pellucid_relate::{MisuseError, World, check};
use serde::Serialize;
use thiserror::Error;

/// The maximum number of fillers listed, of those that satisfy the restriction and of the others.
const MAX_LISTED: usize = 10;

/// Why an individual is an instance of an expression, or why not. Its `Display` form is a sentence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ExpressionExplanation {
    /// The short name of the individual.
    pub individual: String,
    /// Whether the individual is an instance.
    pub holds: bool,
    /// The whole expression.
    pub part: ExplanationNode,
}

/// A subexpression, evaluated for an individual.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ExplanationNode {
    /// The individual, if it is not the one being explained.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<String>,
    /// The subexpression in Manchester syntax.
    pub text: String,
    /// Whether it is true.
    pub holds: bool,
    /// The kind of subexpression, with the deciding evidence.
    #[serde(flatten)]
    pub evidence: Evidence,
    /// The operands, the deciding one first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<ExplanationNode>,
}

/// The evidence for the truth value of a subexpression.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Evidence {
    /// A constant.
    Constant,
    /// Membership in a named class.
    Class,
    /// A comparison of the individual with named ones.
    Individual,
    /// The operand.
    Not,
    /// The operands of a conjunction.
    And,
    /// The operands of a disjunction.
    Or,
    /// The fillers of a restriction.
    Fillers(Fillers),
}

/// The fillers of a property.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fillers {
    /// The property in Manchester syntax.
    pub property: String,
    /// `some`, `only`, `min 2`, …
    pub quantifier: String,
    /// The filler expression in Manchester syntax; `None` for `owl:Thing`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub filler: Option<String>,
    /// Whether the fillers are values, not individuals.
    pub values: bool,
    /// The number of fillers.
    pub total: usize,
    /// The number of fillers that satisfy the filler expression.
    pub satisfying: usize,
    /// Some of the fillers that do.
    pub yes: Vec<String>,
    /// Some of the fillers that do not.
    pub no: Vec<String>,
    /// The deciding filler: a witness of `some`, or a counterexample to `only`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub witness: Option<String>,
}

/// Why an explanation is impossible.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ExplainError {
    /// The expression uses a name that is not in the world.
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// The expression uses a property or value in the wrong way.
    #[error(transparent)]
    Misuse(#[from] MisuseError),
    /// The individual does not exist.
    #[error("there is no individual number {number}; the knowledge base has {count} individuals")]
    Individual {
        /// The number given.
        number: u32,
        /// The number of individuals.
        count: usize,
    },
}

/// Explains why an individual is an instance of an expression, or why not.
///
/// # Errors
/// If the expression cannot be evaluated in the world, or the individual does not exist.
pub fn explain(
    world: &World,
    names: &dyn NameResolver,
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
    let mut explainer = tree::Explainer { world, names, programs };
    let part = explainer.explain(expr, individual)?;
    let individual = explainer.name_of(individual);
    Ok(ExpressionExplanation { individual, holds: part.holds, part })
}
