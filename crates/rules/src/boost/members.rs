//! The set of examples that a rule covers, as a digest, and the test whether a rule is new.
//!
//! Every example has a pseudo-random number, and the digest of a set is the sum of these numbers.
//! Digests of disjoint sets add up in any order, and the digest of a complement needs no pass over
//! the examples. So a rule and its complement are recognized as the same: one has the points of the
//! other with the opposite sign.
//!
//! A rule `x > 0.795` beside `x > 0.79` is not new either, if few examples lie between. If one rule
//! implies the other, the number of examples between them is the difference of two counts.

use super::test::{Test, exclude, follows};
use pellucid_learn::fingerprint::Fingerprint;
use std::iter::Sum;

/// Two rules are near doubles if one implies the other and they differ in fewer than this share of the
/// examples of the rarer one. The reader sees the same rule twice, and their points can be added.
const NEAR: f64 = 0.1;

/// A digest of a set of examples.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Members {
    /// The number of examples.
    pub(super) count: u64,
    /// The sum of their pseudo-random numbers.
    pub(super) sum: u64,
}

impl Members {
    /// Returns the digest of one example, by its index.
    pub(super) fn one(example: u64) -> Members {
        Members { count: 1, sum: Fingerprint::new().with_number(example).value() }
    }

    /// Returns the digest of some examples, by their indices.
    pub(super) fn of(examples: &[u32]) -> Members {
        examples.iter().map(|&example| Members::one(u64::from(example))).sum()
    }

    /// Adds an example if a mask has all bits, and nothing if it has none.
    #[inline(always)]
    pub(super) fn count_masked(&mut self, example: u32, mask: i64) {
        let (one, mask) = (Members::one(u64::from(example)), mask.cast_unsigned());
        self.count = self.count.wrapping_add(one.count & mask);
        self.sum = self.sum.wrapping_add(one.sum & mask);
    }

    /// Returns the digest of the set without a subset.
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

/// Returns the digest of each of the first examples.
pub(super) fn digests(examples: usize) -> Vec<u64> {
    (0..).take(examples).map(|example| Members::one(example).sum).collect()
}

/// A rule of the model so far.
#[derive(Clone, Debug)]
pub(super) struct KnownRule {
    pub(super) tests: Vec<Test>,
    pub(super) members: Members,
}

/// All rules of the model so far.
#[derive(Clone, Copy, Debug)]
pub(super) struct KnownRules<'a> {
    /// All training examples.
    pub(super) all: Members,
    /// Two rules differ only if at least this many examples satisfy one of them, however rare they are.
    pub(super) least: f64,
    pub(super) rules: &'a [KnownRule],
}

impl KnownRules<'_> {
    /// Returns whether a rule with these examples would not be new: a known rule covers the same
    /// examples or the complement, except for a few.
    pub(super) fn has(&self, tests: &[Test], members: Members) -> bool {
        let others = self.all.without(members);
        self.rules.iter().any(|rule| {
            [members, others].contains(&rule.members)
                || (self.are_near(rule.members, members)
                    && (follows(tests, &rule.tests) || follows(&rule.tests, tests)))
                || (self.are_near(rule.members, others) && exclude(tests, &rule.tests))
        })
    }

    /// Returns whether a set differs in few examples from one of its subsets.
    fn are_near(&self, one: Members, other: Members) -> bool {
        let rarer = |set: Members| set.count.min(self.all.count.saturating_sub(set.count));
        let rarest = rarer(one).min(rarer(other)) as f64;
        (one.count.abs_diff(other.count) as f64) < self.least.max(NEAR * rarest)
    }
}

#[cfg(test)]
mod tests {
    use super::super::test::StepSet;
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// A rule is recognized by its examples or by their complement, whatever the order of
        /// counting.
        #[test]
        fn a_rule_and_its_complement_are_recognized_as_the_same(
            held in proptest::collection::vec((any::<bool>(), any::<bool>()), 1..200),
            cut in 0usize..200,
        ) {
            let examples = || (0u32..).take(held.len());
            let of = |wanted: &dyn Fn(&(bool, bool)) -> bool| -> Vec<u32> {
                examples().filter(|&example| wanted(&held[example as usize])).collect()
            };
            let (own, others, second) = (of(&|held| held.0), of(&|held| !held.0), of(&|held| held.1));
            let all: Vec<u32> = examples().collect();
            // Conditions on different columns imply nothing of each other.
            let test = |feature: usize| [Test { feature, set: StepSet::Above(0) }];
            let rules = [KnownRule { tests: test(0).to_vec(), members: Members::of(&own) }];
            let known = KnownRules { all: Members::of(&all), least: 0.0, rules: &rules };
            let other = test(1);
            let (one, rest) = others.split_at(cut.min(others.len()));
            prop_assert!(known.has(&other, Members::of(&own)));
            prop_assert!(known.has(&other, [rest, one].into_iter().map(Members::of).sum()));
            let is_known = known.has(&other, Members::of(&second));
            prop_assert_eq!(is_known, second == own || second == others);
        }

        /// A rule that is recognized differs in fewer examples than the limit, and two similar cut
        /// points in one direction are recognized.
        #[test]
        fn two_rules_that_differ_in_few_examples_are_recognized_as_the_same(
            steps in proptest::collection::vec((0u8..6, 0u8..6), 1..60),
            sets in proptest::collection::vec((0usize..2, 0u8..6, 0usize..3), 2..5),
            least in 0.0f64..12.0,
        ) {
            let test = |&(feature, step, kind): &(usize, u8, usize)| {
                let set = 1 << step | 1 << (step / 2);
                let sets =
                    [StepSet::Above(step), StepSet::UpTo(step), StepSet::Among([set, 0, 0, 0])];
                Test { feature, set: sets[kind] }
            };
            let holds = |tests: &[Test], example: u32| {
                let (first, second) = steps[example as usize];
                tests.iter().all(|test| test.set.contains([first, second][test.feature]))
            };
            let all: Vec<u32> = (0u32..).take(steps.len()).collect();
            let of = |tests: &[Test]| -> Vec<u32> {
                all.iter().copied().filter(|&example| holds(tests, example)).collect()
            };
            let (one, other) = sets.split_at(sets.len() / 2);
            let [one, other] = [one, other].map(|sets| sets.iter().map(test).collect::<Vec<Test>>());
            let rules = [KnownRule { tests: one.clone(), members: Members::of(&of(&one)) }];
            let known = KnownRules { all: Members::of(&all), least, rules: &rules };
            let differs = |example: &&u32| holds(&one, **example) != holds(&other, **example);
            let apart = all.iter().filter(differs).count();
            let differ = apart.min(all.len() - apart) as f64;
            let rarer = |tests: &[Test]| of(tests).len().min(all.len() - of(tests).len());
            let limit = least.max(NEAR * rarer(&one).min(rarer(&other)) as f64);
            let has = known.has(&other, Members::of(&of(&other)));
            prop_assert!(!has || differ < limit || differ == 0.0);
            let is_cut_alike = matches!((&one[..], &other[..]), ([one], [other])
                if one.feature == other.feature
                    && !matches!(one.set, StepSet::Among(_))
                    && std::mem::discriminant(&one.set) == std::mem::discriminant(&other.set));
            prop_assert!(has || !is_cut_alike || apart as f64 >= limit);
        }
    }
}
