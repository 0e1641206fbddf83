//! Sets of counts of related individuals, for `min`, `max`, `exactly` and their combinations.

use crate::expr::{Expr, Quantifier, Role};

/// A set of counts: one flag for each small count and one flag for all larger counts.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Counts {
    /// Whether each count, from 0 on, is in the set.
    included: Vec<bool>,
    /// Whether all larger counts are in the set.
    beyond: bool,
}

/// The largest count that is simplified. Quantifiers with larger counts stay as they are.
const MAX_COUNT: u32 = 1000;

impl Counts {
    /// Returns the counts that a quantifier accepts, or `None` for `only`.
    pub(super) fn of(quantifier: Quantifier) -> Option<Counts> {
        let (least, most) = match quantifier {
            Quantifier::Some => (1, None),
            Quantifier::Only => return None,
            Quantifier::Min(least) => (least, None),
            Quantifier::Max(most) => (0, Some(most)),
            Quantifier::Exactly(number) => (number, Some(number)),
        };
        let end = most.map_or(least, |most| most.saturating_add(1));
        (end <= MAX_COUNT).then(|| {
            let included = (0..end).map(|number| number >= least).collect();
            Counts { included, beyond: most.is_none() }.shortest()
        })
    }

    fn at(&self, number: usize) -> bool {
        self.included.get(number).copied().unwrap_or(self.beyond)
    }

    fn shortest(mut self) -> Counts {
        while self.included.last() == Some(&self.beyond) {
            self.included.pop();
        }
        self
    }

    pub(super) fn is_empty(&self) -> bool {
        self.included.is_empty() && !self.beyond
    }

    pub(super) fn complement(&self) -> Counts {
        Counts {
            included: self.included.iter().map(|included| !included).collect(),
            beyond: !self.beyond,
        }
    }

    pub(super) fn union(&self, other: &Counts) -> Counts {
        self.combine(other, |one, other| one || other)
    }

    pub(super) fn intersection(&self, other: &Counts) -> Counts {
        self.combine(other, |one, other| one && other)
    }

    fn combine(&self, other: &Counts, join: impl Fn(bool, bool) -> bool) -> Counts {
        let included = (0..self.included.len().max(other.included.len()))
            .map(|number| join(self.at(number), other.at(number)))
            .collect();
        Counts { included, beyond: join(self.beyond, other.beyond) }.shortest()
    }

    /// Returns the single condition that expresses the set, if there is one.
    pub(super) fn condition(&self, role: &Role, filler: &Expr) -> Option<Expr> {
        let related =
            |quantifier| Expr::Related(quantifier, role.clone(), Box::new(filler.clone()));
        let not = |expr| Expr::Not(Box::new(expr));
        let end = u32::try_from(self.included.len()).ok()?;
        let last = end.checked_sub(1);
        let only_last = self.included.split_last().is_none_or(|(last, rest)| !rest.contains(last));
        match (last, self.beyond) {
            (None, always) => Some(Expr::Constant(always)),
            (Some(0), false) => Some(not(related(Quantifier::Some))),
            (Some(0), true) => Some(related(Quantifier::Some)),
            (Some(_), true) if !self.included.contains(&true) => {
                Some(related(Quantifier::Min(end)))
            }
            (Some(most), false) if !self.included.contains(&false) => {
                Some(related(Quantifier::Max(most)))
            }
            (Some(number), false) if only_last => Some(related(Quantifier::Exactly(number))),
            (Some(number), true) if only_last => Some(not(related(Quantifier::Exactly(number)))),
            _ => None,
        }
    }
}
