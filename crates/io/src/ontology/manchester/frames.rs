//! Documents and their frames.

use super::super::collect::{Term, mark};
use super::super::structural::{Problem, similar};
use super::super::tokens::Token;
use super::super::vocabulary::{Namespace, Word};
use super::ManchesterReader;
use super::keywords::KEYWORDS;
use crate::source::error::shorten;

impl ManchesterReader<'_> {
    pub(super) fn document(&mut self) -> Result<(), Problem> {
        let mut header = None;
        while self.tokens.peek() != Token::End {
            let Some(keyword) = self.keyword() else { return Err(self.no_frame()) };
            self.tokens.take()?;
            match keyword {
                "Prefix:" => self.prefix()?,
                "Ontology:" => {
                    if let Token::Iri(_) = self.tokens.peek() {
                        let name = self.name("an IRI")?;
                        self.writer.ontology(name);
                        header = Some(name);
                    }
                    if let Token::Iri(_) = self.tokens.peek() {
                        self.tokens.take()?;
                    }
                }
                "Import:" => {
                    let other = self.name("the IRI of an ontology")?;
                    self.writer.collector.statements += 1;
                    self.writer.import(other);
                }
                "Annotations:" => self.annotations(header)?,
                keyword => self.frame(keyword)?,
            }
        }
        Ok(())
    }

    /// Returns the error for a token that begins no frame or section.
    fn no_frame(&self) -> Problem {
        match self.tokens.peek() {
            Token::Word(word) => {
                let hint = similar(word, KEYWORDS.iter().copied());
                let message = format!(
                    "found '{}'; expected a frame or a section such as 'Class:' or 'SubClassOf:'{hint}",
                    shorten(word)
                );
                Problem::new(self.tokens.at, message)
            }
            _ => self.tokens.unexpected("a frame or a section such as 'Class:' or 'SubClassOf:'"),
        }
    }

    fn prefix(&mut self) -> Result<(), Problem> {
        let prefix = match self.tokens.peek() {
            Token::Word(word) if word.ends_with(':') => &word[..word.len() - 1],
            _ => return Err(self.tokens.unexpected("a prefix such as 'owl:'")),
        };
        self.tokens.take()?;
        let Token::Iri(iri) = self.tokens.peek() else {
            return Err(self.tokens.unexpected("an IRI in angle brackets"));
        };
        self.tokens.take()?;
        self.prefixes.add(prefix, iri);
        Ok(())
    }

    fn frame(&mut self, keyword: &str) -> Result<(), Problem> {
        match keyword {
            "Class:" => {
                let class = self.declared(Word::Class)?;
                self.class_sections(class)?;
            }
            "Datatype:" => {
                let datatype = self.declared(Word::Datatype)?;
                self.class_sections(datatype)?;
            }
            "ObjectProperty:" => {
                let property = self.declared(Word::ObjectProperty)?;
                self.property_sections(property)?;
            }
            "DataProperty:" => {
                let property = self.declared(Word::DatatypeProperty)?;
                self.property_sections(property)?;
            }
            "AnnotationProperty:" => {
                let property = self.declared(Word::AnnotationProperty)?;
                self.property_sections(property)?;
            }
            "Individual:" => {
                let individual = self.declared(Word::NamedIndividual)?;
                self.individual_sections(individual)?;
            }
            "EquivalentClasses:" => {
                let classes = self.members(Self::class)?;
                self.writer.chain(&classes, Word::EquivalentClass);
            }
            "DisjointClasses:" => {
                let classes = self.members(Self::class)?;
                self.writer.disjoint(&classes);
            }
            "EquivalentProperties:" => {
                let properties = self.members(Self::property)?;
                self.writer.chain(&properties, Word::EquivalentProperty);
            }
            "DisjointProperties:" => {
                self.members(Self::property)?;
                self.writer.ignore(Namespace::Owl, "propertyDisjointWith");
            }
            "SameIndividual:" => {
                let individuals = self.members(|reader| reader.name("an individual"))?;
                self.writer.chain(&individuals, Word::SameAs);
            }
            "DifferentIndividuals:" => {
                let individuals = self.members(|reader| reader.name("an individual"))?;
                self.writer.different(&individuals);
            }
            "Rule:" => self.skip_rule()?,
            section => {
                let at = self.tokens.at;
                let message = format!("found '{section}' outside of a frame that allows it");
                return Err(Problem::new(at, message));
            }
        }
        Ok(())
    }

    /// Skips a rule, which is only counted.
    fn skip_rule(&mut self) -> Result<(), Problem> {
        self.writer.collector.statements += 1;
        self.writer.rule();
        while self.keyword().is_none() && self.tokens.peek() != Token::End {
            self.tokens.take()?;
        }
        Ok(())
    }

    /// Reads and declares the name of a frame. Names of the vocabulary and anonymous individuals
    /// are not declared.
    fn declared(&mut self, kind: Word) -> Result<u32, Problem> {
        let name = self.name("the name of the frame")?;
        if name >= Word::COUNT && !self.writer.collector.is_blank(name) {
            self.writer.collector.statements += 1;
            self.writer.declare(name, kind);
        }
        Ok(name)
    }

    fn class_sections(&mut self, class: u32) -> Result<(), Problem> {
        while let Some(section) = self.keyword() {
            match section {
                "Annotations:" => {
                    self.tokens.take()?;
                    self.annotations(Some(class))?;
                }
                "SubClassOf:" => self.related_class(class, Word::SubClassOf, false)?,
                "SuperClassOf:" => self.related_class(class, Word::SubClassOf, true)?,
                "EquivalentTo:" => self.related_class(class, Word::EquivalentClass, false)?,
                "DisjointWith:" => self.related_class(class, Word::DisjointWith, false)?,
                "DisjointUnionOf:" => {
                    self.tokens.take()?;
                    let classes = self.members(Self::class)?;
                    let list = self.writer.node_list(&classes);
                    self.writer.state(class, Word::DisjointUnionOf, list);
                }
                "HasKey:" => {
                    self.tokens.take()?;
                    self.axiom_annotations()?;
                    self.writer.ignore(Namespace::Owl, "hasKey");
                    // Properties follow one another, with or without commas.
                    loop {
                        self.property()?;
                        let more = self.tokens.skip(",")?;
                        let is_name = matches!(self.tokens.peek(), Token::Iri(_) | Token::Word(_));
                        if !more && (!is_name || self.keyword().is_some()) {
                            break;
                        }
                    }
                }
                _ => break,
            }
        }
        Ok(())
    }

    fn related_class(&mut self, class: u32, word: Word, reversed: bool) -> Result<(), Problem> {
        self.tokens.take()?;
        self.items(|reader| {
            let other = reader.class()?;
            let (one, other) = if reversed { (other, class) } else { (class, other) };
            reader.writer.state(one, word, other);
            Ok(())
        })
    }

    fn individual_sections(&mut self, individual: u32) -> Result<(), Problem> {
        while let Some(section) = self.keyword() {
            match section {
                "Annotations:" => {
                    self.tokens.take()?;
                    self.annotations(Some(individual))?;
                }
                "Types:" => {
                    self.tokens.take()?;
                    self.items(|reader| {
                        let class = reader.class()?;
                        reader.writer.state(individual, Word::Type, class);
                        Ok(())
                    })?;
                }
                "Facts:" => {
                    self.tokens.take()?;
                    self.items(|reader| reader.fact(individual))?;
                }
                "SameAs:" => self.related_individual(individual, Word::SameAs)?,
                "DifferentFrom:" => self.related_individual(individual, Word::DifferentFrom)?,
                _ => break,
            }
        }
        Ok(())
    }

    fn related_individual(&mut self, individual: u32, word: Word) -> Result<(), Problem> {
        self.tokens.take()?;
        self.items(|reader| {
            let other = reader.name("an individual")?;
            reader.writer.state(individual, word, other);
            Ok(())
        })
    }

    /// Reads `hasChild bert`, `age 31` or the negation of one.
    fn fact(&mut self, individual: u32) -> Result<(), Problem> {
        let negative = self.skip("not")?;
        let inverse = self.skip("inverse")?;
        let property = self.name("a property")?;
        let literal = self.literal()?;
        let object = match &literal {
            Some(literal) => Term::Literal(literal.borrowed()),
            None => Term::Node(self.name("an individual or a literal")?),
        };
        match object {
            _ if negative => {
                self.writer.collector.ignore(Word::NegativePropertyAssertion.number());
            }
            Term::Node(object) if inverse => {
                self.writer.collector.mark(property, mark::ROLE);
                self.writer.collector.state(object, property, Term::Node(individual));
            }
            object => self.writer.collector.state(individual, property, object),
        }
        Ok(())
    }
}
