//! Description logic: knowledge bases, class expressions, and learners of class expressions.
//!
//! An [`Ontology`](pellucid_data::Ontology) is the content of a file. A [`KnowledgeBase`] has
//! everything that follows from it under the closed-world assumption: the instances of classes, the
//! edges of object properties, the values of data properties.
//!
//! A class expression is an [`Expr`](pellucid_program::Expr) over IRIs. [`syntax`] parses and
//! prints it, [`export`] writes it for other programs, [`explain`] explains why an individual is an
//! instance or not, and [`Semantics`] translates the conventions of other programs. [`learn`] finds
//! a class expression that separates positive from negative examples:
//!
//! ```
//! use pellucid_data::Problem;
//! use pellucid_logic::{Closure, KnowledgeBase, LogicLearner};
//! use std::sync::Arc;
//!
//! let turtle = "@prefix : <http://example.org/#> .\n\
//!     :anna a :Woman ; :hasChild :carl . :bert a :Man ; :hasChild :carl .\n\
//!     :carl a :Man . :dora a :Woman . :emil a :Man ; :hasChild :dora .";
//! let ontology = pellucid_io::read_ontology_from(turtle.as_bytes(), "family.ttl")?;
//! let kb = Arc::new(KnowledgeBase::new(ontology, &Closure::default())?);
//! let father = Problem {
//!     name: "father".to_owned(),
//!     positive: vec!["bert".to_owned()],
//!     negative: ["anna", "carl", "dora"].map(str::to_owned).to_vec(),
//! };
//! let model = LogicLearner::new().no_negation(true).fit(&kb, &father)?;
//! assert_eq!(model.best()?.expression(), "Man and hasChild some owl:Thing");
//! // All individuals in the order of the file: anna, carl, bert, dora, emil.
//! // emil was not an example.
//! let predicted = model.predict(&kb)?;
//! assert_eq!(predicted.classes(), ["negative", "negative", "positive", "negative", "positive"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

pub mod breakdown;
pub mod explain;
pub mod export;
pub mod kb;
pub mod learn;
mod length;
mod semantics;
pub mod syntax;

pub use kb::{Closure, Datatype, KbError, KnowledgeBase};
pub use learn::{Logic, LogicLearner};
pub use length::length;
pub use semantics::Semantics;
