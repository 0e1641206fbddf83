//! Implication and contradiction between conditions, decided from the expressions alone.

use super::PerColumn;
use super::value_set::{Subject, value_set};
use crate::expr::{Expr, Quantifier};

/// The maximum number of comparisons of two conditions. After that, redundant conditions are no longer
/// recognized and stay.
const MAX_STEPS: u32 = 20_000;

/// Compares conditions, with a limit on the number of steps.
#[derive(Debug)]
pub(super) struct Reasoner {
    values: PerColumn,
    left: u32,
}

impl Reasoner {
    pub(super) fn new(values: PerColumn) -> Reasoner {
        Reasoner { values, left: MAX_STEPS }
    }

    fn step(&mut self) -> bool {
        self.left = self.left.saturating_sub(1);
        self.left > 0
    }

    /// Returns whether `other` is true wherever `one` is true. Implications that are not recognized count as
    /// false.
    pub(super) fn implies(&mut self, one: &Expr, other: &Expr) -> bool {
        if one == other {
            return true;
        }
        if !self.step() {
            return false;
        }
        match (one, other) {
            (Expr::Constant(false), _) | (_, Expr::Constant(true)) => return true,
            (_, Expr::And(parts)) => return parts.iter().all(|part| self.implies(one, part)),
            (Expr::Or(parts), _) => return parts.iter().all(|part| self.implies(part, other)),
            _ => {}
        }
        if let (Some((subject, set)), Some((same, wider))) =
            (value_set(one, self.values), value_set(other, self.values))
            && subject == same
        {
            return set.is_within(&wider);
        }
        match (one, other) {
            (Expr::Not(one), Expr::Not(other)) => self.implies(other, one),
            (
                Expr::Related(quantifier, role, filler),
                Expr::Related(other, other_role, other_filler),
            ) => role == other_role && self.related(*quantifier, filler, *other, other_filler),
            _ => {
                matches!(one, Expr::And(parts) if parts.iter().any(|part| self.implies(part, other)))
                    || matches!(other, Expr::Or(parts) if parts.iter().any(|part| self.implies(one, part)))
            }
        }
    }

    /// Returns whether one quantified condition implies another: "min 2" of a narrower filler implies "min 2"
    /// of a wider filler, for example.
    fn related(&mut self, one: Quantifier, filler: &Expr, other: Quantifier, wider: &Expr) -> bool {
        let at_least = |quantifier| match quantifier {
            Quantifier::Some => Some(1),
            Quantifier::Min(least) | Quantifier::Exactly(least) => Some(least),
            Quantifier::Only | Quantifier::Max(_) => None,
        };
        match (one, other) {
            (Quantifier::Only, Quantifier::Only) => self.implies(filler, wider),
            (Quantifier::Max(most) | Quantifier::Exactly(most), Quantifier::Max(allowed)) => {
                most <= allowed && self.implies(wider, filler)
            }
            (one, Quantifier::Some | Quantifier::Min(_)) => {
                at_least(one) >= at_least(other)
                    && at_least(one).is_some()
                    && self.implies(filler, wider)
            }
            _ => false,
        }
    }

    /// Returns whether two conditions are never true together. Contradictions that are not recognized count
    /// as false.
    pub(super) fn contradicts(&mut self, one: &Expr, other: &Expr) -> bool {
        if !self.step() {
            return false;
        }
        if let (Some((subject, set)), Some((same, others))) =
            (value_set(one, self.values), value_set(other, self.values))
            && subject == same
        {
            let one_value =
                self.values == PerColumn::One || matches!(subject, Subject::Related(..));
            return one_value && set.combine(&others, true).is_some_and(|both| both.is_empty());
        }
        match (one, other) {
            (Expr::Not(inner), other) | (other, Expr::Not(inner)) if self.implies(other, inner) => {
                true
            }
            (Expr::And(parts), other) | (other, Expr::And(parts)) => {
                parts.iter().any(|part| self.contradicts(part, other))
            }
            (Expr::Or(parts), other) | (other, Expr::Or(parts)) => {
                parts.iter().all(|part| self.contradicts(part, other))
            }
            _ => false,
        }
    }
}
