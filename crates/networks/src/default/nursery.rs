//! Where children are made: everything that needs no answer from the devices.

use crate::gradient::{Plan, Room, Slopes, Tiles, Walk, level};
use crate::island::Island;
use crate::metric::Fitness;
use crate::params::Params;
use crate::search::operators::Reach;
use crate::search::{Breeder, Child, Operator, Population, Responses, single};
use pellucid_device::Threads;
use pellucid_forward::Shape;
use pellucid_learn::rng::Streams;
use std::sync::Arc;

/// What children are made with.
pub(super) struct Nursery<'a> {
    pub(super) params: &'a Params,
    pub(super) shape: Shape,
    pub(super) plan: Plan,
    pub(super) walk: Walk,
    pub(super) tiles: Tiles,
    pub(super) responses: Responses,
    pub(super) threads: Arc<Threads>,
}

impl Nursery<'_> {
    /// The random streams of an island.
    pub(super) fn streams(&self, island: usize) -> Streams {
        Streams::new(self.params.seed).at("island").at(island)
    }

    /// One round down the slope for every island that is still on its way; how many there were.
    pub(super) fn walk(&self, islands: &mut [Island]) -> u64 {
        let (tiles, walk) = (&self.tiles, &self.walk);
        let count = islands.iter().filter(|island| !island.walker.is_done(walk)).count();
        self.threads.each(islands, |number, island| {
            if !island.walker.is_done(walk) {
                let (train, held_out) = (tiles.without(number), tiles.of_fold(number));
                let streams = self.streams(number);
                island.walker.round(&self.plan, tiles, &train, &held_out, walk, streams);
            }
        });
        count as u64
    }

    /// The children of an island, as far as they can be made without asking anything.
    pub(super) fn children(&self, number: usize, island: &Island) -> Vec<Child> {
        let streams = self.streams(number).at("generation").at(island.generation);
        if let Some(cloud) = &island.cloud {
            // The middle itself comes last, and is no part of what the cloud learns from.
            let networks = (0..self.params.population()).map(|place| cloud.network(streams, place));
            let child = |genes| Child { operator: Operator::BiasedMutateWeights, parent: 0, genes };
            return networks.chain([cloud.middle.clone()]).map(child).collect();
        }
        let scale = scales(&self.shape, island.seed().0);
        let reach = Reach { mean: island.reach, scale: &scale };
        let breeder = Breeder { shape: &self.shape, responses: &self.responses, reach };
        let child = |place: usize| {
            let mut stream = streams.stream(&["child".into(), place.into()]);
            breeder.child(&island.population, &mut stream)
        };
        (0..self.params.population()).map(child).collect()
    }

    /// Takes the steps down the slope that children are to be made by.
    pub(super) fn climb(
        &self,
        islands: &[Island],
        under_way: &[usize],
        children: &mut [Vec<Child>],
    ) {
        let mut climbers: Vec<(usize, &mut Child)> = under_way
            .iter()
            .zip(children)
            .flat_map(|(&number, children)| children.iter_mut().map(move |child| (number, child)))
            .filter(|(_, child)| child.operator == Operator::Hillclimb)
            .collect();
        self.threads.each(&mut climbers, |_, (number, child)| {
            let island = &islands[*number];
            let mut genes = child.genes.clone();
            genes.push(island.seed().1);
            let (mut slopes, mut room) = (vec![0.0; genes.len()], Room::new(&self.plan));
            level().run(Slopes {
                plan: &self.plan,
                tiles: &self.tiles,
                places: &self.tiles.without(*number),
                genes: &genes,
                slopes: &mut slopes,
                room: &mut room,
            });
            let length = |numbers: &[f32]| -> f64 {
                numbers
                    .iter()
                    .map(|&number| f64::from(number) * f64::from(number))
                    .sum::<f64>()
                    .sqrt()
            };
            let steep = length(&slopes[..child.genes.len()]);
            if steep > 0.0 && steep.is_finite() {
                let by = single(island.stride * length(&child.genes) / steep);
                child.genes.iter_mut().zip(&slopes).for_each(|(gene, slope)| *gene -= by * slope);
            }
        });
    }

    /// Parents and children become the next generation; steps grow where they succeed.
    pub(super) fn take_in(
        &self,
        number: usize,
        island: &mut Island,
        children: Vec<Child>,
        fitness: &[Fitness],
    ) {
        let streams = self.streams(number).at("generation").at(island.generation);
        let size = self.params.population();
        island.generation += 1;
        if let Some(cloud) = &mut island.cloud {
            cloud.learn(streams, &fitness[..fitness.len().min(size)]);
            let networks =
                children.into_iter().map(|child| child.genes).zip(fitness.iter().copied());
            island.population = Population::sorted(networks.collect(), size);
            return;
        }
        for (child, fitness) in children.iter().zip(fitness) {
            let won = fitness.is_better(&island.population.fitness[child.parent]);
            match child.operator {
                Operator::Hillclimb => island.stride *= if won { 1.4 } else { 0.4 },
                // One success in five keeps the reach as it is.
                Operator::BiasedMutateWeights | Operator::MutateNodes => {
                    island.reach *= if won { 1.08 } else { 0.981 };
                }
                _ => {}
            }
        }
        island.reach = island.reach.clamp(1e-4, 1.0);
        island.stride = island.stride.clamp(1e-6, 0.5);
        let finite =
            |(child, _): &(Child, Fitness)| child.genes.iter().all(|gene| gene.is_finite());
        let mut all = std::mem::take(&mut island.population).into_networks();
        let new = children.into_iter().zip(fitness.iter().copied()).filter(finite);
        all.extend(new.map(|(child, fitness)| (child.genes, fitness)));
        island.population = Population::sorted(all, size);
    }
}

/// How large genes usually are, by gene: the root of the mean square of those of the same kind in a network.
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
