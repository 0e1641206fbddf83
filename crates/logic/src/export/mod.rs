//! Exports class expressions as an OWL class in [`turtle`] or [`rdfxml`], or a [`sparql`] query, and
//! models as [`text`].

mod fold;
mod graph;
mod literals;
mod owl;
mod rdfxml;
mod sparql;
mod term;
mod text;
mod turtle;

pub use owl::LEARNED;
pub use rdfxml::rdfxml;
pub use sparql::sparql;
pub use text::text;
pub use turtle::turtle;
