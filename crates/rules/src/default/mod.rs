//! The default mode and ordered lists: rules found one after the other, with the number of rules
//! selected by cross-validation, or a short list of rules if it is as good.
//!
//! With two classes, a short list (`short_list`) is searched for first; if it is beyond doubt, the
//! run ends. Otherwise paths of rules (`paths`) grow in parallel, one on all data and one on each
//! inner training fold, by one rule per step. The models of every size are scored on the test folds
//! (`fold_scores`), and the scores select the size and decide whether the list is as good.

mod bootstrap;
mod fold_scores;
mod goal;
mod held_out;
mod paths;
mod scored_examples;
mod short_list;

use crate::boost::SavedPath;
use crate::card::{PairGain, RiskBand, Scorecard};
use crate::model::{LEARNER, RuleSet};
use crate::number::NumberStatistics;
use crate::params::{Loss, Mode, Params};
use crate::parts::RemoteRules;
use crate::path::RulePath;
use crate::train::{Machine, RulesError, Training};
use fold_scores::{FoldScores, ModelIndex};
use goal::Goal;
pub(crate) use held_out::HeldOutRules;
use paths::Paths;
use pellucid_data::{Column, Dataset};
use pellucid_learn::learner::{INNER_FOLDS, plan_inner_folds, unit_count};
use pellucid_learn::metrics::auc_within;
use pellucid_learn::params::{ClassWeights, NamedChoice, ParamError, Valid};
use pellucid_learn::rng::Streams;
use pellucid_learn::run::{Driver, Figures, Plan, Step, Stepper, StopReason};
use pellucid_learn::sizes::{self, Candidates};
use pellucid_learn::split::Split;
use serde::{Deserialize, Serialize};
use short_list::ShortList;
use std::borrow::Cow;
use std::sync::OnceLock;

/// The number of rules selected if nothing could be scored.
const UNSCORED_SIZE: usize = 5;

/// Returns the number of splits into folds. With few units, a single split would make the selected
/// size a matter of luck.
fn repeats(units: usize) -> usize {
    match units {
        ..500 => 3,
        500..2000 => 2,
        _ => 1,
    }
}

/// The most ranges of totals for which a scorecard states the risk, and the fewest examples in one.
const MOST_BANDS: usize = 10;
const LEAST_IN_BAND: usize = 10;

/// A run that was stopped selects among its models only if they have fewer scores than this, which
/// takes less than a second.
const MOST_SCORES_WHEN_LATE: usize = 10_000_000;
/// Calibrating scores of more than two classes takes longer by this factor.
const MANY_CLASSES: usize = 20;

/// A model that may be selected.
type Candidate = sizes::Candidate<ModelIndex>;

/// The state of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RunState {
    /// The paths on all data, one for each choice of cut points.
    paths: Vec<RulePath>,
    /// The state of the paths for each choice of cut points: on all data, and on each training
    /// fold.
    growths: Vec<Vec<SavedPath>>,
    /// Whether the paths for each choice of cut points ended early, because larger models are no better.
    #[serde(default)]
    ended: Vec<bool>,
    /// The short list, once it is found.
    list: Option<ShortList>,
    /// The out-of-fold scores.
    #[serde(rename = "judged")]
    fold_scores: FoldScores,
}

/// Remote examples: their columns, the workers, and the number of examples of each part.
#[derive(Clone, Debug)]
pub(crate) struct RemoteData<'a> {
    pub(crate) head: &'a Dataset,
    pub(crate) parts: RemoteRules,
    pub(crate) sizes: Vec<usize>,
}

/// A run of the default mode.
#[derive(Debug)]
pub struct DefaultRun<'a> {
    data: &'a Dataset,
    training: Training,
    params: Valid<Params>,
    machine: &'a Machine,
    /// Stops a step early.
    driver: &'a Driver,
    /// The weight of an example of each class.
    weights: Vec<f64>,
    /// The classes to separate from the rest.
    classes: Vec<u32>,
    /// What the size is selected for.
    goal: Goal,
    inner: Vec<Split>,
    /// The remote examples, if the data is distributed; the data then has only their classes.
    remote: Option<RemoteData<'a>>,
    paths: Option<Paths>,
    state: RunState,
    /// The models of all sizes with their out-of-fold losses.
    candidates: Vec<Candidate>,
    /// The mean loss of the first candidate, which has no rules, and the lowest one.
    losses: Option<(f64, f64)>,
    /// The selected model, computed on first use.
    selection: OnceLock<ModelIndex>,
}

impl<'a> DefaultRun<'a> {
    /// Creates a run on some data.
    ///
    /// # Errors
    /// If a class weight names no class, or the grammar names no column.
    pub fn new(
        data: &'a Dataset,
        training: Training,
        params: Valid<Params>,
        machine: &'a Machine,
        driver: &'a Driver,
    ) -> Result<DefaultRun<'a>, RulesError> {
        DefaultRun::of(data, None, training, params, machine, driver)
    }

    /// Creates a run whose examples may be remote.
    pub(crate) fn of(
        data: &'a Dataset,
        remote: Option<RemoteData<'a>>,
        training: Training,
        params: Valid<Params>,
        machine: &'a Machine,
        driver: &'a Driver,
    ) -> Result<DefaultRun<'a>, RulesError> {
        let weights = match training.numbers {
            Some(_) if params.class_weights != ClassWeights::default() => {
                let problem = "the target is a number; class weights need classes";
                return Err(ParamError::with_problem("class_weight", problem).into());
            }
            Some(_) => vec![1.0],
            None => {
                params.class_weights.of("class_weight", &training.classes, &training.counts())?
            }
        };
        params.demands.check(remote.as_ref().map_or(data, |remote| remote.head))?;
        params.voting.decide.check(&training.classes)?;
        // Reports errors in the grammar.
        crate::grammar::Vocabulary::new(&params.grammar, &training.table)?;
        if params.mode == Mode::Scorecard && training.classes.len() != 2 {
            let (name, mode) = (training.name.clone(), params.mode.name());
            return Err(RulesError::ManyClasses { name, mode, classes: training.classes.len() });
        }
        let counts = training.counts();
        let occurring: Vec<u32> = (0u32..)
            .zip(&counts)
            .filter(|(_, count)| **count > 0)
            .map(|(class, _)| class)
            .collect();
        // A number is the only output.
        let classes = if training.classes.len() == 2 { vec![1] } else { occurring };
        let seed = Streams::new(params.seed).stream(&["inner".into()]).next_word();
        let planned = plan_inner_folds(data, INNER_FOLDS, repeats(unit_count(data)), seed);
        // Two folds leave too little to learn from.
        let inner = planned
            .filter(|folds| folds.folds() >= 3)
            .map(|folds| folds.iter().collect())
            .unwrap_or_default();
        let goal = Goal::new(&params.voting.decide, &training.classes, &training.codes);
        Ok(DefaultRun {
            data,
            training,
            params,
            machine,
            driver,
            weights,
            classes,
            goal,
            inner,
            remote,
            paths: None,
            state: RunState::default(),
            candidates: Vec::new(),
            losses: None,
            selection: OnceLock::new(),
        })
    }

    /// Returns the model after the steps so far.
    #[must_use]
    pub fn model(&self) -> RuleSet {
        if let Some(list) = self.list_if_as_good() {
            return list.model();
        }
        let selection = self.selection();
        let Some(path) = self.state.paths.get(selection.path) else {
            return self.state.list.as_ref().map_or_else(|| self.empty_model(), ShortList::model);
        };
        let mut path = RulePath { selected: selection.model, ..path.clone() };
        self.count_folds(selection, &mut path);
        let threads = &self.machine.threads;
        let number = self.training.numbers.as_ref().map(|_| NumberStatistics {
            means: Vec::new(),
            sizes: self.state.fold_scores.number_sizes(selection.path, &path, threads),
        });
        if number.is_none() && !self.is_too_late_to_select() {
            self.state.fold_scores.write_scores(
                (selection.path, &mut path),
                &self.folds(),
                &self.goal,
                threads,
            );
        }
        let rules = match self.params.mode {
            Mode::List => path.list(path.selected, &[]),
            _ => path.model(path.selected, &[]),
        };
        let card = (self.params.mode == Mode::Scorecard).then(|| self.card(selection));
        RuleSet { path: Some(path), number, card, ..rules }
    }

    /// Returns the risk by score on held-out data, and the columns with missing values.
    fn card(&self, selection: ModelIndex) -> Scorecard {
        let scores = self.state.fold_scores.first_margins(selection);
        let has_missing = |column: &&Column| column.values.missing() > 0;
        let missing = self.data.columns.iter().filter(has_missing);
        Scorecard {
            bands: RiskBand::of_scores(scores, MOST_BANDS, LEAST_IN_BAND),
            missing: missing.map(|column| column.name.clone()).collect(),
            pairs: self.pair_gain(selection),
        }
    }

    /// Returns what rules on two columns gain, if the selected scorecard may have some.
    fn pair_gain(&self, selection: ModelIndex) -> Option<PairGain> {
        if !self.has_pairs(selection) {
            return None;
        }
        let (candidates, units) = (self.candidates(), self.scored_units());
        let weights = self.state.fold_scores.weights();
        let all = self.comparison(&candidates, weights, units.as_deref());
        let without = all.select_of(self.params.voting.size, |one| !self.has_pairs(one.index))?;
        let folds = self.folds().into_iter().next()?;
        let folds: Vec<u32> =
            self.state.fold_scores.examples().map(|example| folds[example]).collect();
        let auc = |index: ModelIndex| {
            let scores = self.state.fold_scores.first_margins(index).into_iter();
            let (margins, classes): (Vec<f64>, Vec<bool>) = scores.unzip();
            auc_within(&folds, &margins, &classes, None)
        };
        Some(PairGain { auc: auc(selection)?, without: auc(candidates[without].index)? })
    }

    /// Writes in how many folds each rule of the selected model was found.
    fn count_folds(&self, selection: ModelIndex, path: &mut RulePath) {
        let Some((whole, folds)) =
            self.state.growths.get(selection.path).and_then(|growths| growths.split_first())
        else {
            return;
        };
        let size = path.models.get(selection.model).map_or(0, |model| model.votes.len());
        if self.params.mode != Mode::List && !folds.is_empty() {
            let found = whole.found_in(folds, size);
            path.rules.iter_mut().zip(found).for_each(|(rule, found)| rule.found_in = Some(found));
        }
    }

    /// Returns the model if there was no time to find anything.
    fn empty_model(&self) -> RuleSet {
        let middle = self.training.schema.number.map(|seen| match self.params.voting.loss {
            Loss::Squared => seen.middle.mean,
            Loss::Absolute => seen.middle.median,
        });
        RuleSet {
            base: middle.map_or_else(|| vec![0.0; self.outputs()], |middle| vec![middle]),
            ordered: self.params.mode == Mode::List,
            number: middle.map(|_| NumberStatistics::default()),
            ..RuleSet::default()
        }
    }

    /// Returns the held-out fold of each example, by repetition.
    fn folds(&self) -> Vec<Vec<u32>> {
        let mut folds = vec![vec![0; self.training.codes.len()]; self.repeats()];
        for (fold, split) in (0u32..).zip(&self.inner) {
            let folds = &mut folds[split.repeat];
            split.test.iter().for_each(|&example| folds[example as usize] = fold);
        }
        folds
    }

    /// Returns the number of times that examples are split into inner folds.
    fn repeats(&self) -> usize {
        self.inner.last().map_or(1, |last| last.repeat + 1)
    }

    /// Returns the number of inner folds in each repetition.
    fn folds_of_repeat(&self) -> usize {
        self.inner.len() / self.repeats()
    }

    /// Returns the number of outputs of a model: one for each class, or the number.
    fn outputs(&self) -> usize {
        self.training.schema.outputs()
    }

    /// Returns the selected model.
    fn selection(&self) -> ModelIndex {
        *self.selection.get_or_init(|| {
            let selected = match self.is_too_late_to_select() {
                true => None,
                false => self.select(&self.candidates(), self.state.fold_scores.weights()),
            };
            selected.unwrap_or_else(|| {
                let paths = &self.state.paths;
                let rules = self.params.voting.rules.unwrap_or(UNSCORED_SIZE);
                ModelIndex {
                    path: 0,
                    model: paths.first().map_or(0, |path| path.index_of_size(rules)),
                }
            })
        })
    }

    /// Returns the models that may be selected: those with the wanted number of rules, or all.
    fn candidates(&self) -> Cow<'_, [Candidate]> {
        let (paths, all) = (&self.state.paths, &self.candidates[..]);
        let Some(wanted) = self.params.voting.rules else { return all.into() };
        let fits =
            |one: &&Candidate| paths[one.index.path].index_of_size(wanted) == one.index.model;
        all.iter().filter(fits).cloned().collect()
    }

    /// Adds the models that were scored since the last call to the candidates.
    fn add_candidates(&mut self) {
        let paths = &self.state.paths;
        let rules_of = |index: ModelIndex| paths[index.path].models[index.model].votes.len();
        let first = self.candidates.len();
        let new =
            self.state.fold_scores.candidates(first, rules_of, &self.goal, &self.machine.threads);
        let weights = self.state.fold_scores.weights();
        for loss in new.iter().map(|one| one.mean(weights)) {
            let (first, lowest) = self.losses.unwrap_or((loss, loss));
            self.losses = Some((first, lowest.min(loss)));
        }
        self.candidates.extend(new);
    }

    /// Selects a model, given the weights of examples; `None` if nothing was scored.
    fn select(&self, candidates: &[Candidate], weights: &[f64]) -> Option<ModelIndex> {
        let (size, units) = (self.params.voting.size, self.scored_units());
        let all = self.comparison(candidates, weights, units.as_deref());
        let selected = match self.params.mode {
            Mode::Scorecard => all.select_card(size, |one| self.has_pairs(one.index)),
            _ => all.select(size),
        };
        Some(candidates[selected?].index)
    }

    /// Returns candidates to be compared, given the weights and units of the scored examples.
    fn comparison<'c>(
        &'c self,
        candidates: &'c [Candidate],
        weights: &'c [f64],
        units: Option<&'c [u32]>,
    ) -> Candidates<'c, ModelIndex> {
        let is_card = self.params.mode == Mode::Scorecard;
        let threads = &self.machine.threads;
        Candidates::new(candidates, (weights, units), self.outputs(), is_card, threads)
    }

    /// Returns the share of the out-of-fold loss without rules that the best model so far explains.
    fn explained(&self) -> Option<f64> {
        let (first, lowest) = self.losses?;
        let explained = 1.0 - lowest / first;
        explained.is_finite().then_some(explained)
    }

    /// Returns the units of the scored examples, if units have several examples.
    fn scored_units(&self) -> Option<Vec<u32>> {
        let groups = self.data.groups.as_ref()?;
        Some(self.state.fold_scores.examples().map(|example| groups[example]).collect())
    }

    /// Returns whether the run should stop now.
    fn is_stopped(&self) -> bool {
        self.driver.control().should_stop().is_some()
    }

    /// Returns whether the run was stopped and the selection would take seconds.
    fn is_too_late_to_select(&self) -> bool {
        let each = if self.outputs() > 2 { MANY_CLASSES * self.outputs() } else { 1 };
        let scores = self.training.codes.len() * each * self.repeats();
        let models = self.state.paths.iter().map(|path| path.models.len()).sum::<usize>();
        self.is_stopped() && scores.saturating_mul(models) > MOST_SCORES_WHEN_LATE
    }

    /// Takes the next step. Returns the number of rules found, or `None` if the run should stop and
    /// the step was not taken.
    fn advance(&mut self) -> Result<Option<u64>, RulesError> {
        let is_certain = self.state.list.as_ref().is_some_and(|list| list.is_certain);
        match &self.paths {
            _ if self.state.list.is_none() && self.may_have_list() => self.find_list(),
            None if !is_certain => self.start_paths(),
            Some(paths) if !self.are_done(paths) => Ok(self.add_rules()),
            _ => self.score_list(),
        }
    }

    /// Returns whether no step is left.
    fn is_done(&self) -> bool {
        let is_certain = self.state.list.as_ref().is_some_and(|list| list.is_certain);
        let is_grown = |paths: &Paths| self.are_done(paths);
        (is_certain || self.paths.as_ref().is_some_and(is_grown))
            && self.next_list_folds().is_empty()
    }
}

impl Stepper for DefaultRun<'_> {
    type State = RunState;
    type Error = RulesError;

    fn plan(&self) -> Plan {
        let params = serde_json::to_value(&self.params).unwrap_or_default();
        let list = if self.may_have_list() { 1 + self.folds_of_repeat() } else { 0 };
        Plan::new(LEARNER, params, self.training.fingerprint(&self.params, &self.machine.threads))
            .counts("candidate rules")
            .steps((1 + self.most_rules() + list) as u64)
    }

    fn step(&mut self) -> Result<Step, RulesError> {
        let advanced = self.advance()?;
        self.check_remote()?;
        self.selection = OnceLock::new();
        if advanced.is_some() && !self.is_too_late_to_select() {
            self.add_candidates();
        }
        let Some(evaluated) = advanced else {
            // The driver does not count a step that was not taken.
            let stop = self.driver.control().should_stop();
            return Ok(Step { stop: stop.or(Some(StopReason::Interrupted)), ..Step::default() });
        };
        self.save_paths();
        let rules = self.state.paths.iter().map(|path| path.rules.len()).max().unwrap_or(0);
        let mut values = Figures::new().with("rules", rules as f64);
        if let Some(explained) = self.explained() {
            values.set("explained", explained);
        }
        let stop = self.is_done().then_some(StopReason::Finished);
        Ok(Step { evaluated, score: None, values, stop })
    }

    fn state(&self) -> &RunState {
        &self.state
    }

    fn restore(&mut self, state: RunState) -> Result<(), RulesError> {
        let (examples, classes) = (self.training.codes.len(), self.outputs());
        let is_sound = state.paths.iter().all(|path| path.check(classes).is_ok())
            && state
                .list
                .as_ref()
                .is_none_or(|list| list.is_sound(classes, self.folds_of_repeat()))
            && (state.fold_scores.is_empty()
                || state.fold_scores.fits(examples, self.repeats(), classes, &state.paths))
            && state.paths.is_empty() == state.growths.is_empty();
        let paths = if state.growths.is_empty() { None } else { self.restore_paths(&state) };
        if !is_sound || paths.is_some() == state.growths.is_empty() {
            return Err(RulesError::Checkpoint("its rules do not fit the data"));
        }
        (self.paths, self.state, self.selection) = (paths, state, OnceLock::new());
        self.candidates.clear();
        self.losses = None;
        self.add_candidates();
        self.check_remote()
    }
}
