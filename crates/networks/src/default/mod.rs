//! The default mode: several networks, each trained by gradient on all rows but a fold, bred on the metric, and kept as they
//! were where breeding did not help on rows of that fold.

mod members;
mod nursery;
mod pace;
mod places;

use crate::error::NetworkError;
use crate::examples::Examples;
use crate::gradient::{Plan, Tiles, Walk};
use crate::ground::{Ground, Question, Rows};
use crate::island::Island;
use crate::metric::{Fitness, Judge};
use crate::model::LEARNER;
use crate::params::{Mode, Params, Search};
use crate::prepare::{Fitted, Manner, Preparation};
use crate::search::operators::{Reach, mutate_node, nodes, without_node};
use crate::search::{Child, Operator, Population, Responses, Snes, bits};
use nursery::{Nursery, scales};
use pellucid_bits::as_u32;
use pellucid_device::Machine;
use pellucid_forward::{Layer, Shape, Ties, Width};
use pellucid_learn::rng::Streams;
use pellucid_learn::run::{self, Figures, Step, Stepper, StopReason};
use places::{Places, folds};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::sync::Arc;

/// Rows by which nodes are matched.
const MATCHED_BY: usize = 128;
/// Fewer folds than this leave too little to train on.
const LEAST_FOLDS: usize = 5;
/// More columns than this are not told by log odds too: they would be twice as many inputs.
const MANY_COLUMNS: usize = 256;

/// The run of the default mode.
pub(crate) struct DefaultRun<'a> {
    params: &'a Params,
    examples: &'a Examples<'a>,
    pub(crate) prepared: Fitted,
    nursery: Nursery<'a>,
    fold: Vec<u32>,
    folds: usize,
    ground: Ground,
    /// By island: training rows, halves of one half of the held-out rows, and the other half.
    places: Vec<Places>,
    pub(crate) state: State,
}

/// What must be kept to go on later.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct State {
    pub(crate) islands: Vec<Island>,
}

impl<'a> DefaultRun<'a> {
    pub(crate) fn new(
        examples: &'a Examples<'a>,
        params: &'a Params,
        machine: &Machine,
    ) -> Result<DefaultRun<'a>, NetworkError> {
        let (fold, folds) = folds(examples, params);
        let many = examples.data.columns.len() > MANY_COLUMNS;
        let manner = Manner {
            rare: params.preparing.rare,
            smoothing: Some(params.preparing.smoothing),
            steps: if many { 0 } else { params.preparing.steps },
            clip: params.clip(),
        };
        let positive = &examples.positive;
        let prepared = Preparation::fit(examples.data, positive, &fold, &manner)?;
        let columns = &prepared.training;
        let shape = shape(params, columns.len(), Width::Softplus)?;
        let (plan, streams) = (Plan::new(&shape), Streams::new(params.seed));
        // What an island has to train on: all folds but one.
        let train = positive.len() - if folds < 2 { 0 } else { positive.len() / folds };
        let walk = Walk::over(train, &params.descent);
        let tiles = Tiles::new(columns, positive, &fold, walk.rows_in_tile, streams);
        let row = |row: usize| -> Vec<f32> { columns.iter().map(|column| column[row]).collect() };
        let islands = params.islands.min(folds);
        let judge = judge(params, positive.len(), Ties::Shared);
        let mut rows = Rows::new(columns, positive, &judge)?;
        let (mut places, mut state) = (Vec::new(), State { islands: Vec::new() });
        for island in 0..islands {
            let own = streams.at("island").at(island);
            let groups = examples.data.groups.as_deref();
            places.push(Places::new(&mut rows, (&fold, folds), groups, as_u32(island), own)?);
            let train: Vec<usize> =
                (0..fold.len()).filter(|&row| folds < 2 || fold[row] != as_u32(island)).collect();
            let positives: Vec<usize> =
                train.iter().copied().filter(|&row| positive[row]).collect();
            let share = positives.len() as f64 / train.len() as f64;
            let mut stream = own.stream(&["begin".into()]);
            // A few rows are enough to choose from.
            let mut some = |of: &[usize]| -> Vec<Vec<f32>> {
                let mut of = of.to_vec();
                stream.shuffle(&mut of);
                of.into_iter().take(params.nodes()).map(row).collect()
            };
            let (positives, others) = (some(&positives), some(&train));
            state.islands.push(Island::new(plan.first(&positives, &others, share, &mut stream)));
        }
        let mut matched: Vec<usize> = (0..positive.len()).collect();
        streams.stream(&["matched".into()]).shuffle(&mut matched);
        let responses = Responses::new(matched.into_iter().take(MATCHED_BY).map(row).collect());
        let ground = Ground::new(machine, judge, shape.clone(), vec![rows])?;
        let threads = Arc::clone(&machine.threads);
        let nursery = Nursery { params, shape, plan, walk, tiles, responses, threads };
        Ok(DefaultRun { params, examples, prepared, nursery, fold, folds, ground, places, state })
    }

    /// What the networks are made of.
    pub(crate) fn shape(&self) -> &Shape {
        &self.nursery.shape
    }

    fn generations(&self) -> u64 {
        self.params.generations()
    }

    fn is_searched(&self, island: &Island) -> bool {
        island.is_done(self.generations(), self.params.breeding.patience)
    }

    /// The first networks of every population: what the gradient led to, and others near it.
    fn settle(&mut self) -> Result<u64, NetworkError> {
        let size = self.params.population();
        for number in 0..self.state.islands.len() {
            let (streams, shape) = (self.nursery.streams(number), self.nursery.shape.clone());
            let island = &self.state.islands[number];
            let seed = island.seed().0.to_vec();
            let mut networks = vec![seed.clone()];
            let last = &island.walker.genes[..self.nursery.shape.genes()];
            if bits(last) != bits(&seed) {
                networks.push(last.to_vec());
            }
            let scale = scales(&shape, &seed);
            while networks.len() < size {
                let mut stream = streams.stream(&["settle".into(), networks.len().into()]);
                let reach = Reach { mean: island.reach, scale: &scale };
                let mut genes = seed.clone();
                let all = nodes(&shape);
                mutate_node(
                    &shape,
                    &mut genes,
                    all[stream.index(all.len())],
                    true,
                    reach,
                    &mut stream,
                );
                networks.push(genes);
            }
            let places = &self.places[number];
            let fitness = self.ground.at(&networks.concat(), places.train)?;
            let population = networks.into_iter().zip(fitness).collect();
            let halves =
                self.ground.judge(&[Question { genes: &seed, places: places.halves.clone() }])?;
            let island = &mut self.state.islands[number];
            island.population = Population::sorted(population, size);
            island.best = Some((seed.clone(), Fitness::mean(&halves[0][0])));
            if self.params.breeding.search == Search::Snes {
                let spread = scale.iter().map(|scale| scale * 0.05).collect();
                island.cloud = Some(Snes::around(&seed, spread));
            }
            island.looked_at = seed;
        }
        Ok((size * self.state.islands.len()) as u64)
    }

    /// One generation on every island that is not done; how many networks were judged.
    fn generation(&mut self) -> Result<u64, NetworkError> {
        let before = self.ground.session.evaluated();
        let under_way: Vec<usize> = (0..self.state.islands.len())
            .filter(|&number| !self.is_searched(&self.state.islands[number]))
            .collect();
        let mut children: Vec<Vec<Child>> = {
            let (nursery, islands) = (&self.nursery, &self.state.islands);
            let of = |place: usize| nursery.children(under_way[place], &islands[under_way[place]]);
            nursery.threads.map(under_way.len(), of)
        };
        self.weaken(&under_way, &mut children)?;
        self.nursery.climb(&self.state.islands, &under_way, &mut children);
        // Of copies only one is judged, and none of a network that is there already.
        for (&number, children) in under_way.iter().zip(&mut children) {
            let island = &self.state.islands[number];
            let mut known: HashSet<Vec<u32>> = HashSet::new();
            if island.cloud.is_none() {
                let population = &island.population;
                known.extend((0..population.len()).map(|place| bits(population.network(place))));
                children.retain(|child| known.insert(bits(&child.genes)));
            }
        }
        let genes: Vec<Vec<f32>> = children
            .iter()
            .map(|children| children.iter().flat_map(|child| child.genes.iter().copied()).collect())
            .collect();
        let questions: Vec<Question<'_>> = under_way
            .iter()
            .zip(&genes)
            .map(|(&number, genes)| Question { genes, places: vec![self.places[number].train] })
            .collect();
        let found = self.ground.judge(&questions)?;
        for ((&number, children), found) in under_way.iter().zip(children).zip(found) {
            let fitness: Vec<Fitness> = found.iter().map(|of| of[0]).collect();
            let island = &mut self.state.islands[number];
            self.nursery.take_in(number, island, children, &fitness);
        }
        self.look(&under_way)?;
        Ok(self.ground.session.evaluated() - before)
    }

    /// Changes the node that is least use: the one without which a network is best.
    fn weaken(
        &mut self,
        under_way: &[usize],
        children: &mut [Vec<Child>],
    ) -> Result<(), NetworkError> {
        let all = nodes(&self.nursery.shape);
        for (&number, children) in under_way.iter().zip(children) {
            let wanted = |child: &&mut Child| child.operator == Operator::MutateWeakestNodes;
            for (place, child) in children.iter_mut().filter(wanted).enumerate() {
                let cut: Vec<f32> = all
                    .iter()
                    .flat_map(|&node| without_node(&self.nursery.shape, &child.genes, node))
                    .collect();
                let without = self.ground.at(&cut, self.places[number].train)?;
                let weakest = (0..all.len())
                    .reduce(
                        |best, node| {
                            if without[node].is_better(&without[best]) { node } else { best }
                        },
                    )
                    .unwrap_or(0);
                let island = &self.state.islands[number];
                let (scale, streams) =
                    (scales(&self.nursery.shape, island.seed().0), self.nursery.streams(number));
                let path = ["weakest".into(), island.generation.into(), place.into()];
                let mut stream = streams.stream(&path);
                // A node that does harm is drawn anew, one that helps is moved.
                let helps = !without[weakest].is_better(&island.population.fitness[child.parent]);
                let mean = if helps { island.reach } else { 1.0 };
                let reach = Reach { mean, scale: &scale };
                mutate_node(
                    &self.nursery.shape,
                    &mut child.genes,
                    all[weakest],
                    helps,
                    reach,
                    &mut stream,
                );
            }
        }
        Ok(())
    }

    /// Looks at the best network of each island on random halves of its held-out rows.
    fn look(&mut self, under_way: &[usize]) -> Result<(), NetworkError> {
        for &number in under_way {
            let island = &self.state.islands[number];
            let best = match &island.cloud {
                Some(cloud) => cloud.middle.clone(),
                None => island.population.network(0).to_vec(),
            };
            let is_new = bits(&best) != bits(&island.looked_at);
            let found = if is_new {
                let places = self.places[number].halves.clone();
                let found = self.ground.judge(&[Question { genes: &best, places }])?;
                Some(Fitness::mean(&found[0][0]))
            } else {
                None
            };
            let island = &mut self.state.islands[number];
            island.waited += 1;
            if let Some(fitness) = found {
                if island.best.as_ref().is_none_or(|(_, known)| fitness.is_better(known)) {
                    island.best = Some((best.clone(), fitness));
                    island.waited = 0;
                }
                island.looked_at = best;
            }
        }
        Ok(())
    }
}

/// The shape that was asked for.
pub(crate) fn shape(params: &Params, inputs: usize, width: Width) -> Result<Shape, NetworkError> {
    let layers = &params.layers;
    let first = Layer { nodes: params.nodes(), activation: params.activation().activation(width) };
    let second =
        Layer { nodes: layers.second, activation: layers.second_activation.activation(width) };
    let all = if layers.second > 0 { vec![first, second] } else { vec![first] };
    Ok(Shape::new(inputs, &all)?)
}

/// What networks are judged by.
pub(crate) fn judge(params: &Params, rows: usize, ties: Ties) -> Judge {
    let top_rows = params.top_rows.map(|top| (top, rows));
    // The publication knows nothing of an area.
    let by_area = params.mode == Mode::Default;
    Judge { aim: params.metric, top: params.top, top_rows, ties, by_area }
}

impl Stepper for DefaultRun<'_> {
    type State = State;
    type Error = NetworkError;

    fn plan(&self) -> run::Plan {
        let params = serde_json::to_value(self.params).unwrap_or_default();
        // How long it is bred may change between two runs.
        let mut same = self.params.clone();
        (same.breeding.generations, same.breeding.patience) = (None, 1);
        let print = self.examples.fingerprint().with(serde_json::to_vec(&same).unwrap_or_default());
        run::Plan::new(LEARNER, params, print)
            .steps(self.nursery.walk.rounds + self.generations() + 1)
    }

    fn step(&mut self) -> Result<Step, NetworkError> {
        let mut values = Figures::new();
        let is_walking =
            self.state.islands.iter().any(|island| !island.walker.is_done(&self.nursery.walk));
        let evaluated = if is_walking {
            self.nursery.walk(&mut self.state.islands)
        } else if self.generations() == 0 {
            0
        } else if self.state.islands.iter().any(|island| island.best.is_none()) {
            self.settle()?
        } else {
            self.generation()?
        };
        let islands = &self.state.islands;
        let mean = |of: &dyn Fn(&Island) -> Option<f64>| {
            let known: Vec<f64> = islands.iter().filter_map(of).collect();
            (!known.is_empty()).then(|| known.iter().sum::<f64>() / known.len() as f64)
        };
        if let Some(loss) = mean(&|island| island.walker.best.as_ref().map(|(loss, _)| *loss)) {
            values.set("held_out_loss", loss);
        }
        let judge = &self.ground.judge;
        if let Some(train) =
            mean(&|island| island.population.fitness.first().map(|best| judge.told(*best)))
        {
            values.set("train", train);
        }
        if let Some(best) = mean(&|island| island.best.as_ref().map(|(_, best)| judge.told(*best)))
        {
            values.set("held_out", best);
        }
        let stop = self.is_finished().then_some(StopReason::Finished);
        Ok(Step { evaluated, score: None, values, stop })
    }

    fn state(&self) -> &State {
        &self.state
    }

    fn restore(&mut self, state: State) -> Result<(), NetworkError> {
        if state.islands.len() != self.state.islands.len() {
            return Err(NetworkError::Checkpoint("there are more islands, or fewer"));
        }
        let genes = self.nursery.shape.genes();
        if let Some(misfit) = state.islands.iter().find_map(|island| island.misfit(genes)) {
            return Err(NetworkError::Checkpoint(misfit));
        }
        self.state = state;
        Ok(())
    }

    fn is_still_done(&self, _: StopReason) -> bool {
        self.is_finished()
    }
}

impl DefaultRun<'_> {
    fn is_finished(&self) -> bool {
        let done = |island: &Island| {
            // Where nothing is to be bred, nobody settles either.
            island.walker.is_done(&self.nursery.walk)
                && (island.best.is_some() || self.generations() == 0)
                && self.is_searched(island)
        };
        self.state.islands.iter().all(done)
    }
}
