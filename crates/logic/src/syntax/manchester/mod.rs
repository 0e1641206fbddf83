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
//! For a data property, the primary is a range of values:
//!
//! ```text
//! range     = "not" range | "{" literal { "," literal } "}" | "(" … ")"
//!           | datatype ["[" facet { "," facet } "]"]
//! facet     = ("<" | "<=" | ">" | ">=") literal | "pattern" "\".*text.*\""
//! ```
//!
//! `not` binds tighter than a restriction, a restriction tighter than `and`, and `and` tighter than
//! `or`. Keywords are case-insensitive. A cardinality without a filler counts everything. `Thing`
//! and `Nothing` need no `owl:`.
//!
//! - The datatype of a range is that of the property: for numbers, `xsd:integer`, `xsd:double` and
//!   `xsd:decimal` are equivalent.
//! - A pattern means containment. No other form of pattern is supported.
//! - Dates are written `"2020-01-31"^^xsd:date`; dates whose year does not have four digits as
//!   seconds since 1970.
//! - Names that are not plain words or that are ambiguous are written in `'single quotes'`. `<iri>`
//!   and, if prefixes are known, `prefix:name` are accepted too.

mod parse;
mod print;

pub use parse::parse;
pub use print::print;
pub(crate) use print::{filler, value};

/// Reserved words; entities with these names are quoted.
const RESERVED: [&str; 17] = [
    "and", "or", "not", "that", "some", "only", "min", "max", "exactly", "value", "self",
    "inverse", "pattern", "has", "true", "false", "inf",
];

fn is_reserved(word: &str) -> bool {
    RESERVED.iter().any(|reserved| reserved.eq_ignore_ascii_case(word))
}
