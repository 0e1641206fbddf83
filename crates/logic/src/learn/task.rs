use super::LogicError;
use crate::KnowledgeBase;
use pellucid_data::Problem;
use pellucid_relate::LabeledIndividuals;

/// A learning problem with numbered individuals.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LearningTask {
    /// The name.
    pub name: String,
    /// The positive examples, ascending.
    pub positive: Vec<u32>,
    /// The negative examples, ascending.
    pub negative: Vec<u32>,
    /// Individuals of the test fold: their values must not create cuts. Ascending.
    pub hidden: Vec<u32>,
    /// The classes that expressions must not use. Ascending.
    pub excluded: Vec<u32>,
}

impl LearningTask {
    /// Resolves the individuals of a problem.
    ///
    /// # Errors
    /// If an individual is unknown or in both lists, or if a list is empty.
    pub fn new(kb: &KnowledgeBase, problem: &Problem) -> Result<LearningTask, LogicError> {
        let (positive, negative) = kb.problem(problem)?;
        Ok(LearningTask::of(problem.name.clone(), positive, negative))
    }

    /// Creates a task from numbers of individuals.
    #[must_use]
    pub fn of(name: String, mut positive: Vec<u32>, mut negative: Vec<u32>) -> LearningTask {
        positive.sort_unstable();
        negative.sort_unstable();
        LearningTask { name, positive, negative, ..LearningTask::default() }
    }

    /// The examples for the reasoner: positive examples first, each list in order.
    #[must_use]
    pub fn examples(&self) -> LabeledIndividuals {
        LabeledIndividuals::binary(&self.positive, &self.negative)
    }

    /// The number of examples.
    #[must_use]
    pub fn len(&self) -> usize {
        self.positive.len() + self.negative.len()
    }

    /// Whether there are no examples.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The class of each example; the positive ones (1) come first.
    #[must_use]
    pub fn codes(&self) -> Vec<u32> {
        [vec![1; self.positive.len()], vec![0; self.negative.len()]].concat()
    }

    /// Returns a subset of the examples, by index. All others are hidden.
    #[must_use]
    pub fn part(&self, indices: &[u32]) -> LearningTask {
        let mut part = LearningTask {
            name: self.name.clone(),
            excluded: self.excluded.clone(),
            ..LearningTask::default()
        };
        let mut chosen = vec![false; self.len()];
        indices.iter().for_each(|&index| chosen[index as usize] = true);
        for (index, &individual) in self.positive.iter().chain(&self.negative).enumerate() {
            match chosen[index] {
                true if index < self.positive.len() => part.positive.push(individual),
                true => part.negative.push(individual),
                false => part.hidden.push(individual),
            }
        }
        part.hidden.extend(&self.hidden);
        part.hidden.sort_unstable();
        part.hidden.dedup();
        part
    }
}
