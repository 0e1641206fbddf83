//! DL syntax: `Male ⊓ (∃ hasChild.(¬Male))`.
//!
//! ```text
//! or        = and { "⊔" and }
//! and       = unary { "⊓" unary }
//! unary     = "¬" unary | restriction | class | "⊤" | "⊥" | "{" individual { "," individual } "}"
//!           | "(" or ")"
//! restriction = ("∃" | "∀") role "." unary | ("≥" | "≤" | "=") number role ["." unary]
//! role      = property ["⁻"]
//! ```
//!
//! For a data property, the dot is followed by a condition on one value. Conditions can be joined
//! in brackets:
//!
//! ```text
//! condition = ("≥" | ">" | "≤" | "<" | "=" | "≠") value | "[" low "," high ")"
//!           | "{" value { "," value } "}"
//!           | "⊇" text | "⊤" | "⊥" | "¬" condition | "(" … ")"
//! ```
//!
//! Examples: `∃ charge.≥ 0.1`, `∃ charge.[0.1, 0.5)`, `∃ name.= "x"`, and `∃ name.⊇ "part"` for a
//! name that contains this text. A square bracket includes the end of an interval. Dates are texts,
//! such as `≥ "2020-01-31"`.
//!
//! ASCII alternatives: `AND`, `OR`, `NOT`, `EXISTS`, `FORALL`, `CONTAINS` (case-insensitive), `>=`,
//! `<=`, `!=`, `r^-`, `Thing`, `Nothing`. The output of other programs is accepted too: `∃
//! charge.xsd:double[≥ 0.1]` and `{a ⊔ b}`. Quoted names and IRIs are written as in [Manchester
//! syntax](super::manchester). A name with a dot must be quoted here.

mod parse;
mod print;

pub use parse::parse;
pub use print::print;

/// Reserved words; entities with these names are quoted.
const RESERVED: [&str; 10] =
    ["and", "or", "not", "exists", "forall", "contains", "inverse", "true", "false", "inf"];

fn is_reserved(word: &str) -> bool {
    RESERVED.iter().any(|reserved| reserved.eq_ignore_ascii_case(word))
}
