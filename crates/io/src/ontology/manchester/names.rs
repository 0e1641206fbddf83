//! Names.

use super::super::structural::Problem;
use super::super::tokens::{Token, unescape};
use super::super::vocabulary::Namespace;
use super::ManchesterReader;
use super::keywords::{is_keyword, is_reserved};

impl<'a> ManchesterReader<'a> {
    /// Returns the next token if it is a keyword.
    pub(super) fn keyword(&self) -> Option<&'a str> {
        match self.tokens.peek() {
            Token::Word(word) if is_keyword(word) => Some(word),
            _ => None,
        }
    }

    /// Takes a word, if it is the next token.
    pub(super) fn skip(&mut self, word: &str) -> Result<bool, Problem> {
        let found = self.tokens.peek() == Token::Word(word);
        if found {
            self.tokens.take()?;
        }
        Ok(found)
    }

    /// Takes a name, of a kind that messages name.
    pub(super) fn name(&mut self, kind: &str) -> Result<u32, Problem> {
        let node = match self.tokens.peek() {
            Token::Iri(iri) => self.writer.collector.name(&self.prefixes.resolve(iri)),
            Token::Word(word) if !is_keyword(word) && !is_reserved(word) => {
                if let Some(label) = word.strip_prefix("_:") {
                    self.writer.collector.blank(label)
                } else {
                    let iri = self.expand(word);
                    let iri = iri.map_err(|message| Problem::new(self.tokens.at, message))?;
                    self.writer.collector.name(&iri)
                }
            }
            _ => return Err(self.tokens.unexpected(kind)),
        };
        self.tokens.take()?;
        Ok(node)
    }

    /// Returns the IRI of a name. Four datatypes need no prefix.
    fn expand(&self, word: &str) -> Result<String, String> {
        if matches!(word, "integer" | "decimal" | "float" | "string") {
            return Ok(format!("{}{word}", Namespace::Xsd.iri()));
        }
        self.prefixes.expand(&unescape(word))
    }
}
