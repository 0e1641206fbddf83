use super::LogicError;
use crate::KnowledgeBase;
use pellucid_data::Problem;
use pellucid_relate::Examples;

/// A learning problem by the numbers of its individuals.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Task {
    /// What it is called.
    pub name: String,
    /// Those the answer should hold for, ascending.
    pub positive: Vec<u32>,
    /// Those it should not hold for, ascending.
    pub negative: Vec<u32>,
    /// Those that will be judged later and must not be looked at: their own values make no cuts. Ascending.
    pub hidden: Vec<u32>,
}

impl Task {
    /// Finds a problem's individuals.
    ///
    /// # Errors
    /// When one is not there or in both lists, or a list is empty.
    pub fn new(kb: &KnowledgeBase, problem: &Problem) -> Result<Task, LogicError> {
        let (positive, negative) = kb.problem(problem)?;
        Ok(Task::of(problem.name.clone(), positive, negative))
    }

    /// A problem of individuals that are found already.
    #[must_use]
    pub fn of(name: String, mut positive: Vec<u32>, mut negative: Vec<u32>) -> Task {
        positive.sort_unstable();
        negative.sort_unstable();
        Task { name, positive, negative, hidden: Vec::new() }
    }

    /// The examples as the engine wants them: the positive ones first, each list in order.
    #[must_use]
    pub fn examples(&self) -> Examples {
        Examples::binary(&self.positive, &self.negative)
    }

    /// How many examples there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.positive.len() + self.negative.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The class of each example, 1 for those in front.
    #[must_use]
    pub fn codes(&self) -> Vec<u32> {
        [vec![1; self.positive.len()], vec![0; self.negative.len()]].concat()
    }

    /// A part of the examples, by their places; all others are hidden.
    #[must_use]
    pub fn part(&self, places: &[u32]) -> Task {
        let mut part = Task { name: self.name.clone(), ..Task::default() };
        let mut chosen = vec![false; self.len()];
        places.iter().for_each(|&place| chosen[place as usize] = true);
        for (place, &individual) in self.positive.iter().chain(&self.negative).enumerate() {
            match chosen[place] {
                true if place < self.positive.len() => part.positive.push(individual),
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
