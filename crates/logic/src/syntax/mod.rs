//! Class expressions as people write them: in Manchester syntax and in the symbols of description logic.
//!
//! An expression names classes, properties and individuals by IRIs, a text by short names; [`Names`] knows both, and a
//! [`KnowledgeBase`](crate::KnowledgeBase) is one. What is printed is read back as the same expression: short names that
//! would mean something else are put into quotes, or the IRI is written out.
//!
//! ```
//! use pellucid_data::Datatype;
//! use pellucid_logic::syntax::{Lexicon, manchester};
//!
//! let names = Lexicon::default()
//!     .class("http://ex.org/Male", "Male")
//!     .role("http://ex.org/hasChild", "hasChild")
//!     .property("http://ex.org/age", "age", Datatype::Integer);
//! let expr = manchester::parse("Male and hasChild min 2 (not Male) and age some xsd:integer[>= 40]", &names)?;
//! assert_eq!(
//!     manchester::print(&expr, &names),
//!     "Male and hasChild min 2 (not Male) and age some xsd:integer[>= 40]"
//! );
//! # Ok::<(), pellucid_logic::syntax::SyntaxError>(())
//! ```

mod cursor;
pub(crate) mod date;
pub mod dl;
mod error;
mod facets;
mod glossary;
mod guess;
mod known;
pub(crate) mod literal;
pub mod manchester;
mod names;
mod normal;
pub(crate) mod pattern;
mod token;
mod written;

pub(crate) use cursor::{NOTHING, THING};
pub use error::SyntaxError;
pub use glossary::{Glossary, ValueKind, WrongName};
pub use guess::parse;
pub use names::{Lexicon, Names, Sort};
pub use normal::normal;
