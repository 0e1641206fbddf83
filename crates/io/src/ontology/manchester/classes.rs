//! Class expressions and data ranges.

use super::super::structural::{DEEPEST, Filler, Literal, Member, Problem};
use super::super::tokens::Token;
use super::super::vocabulary::{Namespace, Word};
use super::ManchesterReader;

/// A class or a data range.
#[derive(Clone, Copy)]
struct Described {
    node: u32,
    data: bool,
}

impl ManchesterReader<'_> {
    /// Reads a class expression or a data range.
    pub(super) fn class(&mut self) -> Result<u32, Problem> {
        Ok(self.disjunction(0)?.node)
    }

    fn disjunction(&mut self, depth: usize) -> Result<Described, Problem> {
        let first = self.conjunction(depth)?;
        let mut parts = vec![first];
        while self.skip("or")? {
            parts.push(self.conjunction(depth)?);
        }
        Ok(self.combined(&parts, Word::UnionOf))
    }

    fn conjunction(&mut self, depth: usize) -> Result<Described, Problem> {
        let first = self.primary(depth)?;
        let mut parts = vec![first];
        while self.skip("and")? || self.skip("that")? {
            parts.push(self.primary(depth)?);
        }
        Ok(self.combined(&parts, Word::IntersectionOf))
    }

    fn combined(&mut self, parts: &[Described], word: Word) -> Described {
        if let [only] = *parts {
            return only;
        }
        let data = parts.iter().all(|part| part.data);
        let nodes: Vec<u32> = parts.iter().map(|part| part.node).collect();
        Described { node: self.writer.combination(word, &nodes, data), data }
    }

    fn primary(&mut self, depth: usize) -> Result<Described, Problem> {
        if depth > DEEPEST {
            let message = format!("the expression is more than {DEEPEST} levels deep");
            return Err(Problem::new(self.tokens.at, message));
        }
        if self.skip("not")? {
            let part = self.primary(depth + 1)?;
            let word = if part.data { Word::DatatypeComplementOf } else { Word::ComplementOf };
            return Ok(Described { node: self.writer.complement(part.node, word), ..part });
        }
        if self.tokens.skip("(")? {
            let inner = self.disjunction(depth + 1)?;
            self.tokens.expect(")")?;
            return Ok(inner);
        }
        if self.tokens.peek() == Token::Sign("{") {
            return self.enumeration();
        }
        let inverse = self.tokens.peek() == Token::Word("inverse");
        let node = if inverse { self.property()? } else { self.name("a class or a property")? };
        match self.tokens.peek() {
            Token::Word(word) if let Some(restriction) = restriction(word) => {
                self.tokens.take()?;
                self.restricted(node, restriction, depth)
            }
            Token::Sign("[") => self.facets(node),
            _ if inverse => Err(self.tokens.unexpected("some, only, value, min, max or exactly")),
            _ => Ok(Described { node, data: self.is_datatype(node) }),
        }
    }

    /// Whether a name is a datatype of XML Schema.
    fn is_datatype(&self, node: u32) -> bool {
        let name = self.writer.collector.nodes.get(node);
        node == Word::Literal.number() || matches!(Namespace::of(name), Some((Namespace::Xsd, _)))
    }

    /// Reads `{a, b}` or `{"x", "y"}`.
    fn enumeration(&mut self) -> Result<Described, Problem> {
        self.tokens.expect("{")?;
        let (mut nodes, mut literals) = (Vec::new(), Vec::new());
        loop {
            match self.literal()? {
                Some(literal) => literals.push(literal),
                None => nodes.push(self.name("an individual or a literal")?),
            }
            if !self.tokens.skip(",")? {
                break;
            }
        }
        self.tokens.expect("}")?;
        let data = nodes.is_empty();
        let members: Vec<Member<'_>> = nodes
            .into_iter()
            .map(Member::Node)
            .chain(literals.iter().map(Member::Literal))
            .collect();
        Ok(Described { node: self.writer.one_of(&members, data), data })
    }

    /// Reads the rest of a restriction.
    fn restricted(
        &mut self,
        property: u32,
        restriction: Restriction,
        depth: usize,
    ) -> Result<Described, Problem> {
        let node = match restriction {
            Restriction::Values(word) => {
                let filler = self.primary(depth + 1)?;
                self.writer.restriction(property, word, Filler::Class(filler.node), None)
            }
            Restriction::Count(word) => {
                let count = self.count()?;
                let filler = if self.begins_class() {
                    match self.primary(depth + 1)? {
                        Described { node, data: true } => Filler::Range(node),
                        Described { node, data: false } => Filler::Class(node),
                    }
                } else {
                    Filler::None
                };
                self.writer.restriction(property, word, filler, Some(&count))
            }
            Restriction::Value => match self.literal()? {
                Some(literal) => {
                    let value = Filler::Value(Member::Literal(&literal));
                    self.writer.restriction(property, Word::HasValue, value, None)
                }
                None => {
                    let value =
                        Filler::Value(Member::Node(self.name("an individual or a literal")?));
                    self.writer.restriction(property, Word::HasValue, value, None)
                }
            },
            Restriction::Itself => self.writer.has_self(property),
        };
        Ok(Described { node, data: false })
    }

    /// Whether a class expression may begin here.
    fn begins_class(&self) -> bool {
        match self.tokens.peek() {
            Token::Iri(_) | Token::Sign("(" | "{") => true,
            Token::Word(word) => {
                matches!(word, "not" | "inverse")
                    || self.keyword().is_none() && !super::keywords::is_reserved(word)
            }
            _ => false,
        }
    }

    /// Reads the facets of a datatype: `[>= 5, < 10]`.
    fn facets(&mut self, datatype: u32) -> Result<Described, Problem> {
        self.tokens.expect("[")?;
        let mut facets: Vec<(u32, Literal)> = Vec::new();
        loop {
            let local = match self.tokens.peek() {
                Token::Sign(">=") => "minInclusive",
                Token::Sign(">") => "minExclusive",
                Token::Sign("<=") => "maxInclusive",
                Token::Sign("<") => "maxExclusive",
                Token::Word(
                    word @ ("length" | "minLength" | "maxLength" | "pattern" | "langRange"
                    | "totalDigits" | "fractionDigits"),
                ) => word,
                _ => return Err(self.tokens.unexpected("one of >=, >, <=, <, length, pattern")),
            };
            self.tokens.take()?;
            let Some(value) = self.literal()? else {
                return Err(self.tokens.unexpected("a number or a text in quotes"));
            };
            let facet = self.writer.word_of(Namespace::Xsd, local);
            facets.push((facet, value));
            if !self.tokens.skip(",")? {
                break;
            }
        }
        self.tokens.expect("]")?;
        let facets: Vec<(u32, &Literal)> =
            facets.iter().map(|(facet, value)| (*facet, value)).collect();
        Ok(Described { node: self.writer.datatype_with(datatype, &facets), data: true })
    }
}

/// What follows a property in a restriction.
#[derive(Clone, Copy)]
enum Restriction {
    Values(Word),
    Count(Word),
    Value,
    Itself,
}

fn restriction(word: &str) -> Option<Restriction> {
    Some(match word {
        "some" => Restriction::Values(Word::SomeValuesFrom),
        "only" => Restriction::Values(Word::AllValuesFrom),
        "min" => Restriction::Count(Word::MinCardinality),
        "max" => Restriction::Count(Word::MaxCardinality),
        "exactly" => Restriction::Count(Word::Cardinality),
        "value" => Restriction::Value,
        "Self" => Restriction::Itself,
        _ => return None,
    })
}
