//! The default mode: rules found one after the other, as many as are worth reading, or a short list of rules where inner
//! validation finds it as good.
//!
//! The run takes these steps: the paths of rules from all of the training data, with two classes a short list from all of it,
//! and then the folds of an inner cross-validation in which both are learned and judged on examples they have not seen. The
//! folds say how many rules of the path are told.

use crate::apply::AppliedRules;
use crate::boost::{Cuts, Ground};
use crate::judged::Judged;
use crate::model::{LEARNER, Rule, RuleModel, RuleSet, winner};
use crate::params::Params;
use crate::path::RulePath;
use crate::short::short_list;
use crate::train::{Machine, RulesError, Training};
use pellucid_data::Dataset;
use pellucid_learn::learner::{INNER_FOLDS, inner_folds};
use pellucid_learn::params::Valid;
use pellucid_learn::rng::Streams;
use pellucid_learn::run::{Driver, Figures, Plan, Step, Stepper, StopReason};
use pellucid_learn::split::{Folds, Split};
use serde::{Deserialize, Serialize};

/// From so many examples on a search sees all cuts: there is enough to tell the good ones by.
const MANY_EXAMPLES: usize = 5000;

/// Rules that are told where nothing could be judged.
const UNJUDGED: usize = 5;

/// Examples for each comparison from which on a rule without an error is no chance: a comparison takes about 14 bits to
/// say, an example's class one, and a rule that says it in a fourth of the bits is beyond doubt.
const CERTAIN: usize = 64;

/// What the steps so far have brought.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Found {
    steps: u64,
    /// The paths of rules, one for each way to look at cuts, once they are there.
    paths: Vec<RulePath>,
    /// The short list, once it is there: its base votes and its rules. A checkpoint names no fields, so what is left out
    /// of a model file where it is empty cannot stand here.
    list: Option<(Vec<f64>, Vec<Rule>)>,
    /// Whether the list is one rule, right about all of the training data, and whether that cannot be chance.
    list_is_perfect: bool,
    list_is_certain: bool,
    /// The weight of unseen examples that the list was right about.
    list_right: f64,
    /// Set once the list is so far behind that the folds to come would hardly change it.
    list_has_lost: bool,
    /// What the models of each stop said of examples that they had not seen, and last the list.
    judged: Judged,
}

/// A stop of a path, and its number among all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Told {
    path: usize,
    stop: usize,
    model: usize,
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
    /// The classes to be told from the rest.
    classes: Vec<u32>,
    inner: Vec<Split>,
    found: Found,
    /// The stop whose model is told, by what is found so far.
    told: Told,
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
        let classes = if training.classes.len() == 2 { vec![1] } else { occurring };
        let folds = inner_folds(data, INNER_FOLDS);
        let inner = if folds >= 3 {
            let seed = Streams::new(params.seed).stream(&["inner".into()]).next_word();
            Folds::planned(&training.codes, data.groups.as_deref(), folds, 1, seed)
                .map(|folds| folds.iter().collect())
                .unwrap_or_default()
        } else {
            Vec::new()
        };
        let (found, told) = (Found::default(), Told::default());
        Ok(DefaultRun {
            data,
            training,
            params,
            machine,
            driver,
            weights,
            classes,
            inner,
            found,
            told,
        })
    }

    /// How many steps there are.
    fn steps(&self) -> u64 {
        (1 + usize::from(self.may_have_list()) + self.inner.len()) as u64
    }

    /// Whether a short list is looked for. One is found by counting, so examples with weights of their own have none.
    fn may_have_list(&self) -> bool {
        self.training.classes.len() == 2
            && self.params.voting.prefer_one_rule
            && !self.inner.is_empty()
            && self.data.weights.is_none()
    }

    /// The model that the steps so far give.
    #[must_use]
    pub fn model(&self) -> RuleSet {
        if let (Some((base, rules)), true) = (&self.found.list, self.list_is_as_good()) {
            return RuleSet { base: base.clone(), rules: rules.clone(), ..RuleSet::default() };
        }
        let told = self.told;
        let Some(path) = self.found.paths.get(told.path) else {
            let base = vec![0.0; self.training.classes.len()];
            return RuleSet { base, ..RuleSet::default() };
        };
        let mut path = RulePath { told: told.stop, ..path.clone() };
        self.found.judged.tell(told.model - told.stop, &mut path);
        RuleSet { path: Some(path.clone()), ..path.model(path.told, &[]) }
    }

    /// All stops of all paths.
    fn stops(&self) -> impl Iterator<Item = Told> {
        let stops = |(path, stops): (usize, &RulePath)| {
            (0..stops.stops.len()).map(move |stop| (path, stop)).collect::<Vec<_>>()
        };
        let all = self.found.paths.iter().enumerate().flat_map(stops);
        all.enumerate().map(|(model, (path, stop))| Told { path, stop, model })
    }

    /// How many rules a stop has.
    fn rules_of(&self, told: Told) -> usize {
        self.found.paths.get(told.path).map_or(0, |path| path.stops[told.stop].votes.len())
    }

    /// The stop whose model is told: looks through all that was judged.
    fn find_told(&self) -> Told {
        let wanted = self.params.voting.rules;
        let fits = |told: &Told| {
            let path = &self.found.paths[told.path];
            wanted.is_none_or(|rules| path.stop_of(rules) == told.stop)
        };
        let models: Vec<(usize, usize)> =
            self.stops().filter(fits).map(|told| (told.model, self.rules_of(told))).collect();
        let model = self.found.judged.smallest_as_good(self.params.voting.size, &models);
        let is_told = |told: &Told| match model {
            Some(model) => told.model == model,
            None => {
                let path = &self.found.paths[told.path];
                told.stop == path.stop_of(wanted.unwrap_or(UNJUDGED))
            }
        };
        self.stops().find(is_told).unwrap_or_default()
    }

    /// The ways to look at cuts: with few examples both a few of them and all are tried.
    fn ways(&self) -> &'static [Cuts] {
        let is_small = self.training.codes.len() < MANY_EXAMPLES;
        if is_small { &[Cuts::Few, Cuts::All] } else { &[Cuts::All] }
    }

    /// Whether the short list is as good as the votes on examples that neither had seen. What was measured is uncertain, so
    /// it must be better by a standard error. But a single rule that is right about all of the training data may be
    /// worse by three: it is most likely the truth, learned from fewer examples in the folds than there are, and the figure it is
    /// held against is the best of many.
    fn list_is_as_good(&self) -> bool {
        let lead = if self.found.list_is_perfect { -3.0 } else { 1.0 };
        self.found.list_is_certain
            || self.found.judged.weight() > 0.0
                && !self.found.list_has_lost
                && self.list_lead() >= lead * self.standard_error()
    }

    /// How much more the list was right about than the votes.
    fn list_lead(&self) -> f64 {
        self.found.list_right - self.found.judged.right(self.told.model)
    }

    /// The standard error of the weight that the votes were right about; even who was never wrong may be.
    fn standard_error(&self) -> f64 {
        let judged = self.found.judged.weight();
        let share = (self.found.judged.right(self.told.model) + 1.0) / (judged + 2.0);
        (judged * share * (1.0 - share)).max(0.0).sqrt()
    }

    /// The paths for some data.
    fn paths(&self, data: &Dataset) -> Vec<RulePath> {
        let codes = data.example_codes();
        let threads = &self.machine.threads;
        let ground = Ground::new(data, &codes, self.weights_of(data), &self.params, threads);
        let stop = || self.driver.should_abandon().is_some();
        let classes = self.training.classes.len();
        let path =
            |&cuts: &Cuts| ground.path(classes, &self.classes, cuts, &self.params, threads, &stop);
        self.ways().iter().map(path).collect()
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

    /// The short list for some data.
    fn list(&self, training: &Training) -> Result<RuleSet, RulesError> {
        let stop = || self.driver.should_abandon().is_some();
        short_list(training, &self.params, &self.weights, self.machine, &stop)
    }

    /// By example the votes of a fold that had not seen it, once all folds are done.
    #[must_use]
    pub fn unseen(&self) -> Option<Vec<Vec<f64>>> {
        let is_list = self.found.list.is_some() && self.list_is_as_good();
        let model = if is_list { self.found.judged.list() } else { self.told.model };
        let is_done = self.found.steps >= self.steps();
        is_done.then(|| self.found.judged.votes(model)).flatten()
    }

    /// Learns on the training part of an inner fold and judges what came of it on the rest. A list that has lost is not
    /// learned any more. Tells how many rules were found.
    fn judge(&mut self, split: &Split) -> Result<u64, RulesError> {
        let (train, test) = (self.data.select(&split.train), self.data.select(&split.test));
        let training = Training::new(&train, &self.machine.threads)?;
        let classes = self.training.classes.len();
        let (weights, codes) = (self.weights_of(&test), test.example_codes());
        if self.found.judged.is_empty() {
            let models = self.stops().count() + 1;
            self.found.judged = Judged::new(models, self.training.codes.len(), classes);
        }
        self.found.judged.weigh(split, &codes, &weights);
        let paths = self.paths(&train);
        let rules = rules_in(&paths);
        for (path, own) in paths.into_iter().enumerate() {
            let rules = own.rules.clone();
            let all = RuleSet { base: vec![0.0; classes], rules, ..RuleSet::default() };
            let applied = self.applied(all, &test, &training)?;
            let stops: Vec<Told> = self.stops().filter(|told| told.path == path).collect();
            for told in stops {
                let Some(votes) = own.stops.get(own.stop_of(self.rules_of(told))) else { continue };
                let said = |example: usize| {
                    let mut said = votes.base.clone();
                    for (rule, votes) in votes.votes.iter().enumerate() {
                        if applied.holds(rule, example) {
                            said[own.rules[rule].class as usize] += votes;
                        }
                    }
                    said
                };
                self.found.judged.keep(told.model, split, said);
            }
        }
        self.told = self.find_told();
        if self.may_have_list() && !self.found.list_has_lost {
            let applied = self.applied(self.list(&training)?, &test, &training)?;
            let list = self.found.judged.list();
            self.found.judged.keep(list, split, |example| applied.votes(example));
            self.found.list_right = self.found.judged.right(list);
            self.found.list_has_lost |= self.list_lead() < -3.0 * self.standard_error() - 1.0;
        }
        Ok(rules)
    }

    /// Rules applied to some examples.
    fn applied(
        &self,
        rules: RuleSet,
        test: &Dataset,
        training: &Training,
    ) -> Result<AppliedRules, RulesError> {
        let (params, schema) = (Params::clone(&self.params), training.schema.clone());
        let model = RuleModel::new(LEARNER, params, schema, rules);
        Ok(AppliedRules::new(&model, test, self.machine)?)
    }

    /// The short list of all of the data, and whether it can be doubted.
    fn find_list(&mut self) -> Result<(), RulesError> {
        let list = self.list(&self.training)?;
        let examples = self.training.codes.len();
        self.found.list_is_perfect = list.rules.len() == 1 && {
            let applied = self.applied(list.clone(), self.data, &self.training)?;
            let is_right =
                |example| winner(&applied.votes(example)) == self.training.codes[example];
            (0..examples).all(is_right)
        };
        self.found.list_is_certain =
            self.found.list_is_perfect && examples >= CERTAIN * list.comparisons();
        self.found.list = Some((list.base, list.rules));
        Ok(())
    }
}

impl Stepper for DefaultRun<'_> {
    type State = Found;
    type Error = RulesError;

    fn plan(&self) -> Plan {
        let params = serde_json::to_value(&self.params).unwrap_or_default();
        Plan::new(LEARNER, params, self.training.fingerprint(&self.params))
            .counts("rules found")
            .steps(self.steps())
    }

    fn step(&mut self) -> Result<Step, RulesError> {
        let before = self.driver.should_abandon().is_none().then(|| self.found.clone());
        let done = usize::try_from(self.found.steps).unwrap_or(usize::MAX);
        let folds_from = 1 + usize::from(self.may_have_list());
        let mut evaluated = 0;
        if done == 0 {
            self.found.paths = self.paths(self.data);
            self.told = self.find_told();
            evaluated = rules_in(&self.found.paths);
        } else if done < folds_from {
            self.find_list()?;
        } else if let Some(split) = self.inner.get(done - folds_from).cloned() {
            evaluated = self.judge(&split)?;
        }
        if let Some(stop) = self.driver.should_abandon() {
            // Half a step is none.
            self.found = before.unwrap_or_default();
            self.told = self.find_told();
            return Ok(Step { stop: Some(stop), ..Step::default() });
        }
        self.found.steps += 1;
        let is_done = self.found.steps >= self.steps() || self.found.list_is_certain;
        let told = match &self.found.list {
            Some((_, rules)) if self.list_is_as_good() => rules.len(),
            _ => self.rules_of(self.told),
        };
        let values = Figures::new().with("rules", told as f64);
        let stop = is_done.then_some(StopReason::Finished);
        Ok(Step { evaluated, score: None, values, stop })
    }

    fn state(&self) -> &Found {
        &self.found
    }

    fn restore(&mut self, state: Found) -> Result<(), RulesError> {
        let steps = usize::try_from(state.steps).unwrap_or(usize::MAX);
        let folds_from = 1 + usize::from(self.may_have_list());
        let classes = self.training.classes.len();
        let list_is_sound = |(base, rules): &(Vec<f64>, Vec<Rule>)| {
            let rules = RuleSet { base: base.clone(), rules: rules.clone(), ..RuleSet::default() };
            rules.check(classes).is_ok()
        };
        let stops: usize = state.paths.iter().map(|path| path.stops.len()).sum();
        let ways = if steps > 0 { self.ways().len() } else { 0 };
        let is_sound = state.steps <= self.steps()
            && state.paths.len() == ways
            && state.paths.iter().all(|path| path.check(classes).is_ok())
            && state.list.is_some() == (steps > 1 && folds_from == 2)
            && state.list.as_ref().is_none_or(list_is_sound)
            && state.judged.is_empty() == (steps <= folds_from)
            && (state.judged.is_empty()
                || state.judged.fits(stops + 1, self.training.codes.len(), classes));
        if !is_sound {
            return Err(RulesError::Checkpoint("what was found is not of these data"));
        }
        self.found = state;
        self.told = self.find_told();
        Ok(())
    }
}

/// How many rules some paths have together.
fn rules_in(paths: &[RulePath]) -> u64 {
    paths.iter().map(|path| path.rules.len() as u64).sum()
}
