//! What is left to explain, of a class or of a number.

use super::Ground;
use super::amounts::Amounts;
use super::near::{Crowd, Explained};
use super::residual::Residual;
use crate::params::Params;
use pellucid_device::Threads;
use std::sync::Arc;

/// One class against the rest, or a number, and the rules found so far.
#[derive(Clone, Debug)]
pub(super) enum Left {
    Class(Residual),
    Number(Amounts),
}

impl Left {
    /// All that there is to explain of a class, or of the number where there is one.
    pub(super) fn new(ground: &Ground, class: u32, weights: Arc<[f64]>, params: &Params) -> Left {
        match &ground.numbers {
            Some(numbers) => Left::Number(Amounts::new(numbers, weights, params.voting.loss)),
            None => {
                let is_positive = ground.codes.iter().map(|&code| code == class).collect();
                Left::Class(Residual::new(is_positive, weights))
            }
        }
    }

    /// Takes in a rule that holds for some examples; its vote is still to be found.
    pub(super) fn add_rule(&mut self, examples: &[u32], speaks_for: bool) {
        match self {
            Left::Class(left) => left.add_rule(examples, speaks_for),
            Left::Number(left) => left.add_rule(examples, speaks_for),
        }
    }

    /// Finds the votes that fit best.
    pub(super) fn refit(&mut self) {
        match self {
            Left::Class(left) => left.refit(),
            Left::Number(left) => left.refit(),
        }
    }

    /// What there is to begin with and what rules add, as it was found.
    pub(super) fn fitted(&self) -> (f64, &[f64]) {
        match self {
            Left::Class(left) => (left.base, &left.votes),
            Left::Number(left) => (left.base, &left.votes),
        }
    }

    /// Takes up what was found before.
    pub(super) fn restore(&mut self, fitted: (f64, Vec<f64>)) {
        match self {
            Left::Class(left) => (left.base, left.votes) = fitted,
            Left::Number(left) => (left.base, left.votes) = fitted,
        }
    }

    /// What there is to begin with and what rules add, as it is told.
    pub(super) fn told(&self) -> (f64, Vec<f64>) {
        match self {
            Left::Class(left) => (left.base, left.votes.clone()),
            Left::Number(left) => left.told(),
        }
    }

    /// The sums of the votes for some examples.
    pub(super) fn said(&self, examples: &[u32]) -> Vec<f64> {
        match self {
            Left::Class(left) => left.margins(examples).collect(),
            Left::Number(left) => left.said(examples).collect(),
        }
    }
}

impl Explained for Left {
    fn crowd(&self, examples: &[u32], threads: &Threads) -> (Vec<Crowd>, f64) {
        match self {
            Left::Class(left) => left.crowd(examples, threads),
            Left::Number(left) => left.crowd(examples, threads),
        }
    }
}
