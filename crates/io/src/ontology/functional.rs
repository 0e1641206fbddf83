//! OWL functional syntax: `SubClassOf(:Parent :Person)`.

use super::collect::StatementCollector;
use super::prefixes::Prefixes;
use super::structural::{AxiomWriter, Construct, DEEPEST, Literal, Part, Problem, constructor};
use super::tokens::{Token, Tokens, unescape};

/// Whether the first line of a file is in this syntax.
pub(super) fn begins(line: &str) -> bool {
    let open =
        |word| line.strip_prefix(word).is_some_and(|rest| rest.trim_start().starts_with('('));
    open("Prefix") || open("Ontology") || open("Namespace")
}

/// Reads all axioms of a document.
pub(super) fn read(text: &str, collector: &mut StatementCollector) -> Result<(), Problem> {
    let tokens = Tokens::new(text)?;
    let mut reader = FunctionalReader {
        tokens,
        prefixes: Prefixes::default(),
        writer: AxiomWriter::new(collector),
    };
    reader.document()
}

struct FunctionalReader<'a> {
    tokens: Tokens<'a>,
    prefixes: Prefixes,
    writer: AxiomWriter<'a>,
}

impl FunctionalReader<'_> {
    fn document(&mut self) -> Result<(), Problem> {
        while self.tokens.peek() == Token::Word("Prefix") {
            self.tokens.take()?;
            self.prefix()?;
        }
        match self.tokens.peek() {
            Token::Word("Ontology") => self.tokens.take()?,
            _ => return Err(self.tokens.unexpected("Prefix(…) or Ontology(…)")),
        };
        self.tokens.expect("(")?;
        // The IRI of the ontology, and that of the version.
        let mut names = 0;
        while let Some(name) = self.name()? {
            if names == 0 {
                self.writer.ontology(name);
            }
            names += 1;
        }
        while !self.tokens.skip(")")? {
            let axiom = self.construct(0)?;
            self.writer.axiom(&axiom)?;
        }
        match self.tokens.peek() {
            Token::End => Ok(()),
            _ => Err(self.tokens.unexpected("the end of the file after Ontology(…)")),
        }
    }

    /// Reads `(owl:=<http://www.w3.org/2002/07/owl#>)`.
    fn prefix(&mut self) -> Result<(), Problem> {
        self.tokens.expect("(")?;
        let prefix = match self.tokens.peek() {
            Token::Word(word) if word.ends_with(':') => &word[..word.len() - 1],
            _ => return Err(self.tokens.unexpected("a prefix such as 'owl:'")),
        };
        self.tokens.take()?;
        self.tokens.expect("=")?;
        let Token::Iri(iri) = self.tokens.peek() else {
            return Err(self.tokens.unexpected("an IRI in angle brackets"));
        };
        self.tokens.take()?;
        self.prefixes.add(prefix, iri);
        self.tokens.expect(")")
    }

    /// Takes a name, if one is next: `<http://example.org/a>`, `:a` or `_:a`.
    fn name(&mut self) -> Result<Option<u32>, Problem> {
        let node = match self.tokens.peek() {
            Token::Iri(iri) => self.writer.collector.name(&self.prefixes.resolve(iri)),
            Token::Word(word) if word.contains(':') => {
                if let Some(label) = word.strip_prefix("_:") {
                    self.writer.collector.blank(label)
                } else {
                    let name = unescape(word);
                    let iri = self.prefixes.expand(&name);
                    let iri = iri.map_err(|message| Problem::new(self.tokens.at, message))?;
                    self.writer.collector.name(&iri)
                }
            }
            _ => return Ok(None),
        };
        self.tokens.take()?;
        Ok(Some(node))
    }

    fn construct(&mut self, depth: usize) -> Result<Construct, Problem> {
        let at = self.tokens.at;
        if depth > DEEPEST {
            return Err(Problem::new(at, format!("the axiom is more than {DEEPEST} levels deep")));
        }
        let Token::Word(word) = self.tokens.peek() else {
            return Err(self.tokens.unexpected("an axiom or ')'"));
        };
        let Some(name) = constructor(word) else {
            let expected = format!("an axiom or an expression{}", Construct::hint(word));
            return Err(self.tokens.unexpected(&expected));
        };
        self.tokens.take()?;
        self.tokens.expect("(")?;
        let mut parts = Vec::new();
        while !self.tokens.skip(")")? {
            parts.push(self.part(depth)?);
        }
        Ok(Construct { name, parts, at })
    }

    fn part(&mut self, depth: usize) -> Result<Part, Problem> {
        if let Some(node) = self.name()? {
            return Ok(Part::Node(node));
        }
        match self.tokens.peek() {
            Token::Text(text) => {
                self.tokens.take()?;
                let prefixes = &self.prefixes;
                let literal = self.tokens.literal(text, |tokens| datatype(tokens, prefixes))?;
                Ok(Part::Literal(Box::new(literal)))
            }
            Token::Word(word) if word.bytes().all(|byte| byte.is_ascii_digit()) => {
                self.tokens.take()?;
                let literal = Literal { text: word.to_owned(), ..Literal::default() };
                Ok(Part::Literal(Box::new(literal)))
            }
            Token::Word(_) => Ok(Part::Construct(Box::new(self.construct(depth + 1)?))),
            _ => Err(self.tokens.unexpected("a name, a literal, an expression or ')'")),
        }
    }
}

/// Takes the name of a datatype.
pub(super) fn datatype(tokens: &mut Tokens<'_>, prefixes: &Prefixes) -> Result<String, Problem> {
    let at = tokens.at;
    let iri = match tokens.peek() {
        Token::Iri(iri) => prefixes.resolve(iri),
        Token::Word(word) => {
            prefixes.expand(&unescape(word)).map_err(|message| Problem::new(at, message))?
        }
        _ => return Err(tokens.unexpected("a datatype")),
    };
    tokens.take()?;
    Ok(iri)
}
