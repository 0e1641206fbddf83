use super::{KbError, KnowledgeBase};
use pellucid_data::{Message, Problem, message};

/// The examples of a learning problem as numbers of individuals.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResolvedProblem {
    /// The positive examples, without duplicates, in the given order.
    pub positive: Vec<u32>,
    /// The negative examples.
    pub negative: Vec<u32>,
    /// Notes about duplicates and about the choice of negative examples.
    pub notes: Vec<Message>,
    /// The classes that expressions must not use, ascending.
    pub excluded: Vec<u32>,
}

impl KnowledgeBase {
    /// Returns the positive and negative examples of a learning problem, without duplicates.
    ///
    /// # Errors
    /// As [`KnowledgeBase::resolve`].
    pub fn problem(&self, problem: &Problem) -> Result<(Vec<u32>, Vec<u32>), KbError> {
        self.resolve(problem).map(|found| (found.positive, found.negative))
    }

    /// Returns the examples of a learning problem, with notes.
    ///
    /// # Errors
    /// If the ontology has no individuals, an example is unknown, an individual is a positive and a
    /// negative example, or one kind of examples is missing.
    pub fn resolve<'p>(&self, problem: &'p Problem) -> Result<ResolvedProblem, KbError> {
        if self.world.is_empty() {
            return Err(KbError::NoIndividuals { ontology: self.name.clone() });
        }
        let mut unknown: Vec<&'p str> = Vec::new();
        let mut duplicates = 0u64;
        let mut mark = vec![0u8; self.world.len()];
        let mut numbers = |names: &'p [String], bit: u8| -> Vec<u32> {
            let mut found = Vec::with_capacity(names.len());
            for name in names {
                match self.find_individual(name) {
                    None => unknown.push(name),
                    Some(number) if mark[number as usize] & bit != 0 => duplicates += 1,
                    Some(number) => {
                        mark[number as usize] |= bit;
                        found.push(number);
                    }
                }
            }
            found
        };
        let (positive, negative) = (numbers(&problem.positive, 1), numbers(&problem.negative, 2));
        if let Some(&name) = unknown.first() {
            let total = problem.positive.len() + problem.negative.len();
            return Err(self.unknown_individual(name, unknown.len(), total, "examples"));
        }
        let both: Vec<u32> =
            positive.iter().copied().filter(|&number| mark[number as usize] == 3).collect();
        if let Some(&first) = both.first() {
            return Err(KbError::Contradiction {
                name: self.show_individual(first).to_owned(),
                others: more(both.len(), "are"),
            });
        }
        for (found, sort) in [(&positive, "positive"), (&negative, "negative")] {
            if found.is_empty() {
                let problem = match problem.name.as_str() {
                    "" => "the problem".to_owned(),
                    name => format!("the problem '{name}'"),
                };
                return Err(KbError::Missing { problem, sort });
            }
        }
        let notes = duplicate_notes(duplicates);
        Ok(ResolvedProblem { positive, negative, notes, excluded: Vec::new() })
    }

    /// Returns the positive examples of a problem, with notes.
    pub(super) fn resolve_positive(
        &self,
        problem: &Problem,
    ) -> Result<(Vec<u32>, Vec<Message>), KbError> {
        let mut numbers = self.individuals(&problem.positive)?;
        numbers.sort_unstable();
        let listed = numbers.len();
        numbers.dedup();
        if numbers.is_empty() {
            let problem = "the problem".to_owned();
            return Err(KbError::Missing { problem, sort: "positive" });
        }
        Ok((numbers.clone(), duplicate_notes((listed - numbers.len()) as u64)))
    }

    /// Returns the numbers of individuals by their names, in the same order.
    ///
    /// # Errors
    /// If a name is unknown.
    pub fn individuals(&self, names: &[String]) -> Result<Vec<u32>, KbError> {
        let found: Vec<Option<u32>> = names.iter().map(|name| self.find_individual(name)).collect();
        let unknown = found.iter().filter(|found| found.is_none()).count();
        match names.iter().zip(&found).find(|(_, found)| found.is_none()) {
            Some((name, _)) => Err(self.unknown_individual(name, unknown, names.len(), "names")),
            None => Ok(found.into_iter().flatten().collect()),
        }
    }

    fn unknown_individual(&self, name: &str, count: usize, total: usize, what: &str) -> KbError {
        let others = match count {
            1 => String::new(),
            _ => format!(" ({count} of {total} {what} are unknown)"),
        };
        let suggestion = self
            .suggest_individual(name)
            .map_or_else(String::new, |near| format!("; did you mean '{near}'?"));
        let (name, ontology) = (name.to_owned(), self.name.clone());
        KbError::UnknownIndividual { name, ontology, others, suggestion }
    }
}

/// Returns the note about examples that are listed again.
fn duplicate_notes(duplicates: u64) -> Vec<Message> {
    match duplicates {
        0 => Vec::new(),
        1 => vec!["1 example is listed twice and counts once".into()],
        many => vec![message!("{many} examples are listed more than once and count once")],
    }
}

/// Returns `, as are 3 others`, or nothing if there is only one.
fn more(count: usize, words: &str) -> String {
    match count {
        0 | 1 => String::new(),
        2 => format!(", as {words} 1 other"),
        _ => format!(", as {words} {} others", count - 1),
    }
}
