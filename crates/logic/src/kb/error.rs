use thiserror::Error;

/// Why no knowledge base, or no learning problem over it, can be made.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum KbError {
    /// Conclusions about roles that would fill the memory.
    #[error(
        "the object properties would have more than {limit} edges together once all their conclusions are drawn, and \
         '{role}' brings them there; is it really transitive, and are its chains meant? A larger edge_limit allows more"
    )]
    TooManyEdges {
        /// The object property at which it was too much.
        role: String,
        /// The limit in force.
        limit: usize,
    },
    /// An ontology of classes alone.
    #[error("'{ontology}' has no individuals, and there is nothing to learn from classes alone")]
    NoIndividuals {
        /// What it is called.
        ontology: String,
    },
    /// An example that the ontology does not have.
    #[error("'{name}' is no individual of '{ontology}'{others}{suggestion}")]
    UnknownIndividual {
        /// The first unknown name.
        name: String,
        /// What the ontology is called.
        ontology: String,
        /// How many more are unknown, as a half-sentence; empty when it is the only one.
        others: String,
        /// The closest name there is, as a half-sentence; empty when none is close.
        suggestion: String,
    },
    /// An example that should be in the class and should not.
    #[error("'{name}' is a positive and a negative example; it can be one of the two{others}")]
    Contradiction {
        /// The individual.
        name: String,
        /// How many more are, as a half-sentence; empty when it is the only one.
        others: String,
    },
    /// Examples of one sort only.
    #[error("{problem} has no {sort} examples; at least one is needed")]
    Missing {
        /// Which problem, as the start of the sentence.
        problem: String,
        /// `positive` or `negative`.
        sort: &'static str,
    },
}
