//! The paper's algorithm: one rule for the positive class, bred for a fixed number of generations.

use crate::evolve::{Evolution, EvolutionProfile, FitnessEvaluator, Generation};
use crate::genome::size;
use crate::grammar::Vocabulary;
use crate::model::{Rule, RuleSet};
use crate::params::Params;
use crate::train::{Machine, RulesError, Training, of_example};
use crate::trim::trimmed;
use pellucid_cover::Hypothesis;
use pellucid_learn::params::{NamedChoice as _, Valid};
use pellucid_learn::rng::Streams;
use pellucid_learn::run::{Figures, Plan, Step, Stepper, StopReason};
use std::sync::Arc;

/// A run of the paper's algorithm. Step 1 creates the first generation, every other step the next.
#[derive(Debug)]
pub struct G3pMi {
    training: Training,
    params: Valid<Params>,
    hypothesis: Hypothesis,
    evolution: Evolution,
}

impl G3pMi {
    /// Creates a run on some data; the last class is the positive one.
    ///
    /// # Errors
    /// If there are more than two classes, the grammar does not fit the data, or a device fails.
    pub fn new(
        training: Training,
        params: Valid<Params>,
        machine: &Machine,
    ) -> Result<G3pMi, RulesError> {
        let (_, positive) = two_classes(&training, &params)?;
        let hypothesis = params.covering.hypothesis(training.has_bags);
        let evaluator =
            FitnessEvaluator::new(training.session(positive, hypothesis, machine)?, params.metric);
        let vocabulary = Vocabulary::new(&params.grammar, &training.table)?;
        let streams = Streams::new(params.seed).at("g3p-mi");
        let evolution = Evolution::new(
            vocabulary,
            params.breeding.clone(),
            evaluator,
            streams,
            Arc::clone(&machine.threads),
        );
        Ok(G3pMi { training, params, hypothesis, evolution })
    }

    /// Returns the time spent in each phase.
    #[must_use]
    pub fn profile(&self) -> EvolutionProfile {
        self.evolution.profile()
    }

    /// Returns the number of rules counted on a device, without those that were known.
    pub fn rules_counted(&mut self) -> u64 {
        self.evolution.evaluator().session().evaluated()
    }

    /// Returns the best rule so far as a model: examples that it does not cover are of the other
    /// class.
    ///
    /// # Errors
    /// If a device fails.
    pub fn model(&mut self) -> Result<RuleSet, RulesError> {
        let (negative, positive) = two_classes(&self.training, &self.params)?;
        let mut base = vec![0.0; self.training.classes.len()];
        base[negative as usize] = 0.5;
        let now = self.evolution.now();
        let Some(best) = now.best() else { return Ok(RuleSet { base, ..RuleSet::default() }) };
        let (genes, table) = (now.rules.get(best).to_vec(), &self.training.table);
        let condition =
            trimmed(&genes, (table, &self.params.grammar), self.evolution.evaluator().session())?;
        let when = of_example(condition, self.hypothesis);
        let rule = Rule::new(when, positive, 1.0);
        Ok(RuleSet { base, rules: vec![rule], ..RuleSet::default() })
    }
}

/// Returns the negative and the positive class: the two that occur.
pub(crate) fn two_classes(training: &Training, params: &Params) -> Result<(u32, u32), RulesError> {
    let counts = training.counts();
    let occurring: Vec<u32> =
        (0u32..).zip(&counts).filter(|(_, count)| **count > 0).map(|(class, _)| class).collect();
    match occurring[..] {
        [negative, positive] => Ok((negative, positive)),
        _ => Err(RulesError::ManyClasses {
            name: training.name.clone(),
            mode: params.mode.name(),
            classes: occurring.len(),
        }),
    }
}

impl Stepper for G3pMi {
    type State = Generation;
    type Error = RulesError;

    fn plan(&self) -> Plan {
        let params = serde_json::to_value(&self.params).unwrap_or_default();
        // A finished run may be continued with more generations, so their number need not match.
        let mut same = Params::clone(&self.params);
        same.breeding.generations = 0;
        let print = self.training.fingerprint(&same, self.evolution.threads());
        Plan::new(crate::model::LEARNER, params, print).steps(self.params.breeding.generations + 1)
    }

    fn step(&mut self) -> Result<Step, RulesError> {
        self.evolution.step()?;
        let now = self.evolution.now();
        let best = now.best().unwrap_or(0);
        let (fitness, comparisons) = (now.fitness[best], now.rules.get(best).len());
        let sizes: usize = now.rules.iter().map(size).sum();
        let values = Figures::new()
            .with("best", fitness)
            .with("comparisons", comparisons as f64)
            .with("mean_size", sizes as f64 / now.rules.len() as f64);
        Ok(Step {
            evaluated: self.params.breeding.population as u64,
            score: Some(fitness),
            values,
            stop: (fitness >= 1.0).then_some(StopReason::Solved),
        })
    }

    fn state(&self) -> &Generation {
        self.evolution.now()
    }

    fn restore(&mut self, state: Generation) -> Result<(), RulesError> {
        if !state.is_sound(self.evolution.vocabulary(), self.params.breeding.population) {
            return Err(RulesError::Checkpoint("its rules do not fit the grammar and the data"));
        }
        self.evolution.set(state);
        Ok(())
    }
}
