//! The mode of the publication: one network, bred for lift on 70 % of the rows and evaluated on 20
//! random halves of the rest.
//!
//! It differs from the publication in three ways: the preparation is fitted on the training rows
//! only and applied out of fold there, exponents that would overflow are clamped, and a second
//! layer has widths of its own.

mod split;

use crate::default::{objective, shape};
use crate::error::NetworkError;
use crate::evaluator::{EvaluationRequest, Evaluator, LabeledRows, RowSubset};
use crate::metric::{Fitness, Sigmoid};
use crate::model::{LEARNER, Member, MemberOrigin, OutputScale};
use crate::params::Params;
use crate::prepare::{FittedPreparation, InputPreparation, PreparationOptions};
use crate::search::{DistinctNetworks, PaperBreeder, Population, bits, rank_rate, to_f32};
use crate::training_table::TrainingTable;
use pellucid_bits::as_u32;
use pellucid_device::{Machine, Threads};
use pellucid_forward::{Bred, BreedingPlan, GenerationSettings, Shape, TieCounting, Width};
use pellucid_learn::fingerprint::Fingerprint;
use pellucid_learn::rng::Streams;
use pellucid_learn::run::{self, Figures, Step, Stepper, StopReason};
use serde::{Deserialize, Serialize};
pub(crate) use split::{Split, assign_folds};
use std::collections::VecDeque;
use std::sync::Arc;

/// The maximum number of generations that a device breeds at once, and the maximum number of rows ×
/// networks that it scores in that time.
const MAX_AHEAD: usize = 128;
const MAX_ROWS_AHEAD: usize = 1 << 29;

/// The scale of outputs in this mode. Widths may be negative, so nodes can grow exponentially.
pub(crate) const SCALE: OutputScale = OutputScale::Logarithmic;

/// The genes of networks, and their fitness.
type ScoredNetworks = (Vec<Vec<f32>>, Vec<Fitness>);

/// A training run in the mode of the publication.
pub(crate) struct PaperRun<'a> {
    params: &'a Params,
    /// A digest of the training data.
    print: Fingerprint,
    pub(crate) prepared: FittedPreparation,
    pub(crate) shape: Shape,
    evaluator: Evaluator,
    halves: Vec<RowSubset>,
    /// Whether each held-out row is positive.
    held_out: Vec<bool>,
    threads: Arc<Threads>,
    /// Generations that a device has bred in advance.
    ahead: VecDeque<Bred>,
    state: State,
}

/// The state that a checkpoint contains.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct State {
    /// The current population, best first.
    population: Population,
    generation: u64,
    /// The network that was evaluated last on the held-out halves, and its result.
    last_checked: Vec<f32>,
    held_out: f64,
}

impl<'a> PaperRun<'a> {
    pub(crate) fn new(
        examples: &TrainingTable<'_>,
        params: &'a Params,
        machine: &Machine,
    ) -> Result<PaperRun<'a>, NetworkError> {
        let Split { train, test } =
            Split::new(&examples.codes, examples.data.groups.as_deref(), params.seed);
        let positive = |rows: &[u32]| -> Vec<bool> {
            rows.iter().map(|&row| examples.positive[row as usize]).collect()
        };
        let (training, held_out) = (examples.data.select(&train), examples.data.select(&test));
        let (own, others) = (positive(&train), positive(&test));
        let codes = training.example_codes();
        let fold = assign_folds(&codes, training.groups.as_deref(), params.seed);
        let prepared = InputPreparation::fit(&training, &own, &fold, &preparation_options(params))?;
        let shape = shape(params, prepared.training.len(), Width::Raw)?;
        let objective = objective(params, own.len(), TieCounting::Strict);
        let mut rows =
            LabeledRows::new(&prepared.preparation.apply(&held_out)?, &others, &objective)?;
        let all: Vec<u32> = (0..as_u32(others.len())).collect();
        rows.add_halves(&all, Streams::new(params.seed))?;
        let trained = LabeledRows::new(&prepared.training, &own, &objective)?;
        let evaluator = Evaluator::new(machine, objective, shape, vec![trained, rows])?;
        Ok(PaperRun::over(params, examples.fingerprint(), prepared, evaluator, others, machine))
    }

    /// Creates a run over local or remote rows: the training rows, and the held-out rows with their
    /// halves.
    pub(crate) fn over(
        params: &'a Params,
        print: Fingerprint,
        prepared: FittedPreparation,
        evaluator: Evaluator,
        held_out: Vec<bool>,
        machine: &Machine,
    ) -> PaperRun<'a> {
        let parts = evaluator.session.inputs()[1].parts().len();
        PaperRun {
            params,
            print,
            prepared,
            shape: evaluator.shape.clone(),
            evaluator,
            halves: (1..parts).map(|part| RowSubset { inputs: 1, part }).collect(),
            held_out,
            threads: Arc::clone(&machine.threads),
            ahead: VecDeque::new(),
            state: State::default(),
        }
    }

    /// Returns the next generation: the best network unchanged, and children; or the first
    /// generation.
    fn next(&self) -> Vec<Vec<f32>> {
        let (paper, streams) =
            (PaperBreeder { shape: &self.shape }, Streams::new(self.params.seed));
        let size = self.params.population();
        if self.state.population.len() == 0 {
            return paper.first(size, streams);
        }
        // `self` contains devices, which threads cannot share.
        let (population, generation) = (&self.state.population, self.state.generation);
        let child = |place: usize| {
            let path = ["child".into(), generation.into(), place.into()];
            paper.child(population, generation, &mut streams.stream(&path)).genes
        };
        // The best network survives. Each child has its own random stream, so the result does not
        // depend on the threads.
        let best = || population.network(0).to_vec();
        self.threads.map(size, |place| if place == 0 { best() } else { child(place) })
    }

    /// Returns the next generation with its fitness if a device breeds generations by itself.
    fn bred(&mut self) -> Result<Option<ScoredNetworks>, NetworkError> {
        let State { population, generation, .. } = &self.state;
        if self.ahead.is_empty()
            && population.len() > 0
            && self.evaluator.objective.counts_positives()
        {
            let part = self.evaluator.session.inputs()[0].part(0);
            let ask = self.evaluator.objective.ask(0, part);
            let each = (part.rows() * population.len()).max(1);
            // Bounded, so that the run can still be interrupted soon.
            let ahead = (MAX_ROWS_AHEAD / each).clamp(1, MAX_AHEAD) as u64;
            let end = self.params.generations().min(generation + ahead);
            let generations: Vec<GenerationSettings> =
                (*generation..end).map(PaperBreeder::generation).collect();
            if let Some(wanted) = ask.top
                && !generations.is_empty()
            {
                let breeding = BreedingPlan {
                    inputs: 0,
                    shape: &self.shape,
                    wanted,
                    parents: &population.genes,
                    key: Streams::new(self.params.seed).at("child").key(),
                    rank_rate: rank_rate(),
                    generations: &generations,
                };
                self.ahead.extend(self.evaluator.session.breed(&breeding)?.into_iter().flatten());
            }
        }
        let scored = |bred: Bred| {
            let networks = bred.genes.chunks_exact(self.shape.genes()).map(<[f32]>::to_vec);
            let fitness =
                bred.ranks.iter().map(|ranks| self.evaluator.objective.fitness_from_ranks(ranks));
            (networks.collect(), fitness.collect())
        };
        Ok(self.ahead.pop_front().map(scored))
    }

    /// Returns the fitness of each network, and the number of distinct new networks that a device
    /// has evaluated already. Networks of the current population and duplicates are not evaluated
    /// again.
    fn evaluate(
        &mut self,
        networks: &[Vec<f32>],
        known: Option<Vec<Fitness>>,
    ) -> Result<(Vec<Fitness>, u64), NetworkError> {
        let population = &self.state.population;
        let mut distinct = DistinctNetworks::default();
        let mut fitness = Vec::with_capacity(population.len() + networks.len());
        for (place, known) in population.fitness.iter().enumerate() {
            if distinct.number(population.network(place)) == fitness.len() {
                fitness.push(*known);
            }
        }
        let mut new: Vec<f32> = Vec::with_capacity(population.genes.len());
        let mut numbers = Vec::with_capacity(networks.len());
        for genes in networks {
            let count = distinct.len();
            let number = distinct.number(genes);
            if number == count {
                new.extend_from_slice(genes);
            }
            numbers.push(number);
        }
        // A device that breeds by itself also evaluates duplicates; they do not count.
        if let Some(known) = known {
            return Ok((known, (new.len() / self.shape.genes()) as u64));
        }
        fitness.extend(self.evaluator.at(&new, RowSubset { inputs: 0, part: 0 })?);
        let of = |number: usize| fitness.get(number).copied().unwrap_or(Fitness::WORST);
        Ok((numbers.into_iter().map(of).collect(), 0))
    }

    /// Returns the network of the model.
    pub(crate) fn member(&mut self) -> Result<Member, NetworkError> {
        let genes = match self.state.population.len() {
            // Stopped before the first generation.
            0 => self.next().swap_remove(0),
            _ => self.state.population.network(0).to_vec(),
        };
        let outputs = self.evaluator.session.scores(1, &self.shape, &genes)?;
        let on_scale = |&output: &f32| to_f32(SCALE.of(f64::from(output)));
        let scores: Vec<f32> = outputs.iter().map(on_scale).collect();
        let calibration = Sigmoid::fit(&scores, &self.held_out).0.keeping_order(&scores);
        Ok(Member {
            genes,
            slope: calibration.slope,
            offset: calibration.offset,
            offsets: Vec::new(),
            origin: MemberOrigin::Search,
            chosen_by: self
                .evaluator
                .objective
                .metric_value(Fitness { value: self.state.held_out, auc: 0.0 }),
        })
    }
}

/// Returns the preparation options of this mode.
pub(crate) fn preparation_options(params: &Params) -> PreparationOptions {
    PreparationOptions { rare: params.preparing.rare, smoothing: None, steps: 0, clip: None }
}

impl Stepper for PaperRun<'_> {
    type State = State;
    type Error = NetworkError;

    fn plan(&self) -> run::Plan {
        let params = serde_json::to_value(self.params).unwrap_or_default();
        let mut same = self.params.clone();
        same.breeding.generations = None;
        let print = self.print.with(serde_json::to_vec(&same).unwrap_or_default());
        run::Plan::new(LEARNER, params, print).steps(self.params.generations())
    }

    fn step(&mut self) -> Result<Step, NetworkError> {
        let bred = self.bred()?;
        let before = self.evaluator.session.evaluated();
        let (networks, known) = match bred {
            Some((networks, fitness)) => (networks, Some(fitness)),
            None => (self.next(), None),
        };
        let (of_networks, mut evaluated) = self.evaluate(&networks, known)?;
        let mut scored: Vec<(Vec<f32>, Fitness)> = networks.into_iter().zip(of_networks).collect();
        let constant = scored.iter().filter(|(_, of)| of.value == 0.0).count();
        // The sort is stable: in a tie the older network comes first.
        scored.sort_by(|a, b| b.1.order(&a.1));
        let population = Population {
            genes: scored.iter().flat_map(|(genes, _)| genes.iter().copied()).collect(),
            fitness: scored.iter().map(|(_, fitness)| *fitness).collect(),
        };
        let best = population.network(0).to_vec();
        if bits(&best) != bits(&self.state.last_checked) {
            let subsets = self.halves.clone();
            let found = self.evaluator.evaluate(&[EvaluationRequest { genes: &best, subsets }])?;
            self.state.held_out = Fitness::mean(&found[0][0]).value;
            self.state.last_checked = best;
        }
        self.state.population = population;
        self.state.generation += 1;
        let metric =
            |value: f64| self.evaluator.objective.metric_value(Fitness { value, auc: 0.0 });
        let values = Figures::new()
            .with("train", metric(self.state.population.fitness[0].value))
            .with("held_out", metric(self.state.held_out))
            .with("without_opinion", constant as f64);
        evaluated += self.evaluator.session.evaluated() - before;
        Ok(Step { evaluated, score: None, values, stop: None })
    }

    fn state(&self) -> &State {
        &self.state
    }

    fn restore(&mut self, state: State) -> Result<(), NetworkError> {
        let State { population, last_checked, .. } = &state;
        let genes = self.shape.genes();
        let fits = population.genes.len() == population.len() * genes
            && (last_checked.is_empty() || last_checked.len() == genes);
        if !fits || population.genes.iter().any(|gene| gene.is_nan()) {
            return Err(NetworkError::Checkpoint("a network has a different size or contains NaN"));
        }
        self.state = state;
        self.ahead.clear();
        Ok(())
    }

    fn is_still_done(&self, _: StopReason) -> bool {
        false
    }
}
