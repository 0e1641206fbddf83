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
    pub(crate) walker: Adam,
    /// The networks that are bred, the best on training rows first; none before the gradient was followed to its end.
    pub(crate) population: Population,
    /// The cloud, where one is used instead.
    pub(crate) cloud: Option<Snes>,
    /// Generations so far.
    pub(crate) generation: u64,
    /// The network that was best on random halves of the held-out rows, and how good it was.
    pub(crate) best: Option<(Vec<f32>, Fitness)>,
    /// The network looked at last, so that it is not looked at again.
    pub(crate) looked_at: Vec<f32>,
    /// Generations since a better one was found.
    pub(crate) waited: u64,
    /// How far genes are moved, as a share of how large they are.
    pub(crate) reach: f64,
    /// How far a step down the slope goes, as a share of how large the genes are.
    pub(crate) stride: f64,
}

impl Island {
    /// An island with a network that has these genes, and a bias behind them.
    pub(crate) fn new(genes: Vec<f32>) -> Island {
        Island {
            walker: Adam::new(genes),
            population: Population::default(),
            cloud: None,
            generation: 0,
            best: None,
            looked_at: Vec::new(),
            waited: 0,
            reach: 0.1,
            stride: 0.01,
        }
    }

    /// The network that the gradient led to, and its bias.
    pub(crate) fn seed(&self) -> (&[f32], f32) {
        let genes = self.walker.best.as_ref().map_or(&self.walker.genes, |(_, genes)| genes);
        genes.split_last().map_or((&[], 0.0), |(&bias, genes)| (genes, bias))
    }

    /// Whether breeding has come to its end.
    pub(crate) fn is_done(&self, generations: u64, patience: u64) -> bool {
        self.generation >= generations || self.waited >= patience
    }

    /// What about a state from a file does not fit networks of so many genes.
    pub(crate) fn misfit(&self, genes: usize) -> Option<&'static str> {
        let population = &self.population;
        let cloud = self.cloud.as_ref();
        if !self.walker.fits(genes + 1) {
            return Some("a network that follows the gradient is of another size");
        }
        if population.genes.len() != population.len() * genes {
            return Some("networks of a population are of another size");
        }
        if cloud.is_some_and(|cloud| cloud.middle.len() != genes || cloud.spread.len() != genes) {
            return Some("a cloud of networks is of another size");
        }
        if self.best.as_ref().is_some_and(|(best, _)| best.len() != genes) {
            return Some("the best network is of another size");
        }
        let all = population.genes.iter().chain(&self.walker.genes);
        if all.clone().any(|gene| !gene.is_finite())
            || !(self.reach.is_finite() && self.stride.is_finite())
        {
            return Some("a number is not finite");
        }
        None
    }
}
