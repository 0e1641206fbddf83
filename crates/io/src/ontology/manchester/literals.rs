//! Literals.

use super::super::functional::datatype;
use super::super::structural::{Literal, Problem};
use super::super::tokens::Token;
use super::super::vocabulary::Namespace;
use super::ManchesterReader;

impl ManchesterReader<'_> {
    /// Takes a literal, if one is next: `"x"@en`, `"1"^^xsd:int`, `1`, `1.5`, `1.5f` or `true`.
    pub(super) fn literal(&mut self) -> Result<Option<Literal>, Problem> {
        match self.tokens.peek() {
            Token::Text(text) => {
                self.tokens.take()?;
                let prefixes = &self.prefixes;
                Ok(Some(self.tokens.literal(text, |tokens| datatype(tokens, prefixes))?))
            }
            Token::Word(word) => {
                let Some((text, kind)) = plain(word) else { return Ok(None) };
                let datatype = format!("{}{kind}", Namespace::Xsd.iri());
                let literal = Literal { text: text.to_owned(), datatype, ..Literal::default() };
                self.tokens.take()?;
                Ok(Some(literal))
            }
            _ => Ok(None),
        }
    }

    /// Takes a cardinality.
    pub(super) fn count(&mut self) -> Result<Literal, Problem> {
        match self.tokens.peek() {
            Token::Word(word) if word.bytes().all(|byte| byte.is_ascii_digit()) => {
                self.tokens.take()?;
                let datatype = format!("{}nonNegativeInteger", Namespace::Xsd.iri());
                Ok(Literal { text: word.to_owned(), datatype, ..Literal::default() })
            }
            _ => Err(self.tokens.unexpected("a number")),
        }
    }
}

/// Returns the text and the datatype of a literal without quotes.
fn plain(word: &str) -> Option<(&str, &'static str)> {
    if matches!(word, "true" | "false") {
        return Some((word, "boolean"));
    }
    if !word.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '.')) {
        return None;
    }
    let number = word.strip_suffix(['f', 'F']);
    let text = number.unwrap_or(word);
    text.parse::<f64>().ok()?;
    Some(match number {
        Some(number) => (number, "float"),
        None if word.bytes().any(|byte| matches!(byte, b'.' | b'e' | b'E')) => (word, "decimal"),
        None => (word, "integer"),
    })
}
