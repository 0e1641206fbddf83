//! Constraints on the conditions of a rule, as demanded by the user.

use super::feature::Feature;
use super::test::{StepSet, Test};
use crate::params::RuleConstraints;

/// The class that a rule with some conditions must favor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Demand {
    /// Either class.
    #[default]
    Any,
    /// The positive class, or a higher number.
    For,
    /// The negative class, or a lower number.
    Against,
    /// Both at once, which is impossible.
    Never,
}

impl Demand {
    fn and(self, other: Demand) -> Demand {
        match (self, other) {
            (Demand::Any, demand) | (demand, Demand::Any) => demand,
            (one, other) if one == other => one,
            _ => Demand::Never,
        }
    }

    /// Returns whether a rule that favors the class, or not, satisfies the demand.
    pub(super) fn is_met(self, favors: bool) -> bool {
        match self {
            Demand::Any => true,
            Demand::For => favors,
            Demand::Against => !favors,
            Demand::Never => false,
        }
    }
}

/// The columns that are left for the next rule, if the number of columns of a model is limited.
#[derive(Clone, Debug)]
pub(super) struct ColumnsLeft {
    /// Whether an earlier rule uses the attribute of each feature.
    is_used: Vec<bool>,
    /// The number of attributes that may be added.
    left: usize,
}

/// The constraints on rules over some features.
#[derive(Clone, Debug, Default)]
pub(crate) struct Constraints {
    /// The attribute of each feature.
    attributes: Vec<usize>,
    /// The demands of a condition from below and from above, for each feature.
    demands: Vec<[Demand; 2]>,
    /// Whether each feature is required: every rule must have a condition on a required feature.
    /// Empty if none is.
    required: Vec<bool>,
    /// The most different attributes in a rule.
    most: usize,
}

impl Constraints {
    pub(super) fn new(features: &[Feature], demands: &RuleConstraints) -> Constraints {
        let mut names: Vec<&str> = Vec::new();
        let mut attributes = Vec::with_capacity(features.len());
        for feature in features {
            let known = names.iter().position(|name| *name == feature.attribute());
            attributes.push(known.unwrap_or_else(|| {
                names.push(feature.attribute());
                names.len() - 1
            }));
        }
        let of_feature = |feature: &Feature| match demands.direction(feature.attribute()) {
            None => [Demand::Any; 2],
            Some(true) => [Demand::Against, Demand::For],
            Some(false) => [Demand::For, Demand::Against],
        };
        let is_required =
            |feature: &Feature| demands.require.iter().any(|name| name == feature.attribute());
        Constraints {
            attributes,
            demands: features.iter().map(of_feature).collect(),
            required: match demands.require.is_empty() {
                true => Vec::new(),
                false => features.iter().map(is_required).collect(),
            },
            most: demands.interactions.unwrap_or(usize::MAX),
        }
    }

    /// Returns whether a rule with these conditions may have one more on a feature. The first
    /// condition is on a required feature.
    pub(super) fn allows(&self, tests: &[Test], feature: usize) -> bool {
        if tests.is_empty() {
            return self.required.is_empty() || self.required[feature];
        }
        let is_other = |test: &&Test| self.attributes[test.feature] != self.attributes[feature];
        self.attributes_of(tests.iter().filter(is_other)).len() < self.most
    }

    /// Returns the columns that are left for the next rule of a path, given the conditions of its rules
    /// and the most attributes of a model.
    pub(super) fn columns_left<'a>(
        &self,
        rules: impl Iterator<Item = &'a [Test]>,
        most: usize,
    ) -> ColumnsLeft {
        let used = self.attributes_of(rules.flatten());
        let is_used = self.attributes.iter().map(|own| used.contains(own)).collect();
        ColumnsLeft { is_used, left: most.saturating_sub(used.len()) }
    }

    /// Returns whether a rule with these conditions may have one more on a feature, given the columns
    /// that are left.
    pub(super) fn leaves(&self, columns: &ColumnsLeft, tests: &[Test], feature: usize) -> bool {
        let is_new = |test: &&Test| !columns.is_used[test.feature];
        let mut new = self.attributes_of(tests.iter().filter(is_new));
        if !columns.is_used[feature] && !new.contains(&self.attributes[feature]) {
            new.push(self.attributes[feature]);
        }
        new.len() <= columns.left
    }

    /// Returns the distinct attributes of some conditions.
    fn attributes_of<'a>(&self, tests: impl Iterator<Item = &'a Test>) -> Vec<usize> {
        let mut attributes: Vec<usize> = tests.map(|test| self.attributes[test.feature]).collect();
        attributes.sort_unstable();
        attributes.dedup();
        attributes
    }

    /// Returns whether a rule may have conditions on two features of different attributes.
    pub(super) fn may_join(&self, one: &Test, other: &Test) -> bool {
        let is_required = |test: &Test| self.required.is_empty() || self.required[test.feature];
        self.attributes[one.feature] != self.attributes[other.feature]
            && self.most > 1
            && (is_required(one) || is_required(other))
    }

    /// Returns the demands of a rule with these conditions and one more on a feature, from below or
    /// from above.
    pub(super) fn demands(&self, tests: &[Test], feature: usize) -> [Demand; 2] {
        let of_test = |test: &Test| match test.set {
            StepSet::UpTo(_) => self.demands[test.feature][0],
            StepSet::Above(_) => self.demands[test.feature][1],
            StepSet::Among(_) => Demand::Any,
        };
        let others = tests.iter().map(of_test).fold(Demand::Any, Demand::and);
        self.demands[feature].map(|own| own.and(others))
    }
}
