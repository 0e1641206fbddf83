//! Exports class expressions as an OWL class in [`turtle`], [`rdfxml`], [`owlxml`] or
//! [`functional`] syntax, or as a [`sparql`] query, and models as [`text`].

mod fold;
mod functional;
mod graph;
mod literals;
mod owl;
mod owlxml;
mod rdfxml;
mod sparql;
mod structure;
mod term;
mod text;
mod turtle;

pub use functional::functional;
pub use owl::LEARNED;
pub use owlxml::owlxml;
pub use rdfxml::rdfxml;
pub use sparql::sparql;
pub use text::text;
pub use turtle::turtle;
