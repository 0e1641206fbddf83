//! The default mode, and that of ordered lists: rules found one after the other, as many as are worth reading, or a short list of rules where inner
//! validation finds it as good.
//!
//! With two classes a short list (`listed`) comes first; where it is beyond doubt it is all there is to find. Else
//! paths of rules grow (`grown`) side by side, one from all of the data and one from the rest of each inner fold, by one rule in
//! each step of the run. The folds judge the models of every size on examples that these have not seen, and so
//! say (`judged`) how many rules are told (`choice`), and whether the list is as good.

mod choice;
mod grown;
mod heard;
mod judged;
mod listed;
mod resampled;

use crate::boost::Kept;
use crate::model::{LEARNER, RuleSet};
use crate::number::AboutNumber;
use crate::params::{Loss, Mode, Params};
use crate::parts::Parts;
use crate::path::RulePath;
use crate::train::{Machine, RulesError, Training};
use choice::Candidate;
use grown::Grown;
use judged::{Judged, Place};
use listed::Listed;
use pellucid_data::Dataset;
use pellucid_learn::learner::{Examples, INNER_FOLDS, inner_folds, unit_count};
use pellucid_learn::params::{ClassWeights, ParamError, Valid};
use pellucid_learn::rng::Streams;
use pellucid_learn::run::{Driver, Figures, Plan, Step, Stepper, StopReason};
use pellucid_learn::split::{Folds, Split};
use serde::{Deserialize, Serialize};
use std::sync::OnceLock;

/// Rules that are told where nothing could be judged.
const UNJUDGED: usize = 5;

/// With fewer units than this, the luck of one split into folds would decide about the size.
const FEW_UNITS: usize = 2000;
/// How often examples are split into folds then.
const REPEATS: usize = 3;

/// A run that was stopped chooses among its models only where these have fewer scores than this, which takes less than a second.
const MOST_SCORES_WHEN_LATE: usize = 10_000_000;
/// Calibrating scores of more than two classes takes longer by this factor.
const MANY_CLASSES: usize = 20;

/// What the steps so far have brought.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Found {
    /// The paths from all of the data, one for each way to look at cuts.
    paths: Vec<RulePath>,
    /// By way what is needed to go on with the paths: that from all of the data, and those of the folds.
    growths: Vec<Vec<Kept>>,
    /// The short list, once it is there.
    list: Option<Listed>,
    /// What was said of examples that were not seen.
    judged: Judged,
}

/// Where examples lie elsewhere: their columns, who asks, and how many examples each part has.
#[derive(Clone, Debug)]
pub(crate) struct Away<'a> {
    pub(crate) head: &'a Dataset,
    pub(crate) parts: Parts,
    pub(crate) sizes: Vec<usize>,
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
    /// The examples themselves, where they lie elsewhere; the data then has their classes alone.
    away: Option<Away<'a>>,
    grown: Option<Grown>,
    found: Found,
    /// The stop whose model is told, by what is found so far; looked for when it is wanted.
    told: OnceLock<Place>,
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
        DefaultRun::of(data, None, training, params, machine, driver)
    }

    /// The same, with examples that may lie elsewhere.
    pub(crate) fn of(
        data: &'a Dataset,
        away: Option<Away<'a>>,
        training: Training,
        params: Valid<Params>,
        machine: &'a Machine,
        driver: &'a Driver,
    ) -> Result<DefaultRun<'a>, RulesError> {
        let weights = match training.numbers {
            Some(_) if params.class_weights != ClassWeights::default() => {
                let problem = "a number is predicted, there are no classes to weigh";
                return Err(ParamError::saying("class_weight", problem).into());
            }
            Some(_) => vec![1.0],
            None => {
                params.class_weights.of("class_weight", &training.classes, &training.counts())?
            }
        };
        params.demands.check(away.as_ref().map_or(data, |away| away.head))?;
        params.voting.decide.check(&training.classes)?;
        // Says what is wrong with the grammar, if anything.
        crate::grammar::Vocabulary::new(&params.grammar, &training.table)?;
        let counts = training.counts();
        let occurring: Vec<u32> = (0u32..)
            .zip(&counts)
            .filter(|(_, count)| **count > 0)
            .map(|(class, _)| class)
            .collect();
        // A number is the one output there is.
        let classes = if training.classes.len() == 2 { vec![1] } else { occurring };
        let folds = inner_folds(data, INNER_FOLDS);
        let inner = if folds >= 3 {
            let seed = Streams::new(params.seed).stream(&["inner".into()]).next_word();
            let repeats = if unit_count(data) < FEW_UNITS { REPEATS } else { 1 };
            Folds::planned(&data.strata(), data.groups.as_deref(), folds, repeats, seed)
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
            away,
            grown: None,
            found: Found::default(),
            told: OnceLock::new(),
        })
    }

    /// The model that the steps so far give.
    #[must_use]
    pub fn model(&self) -> RuleSet {
        if let Some(list) = self.list_as_good() {
            return list.model();
        }
        let told = self.told();
        let Some(path) = self.found.paths.get(told.path) else {
            return self.found.list.as_ref().map_or_else(|| self.nothing(), Listed::model);
        };
        let mut path = RulePath { told: told.stop, ..path.clone() };
        let threads = &self.machine.threads;
        let number = self.training.numbers.as_ref().map(|_| AboutNumber {
            means: Vec::new(),
            sizes: self.found.judged.tell_numbers(told.path, &path, threads),
        });
        if number.is_none() && !self.is_too_late_to_choose() {
            let decide = (&self.params.voting.decide, &self.training.classes[..]);
            self.found.judged.tell((told.path, &mut path), &self.folds(), decide, threads);
        }
        let rules = match self.params.mode {
            Mode::List => path.list(path.told, &[]),
            _ => path.model(path.told, &[]),
        };
        RuleSet { path: Some(path), number, ..rules }
    }

    /// What is said where there was no time to find anything.
    fn nothing(&self) -> RuleSet {
        let middle = self.training.schema.number.map(|seen| match self.params.voting.loss {
            Loss::Squared => seen.middle.mean,
            Loss::Absolute => seen.middle.median,
        });
        RuleSet {
            base: middle.map_or_else(|| vec![0.0; self.outputs()], |middle| vec![middle]),
            ordered: self.params.mode == Mode::List,
            number: middle.map(|_| AboutNumber::default()),
            ..RuleSet::default()
        }
    }

    /// By repetition and example the inner fold that it is held out in.
    fn folds(&self) -> Vec<Vec<u32>> {
        let mut folds = vec![vec![0; self.training.codes.len()]; self.repeats()];
        for (fold, split) in (0u32..).zip(&self.inner) {
            let folds = &mut folds[split.repeat];
            split.test.iter().for_each(|&example| folds[example as usize] = fold);
        }
        folds
    }

    /// How often examples are dealt into inner folds.
    fn repeats(&self) -> usize {
        self.inner.last().map_or(1, |last| last.repeat + 1)
    }

    /// How many inner folds there are each time.
    fn folds_of_repeat(&self) -> usize {
        self.inner.len() / self.repeats()
    }

    /// How many numbers a model has for an example: one for each class, or the one it predicts.
    fn outputs(&self) -> usize {
        self.training.schema.outputs()
    }

    /// The stop whose model is selected.
    fn told(&self) -> Place {
        *self.told.get_or_init(|| {
            let selected = match self.is_too_late_to_choose() {
                true => None,
                false => self.selected(&self.candidates(), self.found.judged.weights()),
            };
            selected.unwrap_or_else(|| {
                let paths = &self.found.paths;
                let rules = self.params.voting.rules.unwrap_or(UNJUDGED);
                Place { path: 0, stop: paths.first().map_or(0, |path| path.stop_of(rules)) }
            })
        })
    }

    /// The stops that may be selected: those of the wanted number of rules, or all.
    fn candidates(&self) -> Vec<Candidate> {
        let (paths, wanted) = (&self.found.paths, self.params.voting.rules);
        let rules_of = |place: Place| paths[place.path].stops[place.stop].votes.len();
        let fits = |place: Place| {
            wanted.is_none_or(|rules| paths[place.path].stop_of(rules) == place.stop)
        };
        self.found.judged.candidates(rules_of, fits, &self.machine.threads)
    }

    /// The stop that is selected where examples have these weights; `None` where nothing was judged.
    fn selected(&self, candidates: &[Candidate], weights: &[f64]) -> Option<Place> {
        let units = self.judged_units();
        let size = self.params.voting.size;
        self.found.judged.smallest_as_good(candidates, size, weights, units.as_deref())
    }

    /// The units of the examples that are judged, where several examples may belong to one.
    fn judged_units(&self) -> Option<Vec<u32>> {
        let groups = self.data.groups.as_ref()?;
        Some(self.found.judged.examples().map(|example| groups[example]).collect())
    }

    /// Whether the run is to stop now.
    fn is_stopped(&self) -> bool {
        self.driver.control().should_stop().is_some()
    }

    /// Whether the run was stopped and choosing among its models would take seconds.
    fn is_too_late_to_choose(&self) -> bool {
        let each = if self.outputs() > 2 { MANY_CLASSES * self.outputs() } else { 1 };
        let scores = self.training.codes.len() * each * self.repeats();
        let models = self.found.paths.iter().map(|path| path.stops.len()).sum::<usize>();
        self.is_stopped() && scores.saturating_mul(models) > MOST_SCORES_WHEN_LATE
    }

    /// Takes the next step there is to take. Returns how many rules were found, or nothing where the run is to stop and the
    /// step was not taken.
    fn advance(&mut self) -> Result<Option<u64>, RulesError> {
        let is_certain = self.found.list.as_ref().is_some_and(|list| list.is_certain);
        match &self.grown {
            _ if self.found.list.is_none() && self.may_have_list() => self.find_list(),
            None if !is_certain => self.begin(),
            Some(grown) if !grown.is_done(self.most_rules()) => Ok(self.round()),
            _ => self.judge_list(),
        }
    }

    /// Whether there is no step left to take.
    fn is_done(&self) -> bool {
        let is_certain = self.found.list.as_ref().is_some_and(|list| list.is_certain);
        let is_grown = |grown: &Grown| grown.is_done(self.most_rules());
        (is_certain || self.grown.as_ref().is_some_and(is_grown))
            && self.next_list_folds().is_empty()
    }
}

impl Stepper for DefaultRun<'_> {
    type State = Found;
    type Error = RulesError;

    fn plan(&self) -> Plan {
        let params = serde_json::to_value(&self.params).unwrap_or_default();
        let list = if self.may_have_list() { 1 + self.folds_of_repeat() } else { 0 };
        Plan::new(LEARNER, params, self.training.fingerprint(&self.params, &self.machine.threads))
            .counts("rules found")
            .steps((1 + self.most_rules() + list) as u64)
    }

    fn step(&mut self) -> Result<Step, RulesError> {
        let advanced = self.advance()?;
        self.check_elsewhere()?;
        self.told = OnceLock::new();
        let Some(evaluated) = advanced else {
            // The driver does not count a step that was not taken.
            let stop = self.driver.control().should_stop();
            return Ok(Step { stop: stop.or(Some(StopReason::Interrupted)), ..Step::default() });
        };
        self.note_growth();
        let rules = self.found.paths.iter().map(|path| path.rules.len()).max().unwrap_or(0);
        let values = Figures::new().with("rules", rules as f64);
        let stop = self.is_done().then_some(StopReason::Finished);
        Ok(Step { evaluated, score: None, values, stop })
    }

    fn state(&self) -> &Found {
        &self.found
    }

    fn restore(&mut self, state: Found) -> Result<(), RulesError> {
        let (examples, classes) = (self.training.codes.len(), self.outputs());
        let is_sound = state.paths.iter().all(|path| path.check(classes).is_ok())
            && state
                .list
                .as_ref()
                .is_none_or(|list| list.is_sound(classes, self.folds_of_repeat()))
            && (state.judged.is_empty()
                || state.judged.fits(examples, self.repeats(), classes, &state.paths))
            && state.paths.is_empty() == state.growths.is_empty();
        let grown = if state.growths.is_empty() { None } else { self.regrow(&state) };
        if !is_sound || grown.is_some() == state.growths.is_empty() {
            return Err(RulesError::Checkpoint("what was found is not of these data"));
        }
        (self.grown, self.found, self.told) = (grown, state, OnceLock::new());
        self.check_elsewhere()
    }
}
