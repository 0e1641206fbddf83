//! Training on distributed rows, in parts, for example on the workers of a cluster.
//!
//! The head knows which values occur and how many examples each class has (a *head* data set has
//! all values but no rows). It asks all parts how many of their examples each rule covers, and adds
//! up the answers. Integer sums do not depend on the order, so the model is identical to that of
//! one process, however the rows are distributed.
//!
//! [`Parts`] is the view of the head, [`Part`] one of the parts. Modes `g3p-mi` and `pareto` breed
//! rules from counts. The default mode asks for sums by step of each column, and the parts keep
//! track of the rules that apply to their examples; the head knows only the class of each example.

use crate::apply::AppliedRules;
use crate::boost::remote::{Worker, survey};
use crate::conform::conform;
use crate::learner::{by_weight, count};
use crate::model::{Rule, RuleModel, RuleSet};
use crate::train::{Machine, RulesError, Training};
use pellucid_cover::elsewhere::Counter;
use pellucid_cover::{Formulas, Hypothesis, Session, Table};
use pellucid_data::Dataset;
use pellucid_device::DeviceError;
use pellucid_learn::learner::scores_of;
use pellucid_learn::metrics::ConfusionMatrix;
use pellucid_learn::params::ParamError;
use pellucid_learn::parts::{classes_of, in_categories_of, nonsense, sum};
use pellucid_learn::run::Figures;
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

/// Distributed rows: all parts.
#[derive(Clone)]
pub struct Parts {
    /// The number of examples of each class in all parts.
    pub examples: Vec<u64>,
    /// Asks all parts a question.
    pub ask: Ask,
}

/// A function that asks all parts a question and returns their answers, always in the same order.
pub type Ask = Arc<dyn Fn(&Question<'_>) -> Result<Vec<Vec<u64>>, DeviceError> + Send + Sync>;

impl fmt::Debug for Parts {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Parts").field("examples", &self.examples).finish_non_exhaustive()
    }
}

/// A question for every part; see [`Part`] for the answers.
#[derive(Clone, Copy, Debug)]
pub enum Question<'a> {
    /// How many examples formulas cover: [`Part::tally`].
    Tally(&'a [u64]),
    /// What the rules of a model cover, and what it predicts: [`Part::judge`].
    Judge(&'a RuleModel),
    /// What all parts must know from now on, also after a restart: [`Part::plan`]. There is no
    /// answer.
    Plan(&'a [u8]),
    /// A query of a growing path: [`Part::grow`].
    Grow(&'a [u8]),
}

impl Parts {
    /// Returns the sum of the answers of all parts.
    fn summed(&self, question: &Question<'_>) -> Result<Vec<u64>, DeviceError> {
        sum(&(self.ask)(question)?)
    }

    /// Creates a session that counts the examples of one class (as 1) against the rest (as 0) in
    /// all parts.
    ///
    /// # Errors
    /// If there are no devices.
    pub(crate) fn session(
        &self,
        table: Arc<Table>,
        class: u32,
        hypothesis: Hypothesis,
    ) -> Result<Session, RulesError> {
        let own = self.examples.get(class as usize).copied().unwrap_or(0);
        let all: u64 = self.examples.iter().sum();
        let (parts, question) = (self.clone(), head_of(class, hypothesis));
        let counter: Counter = Box::new(move |formulas| {
            let words: Vec<u64> = question.iter().chain(formulas).copied().collect();
            parts.summed(&Question::Tally(&words))
        });
        Ok(Session::elsewhere(table, &[all - own, own], hypothesis, counter)?)
    }

    /// Records the number of examples and the coverage of each rule in the model; returns the
    /// training scores.
    pub(crate) fn judge(&self, model: &mut RuleModel) -> Result<Figures, RulesError> {
        model.model.examples.clone_from(&self.examples);
        let found = self.summed(&Question::Judge(model))?;
        let classes = self.examples.len();
        let rules = all_rules(&model.model).count();
        if found.len() != (rules + classes) * classes {
            let (found, expected) = (found.len(), (rules + classes) * classes);
            let reason = format!("found {found} counts; expected {expected}");
            return Err(DeviceError::new("parts", reason).into());
        }
        let (covered, confused) = found.split_at(rules * classes);
        let RuleSet { rules, front, path, .. } = &mut model.model;
        let grown = path.iter_mut().flat_map(|path| &mut path.rules);
        for (rule, covered) in
            rules.iter_mut().chain(front).chain(grown).zip(covered.chunks(classes))
        {
            rule.covered = covered.to_vec();
        }
        by_weight(&mut model.model);
        Ok(ConfusionMatrix::from_counts(classes, confused.to_vec())
            .map_or_else(|_| Figures::new(), |matrix| scores_of(&matrix)))
    }
}

/// Returns the rules of a model, of its front, and of its path.
fn all_rules(model: &RuleSet) -> impl Iterator<Item = &Rule> {
    let grown = model.path.iter().flat_map(|path| &path.rules);
    model.rules.iter().chain(&model.front).chain(grown)
}

/// Returns the class to count and the hypothesis, as four numbers.
fn head_of(class: u32, hypothesis: Hypothesis) -> [u64; 4] {
    let (kind, least, most) = match hypothesis {
        Hypothesis::Rows => (0, 0, 0),
        Hypothesis::Presence => (1, 0, 0),
        Hypothesis::AtLeast(least) => (2, least, 0),
        Hypothesis::Between(least, most) => (3, least, most),
    };
    [class, kind, least, most].map(u64::from)
}

fn hypothesis_of(head: [u32; 3]) -> Option<Hypothesis> {
    match head {
        [0, ..] => Some(Hypothesis::Rows),
        [1, ..] => Some(Hypothesis::Presence),
        [2, least, _] => Some(Hypothesis::AtLeast(least)),
        [3, least, most] => Some(Hypothesis::Between(least, most)),
        _ => None,
    }
}

/// A part of the rows, which answers questions about itself.
#[derive(Debug)]
pub struct Part {
    data: Dataset,
    training: Training,
    machine: Machine,
    sessions: HashMap<[u32; 4], Session>,
    worker: Option<Worker>,
}

impl Part {
    /// Creates a part that uses the values and classes of the head.
    ///
    /// # Errors
    /// If it does not fit the head: it lacks a column, has a class or value that the head does not
    /// have, or differs in having bags. If its examples have weights.
    pub fn new(head: &Dataset, data: &Dataset, machine: Machine) -> Result<Part, RulesError> {
        unweighted(head)?;
        unweighted(data)?;
        let head = Training::new(head, &machine.threads)?;
        let mut data = conform(data, &head.schema).map_err(crate::apply::ApplyError::from)?;
        data.target = Some(classes_of(&head.schema, &data)?);
        let table = Table::part_of(&head.table, &machine.threads, data.clone())?;
        in_categories_of(&head.schema, &mut data);
        let training = Training {
            table: Arc::new(table),
            codes: data.example_codes(),
            name: data.name.clone(),
            ..head
        };
        Ok(Part { data, training, machine, sessions: HashMap::new(), worker: None })
    }

    /// Returns the number of examples of each class.
    #[must_use]
    pub fn examples(&self) -> Vec<u64> {
        self.training.counts()
    }

    /// Returns, for each formula, how many examples it covers of all other classes, and of the
    /// class in question.
    ///
    /// # Errors
    /// If the question is invalid, or a device fails.
    pub fn tally(&mut self, question: &[u64]) -> Result<Vec<u64>, RulesError> {
        let wrong = || RulesError::from(nonsense());
        let (head, formulas) = question.split_first_chunk::<4>().ok_or_else(wrong)?;
        let head = head.map(|word| u32::try_from(word).unwrap_or(u32::MAX));
        let hypothesis = hypothesis_of([head[1], head[2], head[3]]).ok_or_else(wrong)?;
        let formulas = Formulas::from_words(formulas).ok_or_else(wrong)?;
        if !self.sessions.contains_key(&head) {
            let session = self.training.session(head[0], hypothesis, &self.machine)?;
            self.sessions.insert(head, session);
        }
        let session = self.sessions.get_mut(&head).ok_or_else(wrong)?;
        let tallies = session.tally_formulas(&formulas)?;
        Ok((0..tallies.len()).flat_map(|formula| tallies.of(formula).to_vec()).collect())
    }

    /// Stores what all parts must know; `place` is the index of this part.
    ///
    /// # Errors
    /// If the plan is invalid.
    pub fn plan(&mut self, place: usize, plan: &[u8]) -> Result<(), RulesError> {
        self.worker = Some(Worker::new(&self.data, self.training.codes.clone(), place, plan)?);
        Ok(())
    }

    /// Returns whether the part has a plan.
    #[must_use]
    pub fn has_plan(&self) -> bool {
        self.worker.is_some()
    }

    /// Answers a query of a growing path.
    ///
    /// # Errors
    /// If the query is invalid.
    pub fn grow(&mut self, query: &[u8]) -> Result<Vec<u64>, RulesError> {
        if let Some(answer) = survey(&self.data, &self.training.codes, query)? {
            return Ok(answer);
        }
        let no_plan = || DeviceError::new("parts", "the part has no plan yet");
        Ok(self.worker.as_mut().ok_or_else(no_plan)?.answer(query, &self.machine.threads)?)
    }

    /// Returns the number of examples of each class that each rule of a model, of its front and of
    /// its path covers, followed by the confusion matrix.
    ///
    /// # Errors
    /// If the model does not fit the data, or a device fails.
    pub fn judge(&mut self, model: &RuleModel) -> Result<Vec<u64>, RulesError> {
        let (codes, classes) = (self.data.example_codes(), self.training.classes.len());
        let mut found = Vec::new();
        let mut covered = |rules: &[Rule]| -> Result<AppliedRules, RulesError> {
            let mut model = model.clone();
            model.model.rules = rules.to_vec();
            let applied = AppliedRules::new(&model, &self.data, &self.machine)?;
            count(&mut model.model.rules, &applied, &codes, classes);
            found.extend(model.model.rules.into_iter().flat_map(|rule| rule.covered));
            Ok(applied)
        };
        let applied = covered(&model.model.rules)?;
        covered(&model.model.front)?;
        if let Some(path) = &model.model.path {
            covered(&path.rules)?;
        }
        let mut confused = vec![0; classes * classes];
        for (&actual, predicted) in codes.iter().zip(applied.predictions()) {
            confused[actual as usize * classes + predicted as usize] += 1;
        }
        Ok([found, confused].concat())
    }
}

/// Checks that examples have no weights, because remote examples are only counted.
///
/// # Errors
/// If they have weights.
pub(crate) fn unweighted(data: &Dataset) -> Result<(), RulesError> {
    match data.weights {
        None => Ok(()),
        Some(_) => {
            let problem = "weights are not supported for distributed rows";
            Err(ParamError::with_problem("weight", problem).into())
        }
    }
}
