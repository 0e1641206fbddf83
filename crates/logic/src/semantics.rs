//! What `only` and `max` mean to other programs, as expressions with our meaning.
//!
//! Programs that evaluate class expressions differ where an individual has no filler at all. Each difference can be said in
//! the standard reading, so a switch rewrites the expression and everything else stays as it is.

use pellucid_learn::params::NamedChoice;
use pellucid_program::{Expr, Quantifier};
use serde::{Deserialize, Serialize};

/// How restrictions treat individuals without fillers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Semantics {
    /// As OWL has it under the closed world: `only` and `max` hold where there is no filler.
    #[default]
    Standard,
    /// As HT-HEDL evaluates: `r max n C` asks for at least one filler in C. So `r max 0 C` holds for nobody. `exactly` is as
    /// usual, `exactly 0` too.
    HtHedl,
    /// As DL-Learner evaluates unless told otherwise: `r only C` asks for at least one filler, which is then in C.
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
    /// The expression that means in the standard reading what this one means in the reading chosen.
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
                let asks_for_one = match (self, quantifier) {
                    (Semantics::HtHedl, Quantifier::Max(0)) => return Expr::Constant(false),
                    (Semantics::HtHedl, Quantifier::Max(_))
                    | (Semantics::SomeOnly, Quantifier::Only) => Some(one(filler.clone())),
                    _ => None,
                };
                let restriction = Expr::Related(*quantifier, role.clone(), filler);
                match asks_for_one {
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
