//! Individuals of a knowledge base as training and test data.

use super::{LearningTask, LogicError};
use crate::kb::ExampleSource;
use crate::{KbError, KnowledgeBase};
use pellucid_data::{Message, Problem};
use pellucid_learn::learner::{AsData, Examples};
use std::borrow::Cow;
use std::sync::Arc;

/// A knowledge base with labeled examples and the individuals to predict.
#[derive(Clone, Debug)]
pub struct Individuals {
    /// The knowledge base.
    pub kb: Arc<KnowledgeBase>,
    /// The examples.
    pub task: LearningTask,
    /// The individuals to predict, in order.
    pub asked: Vec<u32>,
    /// Notes about duplicates.
    pub notes: Vec<Message>,
}

impl Individuals {
    /// Returns the examples of a learning problem. They are also the individuals to predict.
    ///
    /// # Errors
    /// If an example is unknown or in both lists, or if a list is empty.
    pub fn examples(kb: &Arc<KnowledgeBase>, problem: &Problem) -> Result<Individuals, LogicError> {
        Individuals::from_source(kb, &ExampleSource::Listed(problem.clone()), 0)
    }

    /// Returns the examples of a source; the seed selects negative examples if there are many.
    ///
    /// # Errors
    /// As [`KnowledgeBase::examples`].
    pub fn from_source(
        kb: &Arc<KnowledgeBase>,
        source: &ExampleSource,
        seed: u64,
    ) -> Result<Individuals, LogicError> {
        let found = kb.examples(source, seed)?;
        let asked = [&found.positive[..], &found.negative[..]].concat();
        let name = match source {
            ExampleSource::Listed(problem) | ExampleSource::PositiveOnly(problem) => {
                problem.name.clone()
            }
            ExampleSource::Class(name) => {
                kb.find_class(name).map_or(name.as_str(), |class| kb.show_class(class)).to_owned()
            }
        };
        let mut task = LearningTask::of(name, found.positive, found.negative);
        task.excluded = found.excluded;
        Ok(Individuals { kb: Arc::clone(kb), task, asked, notes: found.notes })
    }

    /// Returns all individuals, without labels.
    #[must_use]
    pub fn everybody(kb: &Arc<KnowledgeBase>) -> Individuals {
        let asked = (0u32..).take(kb.world.len()).collect();
        Individuals { kb: Arc::clone(kb), task: LearningTask::default(), asked, notes: Vec::new() }
    }

    /// Sets the individuals to predict.
    ///
    /// # Errors
    /// If an individual is unknown.
    pub fn asking(mut self, names: &[String]) -> Result<Individuals, LogicError> {
        self.asked = self.kb.individuals(names)?;
        Ok(self)
    }

    /// Checks that there are positive and negative examples.
    pub(super) fn require_examples(&self) -> Result<(), LogicError> {
        for (list, sort) in [(&self.task.positive, "positive"), (&self.task.negative, "negative")] {
            if list.is_empty() {
                let problem = "the problem".to_owned();
                return Err(LogicError::Kb(KbError::Missing { problem, sort }));
            }
        }
        Ok(())
    }
}

impl Examples for Individuals {
    fn classes(&self) -> Vec<String> {
        vec!["negative".to_owned(), "positive".to_owned()]
    }

    fn codes(&self) -> Vec<u32> {
        self.task.codes()
    }

    /// Returns a subset of the examples. All others are hidden, so their values do not create cuts.
    fn part(&self, places: &[u32]) -> Individuals {
        let task = self.task.part(places);
        let asked = [&task.positive[..], &task.negative[..]].concat();
        Individuals { kb: Arc::clone(&self.kb), task, asked, notes: Vec::new() }
    }
}

/// For a knowledge base alone, all individuals are predicted.
impl AsData<Individuals> for Arc<KnowledgeBase> {
    fn as_data(&self) -> Cow<'_, Individuals> {
        Cow::Owned(Individuals::everybody(self))
    }
}
