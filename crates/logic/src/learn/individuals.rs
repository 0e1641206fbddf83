//! Individuals of a knowledge base, as data to learn from and to ask about.

use super::{LogicError, Task};
use crate::{KbError, KnowledgeBase};
use pellucid_data::Problem;
use pellucid_learn::learner::{AsData, Examples};
use std::borrow::Cow;
use std::sync::Arc;

/// A knowledge base, those of its individuals of whom it is known on which side they are, and those that are asked about.
#[derive(Clone, Debug)]
pub struct Individuals {
    /// The knowledge base.
    pub kb: Arc<KnowledgeBase>,
    /// The examples.
    pub task: Task,
    /// Those asked about, in the order in which they are answered.
    pub asked: Vec<u32>,
    /// What was passed over, as sentences.
    pub notes: Vec<String>,
}

impl Individuals {
    /// The examples of a learning problem, who are also those asked about.
    ///
    /// # Errors
    /// When one is not there or in both lists, or a list is empty.
    pub fn examples(kb: &Arc<KnowledgeBase>, problem: &Problem) -> Result<Individuals, LogicError> {
        let found = kb.resolve(problem)?;
        let asked = [&found.positive[..], &found.negative[..]].concat();
        let task = Task::of(problem.name.clone(), found.positive, found.negative);
        Ok(Individuals { kb: Arc::clone(kb), task, asked, notes: found.notes })
    }

    /// All individuals; of none of them anything is known.
    #[must_use]
    pub fn everybody(kb: &Arc<KnowledgeBase>) -> Individuals {
        let asked = (0u32..).take(kb.world.len()).collect();
        Individuals { kb: Arc::clone(kb), task: Task::default(), asked, notes: Vec::new() }
    }

    /// The same examples, and others who are asked about.
    ///
    /// # Errors
    /// When one is not there.
    pub fn asking(mut self, names: &[String]) -> Result<Individuals, LogicError> {
        self.asked = self.kb.individuals(names)?;
        Ok(self)
    }

    /// Whether there is something to tell apart.
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

    /// A part of the examples; all others are hidden, so that their values make no cuts.
    fn part(&self, places: &[u32]) -> Individuals {
        let task = self.task.part(places);
        let asked = [&task.positive[..], &task.negative[..]].concat();
        Individuals { kb: Arc::clone(&self.kb), task, asked, notes: Vec::new() }
    }
}

/// A knowledge base alone asks about everybody.
impl AsData<Individuals> for Arc<KnowledgeBase> {
    fn as_data(&self) -> Cow<'_, Individuals> {
        Cow::Owned(Individuals::everybody(self))
    }
}
