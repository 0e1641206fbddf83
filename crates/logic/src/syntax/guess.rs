use super::token::{Style, Token, tokens};
use super::{Names, SyntaxError, dl, manchester};
use pellucid_program::Expr;

/// Reads a class expression in whichever syntax it is written.
///
/// A symbol of description logic settles it. Without one, Manchester syntax is tried and then the other; where neither
/// fits, the error is about Manchester syntax, unless a word such as `EXISTS` says otherwise.
///
/// # Errors
/// When the text is no expression in either, or names what is not known.
pub fn parse(text: &str, names: &dyn Names) -> Result<Expr, SyntaxError> {
    if has_symbols(text) {
        return dl::parse(text, names);
    }
    manchester::parse(text, names).or_else(|error| {
        dl::parse(text, names).map_err(|other| if has_words(text) { other } else { error })
    })
}

/// Whether a symbol stands in the text outside of quotes that is no part of Manchester syntax.
fn has_symbols(text: &str) -> bool {
    let found = tokens(text, Style::Dl).unwrap_or_default();
    found.iter().any(|(_, token)| {
        matches!(token, Token::Symbol("⊓" | "⊔" | "¬" | "∃" | "∀" | "⊤" | "⊥" | "⁻" | "⊇"))
    })
}

fn has_words(text: &str) -> bool {
    let found = tokens(text, Style::Dl).unwrap_or_default();
    let is = |token: &Token, word: &str| matches!(token, Token::Word(found) if found.eq_ignore_ascii_case(word));
    found.iter().any(|(_, token)| is(token, "exists") || is(token, "forall"))
        || matches!(found.first(), Some((_, Token::Symbol("≥" | "≤" | "="))))
}
