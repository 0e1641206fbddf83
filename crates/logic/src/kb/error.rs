use pellucid_data::{Message, message, parameter};
use pellucid_learn::run::StopReason;
use thiserror::Error;

/// Why a knowledge base or a learning problem is invalid.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum KbError {
    /// Inference would create too many edges.
    #[error("{}", self.message())]
    TooManyEdges {
        /// The object property that exceeds the limit.
        role: String,
        /// The limit.
        limit: usize,
    },
    /// Inference would take too long.
    #[error(
        "inference of the property chains of '{role}' takes too long, because very many chains lead to \
         the same edges; remove its transitivity or a recursive chain"
    )]
    TooSlow {
        /// The object property.
        role: String,
    },
    /// The run was stopped before inference was complete.
    #[error("{reason} before the inference of the ontology was complete")]
    Stopped {
        /// Why it was stopped.
        reason: StopReason,
    },
    /// The ontology has no individuals.
    #[error("'{ontology}' has no individuals; learning needs individuals")]
    NoIndividuals {
        /// The name of the ontology.
        ontology: String,
    },
    /// An example is not in the ontology.
    #[error("'{name}' is not an individual of '{ontology}'{others}{suggestion}")]
    UnknownIndividual {
        /// The first unknown name.
        name: String,
        /// The name of the ontology.
        ontology: String,
        /// The number of unknown names as a parenthesis; empty if there is only one.
        others: String,
        /// The closest known name as a clause; empty if none is close.
        suggestion: String,
    },
    /// The class to define is not in the ontology.
    #[error("'{name}' is not a class of '{ontology}'{suggestion}")]
    UnknownClass {
        /// The name.
        name: String,
        /// The name of the ontology.
        ontology: String,
        /// The closest known name as a clause; empty if none is close.
        suggestion: String,
    },
    /// An individual is a positive and a negative example.
    #[error("'{name}' is both a positive and a negative example{others}")]
    Contradiction {
        /// The individual.
        name: String,
        /// The number of others as a clause; empty if there is only one.
        others: String,
    },
    /// All examples have the same label.
    #[error("{problem} has no {sort} examples; expected at least one")]
    Missing {
        /// The problem, as the start of the sentence.
        problem: String,
        /// `positive` or `negative`.
        sort: &'static str,
    },
}

impl KbError {
    /// Returns the message, with the parameters in it.
    #[must_use]
    pub fn message(&self) -> Message {
        match self {
            KbError::TooManyEdges { role, limit } => message!(
                "after inference, the object properties have more than {limit} edges in total; '{role}' \
                 exceeds the limit; check its transitivity and property chains, or raise ",
                parameter("edge_limit")
            ),
            other => other.to_string().into(),
        }
    }
}
