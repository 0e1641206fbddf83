//! Training on distributed rows, in parts, for example on the workers of a cluster.
//!
//! The head knows which values occur and how many examples each class has (a *head* data set has
//! all values but no rows). It asks all parts how many of their examples each rule covers, and adds
//! up the answers. Integer sums do not depend on the order, so the model is identical to that of
//! one process, however the rows are distributed.
//!
//! [`RemoteRules`] is the view of the head, [`RulesPart`] one of the parts. Modes `g3p-mi` and `pareto` breed
//! rules from counts. The default mode asks for sums by step of each column, and the parts keep
//! track of the rules that apply to their examples; the head knows only the class of each example.

use crate::apply::AppliedRules;
use crate::boost::remote::{Worker, survey};
use crate::conform::conform;
use crate::learner::{by_weight, count};
use crate::model::{LEARNER, Rule, RuleModel, RuleSet};
use crate::train::{Machine, RulesError, Training};
use pellucid_cover::elsewhere::Counter;
use pellucid_cover::{Formulas, Hypothesis, Session, Table};
use pellucid_data::Dataset;
use pellucid_device::DeviceError;
use pellucid_learn::learner::{BoxError, scores_of};
use pellucid_learn::metrics::ConfusionMatrix;
use pellucid_learn::model::StoredModel;
use pellucid_learn::params::ParamError;
use pellucid_learn::parts::{
    Part, Parts, Request, classes_of, failure, in_categories_of, invalid_query, sum,
};
use pellucid_learn::run::Figures;
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

/// Distributed rows: all parts.
#[derive(Clone, Debug)]
pub struct RemoteRules(pub Parts);

/// A query to every part; see [`RulesPart`] for the answers.
#[derive(Clone, Copy, Debug)]
pub enum RulesQuery<'a> {
    /// How many examples formulas cover: [`RulesPart::tally`].
    Tally(&'a [u64]),
    /// What the rules of a model cover, and what it predicts: [`RulesPart::evaluate`].
    Evaluate(&'a RuleModel),
    /// A query of a growing path: [`RulesPart::grow`].
    Grow(&'a [u8]),
}

/// The first byte of a query.
mod tag {
    pub(super) const TALLY: u8 = 0;
    pub(super) const EVALUATE: u8 = 1;
    pub(super) const GROW: u8 = 2;
}

impl RulesQuery<'_> {
    /// Returns the query as bytes: its kind, then its content.
    fn to_bytes(self) -> Result<Vec<u8>, DeviceError> {
        let with_tag = |tag: u8, content: &[u8]| [&[tag], content].concat();
        Ok(match self {
            RulesQuery::Tally(words) => {
                let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
                with_tag(tag::TALLY, &bytes)
            }
            RulesQuery::Evaluate(model) => {
                let text = model.to_json().map_err(|error| failure(error.to_string()))?;
                with_tag(tag::EVALUATE, text.as_bytes())
            }
            RulesQuery::Grow(query) => with_tag(tag::GROW, query),
        })
    }
}

impl RemoteRules {
    /// Returns the number of examples of each class in all parts.
    pub(crate) fn examples(&self) -> &[u64] {
        &self.0.examples
    }

    /// Returns the answers of all parts.
    pub(crate) fn ask(&self, query: RulesQuery<'_>) -> Result<Vec<Vec<u64>>, DeviceError> {
        (self.0.send)(Request::Query(&query.to_bytes()?))
    }

    /// Sends what all parts must know from now on, also after a restart: [`RulesPart::set_plan`].
    pub(crate) fn send_plan(&self, plan: &[u8]) -> Result<(), DeviceError> {
        (self.0.send)(Request::Plan(plan)).map(|_| ())
    }

    /// Returns the sum of the answers of all parts.
    fn summed(&self, query: RulesQuery<'_>) -> Result<Vec<u64>, DeviceError> {
        sum(&self.ask(query)?)
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
        let own = self.examples().get(class as usize).copied().unwrap_or(0);
        let all: u64 = self.examples().iter().sum();
        let (parts, question) = (self.clone(), head_of(class, hypothesis));
        let counter: Counter = Box::new(move |formulas| {
            let words: Vec<u64> = question.iter().chain(formulas).copied().collect();
            parts.summed(RulesQuery::Tally(&words))
        });
        Ok(Session::elsewhere(table, &[all - own, own], hypothesis, counter)?)
    }

    /// Records the number of examples and the coverage of each rule in the model; returns the
    /// training scores.
    pub(crate) fn evaluate(&self, model: &mut RuleModel) -> Result<Figures, RulesError> {
        model.body.examples = self.examples().to_vec();
        let found = self.summed(RulesQuery::Evaluate(model))?;
        let classes = self.examples().len();
        let rules = all_rules(&model.body).count();
        if found.len() != (rules + classes) * classes {
            let (found, expected) = (found.len(), (rules + classes) * classes);
            let reason = format!("found {found} counts; expected {expected}");
            return Err(DeviceError::new("parts", reason).into());
        }
        let (covered, confused) = found.split_at(rules * classes);
        let RuleSet { rules, front, path, .. } = &mut model.body;
        let grown = path.iter_mut().flat_map(|path| &mut path.rules);
        for (rule, covered) in
            rules.iter_mut().chain(front).chain(grown).zip(covered.chunks(classes))
        {
            rule.covered = covered.to_vec();
        }
        by_weight(&mut model.body);
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

/// A part of the rows, which answers requests about it.
#[derive(Debug)]
pub struct RulesPart {
    data: Dataset,
    training: Training,
    machine: Machine,
    sessions: HashMap<[u32; 4], Session>,
    worker: Option<Worker>,
}

impl RulesPart {
    /// Creates a part that uses the values and classes of the head.
    ///
    /// # Errors
    /// If it does not fit the head: it lacks a column, has a class or value that the head does not
    /// have, or differs in having bags. If its examples have weights.
    pub fn new(head: &Dataset, data: &Dataset, machine: Machine) -> Result<RulesPart, RulesError> {
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
        Ok(RulesPart { data, training, machine, sessions: HashMap::new(), worker: None })
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
    /// If the request is invalid, or a device fails.
    pub fn tally(&mut self, request: &[u64]) -> Result<Vec<u64>, RulesError> {
        let wrong = || RulesError::from(invalid_query());
        let (head, formulas) = request.split_first_chunk::<4>().ok_or_else(wrong)?;
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
    pub fn set_plan(&mut self, place: usize, plan: &[u8]) -> Result<(), RulesError> {
        self.worker = Some(Worker::new(&self.data, self.training.codes.clone(), place, plan)?);
        Ok(())
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
    pub fn evaluate(&mut self, model: &RuleModel) -> Result<Vec<u64>, RulesError> {
        let (codes, classes) = (self.data.example_codes(), self.training.classes.len());
        let mut found = Vec::new();
        let mut covered = |rules: &[Rule]| -> Result<AppliedRules, RulesError> {
            let mut model = model.clone();
            model.body.rules = rules.to_vec();
            let applied = AppliedRules::new(&model, &self.data, &self.machine)?;
            count(&mut model.body.rules, &applied, (&codes, classes), &self.machine.threads);
            found.extend(model.body.rules.into_iter().flat_map(|rule| rule.covered));
            Ok(applied)
        };
        let applied = covered(&model.body.rules)?;
        covered(&model.body.front)?;
        if let Some(path) = &model.body.path {
            covered(&path.rules)?;
        }
        let mut confused = vec![0; classes * classes];
        for (&actual, predicted) in codes.iter().zip(applied.predictions()) {
            confused[actual as usize * classes + predicted as usize] += 1;
        }
        Ok([found, confused].concat())
    }
}

impl Part for RulesPart {
    fn plans(&self) -> usize {
        usize::from(self.worker.is_some())
    }

    fn plan(&mut self, place: usize, plan: &[u8]) -> Result<(), BoxError> {
        Ok(self.set_plan(place, plan)?)
    }

    fn answer(&mut self, query: &[u8]) -> Result<Vec<u64>, BoxError> {
        let (tag, content) = query.split_first().ok_or_else(invalid_query)?;
        Ok(match *tag {
            tag::TALLY => {
                let (words, _) = content.as_chunks::<8>();
                let words: Vec<u64> = words.iter().map(|word| u64::from_le_bytes(*word)).collect();
                self.tally(&words)?
            }
            tag::EVALUATE => {
                let stored = StoredModel::parse(Path::new("the model"), content.to_vec())?;
                self.evaluate(&stored.read(LEARNER)?)?
            }
            tag::GROW => self.grow(content)?,
            _ => return Err(invalid_query().into()),
        })
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
