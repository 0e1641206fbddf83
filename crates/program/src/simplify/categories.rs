//! Sets of categories: the named ones, or all except the named ones.

use crate::expr::{Expr, Op, Value};
use rustc_hash::FxHashSet;

/// A set of categories, or the complement of one. A missing value is never in the set.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Categories {
    named: Vec<String>,
    /// Whether the set is all categories except the named ones.
    others: bool,
}

impl Categories {
    pub(super) fn new(named: impl Iterator<Item = String>, others: bool) -> Categories {
        let all: Vec<String> = named.collect();
        let mut seen = FxHashSet::default();
        let is_new: Vec<bool> = all.iter().map(|word| seen.insert(word.as_str())).collect();
        let mut is_new = is_new.into_iter();
        let named = all.into_iter().filter(|_| is_new.next() == Some(true)).collect();
        Categories { named, others }
    }

    fn set(&self) -> FxHashSet<&str> {
        self.named.iter().map(String::as_str).collect()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.named.is_empty() && !self.others
    }

    pub(super) fn union(&self, other: &Categories) -> Categories {
        self.combine(other, |one, other| one || other)
    }

    pub(super) fn intersection(&self, other: &Categories) -> Categories {
        self.combine(other, |one, other| one && other)
    }

    fn combine(&self, other: &Categories, join: impl Fn(bool, bool) -> bool) -> Categories {
        let others = join(self.others, other.others);
        let (mine, theirs) = (self.set(), other.set());
        let is_meant = |word: &str| {
            join(mine.contains(word) != self.others, theirs.contains(word) != other.others)
        };
        let named = self.named.iter().chain(&other.named).filter(|word| is_meant(word) != others);
        Categories::new(named.cloned(), others)
    }

    /// Returns the single condition on a column that expresses the set, if there is one.
    pub(super) fn condition(&self, column: &str) -> Option<Expr> {
        let compare =
            |op, word: &String| Expr::Compare(column.to_owned(), op, Value::Text(word.clone()));
        match (&self.named[..], self.others) {
            ([], false) => Some(Expr::Constant(false)),
            ([word], false) => Some(compare(Op::Equal, word)),
            ([word], true) => Some(compare(Op::NotEqual, word)),
            (categories, false) => {
                let values = categories.iter().cloned().map(Value::Text).collect();
                Some(Expr::OneOf(column.to_owned(), values))
            }
            (_, true) => None,
        }
    }
}
