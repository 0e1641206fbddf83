//! Sets of numbers of related individuals: at least so many, at most so many, or any but some.

use crate::expr::{Expr, Quantifier, Role};

/// Which numbers are meant, up to the greatest that is told apart from those beyond it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Counts {
    /// Whether each number from 0 on is meant.
    told: Vec<bool>,
    /// Whether those beyond are.
    beyond: bool,
}

/// Larger numbers are left as they are written.
const MOST: u32 = 1000;

impl Counts {
    /// What a quantifier says of how many there are; nothing where it speaks of all.
    pub(super) fn of(quantifier: Quantifier) -> Option<Counts> {
        let (least, most) = match quantifier {
            Quantifier::Some => (1, None),
            Quantifier::Only => return None,
            Quantifier::Min(least) => (least, None),
            Quantifier::Max(most) => (0, Some(most)),
            Quantifier::Exactly(number) => (number, Some(number)),
        };
        let end = most.map_or(least, |most| most.saturating_add(1));
        (end <= MOST).then(|| {
            let told = (0..end).map(|number| number >= least).collect();
            Counts { told, beyond: most.is_none() }.shortest()
        })
    }

    fn at(&self, number: usize) -> bool {
        self.told.get(number).copied().unwrap_or(self.beyond)
    }

    fn shortest(mut self) -> Counts {
        while self.told.last() == Some(&self.beyond) {
            self.told.pop();
        }
        self
    }

    pub(super) fn is_empty(&self) -> bool {
        self.told.is_empty() && !self.beyond
    }

    pub(super) fn complement(&self) -> Counts {
        Counts { told: self.told.iter().map(|told| !told).collect(), beyond: !self.beyond }
    }

    pub(super) fn union(&self, other: &Counts) -> Counts {
        self.joined(other, |one, other| one || other)
    }

    pub(super) fn intersection(&self, other: &Counts) -> Counts {
        self.joined(other, |one, other| one && other)
    }

    fn joined(&self, other: &Counts, join: impl Fn(bool, bool) -> bool) -> Counts {
        let told = (0..self.told.len().max(other.told.len()))
            .map(|number| join(self.at(number), other.at(number)))
            .collect();
        Counts { told, beyond: join(self.beyond, other.beyond) }.shortest()
    }

    /// The one condition that says it, if there is one.
    pub(super) fn condition(&self, role: &Role, filler: &Expr) -> Option<Expr> {
        let related =
            |quantifier| Expr::Related(quantifier, role.clone(), Box::new(filler.clone()));
        let not = |expr| Expr::Not(Box::new(expr));
        let end = u32::try_from(self.told.len()).ok()?;
        let last = end.checked_sub(1);
        let only_last = self.told.split_last().is_none_or(|(last, rest)| !rest.contains(last));
        match (last, self.beyond) {
            (None, always) => Some(Expr::Constant(always)),
            (Some(0), false) => Some(not(related(Quantifier::Some))),
            (Some(0), true) => Some(related(Quantifier::Some)),
            (Some(_), true) if !self.told.contains(&true) => Some(related(Quantifier::Min(end))),
            (Some(most), false) if !self.told.contains(&false) => {
                Some(related(Quantifier::Max(most)))
            }
            (Some(number), false) if only_last => Some(related(Quantifier::Exactly(number))),
            (Some(number), true) if only_last => Some(not(related(Quantifier::Exactly(number)))),
            _ => None,
        }
    }
}
