//! Which examples a rule holds for, in two numbers, and whether a rule says anything new.
//!
//! Every example has a number of its own that looks like chance, and a rule the sum of those it holds for. Sums of parts add up, in
//! whatever order; and what is left of all examples without those of a rule is known without a look at them. So a rule and its
//! opposite are known as one: whatever the second says, the first says with the other sign.
//!
//! Nor is there a rule `x > 0.795` beside `x > 0.79` where hardly an example lies between: where one rule follows from the other, how many
//! examples part them is the difference of two counts.

use super::test::{Test, exclude, follows};
use pellucid_learn::fingerprint::Fingerprint;
use std::iter::Sum;

/// The examples of a rule, told apart from those of other rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Members {
    /// How many they are.
    pub(super) count: u64,
    /// The sum of their numbers.
    pub(super) sum: u64,
}

impl Members {
    /// One example, by its place among all.
    pub(super) fn one(example: u64) -> Members {
        Members { count: 1, sum: Fingerprint::new().with_number(example).value() }
    }

    /// Some examples, by their places.
    pub(super) fn of(examples: &[u32]) -> Members {
        examples.iter().map(|&example| Members::one(u64::from(example))).sum()
    }

    /// Those that are not among some of them.
    fn without(self, some: Members) -> Members {
        Members { count: self.count.wrapping_sub(some.count), sum: self.sum.wrapping_sub(some.sum) }
    }
}

impl Sum for Members {
    fn sum<I: Iterator<Item = Members>>(members: I) -> Members {
        members.fold(Members::default(), |all, some| Members {
            count: all.count.wrapping_add(some.count),
            sum: all.sum.wrapping_add(some.sum),
        })
    }
}

/// A rule that is there already.
#[derive(Clone, Debug)]
pub(super) struct KnownRule {
    pub(super) tests: Vec<Test>,
    pub(super) members: Members,
}

/// All of them.
#[derive(Clone, Copy, Debug)]
pub(super) struct KnownRules<'a> {
    /// All examples that are learned from.
    pub(super) all: Members,
    /// From so many examples on that only one of two rules holds for, they are two.
    pub(super) least: f64,
    pub(super) rules: &'a [KnownRule],
}

impl KnownRules<'_> {
    /// Whether a rule for these examples would say nothing new: one of the rules holds for them, or for all the others, but for a few at
    /// most.
    pub(super) fn has(&self, tests: &[Test], members: Members) -> bool {
        let others = self.all.without(members);
        let parts = |one: u64, other: u64| one.abs_diff(other) as f64;
        self.rules.iter().any(|rule| {
            [members, others].contains(&rule.members)
                || (parts(rule.members.count, members.count) < self.least
                    && (follows(tests, &rule.tests) || follows(&rule.tests, tests)))
                || (parts(rule.members.count, others.count) < self.least
                    && exclude(tests, &rule.tests))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::test::StepSet;
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
            let rules = [KnownRule { tests: Vec::new(), members: Members::of(&own) }];
            let known = KnownRules { all: Members::of(&all), least: 0.0, rules: &rules };
            let (one, rest) = others.split_at(cut.min(others.len()));
            prop_assert!(known.has(&[], Members::of(&own)));
            prop_assert!(known.has(&[], [rest, one].into_iter().map(Members::of).sum()));
            prop_assert_eq!(known.has(&[], Members::of(&second)), second == own || second == others);
        }

        /// What is known but for a few examples differs in fewer than so many, and of two cuts in one direction that is found out.
        #[test]
        fn two_rules_that_few_examples_part_are_known_as_one(
            steps in proptest::collection::vec((0u8..6, 0u8..6), 1..60),
            sets in proptest::collection::vec((0usize..2, 0u8..6, 0usize..3), 2..5),
            least in 0.0f64..12.0,
        ) {
            let test = |&(feature, step, kind): &(usize, u8, usize)| {
                let set = 1 << step | 1 << (step / 2);
                Test { feature, set: [StepSet::Above(step), StepSet::UpTo(step), StepSet::Among([set, 0, 0, 0])][kind] }
            };
            let holds = |tests: &[Test], example: u32| {
                let (first, second) = steps[example as usize];
                tests.iter().all(|test| test.set.contains([first, second][test.feature]))
            };
            let all: Vec<u32> = (0u32..).take(steps.len()).collect();
            let of = |tests: &[Test]| -> Vec<u32> { all.iter().copied().filter(|&example| holds(tests, example)).collect() };
            let (one, other) = sets.split_at(sets.len() / 2);
            let [one, other] = [one, other].map(|sets| sets.iter().map(test).collect::<Vec<Test>>());
            let rules = [KnownRule { tests: one.clone(), members: Members::of(&of(&one)) }];
            let known = KnownRules { all: Members::of(&all), least, rules: &rules };
            let apart = all.iter().filter(|example| holds(&one, **example) != holds(&other, **example)).count();
            let differ = apart.min(all.len() - apart) as f64;
            let has = known.has(&other, Members::of(&of(&other)));
            prop_assert!(!has || differ < least || differ == 0.0);
            let is_cut_alike = matches!((&one[..], &other[..]), ([one], [other])
                if one.feature == other.feature
                    && !matches!(one.set, StepSet::Among(_))
                    && std::mem::discriminant(&one.set) == std::mem::discriminant(&other.set));
            prop_assert!(has || !is_cut_alike || apart as f64 >= least);
        }
    }
}
