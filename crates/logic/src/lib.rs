//! Description logic: what an ontology says about its individuals, and class expressions that tell some of them from others.
//!
//! An [`Ontology`](pellucid_data::Ontology) is what a file says. A [`KnowledgeBase`] is what follows from it under
//! the closed world: who is in which class, who is related to whom, who has which values, as the engine evaluates it.
//!
//! A class expression is an [`Expr`](pellucid_program::Expr) over IRIs. [`syntax`] reads and prints it as people write it,
//! [`export`] writes it for other programs, [`explain`] says why it holds for an individual or why not, and [`Semantics`] turns
//! what it means to other programs into what it means here. [`learn`] finds one that tells individuals apart:
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
//! assert_eq!(model.model.model.best()?.expression(), "Man and hasChild some owl:Thing");
//! // Everybody, as the file first names them: anna, carl, bert, dora and emil, who was no example.
//! assert_eq!(model.predict(&kb)?, ["negative", "negative", "positive", "negative", "positive"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

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
