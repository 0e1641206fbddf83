//! Class expressions for other programs: an OWL class in [`turtle`], a query in [`sparql`]; and models for people: [`text`].

mod fold;
mod sparql;
mod term;
mod text;
mod turtle;

pub use sparql::sparql;
pub use text::text;
pub use turtle::{LEARNED, turtle};
