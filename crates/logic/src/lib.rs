//! Description logic: what an ontology says about its individuals, and class expressions that tell some of them from others.
//!
//! An [`Ontology`](pellucid_engine::data::Ontology) is what a file says. A [`KnowledgeBase`] is what follows from it under
//! the closed world: who is in which class, who is related to whom, who has which values, as the engine evaluates it.
//!
//! A class expression is an [`Expr`](pellucid_engine::Expr) over IRIs. [`syntax`] reads and prints it as people write it,
//! [`export`] writes it for other programs, [`explain`] says why it holds for an individual or why not, and [`Semantics`] turns
//! what it means to other programs into what it means here.
#![forbid(unsafe_code)]

pub mod explain;
pub mod export;
pub mod kb;
pub mod learn;
mod length;
mod semantics;
pub mod syntax;

pub use kb::{Closure, Datatype, KbError, KnowledgeBase};
pub use length::length;
pub use semantics::Semantics;
