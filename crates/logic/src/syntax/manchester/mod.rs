//! Manchester syntax: `Male and hasChild some (not Male)`.
//!
//! ```text
//! or        = and { "or" and }
//! and       = primary { ("and" | "that") primary }
//! primary   = "not" primary | restriction | class | "{" individual { "," individual } "}" | "(" or ")"
//! restriction = role ("some" | "only") primary
//!             | role ("min" | "max" | "exactly") number [primary]
//!             | role "value" (individual | literal)
//! role      = property | "inverse" property | "inverse" "(" property ")"
//! ```
//!
//! Over a data property, the primary is a range of values:
//!
//! ```text
//! range     = "not" range | datatype ["[" facet { "," facet } "]"] | "{" literal { "," literal } "}" | "(" … ")"
//! facet     = ("<" | "<=" | ">" | ">=") literal | "pattern" "\".*text.*\""
//! ```
//!
//! `not` binds tighter than a restriction's words, those tighter than `and`, and `and` tighter than `or`. Keywords may be
//! capitalised in any way. Without a filler, a cardinality counts everything. `Thing` and `Nothing` go without `owl:`.
//!
//! - The datatype of a range is taken to be that of the property: to a property of numbers, `xsd:integer`, `xsd:double` and
//!   `xsd:decimal` are one.
//! - A pattern is read as containment, and only that shape of pattern is understood.
//! - Dates are written `"2020-01-31"^^xsd:date`; what the calendar has no four digits for, as seconds since 1970.
//! - Names that are no plain words, or that mean something else, stand in `'single quotes'`; `<iri>` names anything, and
//!   `prefix:name` where prefixes are known.

mod parse;
mod print;

pub use parse::parse;
pub use print::print;
pub(crate) use print::{filler, value};

/// Words that mean something; what is called so is written in quotes.
const RESERVED: [&str; 17] = [
    "and", "or", "not", "that", "some", "only", "min", "max", "exactly", "value", "self",
    "inverse", "pattern", "has", "true", "false", "inf",
];

fn is_reserved(word: &str) -> bool {
    RESERVED.iter().any(|reserved| reserved.eq_ignore_ascii_case(word))
}
