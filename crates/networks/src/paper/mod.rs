//! The mode of the publication: one network, bred for lift on 70 % of the rows and looked at on 20 random halves of the others.
//!
//! What differs is told where it is decided: everything fitted comes from the training rows alone and is
//! out of fold there, exponents that would overflow are cut, and a second layer has widths of its own.

mod split;

use crate::default::{objective, shape};
use crate::error::NetworkError;
use crate::training_table::TrainingTable;
use crate::evaluator::{Evaluator, RowSubset, EvaluationRequest, LabeledRows};
use crate::metric::{Fitness, Sigmoid};
use crate::model::{LEARNER, Member, Origin, OutputScale};
use crate::params::Params;
use crate::prepare::{FittedPreparation, PreparationOptions, Preparation};
use crate::search::{DistinctNetworks, PaperBreeder, Population, bits, rank_rate, to_f32};
use pellucid_bits::as_u32;
use pellucid_device::{Machine, Threads};
use pellucid_forward::{Bred, Breeding, Generation, Shape, Ties, Width};
use pellucid_learn::fingerprint::Fingerprint;
use pellucid_learn::rng::Streams;
use pellucid_learn::run::{self, Figures, Step, Stepper, StopReason};
use serde::{Deserialize, Serialize};
pub(crate) use split::{Split, assign_folds};
use std::collections::VecDeque;
use std::sync::Arc;

/// Generations that a device may make in a row at most, and rows that it may score in doing so, counted once for each network.
const MOST_AHEAD: usize = 128;
const ROWS_AHEAD: usize = 1 << 29;

/// The scale of outputs in this mode: widths may be negative, and nodes grow exponentially then.
pub(crate) const SCALE: OutputScale = OutputScale::Logarithmic;

/// NetworkEnsemble by place, and how good each is.
type ScoredNetworks = (Vec<Vec<f32>>, Vec<Fitness>);

/// The run of the mode of the publication.
pub(crate) struct PaperRun<'a> {
    params: &'a Params,
    /// A digest of the rows.
    print: Fingerprint,
    pub(crate) prepared: FittedPreparation,
    pub(crate) shape: Shape,
    evaluator: Evaluator,
    halves: Vec<RowSubset>,
    /// By held-out row whether it is positive.
    held_out: Vec<bool>,
    threads: Arc<Threads>,
    /// Generations that a device has made already.
    ahead: VecDeque<Bred>,
    state: State,
}

/// What must be kept to go on later.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct State {
    /// The best first.
    population: Population,
    generation: u64,
    /// How the best network does on the halves, and which network that was.
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
        let prepared = Preparation::fit(&training, &own, &fold, &preparation_options(params))?;
        let shape = shape(params, prepared.training.len(), Width::Raw)?;
        let objective = objective(params, own.len(), Ties::Strict);
        let mut rows = LabeledRows::new(&prepared.preparation.apply(&held_out)?, &others, &objective)?;
        let all: Vec<u32> = (0..as_u32(others.len())).collect();
        rows.add_halves(&all, Streams::new(params.seed))?;
        let trained = LabeledRows::new(&prepared.training, &own, &objective)?;
        let evaluator = Evaluator::new(machine, objective, shape, vec![trained, rows])?;
        Ok(PaperRun::over(params, examples.fingerprint(), prepared, evaluator, others, machine))
    }

    /// A run over rows, here or elsewhere: the training rows, and those held out with their halves.
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

    /// The next networks: the best one as it is, and children; or the first ones.
    fn next(&self) -> Vec<Vec<f32>> {
        let (paper, streams) = (PaperBreeder { shape: &self.shape }, Streams::new(self.params.seed));
        let size = self.params.population();
        if self.state.population.len() == 0 {
            return paper.first(size, streams);
        }
        // Not `self`, which holds devices that are no thread's to share.
        let (population, generation) = (&self.state.population, self.state.generation);
        let child = |place: usize| {
            let path = ["child".into(), generation.into(), place.into()];
            paper.child(population, generation, &mut streams.stream(&path)).genes
        };
        // The best one lives on. Each child has a stream of its own, so nothing depends on who makes it.
        let best = || population.network(0).to_vec();
        self.threads.map(size, |place| if place == 0 { best() } else { child(place) })
    }

    /// The next networks and how good each is, where a device makes generations by itself.
    fn bred(&mut self) -> Result<Option<ScoredNetworks>, NetworkError> {
        let State { population, generation, .. } = &self.state;
        if self.ahead.is_empty() && population.len() > 0 && self.evaluator.objective.counts_positives() {
            let part = self.evaluator.session.inputs()[0].part(0);
            let ask = self.evaluator.objective.ask(0, part);
            let each = (part.rows() * population.len()).max(1);
            // At most so many that nobody waits for long.
            let some = (ROWS_AHEAD / each).clamp(1, MOST_AHEAD) as u64;
            let end = self.params.generations().min(generation + some);
            let generations: Vec<Generation> = (*generation..end).map(PaperBreeder::generation).collect();
            if let Some(wanted) = ask.top
                && !generations.is_empty()
            {
                let breeding = Breeding {
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
        let judged = |bred: Bred| {
            let networks = bred.genes.chunks_exact(self.shape.genes()).map(<[f32]>::to_vec);
            let fitness = bred.ranks.iter().map(|ranks| self.evaluator.objective.fitness_from_ranks(ranks));
            (networks.collect(), fitness.collect())
        };
        Ok(self.ahead.pop_front().map(judged))
    }

    /// The network of the model.
    pub(crate) fn member(&mut self) -> Result<Member, NetworkError> {
        let genes = match self.state.population.len() {
            // Stopped before the first generation.
            0 => self.next().swap_remove(0),
            _ => self.state.population.network(0).to_vec(),
        };
        let outputs = self.evaluator.session.scores(1, &self.shape, &genes)?;
        let on_scale = |&output: &f32| to_f32(SCALE.of(f64::from(output)));
        let scores: Vec<f32> = outputs.iter().map(on_scale).collect();
        let mark = Sigmoid::fit(&scores, &self.held_out).0.keeping_order(&scores);
        Ok(Member {
            genes,
            slope: mark.slope,
            offset: mark.offset,
            origin: Origin::Search,
            chosen_by: self.evaluator.objective.metric_value(Fitness { value: self.state.held_out, auc: 0.0 }),
        })
    }
}

/// How a table becomes inputs in this mode.
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
        // The best one and exact copies are not judged again.
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
        for genes in &networks {
            let known = distinct.len();
            let number = distinct.number(genes);
            if number == known {
                new.extend_from_slice(genes);
            }
            numbers.push(number);
        }
        let mut evaluated = 0;
        let of_networks: Vec<Fitness> = match known {
            // A device that breeds by itself judges copies, too; they do not count.
            Some(known) => {
                evaluated = (new.len() / self.shape.genes()) as u64;
                known
            }
            None => {
                fitness.extend(self.evaluator.at(&new, RowSubset { inputs: 0, part: 0 })?);
                let of = |number: usize| fitness.get(number).copied().unwrap_or(Fitness::WORST);
                numbers.into_iter().map(of).collect()
            }
        };
        let mut judged: Vec<(Vec<f32>, Fitness)> = networks.into_iter().zip(of_networks).collect();
        let silent = judged.iter().filter(|(_, of)| of.value == 0.0).count();
        // Of equal ones the first, which is the older.
        judged.sort_by(|a, b| b.1.order(&a.1));
        let population = Population {
            genes: judged.iter().flat_map(|(genes, _)| genes.iter().copied()).collect(),
            fitness: judged.iter().map(|(_, fitness)| *fitness).collect(),
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
        let told = |value: f64| self.evaluator.objective.metric_value(Fitness { value, auc: 0.0 });
        let values = Figures::new()
            .with("train", told(self.state.population.fitness[0].value))
            .with("held_out", told(self.state.held_out))
            .with("without_opinion", silent as f64);
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
            return Err(NetworkError::Checkpoint(
                "networks are of another size, or hold no numbers",
            ));
        }
        self.state = state;
        self.ahead.clear();
        Ok(())
    }

    fn is_still_done(&self, _: StopReason) -> bool {
        false
    }
}
