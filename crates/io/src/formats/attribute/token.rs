//! The tokens of ARFF and KEEL: unquoted words and quoted ones with backslashes, separated by
//! commas or blanks.

use std::borrow::Cow;

use crate::source::error::{ReadProblem, shorten};

/// A value in a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct AttributeToken<'a> {
    pub(super) text: Cow<'a, str>,
    pub(super) quoted: bool,
}

impl AttributeToken<'_> {
    /// Whether this marks a missing value; in quotes it is ordinary text.
    pub(super) fn is_missing(&self) -> bool {
        !self.quoted && (self.text == "?" || self.text == "<null>")
    }
}

/// Parses the quoted text at the start of `rest`; returns the text and what follows the closing quote.
pub(super) fn quoted(rest: &str) -> Result<(Cow<'_, str>, &str), ReadProblem> {
    let Some(quote) = rest.chars().next().filter(|c| matches!(c, '\'' | '"')) else {
        return Err(ReadProblem::Form { found: shorten(rest), expected: "a quote".to_owned() });
    };
    let body = &rest[1..];
    let mut escaped = false;
    let mut plain = true;
    for (at, character) in body.char_indices() {
        match character {
            _ if escaped => escaped = false,
            '\\' => {
                escaped = true;
                plain = false;
            }
            _ if character == quote => {
                let text = if plain {
                    Cow::Borrowed(&body[..at])
                } else {
                    Cow::Owned(unescape(&body[..at]))
                };
                return Ok((text, &body[at + 1..]));
            }
            _ => {}
        }
    }
    Err(ReadProblem::OpenQuote { quote })
}

/// Decodes the backslash escapes of WEKA.
fn unescape(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        if character != '\\' {
            plain.push(character);
            continue;
        }
        match characters.next() {
            Some('n') => plain.push('\n'),
            Some('r') => plain.push('\r'),
            Some('t') => plain.push('\t'),
            Some(other) => plain.push(other),
            None => plain.push('\\'),
        }
    }
    plain
}

/// Puts a text in single quotes if it would not be read back as one unquoted value.
pub(crate) fn quote(text: &str) -> Cow<'_, str> {
    let bare = |c: char| {
        c.is_alphanumeric()
            || matches!(c, '_' | '-' | '.' | '+' | '=' | ':' | '/' | '(' | ')' | '<' | '>')
    };
    if !text.is_empty() && text.chars().all(bare) && text != "<null>" {
        return Cow::Borrowed(text);
    }
    let mut quoted = String::from("'");
    for character in text.chars() {
        match character {
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            '\'' | '"' | '\\' => {
                quoted.push('\\');
                quoted.push(character);
            }
            _ => quoted.push(character),
        }
    }
    quoted.push('\'');
    Cow::Owned(quoted)
}

/// Splits a row at its commas into `tokens`; a row without commas is split at blanks if `blanks` is set.
///
/// With `comments`, an unquoted `%` that begins a word ends the row.
pub(super) fn split<'a>(
    row: &'a str,
    blanks: bool,
    comments: bool,
    tokens: &mut Vec<AttributeToken<'a>>,
) -> Result<(), ReadProblem> {
    tokens.clear();
    let mut rest = row.trim();
    let by_blanks = blanks && !has_comma(rest);
    loop {
        rest = rest.trim_start();
        if rest.starts_with(['\'', '"']) {
            let (text, after) = quoted(rest)?;
            tokens.push(AttributeToken { text, quoted: true });
            let after_blanks = after.trim_start();
            let spaced = after_blanks.len() < after.len();
            match after_blanks.chars().next() {
                None => return Ok(()),
                Some('%') if comments && spaced => return Ok(()),
                Some(',') => rest = &after_blanks[1..],
                Some(_) if by_blanks && spaced => rest = after_blanks,
                Some(_) => return Err(ReadProblem::AfterQuote { found: shorten(after_blanks) }),
            }
            continue;
        }
        let end = rest
            .find(|c: char| c == ',' || (by_blanks && c.is_ascii_whitespace()))
            .unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        let comment = if comments { comment_start(word) } else { None };
        let kept = word[..comment.unwrap_or(word.len())].trim_end();
        // A comment after a separator is not a value, but an empty text before a comma is.
        if comment.is_none() || !kept.is_empty() {
            tokens.push(AttributeToken { text: Cow::Borrowed(kept), quoted: false });
        }
        if comment.is_some() || after.is_empty() {
            return Ok(());
        }
        rest = &after[1..];
    }
}

fn comment_start(word: &str) -> Option<usize> {
    word.match_indices('%')
        .map(|(at, _)| at)
        .find(|&at| word[..at].chars().next_back().is_none_or(char::is_whitespace))
}

/// Whether there is a comma outside quotes.
fn has_comma(row: &str) -> bool {
    let mut open: Option<char> = None;
    let mut escaped = false;
    for character in row.chars() {
        match open {
            _ if escaped => escaped = false,
            Some(_) if character == '\\' => escaped = true,
            Some(quote) if character == quote => open = None,
            Some(_) => {}
            None if character == ',' => return true,
            None if matches!(character, '\'' | '"') => open = Some(character),
            None => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::{quote, quoted, split};
    use proptest::prelude::*;

    fn words(row: &str) -> Vec<String> {
        let mut tokens = Vec::new();
        split(row, true, true, &mut tokens).expect("sound row");
        tokens.iter().map(|token| token.text.to_string()).collect()
    }

    #[test]
    fn rows_are_split() {
        assert_eq!(words("1, 'a, b' ,\"c\\'d\\n\",?"), ["1", "a, b", "c'd\n", "?"]);
        assert_eq!(words("1 'a b' 3 % note"), ["1", "a b", "3"]);
        assert_eq!(words("1,2 % note, more"), ["1", "2"]);
        assert_eq!(words("1,,50%"), ["1", "", "50%"]);
    }

    proptest! {
        #[test]
        fn quoting_round_trips(text in "\\PC{0,12}|[\\n\\t\\\\'\" ,%]{0,6}") {
            let written = quote(&text);
            let read = match written.starts_with('\'') {
                true => quoted(&written).expect("closed").0,
                false => written.clone(),
            };
            prop_assert_eq!(read.as_ref(), text.as_str());
        }
    }
}
