//! Selection of one of several learning problems.

use crate::io::LearningProblem;
use crate::learn::suggest::{listed, nearest};
use thiserror::Error;

/// The maximum number of names in a message.
const LISTED: usize = 10;

/// An error while selecting a problem.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ProblemChoiceError {
    /// There are several problems, and no name was given.
    #[error("contains {count} problems; select one by name: {known}")]
    Several {
        /// The number of problems.
        count: usize,
        /// Their names.
        known: String,
    },
    /// No problem has the given name.
    #[error("unknown problem '{name}'; expected one of {known}{suggestion}")]
    Unknown {
        /// The given name.
        name: String,
        /// The known names.
        known: String,
        /// A clause that suggests the closest name, or empty.
        suggestion: String,
    },
}

/// Returns the problem with the given name, or the only problem if no name is given.
///
/// # Errors
/// When no problem has that name, or when there are several problems and no name is given.
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
    fn a_problem_is_selected_by_name() {
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
        let message = |names: &[&str], name| chosen(names, name).unwrap_err().to_string();
        assert_eq!(
            message(&["uncle", "aunt"], None),
            "contains 2 problems; select one by name: 'uncle', 'aunt'"
        );
        assert_eq!(
            message(&["uncle", "aunt"], Some("uncl")),
            "unknown problem 'uncl'; expected one of 'uncle', 'aunt'; did you mean 'uncle'?"
        );
    }
}
