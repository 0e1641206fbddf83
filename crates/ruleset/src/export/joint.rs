//! Why a rule has more points than its own counts suggest.
//!
//! All points are fitted together. A rule with many points for a class that is hardly more frequent
//! among the examples it covers is not wrong: it offsets a broader rule. The counts of the rule do
//! not show that, so a note explains it.

use super::coverage::percent;
use super::points::{self, signed};
use super::score::signed_points;
use crate::model::{Rule, RuleModel, RuleSet};

/// A rule gets a note if it has this many times the points it would have on its own.
const MUCH: f64 = 2.0;

/// Returns a note for each rule that would have less than half of its points on its own.
pub fn joint_notes<P>(model: &RuleModel<P>) -> Vec<Option<String>> {
    let set = &model.body;
    // Only points that were fitted together, as log odds, are comparable with the counts. A table
    // of points already shows the rules together.
    let is_comparable = set.path.is_some() && !set.ordered && set.examples.len() == 2;
    let has_notes = is_comparable && points::chart(model).is_none();
    set.rules.iter().map(|rule| has_notes.then(|| joint_note(set, rule))?).collect()
}

fn joint_note(set: &RuleSet, rule: &Rule) -> Option<String> {
    let alone = log_odds(rule, &set.examples)?;
    if rule.votes <= 0.0 || rule.votes < MUCH * alone {
        return None;
    }
    let alone = Rule { votes: alone.max(0.0), ..rule.clone() };
    let [alone, joint] = [&alone, rule].map(|rule| signed(signed_points(rule)));
    let against = set.rules.iter().enumerate().filter(|(_, other)| other.class != rule.class);
    let shared = against.filter_map(|(index, other)| {
        let both = in_both(rule, other, &set.examples)?;
        Some((index + 1, both, both as f64 * other.votes))
    });
    let covered: u64 = rule.covered.iter().sum();
    let most = shared.max_by(|one, other| one.2.total_cmp(&other.2));
    let reason = match most {
        // If the rules may share less than half of the examples, the counts do not show that one
        // offsets the other.
        Some((number, both, _)) if both > covered / 2 => {
            let share = percent(both, covered);
            format!(
                ", which offsets rule {number} (it covers at least {share} of the same examples)"
            )
        }
        _ => String::new(),
    };
    Some(format!(
        "On its own this rule would score {alone}; the other rules change it to {joint}{reason}."
    ))
}

/// Returns the points of a rule on its own: the log odds ratio of its class, covered examples
/// against the rest.
#[expect(clippy::cast_precision_loss, reason = "rounded for display")]
fn log_odds(rule: &Rule, examples: &[u64]) -> Option<f64> {
    let own = rule.class as usize;
    // Half an example is added so that a count of 0 does not give infinite odds.
    let count = |class: usize| -> Option<(f64, f64)> {
        let (covered, all) = (*rule.covered.get(class)?, *examples.get(class)?);
        Some((covered as f64 + 0.5, all.checked_sub(covered)? as f64 + 0.5))
    };
    let ((own_in, own_out), (other_in, other_out)) = (count(own)?, count(1 - own.min(1))?);
    Some(libm::log((own_in / other_in) / (own_out / other_out)))
}

/// Returns the least number of examples that both rules cover, given their counts by class.
fn in_both(one: &Rule, other: &Rule, examples: &[u64]) -> Option<u64> {
    let of_class = |class: usize| {
        let (one, other) = (*one.covered.get(class)?, *other.covered.get(class)?);
        Some(one.checked_add(other)?.saturating_sub(examples[class]))
    };
    (0..examples.len()).map(of_class).try_fold(0u64, |sum, count| sum.checked_add(count?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rule(applies: &[bool], is_second: &[bool]) -> Rule {
        let covered = |class: bool| {
            applies
                .iter()
                .zip(is_second)
                .filter(|(applies, second)| **applies && **second == class)
                .count() as u64
        };
        let when = "x > 1".parse().expect("a condition");
        Rule { covered: vec![covered(false), covered(true)], ..Rule::new(when, 0, 1.0) }
    }

    proptest! {
        /// Two rules never share fewer examples than the bound.
        #[test]
        fn shared_examples_are_bounded_below(
            examples in prop::collection::vec(any::<(bool, bool, bool)>(), 1..60),
        ) {
            let second: Vec<bool> = examples.iter().map(|example| example.0).collect();
            let (one, other): (Vec<bool>, Vec<bool>) =
                examples.iter().map(|example| (example.1, example.2)).unzip();
            let all = rule(&vec![true; second.len()], &second).covered;
            let both = one.iter().zip(&other).filter(|(one, other)| **one && **other).count() as u64;
            let bound = in_both(&rule(&one, &second), &rule(&other, &second), &all).expect("counts");
            prop_assert!(bound <= both, "{} {}", bound, both);
            // The bound is exact if one of the rules applies to all examples.
            let every = rule(&vec![true; second.len()], &second);
            let bound = in_both(&rule(&one, &second), &every, &all).expect("counts");
            prop_assert_eq!(bound, one.iter().filter(|applies| **applies).count() as u64);
        }

        /// On its own a rule favors the class that is more frequent among the examples it covers.
        #[test]
        fn a_rule_on_its_own_favors_the_frequent_class(
            covered in (1u64..50, 1u64..50),
            rest in (1u64..50, 1u64..50),
        ) {
            let examples = [covered.0 + rest.0, covered.1 + rest.1];
            let when = "x > 1".parse().expect("a condition");
            let mut rule = Rule { covered: vec![covered.0, covered.1], ..Rule::new(when, 0, 1.0) };
            let first = log_odds(&rule, &examples).expect("counts");
            rule.class = 1;
            let second = log_odds(&rule, &examples).expect("counts");
            prop_assert!((first + second).abs() < 1e-9);
            let odds = |pair: (u64, u64)| (pair.0 as f64 + 0.5) / (pair.1 as f64 + 0.5);
            prop_assert_eq!(first > 0.0, odds(covered) > odds(rest));
        }
    }
}
