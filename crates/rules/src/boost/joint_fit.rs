//! The joint fit of all rules, for a class or a number.

use super::FeatureTable;
use super::class_fit::ClassFit;
use super::local::{Block, Objective};

use crate::params::Params;
use pellucid_device::Threads;
use pellucid_ruleset::number::NumberFit;
use std::borrow::Cow;
use std::sync::Arc;

/// One class against the rest, or a number, and the rules found so far.
#[derive(Clone, Debug)]
pub(super) enum JointFit {
    Class(ClassFit),
    Number(NumberFit),
}

impl JointFit {
    /// Creates a fit without rules for a class, or for the number if there is one.
    pub(super) fn new(
        table: &FeatureTable,
        class: u32,
        weights: Arc<[f64]>,
        params: &Params,
    ) -> JointFit {
        match &table.numbers {
            Some(numbers) => JointFit::Number(NumberFit::new(numbers, weights, params.voting.loss)),
            None => {
                let is_positive = table.codes.iter().map(|&code| code == class).collect();
                JointFit::Class(ClassFit::new(is_positive, weights))
            }
        }
    }

    /// Adds a rule that applies to these examples; its points are fitted later.
    pub(super) fn add_rule(&mut self, examples: &[u32], favors: bool) {
        match self {
            JointFit::Class(fit) => fit.add_rule(examples, favors),
            JointFit::Number(fit) => fit.add_rule(examples, favors),
        }
    }

    /// Fits all points.
    pub(super) fn refit(&mut self) {
        match self {
            JointFit::Class(fit) => fit.refit(),
            JointFit::Number(fit) => fit.refit(),
        }
    }

    /// Returns the intercept and the points, as fitted.
    pub(super) fn fitted(&self) -> (f64, &[f64]) {
        match self {
            JointFit::Class(fit) => (fit.base, &fit.votes),
            JointFit::Number(fit) => (fit.base, &fit.votes),
        }
    }

    /// Restores an earlier fit.
    pub(super) fn restore(&mut self, fitted: (f64, Vec<f64>)) {
        match self {
            JointFit::Class(fit) => (fit.base, fit.votes) = fitted,
            JointFit::Number(fit) => (fit.base, fit.votes) = fitted,
        }
    }

    /// Returns the fit in points, given a factor for whole points.
    pub(super) fn in_points(&self, factor: Option<f64>) -> Cow<'_, JointFit> {
        match (self, factor) {
            (JointFit::Class(fit), Some(factor)) => {
                Cow::Owned(JointFit::Class(fit.in_whole_points(factor)))
            }
            _ => Cow::Borrowed(self),
        }
    }

    /// Returns the intercept and the points, rounded for the model.
    pub(super) fn rounded(&self) -> (f64, Vec<f64>) {
        match self {
            JointFit::Class(fit) => (fit.base, fit.votes.clone()),
            JointFit::Number(fit) => fit.rounded(),
        }
    }

    /// Returns the scores of some examples.
    pub(super) fn scores(&self, examples: &[u32]) -> Vec<f64> {
        match self {
            JointFit::Class(fit) => fit.margins(examples).collect(),
            JointFit::Number(fit) => fit.scores(examples).collect(),
        }
    }
}

impl Objective for JointFit {
    fn blocks(&self, examples: &[u32], threads: &Threads) -> (Vec<Block>, f64) {
        match self {
            JointFit::Class(fit) => fit.blocks(examples, threads),
            JointFit::Number(fit) => fit.blocks(examples, threads),
        }
    }
}
