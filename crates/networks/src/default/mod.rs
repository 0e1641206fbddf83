//! The default mode: several networks, each trained by gradient descent on all folds but one and
//! then improved by a search on the metric. The result of the search is kept only if it is better
//! on the held-out fold.

mod evaluation_sets;
mod members;
mod schedule;
mod trainer;

use crate::error::NetworkError;
use crate::evaluator::{EvaluationRequest, Evaluator, LabeledRows};
use crate::gradient::{Plan, Tiles, TrainingSchedule, bias_of, labels};
use crate::island::Island;
use crate::metric::{Fitness, Objective};
use crate::model::LEARNER;
use crate::params::{EvolutionMethod, Mode, Params};
use crate::prepare::{FittedPreparation, InputPreparation, PreparationOptions};
use crate::search::operators::{MutationSize, mutate_node, nodes, without_node};
use crate::search::{Child, Operator, Population, Responses, Snes, bits};
use crate::task::NetworkTask;
use crate::training_table::TrainingTable;
use evaluation_sets::{EvaluationSets, folds};
use pellucid_bits::as_u32;
use pellucid_device::Machine;
use pellucid_forward::{Layer, Shape, TieCounting, Width};
use pellucid_learn::rng::Streams;
use pellucid_learn::run::{self, Figures, Step, Stepper, StopReason};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::sync::Arc;
use trainer::{Trainer, scales};

/// The number of rows used to match nodes before a crossover.
const MATCHING_ROWS: usize = 128;
/// The minimum number of folds; fewer would leave too few training rows.
const MIN_FOLDS: usize = 5;
/// Above this number of columns, numeric columns get no second input with log odds, because that
/// would double the number of inputs.
const MAX_BINNED_COLUMNS: usize = 256;

/// A training run in the default mode.
pub(crate) struct DefaultRun<'a> {
    params: &'a Params,
    examples: &'a TrainingTable<'a>,
    pub(crate) prepared: FittedPreparation,
    trainer: Trainer<'a>,
    fold: Vec<u32>,
    folds: usize,
    evaluator: Evaluator,
    /// The row subsets of each island.
    evaluation_sets: Vec<EvaluationSets>,
    pub(crate) state: State,
}

/// The state that a checkpoint contains.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct State {
    pub(crate) islands: Vec<Island>,
}

impl<'a> DefaultRun<'a> {
    pub(crate) fn new(
        examples: &'a TrainingTable<'a>,
        params: &'a Params,
        machine: &Machine,
    ) -> Result<DefaultRun<'a>, NetworkError> {
        let (fold, folds) = folds(examples, params);
        let has_many = examples.data.columns.len() > MAX_BINNED_COLUMNS;
        let options = PreparationOptions {
            rare: params.preparing.rare,
            smoothing: Some(params.preparing.smoothing),
            steps: if has_many { 0 } else { params.steps(NetworkTask::TwoClasses) },
            clip: params.clip(),
        };
        let positive = &examples.positive;
        let prepared = InputPreparation::fit(examples.data, positive, &fold, &options)?;
        let columns = &prepared.training;
        let shape = shape(params, columns.len(), Width::Softplus)?;
        let (plan, streams) =
            (Plan::new(&shape, NetworkTask::TwoClasses), Streams::new(params.seed));
        // An island trains on all folds but one.
        let train = positive.len() - if folds < 2 { 0 } else { positive.len() / folds };
        let schedule = TrainingSchedule::for_rows(train, &params.descent);
        let tiles = Tiles::new(columns, &[labels(positive)], &fold, schedule.rows_in_tile, streams);
        let row = |row: usize| -> Vec<f32> { columns.iter().map(|column| column[row]).collect() };
        let islands = params.islands.min(folds);
        let objective = objective(params, positive.len(), TieCounting::Shared);
        let mut rows = LabeledRows::new(columns, positive, &objective)?;
        let (mut evaluation_sets, mut state) = (Vec::new(), State { islands: Vec::new() });
        for island in 0..islands {
            let own = streams.at("island").at(island);
            let groups = examples.data.groups.as_deref();
            evaluation_sets.push(EvaluationSets::new(
                &mut rows,
                (&fold, folds),
                groups,
                as_u32(island),
                own,
            )?);
            let train: Vec<usize> =
                (0..fold.len()).filter(|&row| folds < 2 || fold[row] != as_u32(island)).collect();
            let positives: Vec<usize> =
                train.iter().copied().filter(|&row| positive[row]).collect();
            let share = positives.len() as f64 / train.len() as f64;
            let mut stream = own.stream(&["begin".into()]);
            // A few rows are enough to place the initial nodes.
            let mut some = |of: &[usize]| -> Vec<Vec<f32>> {
                let mut of = of.to_vec();
                stream.shuffle(&mut of);
                of.into_iter().take(params.nodes()).map(row).collect()
            };
            let (positives, others) = (some(&positives), some(&train));
            state.islands.push(Island::new(plan.initial_genes(
                &positives,
                &others,
                &[bias_of(share)],
                &mut stream,
            )));
        }
        let mut matched: Vec<usize> = (0..positive.len()).collect();
        streams.stream(&["matched".into()]).shuffle(&mut matched);
        let responses = Responses::new(matched.into_iter().take(MATCHING_ROWS).map(row).collect());
        let evaluator = Evaluator::new(machine, objective, shape.clone(), vec![rows])?;
        let threads = Arc::clone(&machine.threads);
        let trainer = Trainer { params, shape, plan, schedule, tiles, responses, threads };
        Ok(DefaultRun {
            params,
            examples,
            prepared,
            trainer,
            fold,
            folds,
            evaluator,
            evaluation_sets,
            state,
        })
    }

    /// Returns the shape of the networks.
    pub(crate) fn shape(&self) -> &Shape {
        &self.trainer.shape
    }

    fn generations(&self) -> u64 {
        self.params.generations()
    }

    fn is_search_done(&self, island: &Island) -> bool {
        island.is_done(self.generations(), self.params.breeding.patience)
    }

    /// Creates the first population of each island: the trained network and mutations of it.
    /// Returns the number of networks evaluated.
    fn init_populations(&mut self) -> Result<u64, NetworkError> {
        let size = self.params.population();
        for number in 0..self.state.islands.len() {
            let (streams, shape) = (self.trainer.streams(number), self.trainer.shape.clone());
            let island = &self.state.islands[number];
            let seed = island.seed().0.to_vec();
            let mut networks = vec![seed.clone()];
            let last = &island.optimizer.genes[..self.trainer.shape.genes()];
            if bits(last) != bits(&seed) {
                networks.push(last.to_vec());
            }
            let scale = scales(&shape, &seed);
            while networks.len() < size {
                let mut stream = streams.stream(&["settle".into(), networks.len().into()]);
                let mutation_size = MutationSize { mean: island.mutation_size, scale: &scale };
                let mut genes = seed.clone();
                let all = nodes(&shape);
                mutate_node(
                    &shape,
                    &mut genes,
                    all[stream.index(all.len())],
                    true,
                    mutation_size,
                    &mut stream,
                );
                networks.push(genes);
            }
            let evaluation_sets = &self.evaluation_sets[number];
            let fitness = self.evaluator.at(&networks.concat(), evaluation_sets.train)?;
            let population = networks.into_iter().zip(fitness).collect();
            let halves = self.evaluator.evaluate(&[EvaluationRequest {
                genes: &seed,
                subsets: evaluation_sets.halves.clone(),
            }])?;
            let island = &mut self.state.islands[number];
            island.population = Population::sorted(population, size);
            island.best = Some((seed.clone(), Fitness::mean(&halves[0][0])));
            if self.params.breeding.search == EvolutionMethod::Snes {
                let spread = scale.iter().map(|scale| scale * 0.05).collect();
                island.distribution = Some(Snes::new(&seed, spread));
            }
            island.last_checked = seed;
        }
        Ok((size * self.state.islands.len()) as u64)
    }

    /// Breeds one generation on every island that is not finished. Returns the number of networks
    /// evaluated.
    fn generation(&mut self) -> Result<u64, NetworkError> {
        let before = self.evaluator.session.evaluated();
        let active: Vec<usize> = (0..self.state.islands.len())
            .filter(|&number| !self.is_search_done(&self.state.islands[number]))
            .collect();
        let mut children: Vec<Vec<Child>> = {
            let (trainer, islands) = (&self.trainer, &self.state.islands);
            let of = |place: usize| trainer.children(active[place], &islands[active[place]]);
            trainer.threads.map(active.len(), of)
        };
        self.mutate_weakest_nodes(&active, &mut children)?;
        self.trainer.hill_climb(&self.state.islands, &active, &mut children);
        // Duplicates, and networks that are already in the population, are not evaluated again.
        for (&number, children) in active.iter().zip(&mut children) {
            let island = &self.state.islands[number];
            let mut known: HashSet<Vec<u32>> = HashSet::new();
            if island.distribution.is_none() {
                let population = &island.population;
                known.extend((0..population.len()).map(|place| bits(population.network(place))));
                children.retain(|child| known.insert(bits(&child.genes)));
            }
        }
        let genes: Vec<Vec<f32>> = children
            .iter()
            .map(|children| children.iter().flat_map(|child| child.genes.iter().copied()).collect())
            .collect();
        let requests: Vec<EvaluationRequest<'_>> = active
            .iter()
            .zip(&genes)
            .map(|(&number, genes)| EvaluationRequest {
                genes,
                subsets: vec![self.evaluation_sets[number].train],
            })
            .collect();
        let found = self.evaluator.evaluate(&requests)?;
        for ((&number, children), found) in active.iter().zip(children).zip(found) {
            let fitness: Vec<Fitness> = found.iter().map(|of| of[0]).collect();
            let island = &mut self.state.islands[number];
            self.trainer.select_survivors(number, island, children, &fitness);
        }
        self.check_held_out(&active)?;
        Ok(self.evaluator.session.evaluated() - before)
    }

    /// Mutates the weakest node: the one whose removal leaves the best network.
    fn mutate_weakest_nodes(
        &mut self,
        active: &[usize],
        children: &mut [Vec<Child>],
    ) -> Result<(), NetworkError> {
        let all = nodes(&self.trainer.shape);
        for (&number, children) in active.iter().zip(children) {
            let is_affected = |child: &&mut Child| child.operator == Operator::MutateWeakestNodes;
            for (place, child) in children.iter_mut().filter(is_affected).enumerate() {
                let cut: Vec<f32> = all
                    .iter()
                    .flat_map(|&node| without_node(&self.trainer.shape, &child.genes, node))
                    .collect();
                let without = self.evaluator.at(&cut, self.evaluation_sets[number].train)?;
                let weakest = (0..all.len())
                    .reduce(
                        |best, node| {
                            if without[node].is_better(&without[best]) { node } else { best }
                        },
                    )
                    .unwrap_or(0);
                let island = &self.state.islands[number];
                let (scale, streams) =
                    (scales(&self.trainer.shape, island.seed().0), self.trainer.streams(number));
                let path = ["weakest".into(), island.generation.into(), place.into()];
                let mut stream = streams.stream(&path);
                // A harmful node is redrawn; a useful one is perturbed.
                let helps = !without[weakest].is_better(&island.population.fitness[child.parent]);
                let mean = if helps { island.mutation_size } else { 1.0 };
                let mutation_size = MutationSize { mean, scale: &scale };
                mutate_node(
                    &self.trainer.shape,
                    &mut child.genes,
                    all[weakest],
                    helps,
                    mutation_size,
                    &mut stream,
                );
            }
        }
        Ok(())
    }

    /// Evaluates the best network of each island on random halves of its held-out rows.
    fn check_held_out(&mut self, active: &[usize]) -> Result<(), NetworkError> {
        for &number in active {
            let island = &self.state.islands[number];
            let best = match &island.distribution {
                Some(distribution) => distribution.mean.clone(),
                None => island.population.network(0).to_vec(),
            };
            let is_new = bits(&best) != bits(&island.last_checked);
            let found = if is_new {
                let subsets = self.evaluation_sets[number].halves.clone();
                let found =
                    self.evaluator.evaluate(&[EvaluationRequest { genes: &best, subsets }])?;
                Some(Fitness::mean(&found[0][0]))
            } else {
                None
            };
            let island = &mut self.state.islands[number];
            island.stale_generations += 1;
            if let Some(fitness) = found {
                if island.best.as_ref().is_none_or(|(_, known)| fitness.is_better(known)) {
                    island.best = Some((best.clone(), fitness));
                    island.stale_generations = 0;
                }
                island.last_checked = best;
            }
        }
        Ok(())
    }
}

/// Returns the network shape that the parameters ask for.
pub(crate) fn shape(params: &Params, inputs: usize, width: Width) -> Result<Shape, NetworkError> {
    let layers = &params.layers;
    let first = Layer { nodes: params.nodes(), activation: params.activation().activation(width) };
    let second =
        Layer { nodes: layers.second, activation: layers.second_activation.activation(width) };
    let all = if layers.second > 0 { vec![first, second] } else { vec![first] };
    Ok(Shape::new(inputs, &all)?)
}

/// Returns the objective that networks are evaluated by.
pub(crate) fn objective(params: &Params, rows: usize, ties: TieCounting) -> Objective {
    let top_rows = params.top_rows.map(|top| (top, rows));
    // The publication does not break ties by the area under the ROC curve.
    let auc_breaks_ties = params.mode == Mode::Default;
    Objective { metric: params.metric, top: params.top, top_rows, ties, auc_breaks_ties }
}

impl Stepper for DefaultRun<'_> {
    type State = State;
    type Error = NetworkError;

    fn plan(&self) -> run::Plan {
        let params = serde_json::to_value(self.params).unwrap_or_default();
        // The length of the search may differ between a run and its continuation.
        let mut same = self.params.clone();
        (same.breeding.generations, same.breeding.patience) = (None, 1);
        let print = self.examples.fingerprint().with(serde_json::to_vec(&same).unwrap_or_default());
        run::Plan::new(LEARNER, params, print)
            .steps(self.trainer.schedule.rounds + self.generations() + 1)
    }

    fn step(&mut self) -> Result<Step, NetworkError> {
        let mut values = Figures::new();
        let is_training = self
            .state
            .islands
            .iter()
            .any(|island| !island.optimizer.is_done(&self.trainer.schedule));
        let evaluated = if is_training {
            self.trainer.train_round(&mut self.state.islands)
        } else if self.generations() == 0 {
            0
        } else if self.state.islands.iter().any(|island| island.best.is_none()) {
            self.init_populations()?
        } else {
            self.generation()?
        };
        let islands = &self.state.islands;
        let mean = |of: &dyn Fn(&Island) -> Option<f64>| {
            let known: Vec<f64> = islands.iter().filter_map(of).collect();
            (!known.is_empty()).then(|| known.iter().sum::<f64>() / known.len() as f64)
        };
        if let Some(loss) = mean(&|island| island.optimizer.best.as_ref().map(|(loss, _)| *loss)) {
            values.set("held_out_loss", loss);
        }
        let objective = &self.evaluator.objective;
        if let Some(train) = mean(&|island| {
            island.population.fitness.first().map(|best| objective.metric_value(*best))
        }) {
            values.set("train", train);
        }
        if let Some(best) =
            mean(&|island| island.best.as_ref().map(|(_, best)| objective.metric_value(*best)))
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
            return Err(NetworkError::Checkpoint("it has a different number of islands"));
        }
        let genes = self.trainer.shape.genes();
        if let Some(problem) = state.islands.iter().find_map(|island| island.find_problem(genes)) {
            return Err(NetworkError::Checkpoint(problem));
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
            // Without generations, no population is created and `best` stays empty.
            island.optimizer.is_done(&self.trainer.schedule)
                && (island.best.is_some() || self.generations() == 0)
                && self.is_search_done(island)
        };
        self.state.islands.iter().all(done)
    }
}
