//! Which examples a rule holds for, as one number.
//!
//! Every example has a number of its own that looks like chance, and a rule the sum of those it holds for. Sums of parts add up, in
//! whatever order; and what is left of all examples without those of a rule is known without a look at them. So a rule and its
//! opposite are known as one: whatever the second says, the first says with the other sign.

use pellucid_learn::fingerprint::Fingerprint;
use std::iter::Sum;

/// The examples of a rule, told apart from those of other rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Members(pub(super) u64);

impl Members {
    /// One example, by its place among all.
    pub(super) fn one(example: u64) -> Members {
        Members(Fingerprint::new().with_number(example).value())
    }

    /// Some examples, by their places.
    pub(super) fn of(examples: &[u32]) -> Members {
        examples.iter().map(|&example| Members::one(u64::from(example))).sum()
    }

    /// Those that are not among some of them.
    fn without(self, some: Members) -> Members {
        Members(self.0.wrapping_sub(some.0))
    }
}

impl Sum for Members {
    fn sum<I: Iterator<Item = Members>>(members: I) -> Members {
        Members(members.fold(0, |sum, members| sum.wrapping_add(members.0)))
    }
}

/// The rules that are there already.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known<'a> {
    /// All examples that are learned from.
    pub(super) all: Members,
    pub(super) rules: &'a [Members],
}

impl Known<'_> {
    /// Whether a rule for these examples would say nothing new: one of the rules holds for them, or for all the others.
    pub(super) fn has(&self, members: Members) -> bool {
        let others = self.all.without(members);
        self.rules.iter().any(|rule| [members, others].contains(rule))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// A rule is known by the examples it holds for or by the others, in whatever order and parts they are counted.
        #[test]
        fn a_rule_and_its_opposite_are_known_as_one(
            held in proptest::collection::vec((any::<bool>(), any::<bool>()), 1..200),
            cut in 0usize..200,
        ) {
            let examples = || (0u32..).take(held.len());
            let of = |wanted: &dyn Fn(&(bool, bool)) -> bool| -> Vec<u32> {
                examples().filter(|&example| wanted(&held[example as usize])).collect()
            };
            let (own, others, second) = (of(&|held| held.0), of(&|held| !held.0), of(&|held| held.1));
            let all: Vec<u32> = examples().collect();
            let rules = [Members::of(&own)];
            let known = Known { all: Members::of(&all), rules: &rules };
            let (one, rest) = others.split_at(cut.min(others.len()));
            prop_assert!(known.has(Members::of(&own)));
            prop_assert!(known.has([rest, one].into_iter().map(Members::of).sum()));
            prop_assert_eq!(known.has(Members::of(&second)), second == own || second == others);
        }
    }
}
