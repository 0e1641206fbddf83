//! The default mode: rules that vote, or a short list of rules where inner validation finds it as good.
//!
//! With two classes the run takes these steps: the votes from all of the training data, a short list from all of it, and
//! then the folds of an inner cross-validation in which both are learned and judged on examples they have not seen. The same
//! folds decide how strong the penalty on votes is. With
//! more classes each step weighs one class against the rest.

use crate::apply::AppliedRules;
use crate::model::{LEARNER, Rule, RuleModel, RuleSet, winner};
use crate::params::Params;
use crate::short::short_list;
use crate::train::{Machine, RulesError, Training};
use crate::vote::{ClassVotes, Ground, STRENGTHS, together};
use pellucid_data::Dataset;
use pellucid_learn::params::Valid;
use pellucid_learn::rng::Streams;
use pellucid_learn::run::{Driver, Figures, Plan, Step, Stepper, StopReason};
use pellucid_learn::split::{Folds, Split};
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
    /// By strength, and last the list: by example the votes of a fold that had not seen it, not a number where there are none.
    unseen: Vec<Vec<[f64; 2]>>,
}

/// A run of the default mode.
#[derive(Debug)]
pub struct DefaultRun<'a> {
    data: &'a Dataset,
    training: Training,
    params: Valid<Params>,
    machine: &'a Machine,
    /// What may end a step before its time.
    driver: &'a Driver,
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
        driver: &'a Driver,
    ) -> Result<DefaultRun<'a>, RulesError> {
        let weights =
            params.class_weights.of("class_weight", &training.classes, &training.counts())?;
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
            Folds::planned(&training.codes, data.groups.as_deref(), folds, 1, seed)
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
            driver,
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
        let ground = Ground::new(data, &codes, self.weights_of(data), &self.params);
        let streams = Streams::new(self.params.seed).at("vote").at(class);
        let stop = || self.driver.should_abandon().is_some();
        ground.one_class(class, &self.params, streams, &self.machine.threads, &stop)
    }

    /// How much each example of some data weighs.
    fn weights_of(&self, data: &Dataset) -> Vec<f64> {
        let codes = data.example_codes();
        let by_class = codes.iter().map(|&code| self.weights[code as usize]);
        match &data.weights {
            None => by_class.collect(),
            Some(own) => by_class.zip(own).map(|(class, own)| class * own).collect(),
        }
    }

    /// The short list for some data; examples with weights of their own have none, as it is found by counting.
    fn list(&self, training: &Training) -> Result<RuleSet, RulesError> {
        let stop = || self.driver.should_abandon().is_some();
        short_list(training, &self.params, &self.weights, self.machine, &stop)
    }

    /// By example the votes of a fold that had not seen it, once all folds are done.
    #[must_use]
    pub fn unseen(&self) -> Option<Vec<Vec<f64>>> {
        let way = if self.found.list.is_some() && self.list_is_as_good() {
            STRENGTHS.len()
        } else {
            self.strength()
        };
        let votes = self.found.unseen.get(way)?;
        let all_known = votes.iter().all(|votes| votes.iter().all(|number| number.is_finite()));
        all_known.then(|| votes.iter().map(|votes| votes.to_vec()).collect())
    }

    /// Learns on the training part of an inner fold and judges what came of it on the rest. A list that has lost is not
    /// learned any more.
    fn judge(&mut self, split: &Split) -> Result<(), RulesError> {
        let (train, test) = (self.data.select(&split.train), self.data.select(&split.test));
        let training = Training::new(&train, &self.machine.threads)?;
        if self.found.unseen.is_empty() {
            let unknown = vec![[f64::NAN; 2]; self.training.codes.len()];
            self.found.unseen = vec![unknown; STRENGTHS.len() + 1];
        }
        let weights = self.weights_of(&test);
        for (strength, votes) in self.votes(&train, 1).into_iter().enumerate() {
            let said = self.said(together(2, vec![votes]), &test, &training)?;
            self.found.votes_right[strength] += right(&said, &test, &weights);
            self.keep(strength, split, &said);
        }
        if !self.found.list_has_lost {
            let said = self.said(self.list(&training)?, &test, &training)?;
            self.found.list_right += right(&said, &test, &weights);
            self.keep(STRENGTHS.len(), split, &said);
        }
        self.found.judged += weights.iter().sum::<f64>();
        self.found.list_has_lost |= self.list_lead() < -2.0 * self.standard_error() - 1.0;
        Ok(())
    }

    /// Keeps what the test examples of a fold got.
    fn keep(&mut self, way: usize, split: &Split, said: &[[f64; 2]]) {
        for (&example, &votes) in split.test.iter().zip(said) {
            self.found.unseen[way][example as usize] = votes;
        }
    }

    /// The votes that rules give to examples of two classes.
    fn said(
        &self,
        rules: RuleSet,
        test: &Dataset,
        training: &Training,
    ) -> Result<Vec<[f64; 2]>, RulesError> {
        let (params, schema) = (Params::clone(&self.params), training.schema.clone());
        let model = RuleModel::new(LEARNER, params, schema, rules);
        let applied = AppliedRules::new(&model, test, self.machine)?;
        let votes = |example| {
            let votes = applied.votes(example);
            [votes[0], votes[1]]
        };
        Ok((0..applied.examples()).map(votes).collect())
    }
}

/// The weight of the examples that votes get right.
fn right(said: &[[f64; 2]], test: &Dataset, weights: &[f64]) -> f64 {
    let codes = test.example_codes();
    let all = codes.iter().zip(said).zip(weights);
    all.filter(|((code, votes), _)| winner(&votes[..]) == **code).map(|(_, weight)| weight).sum()
}

impl Stepper for DefaultRun<'_> {
    type State = Found;
    type Error = RulesError;

    fn plan(&self) -> Plan {
        let params = serde_json::to_value(&self.params).unwrap_or_default();
        Plan::new(LEARNER, params, self.training.fingerprint(&self.params)).steps(self.steps())
    }

    fn step(&mut self) -> Result<Step, RulesError> {
        let before = self.driver.should_abandon().is_none().then(|| self.found.clone());
        let done = usize::try_from(self.found.steps).unwrap_or(usize::MAX);
        let classes = self.classes.len();
        let mut evaluated = 0;
        if let Some(&class) = self.classes.get(done) {
            let votes = self.votes(self.data, class);
            self.found.votes.push(votes);
            evaluated = self.params.voting.candidates as u64;
        } else if done == classes {
            // A list is found by counting, so examples with weights of their own have none.
            let counts = self.data.weights.is_none();
            let list = if counts { self.list(&self.training)? } else { RuleSet::default() };
            let weights = self.weights_of(self.data);
            let is_perfect =
                |said: &[[f64; 2]]| right(said, self.data, &weights) >= weights.iter().sum::<f64>();
            self.found.list_is_perfect = list.rules.len() == 1
                && is_perfect(&self.said(list.clone(), self.data, &self.training)?);
            self.found.list_has_lost = !counts;
            let examples = self.training.codes.len();
            self.found.list_is_certain =
                self.found.list_is_perfect && examples >= CERTAIN * list.comparisons();
            self.found.list = Some((list.base, list.rules));
        } else if let Some(split) = self.inner.get(done - classes - 1).cloned() {
            self.judge(&split)?;
            evaluated = self.params.voting.candidates as u64;
        }
        if let Some(stop) = self.driver.should_abandon() {
            // Half a step is none.
            self.found = before.unwrap_or_default();
            return Ok(Step { stop: Some(stop), ..Step::default() });
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
            && state.unseen.len()
                == if steps > self.classes.len() + 1 { STRENGTHS.len() + 1 } else { 0 }
            && state.unseen.iter().all(|votes| votes.len() == self.training.codes.len())
            && state.list.as_ref().is_none_or(|(base, rules)| sound(base, rules));
        if !is_sound {
            return Err(RulesError::Checkpoint("its steps are not those of this data"));
        }
        self.found = state;
        Ok(())
    }
}
