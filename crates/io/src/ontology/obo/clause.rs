//! Stanzas, and clauses of a tag and a value.

use super::super::structural::Problem;
use crate::source::error::shorten;

/// A stanza such as `[Term]`.
#[derive(Debug)]
pub(super) struct Stanza<'a> {
    pub(super) kind: &'a str,
    pub(super) clauses: Vec<Clause<'a>>,
    /// The byte offset in the file.
    pub(super) at: usize,
}

/// A line `tag: value`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clause<'a> {
    pub(super) tag: &'a str,
    /// The value with its qualifiers and comment.
    pub(super) raw: &'a str,
    /// The byte offset of the tag in the file.
    pub(super) at: usize,
}

/// Returns the clauses of the header, and the stanzas.
pub(super) fn stanzas(text: &str) -> Result<(Vec<Clause<'_>>, Vec<Stanza<'_>>), Problem> {
    let mut header = Vec::new();
    let mut stanzas: Vec<Stanza<'_>> = Vec::new();
    let mut start = 0;
    for whole in text.split_inclusive('\n') {
        let at = start + (whole.len() - whole.trim_start().len());
        start += whole.len();
        let line = whole.trim();
        if line.is_empty() || line.starts_with('!') {
            continue;
        }
        if let Some(kind) = line.strip_prefix('[').and_then(|line| line.split(']').next())
            && line.contains(']')
        {
            stanzas.push(Stanza { kind, clauses: Vec::new(), at });
            continue;
        }
        let Some((tag, raw)) = line.split_once(':') else {
            let message = format!(
                "found '{}'; expected a stanza such as [Term] or 'tag: value'",
                shorten(line)
            );
            return Err(Problem::new(at, message));
        };
        let clause = Clause { tag: tag.trim(), raw: raw.trim(), at };
        match stanzas.last_mut() {
            Some(stanza) => stanza.clauses.push(clause),
            None => header.push(clause),
        }
    }
    Ok((header, stanzas))
}

impl<'a> Clause<'a> {
    /// Returns the value without qualifiers and comment.
    pub(super) fn value(&self) -> &'a str {
        self.split().0
    }

    /// Returns the qualifiers: `{cardinality="2"}`.
    pub(super) fn qualifiers(&self) -> &'a str {
        self.split().1
    }

    fn split(&self) -> (&'a str, &'a str) {
        let value = without_comment(self.raw);
        match value.strip_suffix('}').and_then(|value| value.rsplit_once('{')) {
            Some((value, qualifiers)) if !value.ends_with('\\') => (value.trim_end(), qualifiers),
            _ => (value, ""),
        }
    }

    /// Returns the words of the value, of which there are at least two.
    pub(super) fn two_words(&self) -> Result<(&'a str, &'a str), Problem> {
        let mut words = self.value().split_whitespace();
        match (words.next(), words.next()) {
            (Some(one), Some(other)) => Ok((one, other)),
            _ => Err(self.unexpected("a relation and an identifier")),
        }
    }

    /// Returns the value, an identifier.
    pub(super) fn identifier(&self) -> Result<&'a str, Problem> {
        match self.value().split_whitespace().next() {
            Some(word) => Ok(word),
            None => Err(self.unexpected("an identifier")),
        }
    }

    /// Whether the value is `true`.
    pub(super) fn is_true(&self) -> bool {
        self.value() == "true"
    }

    pub(super) fn unexpected(&self, expected: &str) -> Problem {
        let found = shorten(self.raw);
        Problem::new(self.at, format!("found '{found}' after '{}:'; expected {expected}", self.tag))
    }

    /// Returns the value of a qualifier.
    pub(super) fn qualifier(&self, name: &str) -> Option<&'a str> {
        self.qualifiers().split(',').find_map(|qualifier| {
            let (key, value) = qualifier.split_once('=')?;
            (key.trim() == name).then(|| value.trim().trim_matches('"'))
        })
    }
}

/// Removes a comment: an exclamation mark after a blank, outside of quotes.
fn without_comment(value: &str) -> &str {
    let mut quoted = false;
    let mut before = ' ';
    for (at, letter) in value.char_indices() {
        match letter {
            '"' if before != '\\' => quoted = !quoted,
            '!' if !quoted && before.is_whitespace() => return value[..at].trim_end(),
            _ => {}
        }
        before = if before == '\\' { ' ' } else { letter };
    }
    value
}

/// Returns a text without its escapes.
pub(super) fn unescape(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        result.push(match letter {
            '\\' => match letters.next() {
                Some('n') => '\n',
                Some('t') => '\t',
                Some('W') => ' ',
                Some(other) => other,
                None => '\\',
            },
            letter => letter,
        });
    }
    result
}

/// Splits a value that begins with a text in quotes: the text, and the rest.
pub(super) fn quoted(value: &str) -> Option<(String, &str)> {
    let inner = value.strip_prefix('"')?;
    let mut escaped = false;
    for (at, letter) in inner.char_indices() {
        match letter {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return Some((unescape(&inner[..at]), inner[at + 1..].trim())),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{Clause, quoted, stanzas};

    #[test]
    fn clauses_have_values_and_qualifiers() {
        let text = "format-version: 1.2\n! c\n\n[Term]\nid: A:1\n\
                    relationship: r B:2 {cardinality=\"2\", s=\"x\"} ! b\n";
        let (header, stanzas) = stanzas(text).unwrap_or_else(|problem| panic!("{problem:?}"));
        assert_eq!((header.len(), stanzas.len()), (1, 1));
        let clause = stanzas[0].clauses[1];
        assert_eq!(clause.two_words().ok(), Some(("r", "B:2")));
        assert_eq!(clause.qualifier("cardinality"), Some("2"));
        assert_eq!(clause.qualifier("maxCardinality"), None);
        let plain = Clause { tag: "name", raw: "a \\! b! c ! d", at: 0 };
        assert_eq!(plain.value(), "a \\! b! c");
        assert_eq!(quoted("\"a\\\"b\" EXACT []"), Some(("a\"b".to_owned(), "EXACT []")));
        assert_eq!(quoted("\"a"), None);
    }
}
