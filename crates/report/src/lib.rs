//! Pages and drawings of models and lattices, each as one self-contained file.
//!
//! [`rules`] and [`xcs`] write models as HTML pages, [`networks`] draws networks as SVG, [`lattice`]
//! draws concept lattices, [`clusters`] draws partitions of graphs, and [`exploration`] asks questions
//! about implications. The learners do not depend on this crate:
//! the registry of `pellucid` adds the drawings of each learner to its export forms. [`page`] writes the
//! interactive report of a model of any learner.
#![forbid(unsafe_code)]

pub mod clusters;
pub mod exploration;
mod javascript;
pub mod lattice;
pub mod networks;
pub mod page;
pub mod rule_page;
pub mod rules;
pub mod xcs;
