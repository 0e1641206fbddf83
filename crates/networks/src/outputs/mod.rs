//! Training for more than two classes and for numbers: several networks, each trained by gradient
//! descent on all folds but one. There is no search, because its metrics rank rows of two classes.

mod folds;
mod standard;

use crate::default::shape;
use crate::error::NetworkError;
use crate::gradient::{Adam, Plan, Tiles, TrainingSchedule};
use crate::metric::FitnessMetric;
use crate::model::{LEARNER, Member, MemberOrigin};
use crate::params::{EvolutionMethod, Mode, Params};
use crate::prepare::{FittedPreparation, InputPreparation, Labels, PreparationOptions};
use crate::search::to_f32;
use crate::task::NetworkTask;
use crate::training_table::TrainingTable;
use folds::folds;
use pellucid_bits::as_u32;
use pellucid_device::{Machine, Threads};
use pellucid_forward::{Shape, Width};
use pellucid_learn::params::ParamError;
use pellucid_learn::rng::{Stream, Streams};
use pellucid_learn::run::{self, Figures, Step, Stepper, StopReason};
use serde::{Deserialize, Serialize};
use standard::Standard;
use std::sync::Arc;

/// Above this number of columns × outputs, numeric columns get no inputs with log odds or means.
const MAX_BINNED_COLUMNS: usize = 256;

/// A training run without a search.
pub(crate) struct OutputsRun<'a> {
    params: &'a Params,
    examples: &'a TrainingTable<'a>,
    pub(crate) prepared: FittedPreparation,
    pub(crate) shape: Shape,
    plan: Plan,
    schedule: TrainingSchedule,
    tiles: Tiles,
    /// The mean and the deviation of the numbers to predict.
    standard: Standard,
    threads: Arc<Threads>,
    state: State,
}

/// The state that a checkpoint contains.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct State {
    networks: Vec<Adam>,
}

impl<'a> OutputsRun<'a> {
    pub(crate) fn new(
        examples: &'a TrainingTable<'a>,
        params: &'a Params,
        machine: &Machine,
    ) -> Result<OutputsRun<'a>, NetworkError> {
        refuse_search(examples, params)?;
        let (task, rows) = (examples.task, examples.codes.len());
        let (fold, folds) = folds(examples, params);
        let standard = Standard::of(examples.numbers());
        let numbers = standard.standardized(examples.numbers());
        let labels = match task {
            NetworkTask::Number => Labels::Numbers(&numbers),
            _ => Labels::Classes(&examples.codes, task.outputs()),
        };
        let has_many = examples.data.columns.len() * task.outputs() > MAX_BINNED_COLUMNS;
        let options = PreparationOptions {
            rare: params.preparing.rare,
            smoothing: Some(params.preparing.smoothing),
            steps: if has_many { 0 } else { params.steps(task) },
            clip: params.clip(),
        };
        let prepared = InputPreparation::fit_on(examples.data, labels, &fold, &options)?;
        let columns = &prepared.training;
        let shape = shape(params, columns.len(), Width::Softplus)?;
        let (plan, streams) = (Plan::new(&shape, task), Streams::new(params.seed));
        let train = rows - if folds < 2 { 0 } else { rows / folds };
        let schedule = TrainingSchedule::for_rows(train, &params.descent);
        let targets = targets(task, &examples.codes, &numbers);
        let tiles = Tiles::new(columns, &targets, &fold, schedule.rows_in_tile, streams);
        let networks = (0..params.islands.min(folds)).map(|network| {
            let mut stream = streams.at("island").at(network).stream(&["begin".into()]);
            let is_used = |row: &usize| folds < 2 || fold[*row] != as_u32(network);
            let train: Vec<usize> = (0..rows).filter(is_used).collect();
            Adam::new(initial_genes(&plan, columns, &targets, train, params.nodes(), &mut stream))
        });
        let state = State { networks: networks.collect() };
        let threads = Arc::clone(&machine.threads);
        Ok(OutputsRun {
            params,
            examples,
            shape,
            plan,
            schedule,
            tiles,
            standard,
            threads,
            state,
            prepared,
        })
    }

    /// Returns the networks of the model.
    pub(crate) fn members(&self) -> Vec<Member> {
        let (outputs, standard) = (self.plan.task.outputs(), &self.standard);
        let member = |network: &Adam| {
            let (loss, genes) = network.best.clone().unwrap_or((0.0, network.genes.clone()));
            let (genes, biases) = genes.split_at(genes.len() - outputs);
            let biases: Vec<f64> = biases.iter().map(|&bias| f64::from(bias)).collect();
            let (slope, offset, offsets) = match self.plan.task {
                NetworkTask::Number => {
                    (standard.deviation, standard.original(biases[0]), Vec::new())
                }
                _ => (1.0, 0.0, biases),
            };
            let (genes, origin) = (genes.to_vec(), MemberOrigin::Gradient);
            Member { genes, slope, offset, offsets, origin, chosen_by: loss }
        };
        self.state.networks.iter().map(member).collect()
    }
}

/// Refuses parameters of the search.
fn refuse_search(examples: &TrainingTable<'_>, params: &Params) -> Result<(), NetworkError> {
    let target = examples.data.target_name().unwrap_or_default();
    let found = match examples.task {
        NetworkTask::Number => format!("'{target}' is a number"),
        _ => format!("'{target}' has {} classes", examples.task.outputs()),
    };
    let defaults = Params::default();
    let field = if params.mode == Mode::Paper {
        "mode"
    } else if params.metric != FitnessMetric::Lift {
        "metric"
    } else if params.top_rows.is_some() {
        "top_rows"
    } else if params.top.total_cmp(&defaults.top).is_ne() {
        "top"
    } else if params.breeding.generations.is_some_and(|generations| generations > 0) {
        "generations"
    } else if params.breeding.population.is_some() {
        "population"
    } else if params.breeding.search != EvolutionMethod::Genetic {
        "search"
    } else {
        return Ok(());
    };
    let problem = format!(
        "the search ranks rows of two classes, but {found}; leave this parameter at its default, or \
         make two classes of the target"
    );
    Err(NetworkError::Param(ParamError::with_problem(field, problem)))
}

/// Returns the labels of each output: 1 for rows of its class, or the standardized number.
fn targets(task: NetworkTask, codes: &[u32], numbers: &[f64]) -> Vec<Vec<f32>> {
    match task {
        NetworkTask::Number => vec![numbers.iter().map(|&number| to_f32(number)).collect()],
        _ => (0..as_u32(task.outputs()))
            .map(|class| codes.iter().map(|&code| f32::from(u8::from(code == class))).collect())
            .collect(),
    }
}

/// Returns initial genes and biases, given the training rows of a network.
fn initial_genes(
    plan: &Plan,
    columns: &[Vec<f32>],
    targets: &[Vec<f32>],
    train: Vec<usize>,
    nodes: usize,
    stream: &mut Stream,
) -> Vec<f32> {
    let share = |target: &Vec<f32>| {
        let sum: f64 = train.iter().map(|&row| f64::from(target[row])).sum();
        sum / train.len().max(1) as f64
    };
    let biases: Vec<f32> = match plan.task {
        NetworkTask::Number => vec![0.0],
        // With groups, a class may be absent from the training folds.
        _ => targets.iter().map(|target| to_f32(libm::log(share(target).max(1e-6)))).collect(),
    };
    let mut some = train;
    stream.shuffle(&mut some);
    // A few rows are enough to place radial nodes.
    let row = |row: usize| -> Vec<f32> { columns.iter().map(|column| column[row]).collect() };
    let some: Vec<Vec<f32>> = some.into_iter().take(nodes).map(row).collect();
    plan.initial_genes(&some, &some, &biases, stream)
}

impl Stepper for OutputsRun<'_> {
    type State = State;
    type Error = NetworkError;

    fn plan(&self) -> run::Plan {
        let params = serde_json::to_value(self.params).unwrap_or_default();
        let print = self.examples.fingerprint();
        let print = print.with(serde_json::to_vec(self.params).unwrap_or_default());
        run::Plan::new(LEARNER, params, print).steps(self.schedule.rounds)
    }

    fn step(&mut self) -> Result<Step, NetworkError> {
        let (plan, tiles, schedule) = (&self.plan, &self.tiles, &self.schedule);
        let (seed, level) = (self.params.seed, self.threads.level());
        let networks = &mut self.state.networks;
        let active = networks.iter().filter(|network| !network.is_done(schedule)).count();
        self.threads.each(networks, |number, network| {
            if !network.is_done(schedule) {
                let streams = Streams::new(seed).at("island").at(number);
                network.round(plan, tiles, number, schedule, streams, level);
            }
        });
        let losses: Vec<f64> =
            networks.iter().filter_map(|network| Some(network.best.as_ref()?.0)).collect();
        let mut values = Figures::new();
        if !losses.is_empty() {
            values.set("held_out_loss", losses.iter().sum::<f64>() / losses.len() as f64);
        }
        let stop = self.is_finished().then_some(StopReason::Finished);
        Ok(Step { evaluated: active as u64, score: None, values, stop })
    }

    fn state(&self) -> &State {
        &self.state
    }

    fn restore(&mut self, state: State) -> Result<(), NetworkError> {
        if state.networks.len() != self.state.networks.len() {
            return Err(NetworkError::Checkpoint("it has a different number of networks"));
        }
        let genes = self.plan.genes + self.plan.task.outputs();
        if state.networks.iter().any(|network| !network.fits(genes)) {
            return Err(NetworkError::Checkpoint("a network has a different size"));
        }
        let numbers = |network: &Adam| network.genes.iter().all(|gene| gene.is_finite());
        if !state.networks.iter().all(numbers) {
            return Err(NetworkError::Checkpoint("a number is not finite"));
        }
        self.state = state;
        Ok(())
    }

    fn is_still_done(&self, _: StopReason) -> bool {
        self.is_finished()
    }
}

impl OutputsRun<'_> {
    fn is_finished(&self) -> bool {
        self.state.networks.iter().all(|network| network.is_done(&self.schedule))
    }
}
