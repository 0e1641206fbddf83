//! One learning problem of a file that may hold many.

use crate::io::LearningProblem;
use crate::learn::suggest::{listed, nearest};
use thiserror::Error;

/// How many names are listed in a message.
const LISTED: usize = 10;

/// Why no problem was chosen.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ProblemChoiceError {
    /// There are several, and no name.
    #[error("holds {count} problems; choose one by its name: {known}")]
    Several {
        /// How many there are.
        count: usize,
        /// Their names.
        known: String,
    },
    /// There is none of that name.
    #[error("there is no problem '{name}'; there are {known}{suggestion}")]
    Unknown {
        /// The name.
        name: String,
        /// The names there are.
        known: String,
        /// The nearest name, as a further half-sentence; empty where none is near.
        suggestion: String,
    },
}

/// The problem of that name; without a name the only one there is.
///
/// # Errors
/// When there is no such problem, and when there are several and no name.
pub fn choose(
    mut problems: Vec<LearningProblem>,
    name: Option<&str>,
) -> Result<LearningProblem, ProblemChoiceError> {
    let found = match name {
        Some(name) => problems.iter().position(|problem| problem.name == name),
        None if problems.len() == 1 => Some(0),
        None => None,
    };
    if let Some(found) = found {
        return Ok(problems.swap_remove(found));
    }
    let names = || problems.iter().map(|problem| problem.name.as_str());
    let quoted: Vec<String> = names().map(|name| format!("'{name}'")).collect();
    let known = listed(quoted.iter().map(String::as_str), LISTED);
    Err(match name {
        None => ProblemChoiceError::Several { count: problems.len(), known },
        Some(name) => {
            let suggestion = nearest(name, names())
                .map_or_else(String::new, |near| format!("; did you mean '{near}'?"));
            ProblemChoiceError::Unknown { name: name.to_owned(), known, suggestion }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_chooses() {
        let problems = |names: &[&str]| -> Vec<LearningProblem> {
            let problem = |name: &&str| LearningProblem {
                name: (*name).to_owned(),
                positive: Vec::new(),
                negative: Vec::new(),
            };
            names.iter().map(problem).collect()
        };
        let chosen = |names: &[&str], name| choose(problems(names), name).map(|one| one.name);
        assert_eq!(chosen(&["uncle"], None), Ok("uncle".to_owned()));
        assert_eq!(chosen(&["uncle", "aunt"], Some("aunt")), Ok("aunt".to_owned()));
        let told = |names: &[&str], name| chosen(names, name).unwrap_err().to_string();
        assert_eq!(
            told(&["uncle", "aunt"], None),
            "holds 2 problems; choose one by its name: 'uncle', 'aunt'"
        );
        assert_eq!(
            told(&["uncle", "aunt"], Some("uncl")),
            "there is no problem 'uncl'; there are 'uncle', 'aunt'; did you mean 'uncle'?"
        );
    }
}
