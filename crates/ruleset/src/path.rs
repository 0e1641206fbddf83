//! The whole path from one rule to many.
//!
//! A learner that finds rules one after the other has models of every size on its way. A [`RulePath`] keeps the rules in the
//! order in which they were found and, for some sizes, the votes of the first so many of them with what they got right of
//! examples that they had not seen. So a reader may have a shorter or a longer model without learning again.

use crate::model::{Rule, RuleError, RuleSet, check_votes};
use pellucid_learn::calibrate::Calibration;
use serde::{Deserialize, Serialize};

/// Rules in the order in which they were found, and votes for models of several sizes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RulePath {
    /// The rules; what they vote depends on the size.
    pub rules: Vec<Rule>,
    /// Models of several sizes, the smallest first.
    pub stops: Vec<Stop>,
    /// The stop whose model is told.
    pub told: usize,
}

/// A model of some size.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Stop {
    /// The votes of each class to begin with.
    pub base: Vec<f64>,
    /// The votes of the first so many rules.
    pub votes: Vec<f64>,
    /// The share of examples that models of this size were right about without having seen them.
    pub accuracy: Option<f64>,
    /// How well they told classes apart, where there are two.
    pub auc: Option<f64>,
    /// How the scores of such a model become probabilities.
    pub calibration: Option<Calibration>,
}

impl Stop {
    /// How many rules its model has. Of a list all count; among rules that vote, those whose votes are not rounded to nothing.
    #[must_use]
    pub fn rules(&self, is_list: bool) -> usize {
        self.votes.iter().filter(|&&votes| is_list || self.rounded(votes) != 0.0).count()
    }

    /// Votes as its model has them.
    fn rounded(&self, votes: f64) -> f64 {
        // Amounts are short already: how many digits tell something depends on the numbers.
        if self.base.len() == 1 { votes } else { rounded(votes) }
    }
}

impl RulePath {
    /// The model of a stop, learned from so many examples of each class; rules that explain most come first, and those whose votes
    /// are rounded to nothing are left out. With two classes, votes against one are votes for the other.
    #[must_use]
    pub fn model(&self, stop: usize, examples: &[u64]) -> RuleSet {
        let Some(stop) = self.stops.get(stop) else { return RuleSet::default() };
        let classes = stop.base.len();
        let rounded = |votes: f64| stop.rounded(votes);
        let other = |class: u32| (classes == 2).then(|| 1 - class.min(1));
        let mut base = vec![0.0; classes];
        for (class, &votes) in (0u32..).zip(&stop.base) {
            match other(class) {
                Some(other) if votes < 0.0 => base[other as usize] -= rounded(votes),
                _ => base[class as usize] += rounded(votes),
            }
        }
        let rule = |(rule, &votes): (&Rule, &f64)| {
            let votes = rounded(votes);
            let (class, votes) = match other(rule.class) {
                Some(other) if votes < 0.0 => (other, -votes),
                _ => (rule.class, votes),
            };
            (votes != 0.0).then(|| Rule { class, votes, ..rule.clone() })
        };
        let mut rules: Vec<Rule> = self.rules.iter().zip(&stop.votes).filter_map(rule).collect();
        let all = examples.iter().sum::<u64>().max(1) as f64;
        // How much of the examples a vote moves apart; the vote alone where it is not known what the rule covers.
        let explained = |rule: &Rule| {
            let share = rule.covered.iter().sum::<u64>() as f64 / all;
            rule.votes.abs() * (share * (1.0 - share)).max(1e-9).sqrt()
        };
        rules.sort_by(|left, right| explained(right).total_cmp(&explained(left)));
        RuleSet { base, rules, examples: examples.to_vec(), ..RuleSet::default() }
    }

    /// The model of a stop where rules are a list: in their order, and each with its own vote.
    #[must_use]
    pub fn list(&self, stop: usize, examples: &[u64]) -> RuleSet {
        let Some(stop) = self.stops.get(stop) else { return RuleSet::default() };
        let voted = self.rules.iter().zip(&stop.votes);
        RuleSet {
            base: stop.base.clone(),
            rules: voted.map(|(rule, &votes)| Rule { votes, ..rule.clone() }).collect(),
            examples: examples.to_vec(),
            ordered: true,
            ..RuleSet::default()
        }
    }

    /// The largest stop that votes with at most so many rules, or the first where all vote with more.
    #[must_use]
    pub fn stop_of(&self, rules: usize) -> usize {
        self.stops.partition_point(|stop| stop.votes.len() <= rules).saturating_sub(1)
    }

    /// Looks whether a path from a file makes sense.
    ///
    /// # Errors
    /// When a stop has votes for rules or classes that are not there, the stops are not in the order of their size, or the one that
    /// is told is none of them.
    pub fn check(&self, classes: usize) -> Result<(), RuleError> {
        if self.told >= self.stops.len() {
            return Err(RuleError::Told { told: self.told, models: self.stops.len() });
        }
        if !self.stops.is_sorted_by_key(|stop| stop.votes.len()) {
            return Err(RuleError::Order);
        }
        for (number, rule) in (1..).zip(&self.rules) {
            if rule.class as usize >= classes {
                return Err(RuleError::Class { number, class: rule.class, classes });
            }
            if !rule.covered.is_empty() && rule.covered.len() != classes {
                return Err(RuleError::Covered { number, counts: rule.covered.len(), classes });
            }
        }
        for stop in &self.stops {
            if stop.votes.len() > self.rules.len() {
                let (votes, rules) = (stop.votes.len(), self.rules.len());
                return Err(RuleError::Path { votes, rules });
            }
            let is_sound = |curve: &Calibration| curve.is_sound(classes);
            if !stop.calibration.as_ref().is_none_or(is_sound) {
                return Err(RuleError::Votes);
            }
            if stop.base.len() != classes {
                return Err(RuleError::Base { votes: stop.base.len(), classes });
            }
            // The model of a stop has the rounded votes, and those of the rules as they are where it is a list.
            let votes = || stop.base.iter().chain(&stop.votes);
            let rounded: Vec<f64> = votes().map(|&votes| stop.rounded(votes)).collect();
            check_votes(votes().chain(&rounded), classes)?;
        }
        Ok(())
    }
}

/// Votes with three digits after the point: people read them.
fn rounded(votes: f64) -> f64 {
    (votes * 1000.0).round() / 1000.0 + 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two classes, and rules that vote so much.
    fn stop(votes: &[f64]) -> Stop {
        Stop { base: vec![0.0; 2], votes: votes.to_vec(), ..Stop::default() }
    }

    fn path() -> RulePath {
        let rule = |cut: i32| Rule {
            when: format!("x > {cut}").parse().expect("a condition"),
            class: 1,
            votes: 0.0,
            covered: Vec::new(),
        };
        let stops = vec![stop(&[1.0]), stop(&[1.0, 0.0004, -0.3])];
        RulePath { rules: (0..3).map(rule).collect(), stops, told: 1 }
    }

    #[test]
    fn rules_whose_votes_are_rounded_to_nothing_are_not_counted() {
        let path = path();
        for (place, stop) in path.stops.iter().enumerate() {
            assert_eq!(stop.rules(false), path.model(place, &[]).rules.len());
            assert_eq!(stop.rules(true), path.list(place, &[]).rules.len());
        }
        assert_eq!((path.stops[1].rules(false), path.stops[1].rules(true)), (2, 3));
    }

    #[test]
    fn the_largest_stop_that_is_small_enough_is_found() {
        let path = path();
        assert_eq!([0, 1, 2, 3, 9].map(|rules| path.stop_of(rules)), [0, 0, 0, 1, 1]);
    }

    #[test]
    fn paths_that_make_no_sense_are_refused() {
        let sound = path();
        assert_eq!(sound.check(2).map_err(|error| error.to_string()), Ok(()));
        let refused = |path: RulePath| path.check(2).expect_err("no sense").to_string();
        assert_eq!(
            refused(RulePath { told: 2, ..sound.clone() }),
            "the path tells of model 3, it has 2"
        );
        // Votes that overflow where they are added up or rounded, and votes no probability could be computed from.
        for votes in [1.7e308, -1.7e308, 1e200] {
            let stops = vec![stop(&[1.0]), stop(&[votes, 1.0])];
            let refused = refused(RulePath { stops, ..sound.clone() });
            assert!(refused.contains("add up to"), "{refused}");
        }
        let turned = sound.stops.iter().rev().cloned().collect();
        assert_eq!(
            refused(RulePath { stops: turned, ..sound.clone() }),
            "the models of the path are not in the order of their size"
        );
        assert_eq!(
            refused(RulePath { rules: sound.rules[..2].to_vec(), ..sound }),
            "a model of the path has votes for 3 rules, found were 2"
        );
    }
}
