//! One network on its way: down the slope, then bred.

use crate::gradient::Adam;
use crate::metric::Fitness;
use crate::search::{Population, Snes};
use serde::{Deserialize, Serialize};

/// An island: its training rows are all but one fold, its held-out rows are that fold. No network ever moves to another
/// island, since there it would be judged by rows that it was trained on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Island {
    /// The network that follows the gradient.
    pub(crate) optimizer: Adam,
    /// The networks that are bred, the best on training rows first; none before the gradient was followed to its end.
    pub(crate) population: Population,
    /// The distribution, where one is used instead.
    pub(crate) distribution: Option<Snes>,
    /// Generations so far.
    pub(crate) generation: u64,
    /// The network that was best on random halves of the held-out rows, and how good it was.
    pub(crate) best: Option<(Vec<f32>, Fitness)>,
    /// The network looked at last, so that it is not looked at again.
    pub(crate) last_checked: Vec<f32>,
    /// Generations since a better one was found.
    pub(crate) stale_generations: u64,
    /// How far genes are moved, as a share of how large they are.
    pub(crate) mutation_size: f64,
    /// How far a step down the slope goes, as a share of how large the genes are.
    pub(crate) climb_step: f64,
}

impl Island {
    /// An island with a network that has these genes, and a bias behind them.
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

    /// The network that the gradient led to, and its bias.
    pub(crate) fn seed(&self) -> (&[f32], f32) {
        let genes = self.optimizer.best.as_ref().map_or(&self.optimizer.genes, |(_, genes)| genes);
        genes.split_last().map_or((&[], 0.0), |(&bias, genes)| (genes, bias))
    }

    /// Whether breeding has come to its end.
    pub(crate) fn is_done(&self, generations: u64, patience: u64) -> bool {
        self.generation >= generations || self.stale_generations >= patience
    }

    /// What about a state from a file does not fit networks of so many genes.
    pub(crate) fn find_problem(&self, genes: usize) -> Option<&'static str> {
        let population = &self.population;
        let distribution = self.distribution.as_ref();
        if !self.optimizer.fits(genes + 1) {
            return Some("a network that follows the gradient is of another size");
        }
        if population.genes.len() != population.len() * genes {
            return Some("networks of a population are of another size");
        }
        if distribution.is_some_and(|distribution| distribution.mean.len() != genes || distribution.spread.len() != genes) {
            return Some("a distribution of networks is of another size");
        }
        if self.best.as_ref().is_some_and(|(best, _)| best.len() != genes) {
            return Some("the best network is of another size");
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
