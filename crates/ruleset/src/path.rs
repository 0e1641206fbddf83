//! Models of several sizes from one training run.
//!
//! A learner that adds one rule at a time has a model of every size on the way. A [`RulePath`]
//! keeps the rules in the order in which they were found and, for some sizes, the points of the
//! first rules and their cross-validation scores. So a user can show a smaller or a larger model
//! without training again.

use crate::model::{ClassPoints, Rule, RuleError, RuleSet, check_votes};
use pellucid_learn::calibrate::Calibration;
use serde::ser::SerializeStruct;
use serde::{Deserialize, Serialize, Serializer};
use std::collections::BTreeSet;

/// Rules in the order in which they were found, and their points in models of several sizes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RulePath {
    /// The rules; their points depend on the size of the model.
    pub rules: Vec<Rule>,
    /// Models of several sizes, the smallest first.
    #[serde(rename = "stops")]
    pub models: Vec<SizedModel>,
    /// The index of the selected model.
    #[serde(rename = "told")]
    pub selected: usize,
}

/// A model of some size: the points of the first rules of a path.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub struct SizedModel {
    /// The starting score of each class.
    pub base: Vec<f64>,
    /// The points of the first rules.
    pub votes: Vec<f64>,
    /// The points of the first rules for further classes; empty if no rule has any.
    #[serde(default)]
    pub others: Vec<Vec<f64>>,
    /// The accuracy in cross-validation.
    pub accuracy: Option<f64>,
    /// The AUC in cross-validation, with two classes.
    pub auc: Option<f64>,
    /// The cost per example in cross-validation, if misses have costs.
    #[serde(default)]
    pub cost: Option<f64>,
    /// The curve that turns scores into probabilities.
    pub calibration: Option<Calibration>,
    /// The standard error of the accuracy, if it is known.
    #[serde(default)]
    pub standard_error: Option<f64>,
}

/// In text, empty points of further classes and unknown costs and errors are left out. A checkpoint has all
/// fields, because its format does not name them.
impl Serialize for SizedModel {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let has_others = !serializer.is_human_readable() || !self.others.is_empty();
        let has_cost = !serializer.is_human_readable() || self.cost.is_some();
        let has_error = !serializer.is_human_readable() || self.standard_error.is_some();
        let fields = 5 + [has_others, has_cost, has_error].map(usize::from).iter().sum::<usize>();
        let mut sized = serializer.serialize_struct("SizedModel", fields)?;
        sized.serialize_field("base", &self.base)?;
        sized.serialize_field("votes", &self.votes)?;
        if has_others {
            sized.serialize_field("others", &self.others)?;
        }
        sized.serialize_field("accuracy", &self.accuracy)?;
        sized.serialize_field("auc", &self.auc)?;
        if has_cost {
            sized.serialize_field("cost", &self.cost)?;
        }
        sized.serialize_field("calibration", &self.calibration)?;
        if has_error {
            sized.serialize_field("standard_error", &self.standard_error)?;
        }
        sized.end()
    }
}

impl SizedModel {
    /// Returns the number of rules. In a list all rules count; otherwise those whose points are not
    /// rounded to 0.
    #[must_use]
    pub fn rules(&self, is_list: bool) -> usize {
        let has_points =
            |&rule: &usize| is_list || self.points(rule).any(|votes| self.rounded(votes) != 0.0);
        (0..self.votes.len()).filter(has_points).count()
    }

    /// Returns the points of a rule for its class, then for further classes.
    fn points(&self, rule: usize) -> impl Iterator<Item = f64> + '_ {
        let others = self.others.get(rule).into_iter().flatten().copied();
        self.votes.get(rule).copied().into_iter().chain(others)
    }

    /// Returns points as the model has them.
    fn rounded(&self, votes: f64) -> f64 {
        // Amounts are rounded already, because the useful digits depend on the target.
        if self.base.len() == 1 { votes } else { rounded(votes) }
    }
}

impl RulePath {
    /// Returns the model at an index, given the number of training examples of each class. Rules
    /// that explain most come first, each followed by the others on the same columns; those whose
    /// points are rounded to 0 are left out. With two classes, points against one are points for the
    /// other.
    #[must_use]
    pub fn model(&self, index: usize, examples: &[u64]) -> RuleSet {
        self.model_and_places(index, examples).0
    }

    /// Returns the [model](RulePath::model) at an index, and the place of each of its rules on the path.
    #[must_use]
    pub fn model_and_places(&self, index: usize, examples: &[u64]) -> (RuleSet, Vec<usize>) {
        let Some(sized) = self.models.get(index) else { return Default::default() };
        let classes = sized.base.len();
        let rounded = |votes: f64| sized.rounded(votes);
        let other = |class: u32| (classes == 2).then(|| 1 - class.min(1));
        let mut base = vec![0.0; classes];
        for (class, &votes) in (0u32..).zip(&sized.base) {
            match other(class) {
                Some(other) if votes < 0.0 => base[other as usize] -= rounded(votes),
                _ => base[class as usize] += rounded(votes),
            }
        }
        let entry = |(class, votes): (u32, f64)| match (other(class), rounded(votes)) {
            (Some(other), votes) if votes < 0.0 => ClassPoints { class: other, votes: -votes },
            (_, votes) => ClassPoints { class, votes },
        };
        let rule = |(place, rule): (usize, &Rule)| {
            let classes = rule.points().map(|points| points.class);
            let entries = classes.zip(sized.points(place)).map(entry);
            let entries = entries.filter(|points| points.votes != 0.0).collect();
            Some((place, rule.with_points(entries)?))
        };
        let rules = self.rules.iter().take(sized.votes.len()).enumerate();
        let mut rules: Vec<(usize, Rule)> = rules.filter_map(rule).collect();
        let contribution = |rule: &(usize, Rule)| rule.1.contribution(examples);
        rules.sort_by(|left, right| contribution(right).total_cmp(&contribution(left)));
        let (places, rules) = by_columns(rules).into_iter().unzip();
        (RuleSet { base, rules, examples: examples.to_vec(), ..RuleSet::default() }, places)
    }

    /// Returns the model at an index as an ordered list: all rules in the order of the path.
    #[must_use]
    pub fn list(&self, index: usize, examples: &[u64]) -> RuleSet {
        let Some(sized) = self.models.get(index) else { return RuleSet::default() };
        let rules = self.rules.iter().zip(&sized.votes);
        RuleSet {
            base: sized.base.clone(),
            rules: rules.map(|(rule, &votes)| Rule { votes, ..rule.clone() }).collect(),
            examples: examples.to_vec(),
            ordered: true,
            ..RuleSet::default()
        }
    }

    /// Returns the index of the largest model with at most `rules` rules, or of the first model if
    /// all are larger.
    #[must_use]
    pub fn index_of_size(&self, rules: usize) -> usize {
        self.models.partition_point(|sized| sized.votes.len() <= rules).saturating_sub(1)
    }

    /// Checks that a path from a file is valid.
    ///
    /// # Errors
    /// If a model has points for rules or classes that do not exist, the models are not sorted by
    /// size, or the selected model does not exist.
    pub fn check(&self, classes: usize) -> Result<(), RuleError> {
        if self.selected >= self.models.len() {
            let (selected, models) = (self.selected, self.models.len());
            return Err(RuleError::Selected { selected, models });
        }
        if !self.models.is_sorted_by_key(|sized| sized.votes.len()) {
            return Err(RuleError::Order);
        }
        for (number, rule) in (1..).zip(&self.rules) {
            rule.check_classes(number, classes)?;
            if !rule.covered.is_empty() && rule.covered.len() != classes {
                return Err(RuleError::Covered { number, counts: rule.covered.len(), classes });
            }
        }
        for sized in &self.models {
            if sized.votes.len() > self.rules.len() {
                let (votes, rules) = (sized.votes.len(), self.rules.len());
                return Err(RuleError::Path { votes, rules });
            }
            let is_sound = |curve: &Calibration| curve.is_sound(classes);
            if !sized.calibration.as_ref().is_none_or(is_sound) {
                return Err(RuleError::Votes);
            }
            if sized.base.len() != classes {
                return Err(RuleError::Base { votes: sized.base.len(), classes });
            }
            // A model has rounded points, or the points as they are if it is a list.
            let points = || (0..sized.votes.len()).flat_map(|rule| sized.points(rule));
            let votes = || sized.base.iter().copied().chain(points());
            check_votes(votes().chain(votes().map(|votes| sized.rounded(votes))), classes)?;
            let fits = |(rule, others): (&Rule, &Vec<f64>)| rule.others.len() == others.len();
            if !sized.others.is_empty()
                && (sized.others.len() != sized.votes.len()
                    || !self.rules.iter().zip(&sized.others).all(fits))
            {
                return Err(RuleError::Others);
            }
        }
        Ok(())
    }
}

/// A rule and its place on the path.
type PlacedRule = (usize, Rule);

/// Returns the rules, with their places, with those on the same columns together, in the order of the
/// first of them.
fn by_columns(rules: Vec<PlacedRule>) -> Vec<PlacedRule> {
    let mut groups: Vec<(BTreeSet<String>, Vec<PlacedRule>)> = Vec::new();
    for rule in rules {
        let columns = rule.1.when.columns().into_iter().map(str::to_owned).collect();
        match groups.iter_mut().find(|(known, _)| *known == columns) {
            Some((_, group)) => group.push(rule),
            None => groups.push((columns, vec![rule])),
        }
    }
    groups.into_iter().flat_map(|(_, group)| group).collect()
}

/// Returns points with three decimals, for readability.
#[must_use]
pub fn rounded(votes: f64) -> f64 {
    // Adding 0 turns -0 into 0.
    (votes * 1000.0).round() / 1000.0 + 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a model of two classes with these points.
    fn sized(votes: &[f64]) -> SizedModel {
        SizedModel { base: vec![0.0; 2], votes: votes.to_vec(), ..SizedModel::default() }
    }

    fn path() -> RulePath {
        let rule = |cut: i32| Rule::new(format!("x > {cut}").parse().expect("a condition"), 1, 0.0);
        let models = vec![sized(&[1.0]), sized(&[1.0, 0.0004, -0.3])];
        RulePath { rules: (0..3).map(rule).collect(), models, selected: 1 }
    }

    #[test]
    fn rules_whose_points_are_rounded_to_zero_are_not_counted() {
        let path = path();
        for (index, sized) in path.models.iter().enumerate() {
            assert_eq!(sized.rules(false), path.model(index, &[]).rules.len());
            assert_eq!(sized.rules(true), path.list(index, &[]).rules.len());
        }
        assert_eq!((path.models[1].rules(false), path.models[1].rules(true)), (2, 3));
    }

    #[test]
    fn rules_on_the_same_columns_are_together() {
        let rule = |when: &str| Rule::new(when.parse().expect("a condition"), 1, 1.0);
        let models = vec![sized(&[5.0, 4.0, 3.0, 2.0, 1.0])];
        let rules = ["x > 1 and y > 2", "z > 1", "y > 5 and x <= 2", "x > 3", "z > 4"].map(rule);
        let path = RulePath { rules: rules.to_vec(), models, selected: 0 };
        let shown: Vec<String> =
            path.model(0, &[]).rules.iter().map(|rule| rule.when.to_string()).collect();
        assert_eq!(shown, ["x > 1 and y > 2", "y > 5 and x <= 2", "z > 1", "z > 4", "x > 3"]);
    }

    #[test]
    fn the_largest_model_that_is_small_enough_is_found() {
        let path = path();
        assert_eq!([0, 1, 2, 3, 9].map(|rules| path.index_of_size(rules)), [0, 0, 0, 1, 1]);
    }

    #[test]
    fn the_keys_in_files_are_stable() {
        let json = serde_json::to_value(path()).expect("JSON");
        assert_eq!(
            (json["told"].as_u64(), json["stops"].as_array().map(Vec::len)),
            (Some(1), Some(2))
        );
    }

    #[test]
    fn invalid_paths_are_rejected() {
        let valid = path();
        assert_eq!(valid.check(2).map_err(|error| error.to_string()), Ok(()));
        let error = |path: RulePath| path.check(2).expect_err("an invalid path").to_string();
        assert_eq!(
            error(RulePath { selected: 2, ..valid.clone() }),
            "the path selects model 3, but has 2 models"
        );
        // Points whose sum or rounding overflows, and points too large to compute a probability.
        for votes in [1.7e308, -1.7e308, 1e200] {
            let models = vec![sized(&[1.0]), sized(&[votes, 1.0])];
            let error = error(RulePath { models, ..valid.clone() });
            assert!(error.contains("add up to"), "{error}");
        }
        let models = valid.models.iter().rev().cloned().collect();
        assert_eq!(
            error(RulePath { models, ..valid.clone() }),
            "the models of the path are not sorted by size"
        );
        assert_eq!(
            error(RulePath { rules: valid.rules[..2].to_vec(), ..valid }),
            "a model of the path has points for 3 rules, but the path has 2"
        );
    }
}
