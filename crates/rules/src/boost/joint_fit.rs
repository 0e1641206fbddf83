//! What is fit to explain, of a class or of a number.

use super::FeatureTable;
use super::class_fit::ClassFit;
use super::local::{Block, Objective};
use super::number_fit::NumberFit;
use crate::params::Params;
use pellucid_device::Threads;
use std::sync::Arc;

/// One class against the rest, or a number, and the rules found so far.
#[derive(Clone, Debug)]
pub(super) enum JointFit {
    Class(ClassFit),
    Number(NumberFit),
}

impl JointFit {
    /// All that there is to explain of a class, or of the number where there is one.
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

    /// Takes in a rule that holds for some examples; its vote is still to be found.
    pub(super) fn add_rule(&mut self, examples: &[u32], favors: bool) {
        match self {
            JointFit::Class(fit) => fit.add_rule(examples, favors),
            JointFit::Number(fit) => fit.add_rule(examples, favors),
        }
    }

    /// Finds the votes that fit best.
    pub(super) fn refit(&mut self) {
        match self {
            JointFit::Class(fit) => fit.refit(),
            JointFit::Number(fit) => fit.refit(),
        }
    }

    /// What there is to begin with and what rules add, as it was found.
    pub(super) fn fitted(&self) -> (f64, &[f64]) {
        match self {
            JointFit::Class(fit) => (fit.base, &fit.votes),
            JointFit::Number(fit) => (fit.base, &fit.votes),
        }
    }

    /// Takes up what was found before.
    pub(super) fn restore(&mut self, fitted: (f64, Vec<f64>)) {
        match self {
            JointFit::Class(fit) => (fit.base, fit.votes) = fitted,
            JointFit::Number(fit) => (fit.base, fit.votes) = fitted,
        }
    }

    /// What there is to begin with and what rules add, as it is rounded.
    pub(super) fn rounded(&self) -> (f64, Vec<f64>) {
        match self {
            JointFit::Class(fit) => (fit.base, fit.votes.clone()),
            JointFit::Number(fit) => fit.rounded(),
        }
    }

    /// The sums of the votes for some examples.
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
