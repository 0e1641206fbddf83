//! The default mode: rules that vote, or a short list of rules where inner validation finds it as good.
//!
//! With two classes the run takes these steps: the votes from all of the training data, a short list from all of it, and
//! then the folds of an inner cross-validation in which both are learned and judged on examples they have not seen. The same
//! folds decide how strong the penalty on votes is. With
//! more classes each step weighs one class against the rest.

use crate::apply::AppliedRules;
use crate::model::{LEARNER, Rule, RuleModel, RuleSet};
use crate::params::Params;
use crate::short::short_list;
use crate::train::{Machine, RulesError, Training};
use crate::vote::{ClassVotes, Ground, STRENGTHS, together};
use pellucid_data::Dataset;
use pellucid_learn::params::{ParamError, Valid};
use pellucid_learn::rng::Streams;
use pellucid_learn::run::{Figures, Plan, Step, Stepper, StopReason};
use pellucid_learn::split::{Folds, Split};
use pellucid_learn::suggest::listed;
use serde::{Deserialize, Serialize};

/// Folds of the inner validation.
const INNER_FOLDS: usize = 5;

/// Examples for each comparison from which on a rule without an error is no chance: a comparison takes about 14 bits to
/// say, an example's class one, and a rule that says it in a fourth of the bits is beyond doubt.
const CERTAIN: usize = 64;

/// What the steps so far have brought.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Found {
    steps: u64,
    /// By class that was weighed: its votes, for each strength of the penalty.
    votes: Vec<Vec<ClassVotes>>,
    /// The short list, once it is there: its base votes and its rules. A checkpoint names no fields, so what is left out
    /// of a model file where it is empty cannot stand here.
    list: Option<(Vec<f64>, Vec<Rule>)>,
    /// Whether the list is one rule, right about all of the training data, and whether that cannot be chance.
    list_is_perfect: bool,
    list_is_certain: bool,
    /// The weight of unseen examples that the votes of each strength were right about, that the list was right about, and
    /// of all that were judged.
    votes_right: [f64; STRENGTHS.len()],
    list_right: f64,
    judged: f64,
    /// Set once the list is so far behind that the folds to come would hardly change it.
    list_has_lost: bool,
}

/// A run of the default mode.
#[derive(Debug)]
pub struct DefaultRun<'a> {
    data: &'a Dataset,
    training: Training,
    params: Valid<Params>,
    machine: &'a Machine,
    /// How much an example of each class weighs.
    weights: Vec<f64>,
    /// The classes to be weighed against the rest.
    classes: Vec<u32>,
    inner: Vec<Split>,
    found: Found,
}

impl<'a> DefaultRun<'a> {
    /// A run on some data.
    ///
    /// # Errors
    /// When a class weight names no class, or an attribute of the grammar no column.
    pub fn new(
        data: &'a Dataset,
        training: Training,
        params: Valid<Params>,
        machine: &'a Machine,
    ) -> Result<DefaultRun<'a>, RulesError> {
        let weights = class_weights(&training, &params)?;
        // Says what is wrong with the grammar, if anything.
        crate::grammar::Vocabulary::new(&params.grammar, &training.table)?;
        let counts = training.counts();
        let occurring: Vec<u32> = (0u32..)
            .zip(&counts)
            .filter(|(_, count)| **count > 0)
            .map(|(class, _)| class)
            .collect();
        let two = training.classes.len() == 2;
        let classes = if two { vec![1] } else { occurring };
        let smallest = counts.iter().copied().filter(|&count| count > 0).min().unwrap_or(0);
        let folds = usize::try_from(smallest).unwrap_or(INNER_FOLDS).min(INNER_FOLDS);
        let inner = if two && params.voting.prefer_one_rule && folds >= 3 {
            let seed = Streams::new(params.seed).stream(&["inner".into()]).next_word();
            Folds::stratified(&training.codes, folds, 1, seed)
                .map(|folds| folds.iter().collect())
                .unwrap_or_default()
        } else {
            Vec::new()
        };
        Ok(DefaultRun {
            data,
            training,
            params,
            machine,
            weights,
            classes,
            inner,
            found: Found::default(),
        })
    }

    /// How many steps there are.
    fn steps(&self) -> u64 {
        let list = if self.inner.is_empty() { 0 } else { 1 + self.inner.len() };
        (self.classes.len() + list) as u64
    }

    /// The model that the steps so far give.
    #[must_use]
    pub fn model(&self) -> RuleSet {
        match &self.found.list {
            Some((base, rules)) if self.list_is_as_good() => {
                RuleSet { base: base.clone(), rules: rules.clone(), ..RuleSet::default() }
            }
            _ => {
                let strength = self.strength();
                let votes = self.found.votes.iter().map(|votes| votes[strength].clone());
                together(self.training.classes.len(), votes.collect())
            }
        }
    }

    /// The strength of penalty whose votes did best on examples they had not seen; of equals the strongest, with the fewest
    /// rules.
    fn strength(&self) -> usize {
        let right = &self.found.votes_right;
        (0..right.len())
            .reduce(|best, other| if right[other] > right[best] { other } else { best })
            .unwrap_or(0)
    }

    /// Whether the short list is as good as the votes on examples that neither had seen. What was measured is uncertain, so
    /// it must be better by a standard error. But a single rule that is right about all of the training data may be
    /// worse by two: it is most likely the truth, learned from fewer examples in the folds than there are.
    fn list_is_as_good(&self) -> bool {
        let lead = if self.found.list_is_perfect { -2.0 } else { 1.0 };
        self.found.list_is_certain
            || self.found.judged > 0.0
                && !self.found.list_has_lost
                && self.list_lead() >= lead * self.standard_error()
    }

    /// How much more the list was right about than the votes.
    fn list_lead(&self) -> f64 {
        self.found.list_right - self.found.votes_right[self.strength()]
    }

    /// The standard error of the weight that the votes were right about; even who was never wrong may be.
    fn standard_error(&self) -> f64 {
        let judged = self.found.judged;
        let share = (self.found.votes_right[self.strength()] + 1.0) / (judged + 2.0);
        (judged * share * (1.0 - share)).max(0.0).sqrt()
    }

    /// Votes for some data, for each strength of the penalty.
    fn votes(&self, data: &Dataset, class: u32) -> Vec<ClassVotes> {
        let codes = data.example_codes();
        let weights = codes.iter().map(|&code| self.weights[code as usize]).collect();
        let ground = Ground::new(data, &codes, weights, &self.params);
        let streams = Streams::new(self.params.seed).at("vote").at(class);
        ground.one_class(class, &self.params, streams, &self.machine.threads)
    }

    /// Learns on the training part of an inner fold and judges what came of it on the rest. A list that has lost is not
    /// learned any more.
    fn judge(&mut self, split: &Split) -> Result<(), RulesError> {
        let (train, test) = (self.data.select(&split.train), self.data.select(&split.test));
        let training = Training::new(&train, &self.machine.threads)?;
        for (strength, votes) in self.votes(&train, 1).into_iter().enumerate() {
            self.found.votes_right[strength] +=
                self.right(together(2, vec![votes]), &test, &training)?;
        }
        if !self.found.list_has_lost {
            let list = short_list(&training, &self.params, &self.weights, self.machine)?;
            self.found.list_right += self.right(list, &test, &training)?;
        }
        let weight = |&example: &u32| self.weights[self.training.codes[example as usize] as usize];
        self.found.judged += split.test.iter().map(weight).sum::<f64>();
        self.found.list_has_lost |= self.list_lead() < -2.0 * self.standard_error() - 1.0;
        Ok(())
    }

    /// The weight of the test examples that rules get right.
    fn right(
        &self,
        rules: RuleSet,
        test: &Dataset,
        training: &Training,
    ) -> Result<f64, RulesError> {
        let model = RuleModel {
            learner: LEARNER.into(),
            params: Params::clone(&self.params),
            schema: training.schema.clone(),
            model: rules,
        };
        let applied = AppliedRules::new(&model, test, self.machine)?;
        let predicted = applied.predictions();
        let codes = test.example_codes();
        Ok(codes
            .iter()
            .zip(predicted)
            .filter(|(code, predicted)| *code == predicted)
            .map(|(&code, _)| self.weights[code as usize])
            .sum())
    }
}

/// How much an example of each class weighs.
fn class_weights(training: &Training, params: &Params) -> Result<Vec<f64>, RulesError> {
    let mut weights = vec![1.0; training.classes.len()];
    for (name, weight) in &params.class_weights {
        match training.classes.iter().position(|class| class == name) {
            Some(class) => weights[class] = *weight,
            None => {
                let known = listed(training.classes.iter().map(String::as_str), 8);
                return Err(
                    ParamError::new("class_weight", format_args!("class '{name}'"), known).into()
                );
            }
        }
    }
    Ok(weights)
}

impl Stepper for DefaultRun<'_> {
    type State = Found;
    type Error = RulesError;

    fn plan(&self) -> Plan {
        let params = serde_json::to_value(&self.params).unwrap_or_default();
        Plan::new(LEARNER, params, self.training.fingerprint(&self.params)).steps(self.steps())
    }

    fn step(&mut self) -> Result<Step, RulesError> {
        let done = usize::try_from(self.found.steps).unwrap_or(usize::MAX);
        let classes = self.classes.len();
        let mut evaluated = 0;
        if let Some(&class) = self.classes.get(done) {
            let votes = self.votes(self.data, class);
            self.found.votes.push(votes);
            evaluated = self.params.voting.candidates as u64;
        } else if done == classes {
            let list = short_list(&self.training, &self.params, &self.weights, self.machine)?;
            let all: f64 =
                self.training.codes.iter().map(|&code| self.weights[code as usize]).sum();
            self.found.list_is_perfect = list.rules.len() == 1
                && self.right(list.clone(), self.data, &self.training)? >= all;
            let examples = self.training.codes.len();
            self.found.list_is_certain =
                self.found.list_is_perfect && examples >= CERTAIN * list.comparisons();
            self.found.list = Some((list.base, list.rules));
        } else if let Some(split) = self.inner.get(done - classes - 1).cloned() {
            self.judge(&split)?;
            evaluated = self.params.voting.candidates as u64;
        }
        self.found.steps += 1;
        let values = Figures::new().with("rules", self.model().rules.len() as f64);
        let is_done = self.found.steps >= self.steps() || self.found.list_is_certain;
        let stop = is_done.then_some(StopReason::Finished);
        Ok(Step { evaluated, score: None, values, stop })
    }

    fn state(&self) -> &Found {
        &self.found
    }

    fn restore(&mut self, state: Found) -> Result<(), RulesError> {
        let steps = usize::try_from(state.steps).unwrap_or(usize::MAX);
        let votes = steps.min(self.classes.len());
        let classes = self.training.classes.len();
        let sound = |base: &[f64], rules: &[Rule]| {
            let rules =
                RuleSet { base: base.to_vec(), rules: rules.to_vec(), ..RuleSet::default() };
            rules.check(classes).is_ok()
        };
        let no_votes = vec![0.0; classes];
        let is_sound = state.steps <= self.steps()
            && state.votes.len() == votes
            && state.votes.iter().zip(&self.classes).all(|(votes, class)| {
                let fits =
                    |votes: &ClassVotes| votes.class == *class && sound(&no_votes, &votes.rules);
                votes.len() == STRENGTHS.len() && votes.iter().all(fits)
            })
            && state.list.is_some() == (steps > self.classes.len())
            && state.list.as_ref().is_none_or(|(base, rules)| sound(base, rules));
        if !is_sound {
            return Err(RulesError::Checkpoint("its steps are not those of this data"));
        }
        self.found = state;
        Ok(())
    }
}
