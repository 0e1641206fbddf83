//! Tokens of functional and Manchester syntax.

use super::structural::{Literal, Problem};
use crate::source::error::shorten;

/// A token.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Token<'a> {
    /// `<http://example.org/a>`, without the angle brackets.
    Iri(&'a str),
    /// A name, a keyword or a number.
    Word(&'a str),
    /// A text in quotes, without them.
    Text(&'a str),
    /// `@en`, without the sign.
    Language(&'a str),
    /// Anything else: a bracket, a comma, a comparison, `^^`.
    Sign(&'a str),
    End,
}

impl Token<'_> {
    /// Returns the token as it reads in a message.
    pub(super) fn quoted(self) -> String {
        match self {
            Token::Iri(iri) => format!("'<{}>'", shorten(iri)),
            Token::Word(word) | Token::Sign(word) => format!("'{}'", shorten(word)),
            Token::Text(text) => format!("the text '{}'", shorten(text)),
            Token::Language(language) => format!("'@{}'", shorten(language)),
            Token::End => "the end of the file".to_owned(),
        }
    }
}

/// Splits a text into tokens, with the next one known.
#[derive(Clone, Debug)]
pub(super) struct Tokens<'a> {
    text: &'a str,
    /// The byte offset after the next token.
    end: usize,
    next: Token<'a>,
    /// The byte offset of the next token.
    pub(super) at: usize,
}

/// The signs of two or more characters come first.
const SIGNS: [&str; 14] = ["^^", "<=", ">=", "(", ")", "{", "}", "[", "]", ",", "=", "<", ">", "^"];

impl<'a> Tokens<'a> {
    pub(super) fn new(text: &'a str) -> Result<Tokens<'a>, Problem> {
        let mut tokens = Tokens { text, end: 0, next: Token::End, at: 0 };
        tokens.advance()?;
        Ok(tokens)
    }

    /// Returns the next token without taking it.
    pub(super) fn peek(&self) -> Token<'a> {
        self.next
    }

    /// Takes a token.
    pub(super) fn take(&mut self) -> Result<Token<'a>, Problem> {
        let token = self.next;
        self.advance()?;
        Ok(token)
    }

    /// Takes the next token if it is a sign.
    pub(super) fn skip(&mut self, sign: &str) -> Result<bool, Problem> {
        let found = self.next == Token::Sign(sign);
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    /// Takes a sign, or fails.
    pub(super) fn expect(&mut self, sign: &str) -> Result<(), Problem> {
        if self.skip(sign)? { Ok(()) } else { Err(self.unexpected(&format!("'{sign}'"))) }
    }

    /// Returns the error for the next token.
    pub(super) fn unexpected(&self, expected: &str) -> Problem {
        Problem::new(self.at, format!("found {}; expected {expected}", self.next.quoted()))
    }

    fn advance(&mut self) -> Result<(), Problem> {
        self.at = self.end + blank(&self.text[self.end..]);
        let rest = &self.text[self.at..];
        let (token, length) = match rest.chars().next() {
            None => (Token::End, 0),
            Some('"') => {
                let length = quoted(&rest[1..]).ok_or_else(|| {
                    Problem::new(self.at, "the text that starts here is never closed; expected \"")
                })?;
                (Token::Text(&rest[1..=length]), length + 2)
            }
            Some('<') if iri(rest).is_some() => {
                let length = iri(rest).unwrap_or_default();
                (Token::Iri(&rest[1..length - 1]), length)
            }
            Some('@') => {
                let is_tag = |c: char| c.is_ascii_alphanumeric() || c == '-';
                let length = rest[1..].find(|c| !is_tag(c)).unwrap_or(rest.len() - 1);
                (Token::Language(&rest[1..=length]), length + 1)
            }
            Some(_) => match SIGNS.into_iter().find(|sign| rest.starts_with(sign)) {
                Some(sign) => (Token::Sign(&rest[..sign.len()]), sign.len()),
                None => {
                    let length = word(rest);
                    (Token::Word(&rest[..length]), length)
                }
            },
        };
        self.next = token;
        self.end = self.at + length;
        Ok(())
    }

    /// Takes the rest of a literal whose text has been taken: a language or a datatype, whose IRI
    /// `name` returns.
    pub(super) fn literal(
        &mut self,
        text: &str,
        name: impl FnOnce(&mut Self) -> Result<String, Problem>,
    ) -> Result<Literal, Problem> {
        let mut literal = Literal { text: unescape(text), ..Literal::default() };
        if let Token::Language(language) = self.next {
            language.clone_into(&mut literal.language);
            self.advance()?;
        } else if self.skip("^^")? {
            literal.datatype = name(self)?;
        }
        Ok(literal)
    }
}

/// Returns the length of white space and comments.
fn blank(text: &str) -> usize {
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        match rest.strip_prefix('#') {
            Some(comment) => rest = comment.split_once('\n').map_or("", |(_, rest)| rest),
            None => return text.len() - rest.len(),
        }
    }
}

/// Returns the length of a quoted text up to its closing quote.
fn quoted(text: &str) -> Option<usize> {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return Some(at),
            _ => {}
        }
    }
    None
}

/// Returns the length of an IRI in angle brackets; a comparison such as `<5` begins with a number,
/// and `< 5` has no bracket before the next blank.
fn iri(text: &str) -> Option<usize> {
    if text[1..].starts_with(|c: char| c.is_ascii_digit() || matches!(c, '=' | '+' | '-')) {
        return None;
    }
    let end = text.find(|c: char| c == '>' || c.is_whitespace() || matches!(c, '"' | '{' | '}'))?;
    (text[end..].starts_with('>') && !text[1..end].contains('<')).then_some(end + 1)
}

/// Returns the length of a word; a backslash escapes the next character.
fn word(text: &str) -> usize {
    let mut escaped = false;
    for (at, letter) in text.char_indices() {
        let ends = letter.is_whitespace()
            || matches!(
                letter,
                '(' | ')' | '{' | '}' | '[' | ']' | ',' | '"' | '<' | '>' | '=' | '^'
            );
        match letter {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if ends => return at,
            _ => {}
        }
    }
    text.len()
}

/// Returns a text without its escapes.
pub(super) fn unescape(text: &str) -> String {
    if !text.contains('\\') {
        return text.to_owned();
    }
    let mut result = String::with_capacity(text.len());
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        result.push(match letter {
            '\\' => match letters.next() {
                // Only quotes and backslashes are escaped; some writers escape line ends, too.
                Some('n') => '\n',
                Some('t') => '\t',
                Some('r') => '\r',
                Some(other) => other,
                None => '\\',
            },
            letter => letter,
        });
    }
    result
}

#[cfg(test)]
mod tests {
    use super::{Token, Tokens, unescape};

    fn all(text: &str) -> Vec<Token<'_>> {
        let mut tokens = Tokens::new(text).unwrap_or_else(|problem| panic!("{problem:?}"));
        let mut found = Vec::new();
        while tokens.peek() != Token::End {
            found.push(tokens.take().unwrap_or_else(|problem| panic!("{problem:?}")));
        }
        found
    }

    #[test]
    fn texts_are_split() {
        use Token::{Iri, Language, Sign, Text, Word};
        let found = all(
            "Prefix(:=<u:#>) # a comment\n\"a \\\" b\"@en-US :p\\(q [<= 5, > 3] \"1\"^^xsd:int",
        );
        let expected = [
            Word("Prefix"),
            Sign("("),
            Word(":"),
            Sign("="),
            Iri("u:#"),
            Sign(")"),
            Text("a \\\" b"),
            Language("en-US"),
            Word(":p\\(q"),
            Sign("["),
            Sign("<="),
            Word("5"),
            Sign(","),
            Sign(">"),
            Word("3"),
            Sign("]"),
            Text("1"),
            Sign("^^"),
            Word("xsd:int"),
        ];
        assert_eq!(found, expected);
        assert_eq!(unescape("a \\\" b\\\\"), "a \" b\\");
        assert!(Tokens::new("\"abc").is_err());
    }
}
