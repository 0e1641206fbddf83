//! The part of training that needs no evaluation on a device: gradient descent, making children,
//! and selection.

use crate::gradient::{Gradient, Plan, Tiles, TrainingSchedule, Workspace};
use crate::island::Island;
use crate::metric::Fitness;
use crate::params::Params;
use crate::search::operators::MutationSize;
use crate::search::{Breeder, Child, Operator, Population, Responses, to_f32};
use pellucid_device::Threads;
use pellucid_forward::Shape;
use pellucid_learn::rng::Streams;
use std::sync::Arc;

/// Everything that training and breeding need apart from the evaluator.
pub(super) struct Trainer<'a> {
    pub(super) params: &'a Params,
    pub(super) shape: Shape,
    pub(super) plan: Plan,
    pub(super) schedule: TrainingSchedule,
    pub(super) tiles: Tiles,
    pub(super) responses: Responses,
    pub(super) threads: Arc<Threads>,
}

impl Trainer<'_> {
    /// Returns the random streams of an island.
    pub(super) fn streams(&self, island: usize) -> Streams {
        Streams::new(self.params.seed).at("island").at(island)
    }

    /// Runs one epoch of gradient descent on every island that is still training. Returns the
    /// number of such islands.
    pub(super) fn train_round(&self, islands: &mut [Island]) -> u64 {
        let (tiles, schedule) = (&self.tiles, &self.schedule);
        let count = islands.iter().filter(|island| !island.optimizer.is_done(schedule)).count();
        self.threads.each(islands, |number, island| {
            if !island.optimizer.is_done(schedule) {
                let (streams, level) = (self.streams(number), self.threads.level());
                island.optimizer.round(&self.plan, tiles, number, schedule, streams, level);
            }
        });
        count as u64
    }

    /// Returns the children of an island. Those that need an evaluation or a gradient are still
    /// copies of their parent.
    pub(super) fn children(&self, number: usize, island: &Island) -> Vec<Child> {
        let streams = self.streams(number).at("generation").at(island.generation);
        if let Some(distribution) = &island.distribution {
            // The mean comes last and does not count when the distribution is updated.
            let networks =
                (0..self.params.population()).map(|place| distribution.network(streams, place));
            let child = |genes| Child { operator: Operator::BiasedMutateWeights, parent: 0, genes };
            return networks.chain([distribution.mean.clone()]).map(child).collect();
        }
        let scale = scales(&self.shape, island.seed().0);
        let mutation_size = MutationSize { mean: island.mutation_size, scale: &scale };
        let breeder = Breeder { shape: &self.shape, responses: &self.responses, mutation_size };
        let child = |place: usize| {
            let mut stream = streams.stream(&["child".into(), place.into()]);
            breeder.child(&island.population, &mut stream)
        };
        (0..self.params.population()).map(child).collect()
    }

    /// Applies the gradient step to the children made by hill climbing.
    pub(super) fn hill_climb(
        &self,
        islands: &[Island],
        active: &[usize],
        children: &mut [Vec<Child>],
    ) {
        let mut climbers: Vec<(usize, &mut Child)> = active
            .iter()
            .zip(children)
            .flat_map(|(&number, children)| children.iter_mut().map(move |child| (number, child)))
            .filter(|(_, child)| child.operator == Operator::Hillclimb)
            .collect();
        self.threads.each(&mut climbers, |_, (number, child)| {
            let island = &islands[*number];
            let mut genes = child.genes.clone();
            genes.push(island.seed().1);
            let (mut gradient, mut workspace) =
                (vec![0.0; genes.len()], Workspace::new(&self.plan));
            self.threads.level().run(Gradient {
                plan: &self.plan,
                tiles: &self.tiles,
                places: &self.tiles.without(*number),
                genes: &genes,
                gradient: &mut gradient,
                workspace: &mut workspace,
            });
            let length = |numbers: &[f32]| -> f64 {
                numbers
                    .iter()
                    .map(|&number| f64::from(number) * f64::from(number))
                    .sum::<f64>()
                    .sqrt()
            };
            let norm = length(&gradient[..child.genes.len()]);
            if norm > 0.0 && norm.is_finite() {
                let by = to_f32(island.climb_step * length(&child.genes) / norm);
                child.genes.iter_mut().zip(&gradient).for_each(|(gene, slope)| *gene -= by * slope);
            }
        });
    }

    /// Selects the next generation from parents and children and adapts the step sizes to the
    /// success rate.
    pub(super) fn select_survivors(
        &self,
        number: usize,
        island: &mut Island,
        children: Vec<Child>,
        fitness: &[Fitness],
    ) {
        let streams = self.streams(number).at("generation").at(island.generation);
        let size = self.params.population();
        island.generation += 1;
        if let Some(distribution) = &mut island.distribution {
            distribution.update(streams, &fitness[..fitness.len().min(size)]);
            let networks =
                children.into_iter().map(|child| child.genes).zip(fitness.iter().copied());
            island.population = Population::sorted(networks.collect(), size);
            return;
        }
        for (child, fitness) in children.iter().zip(fitness) {
            let won = fitness.is_better(&island.population.fitness[child.parent]);
            match child.operator {
                Operator::Hillclimb => island.climb_step *= if won { 1.4 } else { 0.4 },
                // The factors keep the mutation size unchanged at a success rate of one in five.
                Operator::BiasedMutateWeights | Operator::MutateNodes => {
                    island.mutation_size *= if won { 1.08 } else { 0.981 };
                }
                _ => {}
            }
        }
        island.mutation_size = island.mutation_size.clamp(1e-4, 1.0);
        island.climb_step = island.climb_step.clamp(1e-6, 0.5);
        let finite =
            |(child, _): &(Child, Fitness)| child.genes.iter().all(|gene| gene.is_finite());
        let mut all = std::mem::take(&mut island.population).into_networks();
        let new = children.into_iter().zip(fitness.iter().copied()).filter(finite);
        all.extend(new.map(|(child, fitness)| (child.genes, fitness)));
        island.population = Population::sorted(all, size);
    }
}

/// Returns the typical size of each gene: the root mean square over the genes of the same kind in
/// the network.
pub(super) fn scales(shape: &Shape, genes: &[f32]) -> Vec<f32> {
    let mut scales = vec![0.0; genes.len()];
    let mut kinds = vec![shape.outputs()];
    for layer in 0..shape.layers().len() {
        kinds.extend([
            shape.weights(layer),
            shape.centres(layer),
            shape.widths(layer),
            shape.biases(layer),
        ]);
    }
    for kind in kinds {
        let squares: f32 = genes[kind.clone()].iter().map(|gene| gene * gene).sum();
        let size = (squares / kind.len().max(1) as f32).sqrt();
        scales[kind].fill(if size.is_finite() { size.max(0.01) } else { 0.01 });
    }
    scales
}
