//! Class expressions as text: Manchester syntax and DL syntax.
//!
//! An expression refers to classes, properties and individuals by IRI, a text by short name.
//! [`NameResolver`] maps between them; a [`KnowledgeBase`](crate::KnowledgeBase) implements it. Printed
//! text is parsed as the same expression: ambiguous short names are quoted, or the IRI is written
//! out.
//!
//! ```
//! use pellucid_data::Datatype;
//! use pellucid_logic::syntax::{Lexicon, manchester};
//!
//! let names = Lexicon::default()
//!     .class("http://ex.org/Male", "Male")
//!     .role("http://ex.org/hasChild", "hasChild")
//!     .property("http://ex.org/age", "age", Datatype::Integer);
//! let text = "Male and hasChild min 2 (not Male) and age some xsd:integer[>= 40]";
//! let expr = manchester::parse(text, &names)?;
//! assert_eq!(manchester::print(&expr, &names), text);
//! # Ok::<(), pellucid_logic::syntax::SyntaxError>(())
//! ```

mod cursor;
pub(crate) mod date;
mod detect;
pub mod dl;
mod error;
mod facets;
mod glossary;
mod kb_names;
pub(crate) mod literal;
pub mod manchester;
mod names;
mod normal;
pub(crate) mod pattern;
mod quoting;
mod token;

pub(crate) use cursor::{NOTHING, THING};
pub use detect::parse;
pub use error::SyntaxError;
pub use glossary::{Glossary, GlossaryError, ValueKind};
pub use names::{Lexicon, NameResolver, Sort};
pub use normal::normal;
