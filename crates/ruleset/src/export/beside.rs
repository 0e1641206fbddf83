//! What a rule is for beside the others, where its own counts do not say it.
//!
//! All votes are found together. A rule that speaks loudly for a class that is hardly more frequent among what it covers is not
//! wrong: it takes back what a wider rule says there. Who reads it alone cannot see that, so it is told.

use super::points;
use super::text::percent;
use crate::model::{Rule, RuleModel, RuleSet};

/// How many times the votes that a rule would have alone it must have to be in need of an explanation.
const MUCH: f64 = 2.0;

/// For each rule why it has so many votes, where it would have less than half of them if it were the only one.
pub(super) fn beside_others<P>(model: &RuleModel<P>) -> Vec<Option<String>> {
    let set = &model.model;
    // Only votes that were found together, as logarithms of odds, can be held against the counts; and a table of points
    // shows at once what rules are together.
    let is_fit = set.path.is_some() && !set.ordered && set.examples.len() == 2;
    let is_told = is_fit && points::chart(model).is_none();
    set.rules.iter().map(|rule| is_told.then(|| beside(set, rule))?).collect()
}

fn beside(set: &RuleSet, rule: &Rule) -> Option<String> {
    let alone = alone(rule, &set.examples)?;
    if rule.votes <= 0.0 || rule.votes < MUCH * alone {
        return None;
    }
    let alone = format!("alone it would have about {:.2} votes", alone.max(0.0));
    let against = set.rules.iter().enumerate().filter(|(_, other)| other.class != rule.class);
    let shared = against.filter_map(|(index, other)| {
        let both = in_both(rule, other, &set.examples)?;
        Some((index + 1, both, both as f64 * other.votes))
    });
    let covered: u64 = rule.covered.iter().sum();
    let most = shared.max_by(|one, other| one.2.total_cmp(&other.2));
    Some(match most {
        // Where it need not hold for most of them, the counts do not show what is taken back.
        Some((number, both, _)) if both > covered / 2 => {
            let share = percent(both, covered);
            format!(
                "{alone}; it takes back votes of rule {number}, which holds for at least {share} of these"
            )
        }
        _ => format!("{alone}; the rest is owed to the other rules"),
    })
}

/// The votes of a rule that is the only one: the logarithm of how many times the odds of its class are higher where it holds.
#[expect(clippy::cast_precision_loss, reason = "for the eye")]
fn alone(rule: &Rule, examples: &[u64]) -> Option<f64> {
    let own = rule.class as usize;
    // Half an example more, so that what was never met is not impossible.
    let count = |class: usize| -> Option<(f64, f64)> {
        let (covered, all) = (*rule.covered.get(class)?, *examples.get(class)?);
        Some((covered as f64 + 0.5, all.checked_sub(covered)? as f64 + 0.5))
    };
    let ((own_in, own_out), (other_in, other_out)) = (count(own)?, count(1 - own.min(1))?);
    Some(((own_in / other_in) / (own_out / other_out)).ln())
}

/// How many examples two rules must share, given how many of each class each of them covers.
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

    fn rule(holds: &[bool], is_second: &[bool]) -> Rule {
        let covered = |class: bool| {
            holds
                .iter()
                .zip(is_second)
                .filter(|(holds, second)| **holds && **second == class)
                .count() as u64
        };
        Rule {
            when: "x > 1".parse().expect("a condition"),
            class: 0,
            votes: 1.0,
            covered: vec![covered(false), covered(true)],
        }
    }

    proptest! {
        /// The examples that two rules share are never fewer than is said.
        #[test]
        fn at_least_so_many_are_shared(
            examples in prop::collection::vec(any::<(bool, bool, bool)>(), 1..60),
        ) {
            let second: Vec<bool> = examples.iter().map(|example| example.0).collect();
            let (one, other): (Vec<bool>, Vec<bool>) = examples.iter().map(|example| (example.1, example.2)).unzip();
            let all = rule(&vec![true; second.len()], &second).covered;
            let both = one.iter().zip(&other).filter(|(one, other)| **one && **other).count() as u64;
            let said = in_both(&rule(&one, &second), &rule(&other, &second), &all).expect("counts");
            prop_assert!(said <= both, "{} {}", said, both);
            // And exactly so many where one of the rules holds for all.
            let every = rule(&vec![true; second.len()], &second);
            let said = in_both(&rule(&one, &second), &every, &all).expect("counts");
            prop_assert_eq!(said, one.iter().filter(|holds| **holds).count() as u64);
        }

        /// A rule counts alone for the class that is more frequent where it holds.
        #[test]
        fn alone_it_speaks_for_what_is_frequent(covered in (1u64..50, 1u64..50), others in (1u64..50, 1u64..50)) {
            let examples = [covered.0 + others.0, covered.1 + others.1];
            let mut rule = Rule { when: "x > 1".parse().expect("a condition"), class: 0, votes: 1.0, covered: vec![covered.0, covered.1] };
            let first = alone(&rule, &examples).expect("counts");
            rule.class = 1;
            let second = alone(&rule, &examples).expect("counts");
            prop_assert!((first + second).abs() < 1e-9);
            let odds = |pair: (u64, u64)| (pair.0 as f64 + 0.5) / (pair.1 as f64 + 0.5);
            prop_assert_eq!(first > 0.0, odds(covered) > odds(others));
        }
    }
}
