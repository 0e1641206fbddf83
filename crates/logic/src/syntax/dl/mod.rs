//! The symbols of description logic: `Male ⊓ (∃ hasChild.(¬Male))`.
//!
//! ```text
//! or        = and { "⊔" and }
//! and       = unary { "⊓" unary }
//! unary     = "¬" unary | restriction | class | "⊤" | "⊥" | "{" individual { "," individual } "}" | "(" or ")"
//! restriction = ("∃" | "∀") role "." unary | ("≥" | "≤" | "=") number role ["." unary]
//! role      = property ["⁻"]
//! ```
//!
//! Over a data property, what stands behind the dot is a condition on one value, and conditions may be joined in brackets:
//!
//! ```text
//! condition = ("≥" | ">" | "≤" | "<" | "=" | "≠") value | "[" low "," high ")" | "{" value { "," value } "}"
//!           | "⊇" text | "⊤" | "⊥" | "¬" condition | "(" … ")"
//! ```
//!
//! So `∃ charge.≥ 0.1`, `∃ charge.[0.1, 0.5)`, `∃ name.= "x"`, and `∃ name.⊇ "part"` for a name with that part in it. Each
//! bracket of an interval is square where the end belongs to it. Dates are texts, such as `≥ "2020-01-31"`.
//!
//! For keyboards: `AND`, `OR`, `NOT`, `EXISTS`, `FORALL`, `CONTAINS` (capitalised in any way), `>=`, `<=`, `!=`, `r^-`, `Thing`,
//! `Nothing`. What other programs print is read too: `∃ charge.xsd:double[≥ 0.1]` and `{a ⊔ b}`. Names in quotes and IRIs are
//! as in [Manchester syntax](super::manchester); a name with a dot needs quotes here.

mod parse;
mod print;

pub use parse::parse;
pub use print::print;

/// Words that mean something; what is called so is written in quotes.
const RESERVED: [&str; 10] =
    ["and", "or", "not", "exists", "forall", "contains", "inverse", "true", "false", "inf"];

fn is_reserved(word: &str) -> bool {
    RESERVED.iter().any(|reserved| reserved.eq_ignore_ascii_case(word))
}
