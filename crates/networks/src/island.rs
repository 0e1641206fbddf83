//! The state of one island: gradient training, then search.

use crate::gradient::Adam;
use crate::metric::Fitness;
use crate::search::{Population, Snes};
use serde::{Deserialize, Serialize};

/// An island trains on all folds but one and is evaluated on that fold. Networks never move to
/// another island, because there they would be evaluated on their training rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Island {
    /// The network in gradient training.
    pub(crate) optimizer: Adam,
    /// The population, best on the training rows first; empty before gradient training is done.
    pub(crate) population: Population,
    /// The search distribution, if the search method is SNES.
    pub(crate) distribution: Option<Snes>,
    /// The number of generations so far.
    pub(crate) generation: u64,
    /// The network that was best on random halves of the held-out rows, and its fitness.
    pub(crate) best: Option<(Vec<f32>, Fitness)>,
    /// The network that was evaluated last, so that it is not evaluated again.
    pub(crate) last_checked: Vec<f32>,
    /// The number of generations since the last improvement.
    pub(crate) stale_generations: u64,
    /// The size of mutations, relative to the size of the genes.
    pub(crate) mutation_size: f64,
    /// The length of a hill-climbing step, relative to the size of the genes.
    pub(crate) climb_step: f64,
}

impl Island {
    /// Creates an island from genes followed by a bias.
    pub(crate) fn new(genes: Vec<f32>) -> Island {
        Island {
            optimizer: Adam::new(genes),
            population: Population::default(),
            distribution: None,
            generation: 0,
            best: None,
            last_checked: Vec::new(),
            stale_generations: 0,
            mutation_size: 0.1,
            climb_step: 0.01,
        }
    }

    /// Returns the trained network and its bias.
    pub(crate) fn seed(&self) -> (&[f32], f32) {
        let genes = self.optimizer.best.as_ref().map_or(&self.optimizer.genes, |(_, genes)| genes);
        genes.split_last().map_or((&[], 0.0), |(&bias, genes)| (genes, bias))
    }

    /// Whether the search has stopped.
    pub(crate) fn is_done(&self, generations: u64, patience: u64) -> bool {
        self.generation >= generations || self.stale_generations >= patience
    }

    /// Checks a state from a checkpoint against the number of genes. Returns a description of the
    /// first problem.
    pub(crate) fn find_problem(&self, genes: usize) -> Option<&'static str> {
        let population = &self.population;
        let distribution = self.distribution.as_ref();
        if !self.optimizer.fits(genes + 1) {
            return Some("a trained network has a different size");
        }
        if population.genes.len() != population.len() * genes {
            return Some("a population has networks of a different size");
        }
        if distribution.is_some_and(|distribution| {
            distribution.mean.len() != genes || distribution.std_dev.len() != genes
        }) {
            return Some("a search distribution has a different size");
        }
        if self.best.as_ref().is_some_and(|(best, _)| best.len() != genes) {
            return Some("the best network has a different size");
        }
        let all = population.genes.iter().chain(&self.optimizer.genes);
        if all.clone().any(|gene| !gene.is_finite())
            || !(self.mutation_size.is_finite() && self.climb_step.is_finite())
        {
            return Some("a number is not finite");
        }
        None
    }
}
