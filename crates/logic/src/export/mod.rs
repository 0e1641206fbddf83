//! Class expressions for other programs: an OWL class in [`turtle`], a query in [`sparql`].

mod sparql;
mod term;
mod turtle;

pub use sparql::sparql;
pub use turtle::{LEARNED, turtle};
