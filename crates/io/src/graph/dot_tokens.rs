//! The tokens of the DOT language.

use crate::source::error::{Position, ReadError, ReadProblem, shorten};
use std::borrow::Cow;

/// A token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum DotToken<'a> {
    /// A word, a number or a quoted text.
    Id(Cow<'a, str>),
    /// A keyword, in lower case.
    Keyword(&'static str),
    /// Text between `<` and `>`.
    Html,
    /// `->` or `--`.
    Arrow,
    /// One of `{ } [ ] = ; , : +`.
    Mark(char),
}

const KEYWORDS: [&str; 6] = ["strict", "graph", "digraph", "node", "edge", "subgraph"];

/// The tokens of a text in order.
#[derive(Clone, Debug)]
pub(super) struct DotTokens<'a> {
    text: &'a str,
    position: usize,
    /// The line of the next token.
    pub(super) line: u64,
}

impl<'a> DotTokens<'a> {
    pub(super) fn new(text: &'a str) -> DotTokens<'a> {
        DotTokens { text, position: 0, line: 1 }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.position..]
    }

    /// Takes bytes, which end at the boundary of a character, and counts their lines.
    fn take(&mut self, length: usize) -> &'a str {
        let taken = &self.rest()[..length];
        self.position += length;
        self.line += taken.matches('\n').count() as u64;
        taken
    }

    /// Skips blanks, comments and lines of a preprocessor.
    fn skip(&mut self) {
        loop {
            let rest = self.rest();
            let blank = rest.len() - rest.trim_start().len();
            let line = |text: &str| text.find('\n').unwrap_or(text.len());
            let at_line_start = self.position == 0 || self.text[..self.position].ends_with('\n');
            let length = if blank > 0 {
                blank
            } else if rest.starts_with("//") || (at_line_start && rest.starts_with('#')) {
                line(rest)
            } else if rest.starts_with("/*") {
                rest.find("*/").map_or(rest.len(), |end| end + 2)
            } else {
                return;
            };
            self.take(length);
        }
    }

    /// Returns the next token; `None` at the end.
    pub(super) fn next(&mut self) -> Result<Option<DotToken<'a>>, ReadError> {
        self.skip();
        let rest = self.rest();
        let Some(first) = rest.chars().next() else { return Ok(None) };
        if rest.starts_with("->") || rest.starts_with("--") {
            self.take(2);
            return Ok(Some(DotToken::Arrow));
        }
        Ok(Some(match first {
            '{' | '}' | '[' | ']' | '=' | ';' | ',' | ':' | '+' => {
                self.take(1);
                DotToken::Mark(first)
            }
            '"' => DotToken::Id(self.quoted()?),
            '<' => self.html()?,
            _ => {
                let is_part = |letter: char| {
                    letter.is_alphanumeric() || letter == '_' || letter == '.' || !letter.is_ascii()
                };
                let after = usize::from(first == '-');
                let end = rest[after..].find(|letter| !is_part(letter));
                let length = end.map_or(rest.len(), |end| end + after);
                if length == after {
                    return Err(self.wrong(&rest[..first.len_utf8()]));
                }
                let word = self.take(length);
                let keyword = KEYWORDS.into_iter().find(|known| word.eq_ignore_ascii_case(known));
                keyword.map_or(DotToken::Id(Cow::Borrowed(word)), DotToken::Keyword)
            }
        }))
    }

    /// Returns a quoted text. A backslash before a quote or at the end of a line is removed; other escapes
    /// stay.
    fn quoted(&mut self) -> Result<Cow<'a, str>, ReadError> {
        let rest = &self.rest()[1..];
        let mut end = None;
        let mut is_escaped = false;
        for (at, byte) in rest.bytes().enumerate() {
            if byte == b'"' && !is_escaped {
                end = Some(at);
                break;
            }
            is_escaped = byte == b'\\' && !is_escaped;
        }
        let Some(end) = end else {
            let problem = ReadProblem::OpenQuote { quote: '"' };
            return Err(ReadError::at(Position::Line(self.line), problem));
        };
        self.take(end + 2);
        let inner = &rest[..end];
        Ok(match inner.contains('\\') {
            true => {
                Cow::Owned(inner.replace("\\\"", "\"").replace("\\\r\n", "").replace("\\\n", ""))
            }
            false => Cow::Borrowed(inner),
        })
    }

    /// Skips text between `<` and `>`, which may be nested.
    fn html(&mut self) -> Result<DotToken<'a>, ReadError> {
        let mut depth = 0_u64;
        for (at, byte) in self.rest().bytes().enumerate() {
            match byte {
                b'<' => depth += 1,
                b'>' if depth == 1 => {
                    self.take(at + 1);
                    return Ok(DotToken::Html);
                }
                b'>' => depth -= 1,
                _ => {}
            }
        }
        let problem = ReadProblem::OpenQuote { quote: '>' };
        Err(ReadError::at(Position::Line(self.line), problem))
    }

    /// Returns the error for a text that is no token.
    fn wrong(&self, found: &str) -> ReadError {
        let expected = "a DOT graph such as: digraph { a -> b }".to_owned();
        let problem = ReadProblem::Form { found: shorten(found), expected };
        ReadError::at(Position::Line(self.line), problem)
    }
}
