//! Attribute exploration: finds the implications of a domain by asking experts.
//!
//! An exploration starts from a context with some objects of the domain. It asks whether an implication that
//! is valid in the context is valid in the domain. An expert accepts it, or names a counterexample, which
//! becomes an object of the context. It ends when every implication that is valid in the context follows from
//! accepted ones. The stem base of the context is then that of the domain.
//!
//! Questions come in lectic order of their premises, which are closed under the accepted implications, so
//! that no question follows from what was accepted (Ganter 1984). Several experts may answer. What one of
//! them does not know is asked again when another one is there. Answers can be undone, the last one first.
//!
//! ```
//! use pellucid_concepts::exploration::Exploration;
//! use pellucid_data::{Context, Relation};
//!
//! let objects = ["salmon"].into_iter().collect();
//! let attributes = ["swims", "flies"].into_iter().collect();
//! let context = Context::new("animals", objects, attributes, Relation::new(2, [[0]])?);
//! let mut exploration = Exploration::new(context, "ann");
//! let question = exploration.question().expect("a question");
//! assert_eq!((&*question.premise, &*question.conclusion), (&[0][..], &[0b01][..]));
//! exploration.counterexample("bee", &[0b10])?; // Not every animal swims.
//! assert!(exploration.is_finished()); // Some animals swim and others fly: nothing depends on anything.
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
mod session;

pub use error::{AnswerError, SessionError};

use crate::implications::{BaseOptions, CanonicalBase, base, unite};
use pellucid_bits::words::{contains, full, insert, is_subset, members, words_for};
use pellucid_data::{Context, Names, Relation};

/// A question: does every object with the premise have the conclusion?
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The attributes of the premise, as [`words`](pellucid_bits::words).
    pub premise: Vec<u64>,
    /// The attributes of the conclusion, without those of the premise.
    pub conclusion: Vec<u64>,
}

/// What an expert said about a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Every object with the premise has the conclusion.
    Accepted,
    /// An object with the premise and without some attribute of the conclusion.
    Counterexample {
        /// The name of the object.
        object: String,
        /// Its attributes.
        attributes: Vec<u64>,
    },
    /// The expert does not know.
    Unknown,
}

/// An answer to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The name of the expert.
    pub expert: String,
    /// The question.
    pub question: Question,
    /// What the expert said.
    pub verdict: Verdict,
}

/// An exploration: a context, and the answers so far.
#[derive(Clone, Debug, PartialEq)]
pub struct Exploration {
    /// The context at the beginning.
    start: Context,
    answers: Vec<Answer>,
    expert: String,
    /// The names and attributes of all objects.
    objects: Vec<(String, Vec<u64>)>,
    /// Premises and closures of accepted implications.
    accepted: Vec<(Vec<u64>, Vec<u64>)>,
    /// All closed sets before this one in lectic order are intents.
    position: Vec<u64>,
    current: Option<Question>,
}

impl Exploration {
    /// Begins with the objects of a context, which are counterexamples from the start.
    #[must_use]
    pub fn new(context: Context, expert: impl Into<String>) -> Exploration {
        let mut exploration = Exploration {
            start: context,
            answers: Vec::new(),
            expert: expert.into(),
            objects: Vec::new(),
            accepted: Vec::new(),
            position: Vec::new(),
            current: None,
        };
        exploration.restart();
        exploration
    }

    /// Forgets all that follows from answers.
    fn restart(&mut self) {
        let relation = &self.start.relation;
        let rows = (0..relation.objects()).map(|object| relation.row_words(object));
        self.objects = self.start.objects.iter().map(Into::into).zip(rows).collect();
        self.accepted.clear();
        self.position = vec![0; words_for(relation.attributes())];
        self.refresh();
    }

    /// Returns the next question for the expert; `None` if there is none.
    #[must_use]
    pub fn question(&self) -> Option<&Question> {
        self.current.as_ref()
    }

    /// Accepts the implication of the question: every object with the premise has the conclusion.
    ///
    /// # Errors
    /// If there is no question.
    pub fn accept(&mut self) -> Result<(), AnswerError> {
        self.answer(Verdict::Accepted)
    }

    /// Adds an object that has the premise of the question, and no others than the given attributes besides,
    /// but lacks some of the conclusion.
    ///
    /// # Errors
    /// If there is no question, the name is empty or taken, the object has the whole conclusion, or it
    /// contradicts an accepted implication.
    pub fn counterexample(
        &mut self,
        object: impl Into<String>,
        attributes: &[u64],
    ) -> Result<(), AnswerError> {
        let mut own = self.position.iter().map(|_| 0).collect::<Vec<u64>>();
        unite(&mut own, attributes);
        if let Some(question) = &self.current {
            unite(&mut own, &question.premise);
        }
        self.answer(Verdict::Counterexample { object: object.into(), attributes: own })
    }

    /// Leaves the question for another expert.
    ///
    /// # Errors
    /// If there is no question.
    pub fn unknown(&mut self) -> Result<(), AnswerError> {
        self.answer(Verdict::Unknown)
    }

    fn answer(&mut self, verdict: Verdict) -> Result<(), AnswerError> {
        let question = self.current.clone().ok_or(AnswerError::NoQuestion)?;
        self.apply(Answer { expert: self.expert.clone(), question, verdict })?;
        self.refresh();
        Ok(())
    }

    /// Checks an answer and adds it.
    fn apply(&mut self, answer: Answer) -> Result<(), AnswerError> {
        let Question { premise, conclusion } = &answer.question;
        match &answer.verdict {
            Verdict::Accepted => {
                let mut closure = premise.clone();
                unite(&mut closure, conclusion);
                let violates = |(_, row): &&(String, Vec<u64>)| {
                    is_subset(premise, row) && !is_subset(&closure, row)
                };
                if let Some((object, _)) = self.objects.iter().find(violates) {
                    return Err(AnswerError::Violated { object: object.clone() });
                }
                self.accepted.push((premise.clone(), closure));
            }
            Verdict::Counterexample { object, attributes } => {
                self.check_object(object, attributes, &answer.question)?;
                self.objects.push((object.clone(), attributes.clone()));
            }
            Verdict::Unknown => {}
        }
        self.answers.push(answer);
        Ok(())
    }

    /// Checks a counterexample.
    fn check_object(
        &self,
        object: &str,
        attributes: &[u64],
        question: &Question,
    ) -> Result<(), AnswerError> {
        let object = object.to_owned();
        if object.trim().is_empty() {
            return Err(AnswerError::NoName);
        }
        if self.objects.iter().any(|(name, _)| *name == object) {
            return Err(AnswerError::TakenName { object });
        }
        if !is_subset(&question.premise, attributes) {
            return Err(AnswerError::LacksPremise { object });
        }
        if is_subset(&question.conclusion, attributes) {
            return Err(AnswerError::NoCounterexample { object });
        }
        let violated = self
            .accepted
            .iter()
            .position(|(premise, closure)| {
                is_subset(premise, attributes) && !is_subset(closure, attributes)
            })
            .map(|index| &self.accepted[index]);
        let Some((premise, closure)) = violated else { return Ok(()) };
        let missing = members(closure).filter(|&one| !contains(attributes, one));
        Err(AnswerError::Contradiction {
            object,
            premise: self.names(premise),
            missing: missing.map(|one| self.attributes().get(one).into_owned()).collect(),
        })
    }

    /// Takes back the last answer and returns it.
    pub fn undo(&mut self) -> Option<Answer> {
        let last = self.answers.pop()?;
        let answers = std::mem::take(&mut self.answers);
        self.restart();
        for answer in answers {
            // Answers that were valid before stay valid without later ones.
            if self.apply(answer).is_err() {
                break;
            }
        }
        self.refresh();
        Some(last)
    }

    /// Sets who answers. Questions that another expert did not know are asked again.
    pub fn set_expert(&mut self, expert: impl Into<String>) {
        self.expert = expert.into();
        self.refresh();
    }

    /// Returns who answers.
    #[must_use]
    pub fn expert(&self) -> &str {
        &self.expert
    }

    /// Returns all answers in order.
    #[must_use]
    pub fn answers(&self) -> &[Answer] {
        &self.answers
    }

    /// Returns the number of accepted implications.
    #[must_use]
    pub fn accepted(&self) -> usize {
        self.accepted.len()
    }

    /// Returns the questions that were accepted, in order.
    pub fn accepted_questions(&self) -> impl Iterator<Item = &Question> {
        let accepted = self.answers.iter().filter(|answer| answer.verdict == Verdict::Accepted);
        accepted.map(|answer| &answer.question)
    }

    /// Returns the name of the context.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.start.name
    }

    /// Returns the names of the attributes.
    #[must_use]
    pub fn attributes(&self) -> &Names {
        &self.start.attributes
    }

    /// Returns the context with all counterexamples.
    #[must_use]
    pub fn context(&self) -> Context {
        let rows = self
            .objects
            .iter()
            .map(|(_, row)| members(row).map(pellucid_bits::as_u32).collect::<Vec<u32>>());
        let attributes = self.attributes().clone();
        let relation = Relation::new(attributes.len(), rows).expect("attributes of the context");
        let objects = self.objects.iter().map(|(name, _)| name.clone()).collect();
        Context::new(self.start.name.clone(), objects, attributes, relation)
    }

    /// Whether every implication that is valid in the context follows from accepted ones. If not, and there
    /// is no question, the remaining ones wait for another expert.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.current.is_none() && self.next_question(self.position.clone(), false).0.is_none()
    }

    /// Returns the stem base of the context. When the exploration is finished, it is that of the domain.
    #[must_use]
    pub fn base(&self) -> CanonicalBase {
        base(&self.context().relation, &BaseOptions::default())
    }

    /// Returns the names of some attributes.
    #[must_use]
    pub fn names(&self, attributes: &[u64]) -> Vec<String> {
        members(attributes).map(|one| self.attributes().get(one).into_owned()).collect()
    }

    fn refresh(&mut self) {
        let (question, position) = self.next_question(self.position.clone(), true);
        (self.current, self.position) = (question, position);
    }

    /// Returns the first question from a set on, and a set before which all closed sets are intents. Skips
    /// what the expert does not know if asked to.
    fn next_question(&self, from: Vec<u64>, skips_unknown: bool) -> (Option<Question>, Vec<u64>) {
        let mut position = from.clone();
        let mut has_skipped = false;
        let mut next =
            if self.closed(from.clone()) == from { Some(from) } else { self.after(&from) };
        while let Some(premise) = next {
            let mut conclusion = self.intent(&premise);
            conclusion.iter_mut().zip(&premise).for_each(|(word, premise)| *word &= !premise);
            let question = Question { premise, conclusion };
            if question.conclusion.iter().any(|&word| word != 0) {
                if !(skips_unknown && self.is_unknown(&question)) {
                    let position = if has_skipped { position } else { question.premise.clone() };
                    return (Some(question), position);
                }
                has_skipped = true;
            }
            if !has_skipped {
                position.clone_from(&question.premise);
            }
            next = self.after(&question.premise);
        }
        (None, position)
    }

    /// Whether the expert does not know the answer to a question.
    fn is_unknown(&self, question: &Question) -> bool {
        self.answers.iter().any(|answer| {
            answer.verdict == Verdict::Unknown
                && answer.expert == self.expert
                && answer.question == *question
        })
    }

    /// Returns the attributes that all objects with some attributes have.
    fn intent(&self, attributes: &[u64]) -> Vec<u64> {
        let mut intent = full(self.attributes().len());
        intent.resize(attributes.len(), 0);
        for (_, row) in self.objects.iter().filter(|(_, row)| is_subset(attributes, row)) {
            intent.iter_mut().zip(row).for_each(|(word, row)| *word &= row);
        }
        intent
    }

    /// Returns all attributes that follow from some attributes by accepted implications.
    fn closed(&self, mut set: Vec<u64>) -> Vec<u64> {
        loop {
            let mut has_grown = false;
            for (premise, closure) in &self.accepted {
                if is_subset(premise, &set) && !is_subset(closure, &set) {
                    unite(&mut set, closure);
                    has_grown = true;
                }
            }
            if !has_grown {
                return set;
            }
        }
    }

    /// Returns the next closed set in lectic order.
    fn after(&self, set: &[u64]) -> Option<Vec<u64>> {
        let mut before = set.to_vec();
        for attribute in (0..self.attributes().len()).rev() {
            if contains(&before, attribute) {
                before[attribute / 64] &= !(1 << (attribute % 64));
                continue;
            }
            let mut with = before.clone();
            insert(&mut with, attribute);
            let closed = self.closed(with);
            let is_next = members(&closed).take_while(|&one| one < attribute);
            if is_next.into_iter().all(|one| contains(&before, one)) {
                return Some(closed);
            }
        }
        None
    }
}
