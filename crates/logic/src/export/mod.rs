//! Exports class expressions as an OWL class in [`turtle`] or a [`sparql`] query, and models as
//! [`text`].

mod fold;
mod sparql;
mod term;
mod text;
mod turtle;

pub use sparql::sparql;
pub use text::text;
pub use turtle::{LEARNED, turtle};
