use super::{KbError, KnowledgeBase};
use pellucid_data::Problem;

/// The examples of a learning problem as numbers of individuals.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Resolved {
    /// Those that the class expression sought should hold for, each once, in the order given.
    pub positive: Vec<u32>,
    /// Those that it should not hold for.
    pub negative: Vec<u32>,
    /// What was passed over, as sentences.
    pub notes: Vec<String>,
}

impl KnowledgeBase {
    /// The individuals of a learning problem: positive ones and negative ones, each once.
    ///
    /// # Errors
    /// As [`KnowledgeBase::resolve`].
    pub fn problem(&self, problem: &Problem) -> Result<(Vec<u32>, Vec<u32>), KbError> {
        self.resolve(problem).map(|found| (found.positive, found.negative))
    }

    /// The individuals of a learning problem, and what there is to say about how they were found.
    ///
    /// # Errors
    /// When the ontology has no individuals, an example is none of them, somebody is a positive and a negative example, or
    /// examples of one sort are missing.
    pub fn resolve<'p>(&self, problem: &'p Problem) -> Result<Resolved, KbError> {
        if self.world.is_empty() {
            return Err(KbError::NoIndividuals { ontology: self.name.clone() });
        }
        let mut unknown: Vec<&'p str> = Vec::new();
        let mut doubles = 0u64;
        let mut mark = vec![0u8; self.world.len()];
        let mut numbers = |names: &'p [String], bit: u8| -> Vec<u32> {
            let mut found = Vec::with_capacity(names.len());
            for name in names {
                match self.find_individual(name) {
                    None => unknown.push(name),
                    Some(number) if mark[number as usize] & bit != 0 => doubles += 1,
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
            return Err(self.unknown(name, unknown.len(), total, "examples"));
        }
        let both: Vec<u32> =
            positive.iter().copied().filter(|&number| mark[number as usize] == 3).collect();
        if let Some(&first) = both.first() {
            return Err(KbError::Contradiction {
                name: self.show_individual(first).to_owned(),
                others: more(both.len(), "so are"),
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
        let notes = match doubles {
            0 => Vec::new(),
            1 => vec!["1 example is given twice and counts once".to_owned()],
            many => vec![format!("{many} examples are given more than once and count once")],
        };
        Ok(Resolved { positive, negative, notes })
    }

    /// Individuals by their names, in that order.
    ///
    /// # Errors
    /// When one is not there.
    pub fn individuals(&self, names: &[String]) -> Result<Vec<u32>, KbError> {
        let found: Vec<Option<u32>> = names.iter().map(|name| self.find_individual(name)).collect();
        let unknown = found.iter().filter(|found| found.is_none()).count();
        match names.iter().zip(&found).find(|(_, found)| found.is_none()) {
            Some((name, _)) => Err(self.unknown(name, unknown, names.len(), "names")),
            None => Ok(found.into_iter().flatten().collect()),
        }
    }

    fn unknown(&self, name: &str, count: usize, total: usize, what: &str) -> KbError {
        let others = match count {
            1 => String::new(),
            _ => format!(" ({count} of the {total} {what} are unknown)"),
        };
        let suggestion = self
            .suggest_individual(name)
            .map_or_else(String::new, |near| format!("; is '{near}' meant?"));
        let (name, ontology) = (name.to_owned(), self.name.clone());
        KbError::UnknownIndividual { name, ontology, others, suggestion }
    }
}

/// `, and so are 3 more`, where there are more.
fn more(count: usize, words: &str) -> String {
    if count > 1 { format!(", and {words} {} more", count - 1) } else { String::new() }
}
