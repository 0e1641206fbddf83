//! The meaning of `only` and `max` in other programs, expressed in the standard semantics.
//!
//! Programs differ for individuals without fillers. Each variant can be expressed in the standard
//! semantics, so choosing another one rewrites the expression.

use pellucid_learn::params::NamedChoice;
use pellucid_program::{Expr, Quantifier};
use serde::{Deserialize, Serialize};

/// The meaning of restrictions for individuals without fillers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Semantics {
    /// OWL under the closed-world assumption: `only` and `max` are true if there is no filler.
    #[default]
    Standard,
    /// HT-HEDL: `r max n C` requires at least one filler in C, so `r max 0 C` has no instances.
    /// `exactly` is standard, including `exactly 0`.
    HtHedl,
    /// The default of DL-Learner: `r only C` requires at least one filler, and all fillers are in
    /// C.
    SomeOnly,
}

impl NamedChoice for Semantics {
    const ALL: &'static [Semantics] =
        &[Semantics::Standard, Semantics::HtHedl, Semantics::SomeOnly];

    fn name(self) -> &'static str {
        match self {
            Semantics::Standard => "standard",
            Semantics::HtHedl => "hthedl",
            Semantics::SomeOnly => "someonly",
        }
    }
}

impl Semantics {
    /// Returns the expression that has the same meaning in the standard semantics.
    #[must_use]
    pub fn standard(self, expr: &Expr) -> Expr {
        match expr {
            Expr::Constant(_)
            | Expr::Is(_)
            | Expr::Compare(..)
            | Expr::Within(..)
            | Expr::OneOf(..)
            | Expr::Contains(..) => expr.clone(),
            Expr::Not(operand) => Expr::Not(Box::new(self.standard(operand))),
            Expr::And(operands) => Expr::and(self.all(operands)),
            Expr::Or(operands) => Expr::or(self.all(operands)),
            Expr::Related(quantifier, role, filler) => {
                let filler = Box::new(self.standard(filler));
                let one = |filler| Expr::Related(Quantifier::Some, role.clone(), filler);
                let existence = match (self, quantifier) {
                    (Semantics::HtHedl, Quantifier::Max(0)) => return Expr::Constant(false),
                    (Semantics::HtHedl, Quantifier::Max(_))
                    | (Semantics::SomeOnly, Quantifier::Only) => Some(one(filler.clone())),
                    _ => None,
                };
                let restriction = Expr::Related(*quantifier, role.clone(), filler);
                match existence {
                    Some(one) => Expr::and(vec![one, restriction]),
                    None => restriction,
                }
            }
        }
    }

    fn all(self, operands: &[Expr]) -> Vec<Expr> {
        operands.iter().map(|operand| self.standard(operand)).collect()
    }
}
