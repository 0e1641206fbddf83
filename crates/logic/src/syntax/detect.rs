use super::token::{Style, Token, tokens};
use super::{NameResolver, SyntaxError, dl, manchester};
use pellucid_program::Expr;

/// Parses a class expression in Manchester or DL syntax.
///
/// A DL symbol selects DL syntax. Otherwise Manchester syntax is tried first, then DL syntax. If
/// both fail, the error is about Manchester syntax, unless the text has a keyword such as `EXISTS`.
///
/// # Errors
/// If the text is not an expression in either syntax, or has an unknown name.
pub fn parse(text: &str, names: &dyn NameResolver) -> Result<Expr, SyntaxError> {
    if has_symbols(text) {
        return dl::parse(text, names);
    }
    manchester::parse(text, names).or_else(|error| {
        dl::parse(text, names).map_err(|other| if has_keywords(text) { other } else { error })
    })
}

/// Whether the text has a DL symbol outside of quotes.
fn has_symbols(text: &str) -> bool {
    let found = tokens(text, Style::Dl).unwrap_or_default();
    found.iter().any(|(_, token)| {
        matches!(token, Token::Symbol("⊓" | "⊔" | "¬" | "∃" | "∀" | "⊤" | "⊥" | "⁻" | "⊇"))
    })
}

/// Whether the text has a DL keyword or starts with a cardinality.
fn has_keywords(text: &str) -> bool {
    let found = tokens(text, Style::Dl).unwrap_or_default();
    found.iter().any(|(_, token)| is_keyword(token, "exists") || is_keyword(token, "forall"))
        || matches!(found.first(), Some((_, Token::Symbol("≥" | "≤" | "="))))
}

fn is_keyword(token: &Token, keyword: &str) -> bool {
    matches!(token, Token::Word(word) if word.eq_ignore_ascii_case(keyword))
}
