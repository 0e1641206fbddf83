//! Sets of categories: some, or all but some.

use crate::expr::{Expr, Op, Value};
use rustc_hash::FxHashSet;

/// Categories that are meant, or those that are not; what is missing is never meant.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Words {
    named: Vec<String>,
    /// Whether all others are meant.
    others: bool,
}

impl Words {
    pub(super) fn new(named: impl Iterator<Item = String>, others: bool) -> Words {
        let all: Vec<String> = named.collect();
        let mut seen = FxHashSet::default();
        let is_new: Vec<bool> = all.iter().map(|word| seen.insert(word.as_str())).collect();
        let mut is_new = is_new.into_iter();
        let named = all.into_iter().filter(|_| is_new.next() == Some(true)).collect();
        Words { named, others }
    }

    fn set(&self) -> FxHashSet<&str> {
        self.named.iter().map(String::as_str).collect()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.named.is_empty() && !self.others
    }

    pub(super) fn union(&self, other: &Words) -> Words {
        self.joined(other, |one, other| one || other)
    }

    pub(super) fn intersection(&self, other: &Words) -> Words {
        self.joined(other, |one, other| one && other)
    }

    fn joined(&self, other: &Words, join: impl Fn(bool, bool) -> bool) -> Words {
        let others = join(self.others, other.others);
        let (mine, theirs) = (self.set(), other.set());
        let is_meant = |word: &str| {
            join(mine.contains(word) != self.others, theirs.contains(word) != other.others)
        };
        let named = self.named.iter().chain(&other.named).filter(|word| is_meant(word) != others);
        Words::new(named.cloned(), others)
    }

    /// The one condition on a column that says it, if there is one.
    pub(super) fn condition(&self, column: &str) -> Option<Expr> {
        let compare =
            |op, word: &String| Expr::Compare(column.to_owned(), op, Value::Text(word.clone()));
        match (&self.named[..], self.others) {
            ([], false) => Some(Expr::Constant(false)),
            ([word], false) => Some(compare(Op::Equal, word)),
            ([word], true) => Some(compare(Op::NotEqual, word)),
            (words, false) => {
                let values = words.iter().cloned().map(Value::Text).collect();
                Some(Expr::OneOf(column.to_owned(), values))
            }
            (_, true) => None,
        }
    }
}
