//! Why an answer or a session is refused.

use crate::names::quoted;
use thiserror::Error;

/// The reason why an answer is refused.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum AnswerError {
    /// An answer without a question.
    #[error("there is no question left for this expert")]
    NoQuestion,
    /// A counterexample without a name.
    #[error("a counterexample needs a name")]
    NoName,
    /// A counterexample with the name of another object.
    #[error("there is already an object named '{object}'; use another name")]
    TakenName {
        /// The name.
        object: String,
    },
    /// A counterexample without the premise.
    #[error("'{object}' lacks an attribute of the premise, so it is no counterexample")]
    LacksPremise {
        /// The name of the object.
        object: String,
    },
    /// An object with the whole conclusion.
    #[error(
        "'{object}' has all attributes of the conclusion; a counterexample lacks at least one of them"
    )]
    NoCounterexample {
        /// The name of the object.
        object: String,
    },
    /// A counterexample to an accepted implication.
    #[error(
        "'{object}' contradicts an accepted implication: objects with {} also have {}; add these \
         attributes, or undo the answer that accepted it",
        listed(premise),
        listed(missing)
    )]
    Contradiction {
        /// The name of the object.
        object: String,
        /// The premise of the implication.
        premise: Vec<String>,
        /// The attributes of the conclusion that the object lacks.
        missing: Vec<String>,
    },
    /// An implication that an object of the context violates.
    #[error("object '{object}' has the premise and lacks part of the conclusion")]
    Violated {
        /// The object.
        object: String,
    },
}

/// The reason why a session cannot be continued.
#[derive(Debug, Error)]
pub enum SessionError {
    /// Text that is not JSON, or JSON of another form.
    #[error("found no session of an exploration: {0}")]
    Form(String),
    /// A file of a later version.
    #[error("found version {found}; expected at most {known}")]
    Version {
        /// The version of the file.
        found: u64,
        /// The latest version that can be read.
        known: u64,
    },
    /// An object or answer with an attribute that does not exist.
    #[error("found the attribute '{attribute}'; expected one of {known}")]
    UnknownAttribute {
        /// The attribute.
        attribute: String,
        /// The attributes of the context.
        known: String,
    },
    /// An answer that does not fit those before it.
    #[error("answer {number}: {problem}")]
    Answer {
        /// The number of the answer, counted from 1.
        number: usize,
        /// The problem.
        problem: AnswerError,
    },
}

/// Returns names separated by commas, or "nothing".
pub(super) fn listed(names: &[String]) -> String {
    const SHOWN: usize = 12;
    if names.is_empty() {
        return "no particular attributes".to_owned();
    }
    let shown: Vec<_> = names.iter().take(SHOWN).map(|name| quoted(name)).collect();
    let more = names.len().saturating_sub(SHOWN);
    match more {
        0 => shown.join(", "),
        _ => format!("{} and {more} more", shown.join(", ")),
    }
}
