//! Frames of properties.

use super::super::collect::mark;
use super::super::structural::Problem;
use super::super::tokens::Token;
use super::super::vocabulary::{Namespace, Word};
use super::ManchesterReader;

impl ManchesterReader<'_> {
    /// Reads a property, or the inverse of an object property.
    pub(super) fn property(&mut self) -> Result<u32, Problem> {
        if !self.skip("inverse")? {
            return self.name("a property");
        }
        let open = self.tokens.skip("(")?;
        let property = self.name("an object property")?;
        if open {
            self.tokens.expect(")")?;
        }
        self.writer.collector.mark(property, mark::ROLE);
        Ok(self.writer.inverse(property))
    }

    /// Reads the sections of a property, whose kind is one of three words.
    pub(super) fn property_sections(&mut self, property: u32) -> Result<(), Problem> {
        while let Some(section) = self.keyword() {
            match section {
                "Annotations:" => {
                    self.tokens.take()?;
                    self.annotations(Some(property))?;
                }
                "Domain:" => self.bound(property, Word::Domain)?,
                "Range:" => self.bound(property, Word::Range)?,
                "Characteristics:" => {
                    self.tokens.take()?;
                    self.items(|reader| reader.characteristic(property))?;
                }
                "SubPropertyOf:" => self.related(property, Word::SubPropertyOf, false)?,
                "SuperPropertyOf:" => self.related(property, Word::SubPropertyOf, true)?,
                "EquivalentTo:" => self.related(property, Word::EquivalentProperty, false)?,
                "InverseOf:" => self.related(property, Word::InverseOf, false)?,
                "DisjointWith:" => {
                    self.tokens.take()?;
                    self.items(|reader| {
                        reader.property()?;
                        reader.writer.ignore(Namespace::Owl, "propertyDisjointWith");
                        Ok(())
                    })?;
                }
                "SubPropertyChain:" => {
                    self.tokens.take()?;
                    self.items(|reader| reader.chain(property))?;
                }
                _ => break,
            }
        }
        Ok(())
    }

    fn bound(&mut self, property: u32, word: Word) -> Result<(), Problem> {
        self.tokens.take()?;
        self.items(|reader| {
            let class = reader.class()?;
            reader.writer.state(property, word, class);
            Ok(())
        })
    }

    fn related(&mut self, property: u32, word: Word, reversed: bool) -> Result<(), Problem> {
        self.tokens.take()?;
        self.items(|reader| {
            let other = reader.property()?;
            let (one, other) = if reversed { (other, property) } else { (property, other) };
            reader.writer.state(one, word, other);
            Ok(())
        })
    }

    fn characteristic(&mut self, property: u32) -> Result<(), Problem> {
        let Token::Word(word) = self.tokens.peek() else {
            return Err(self.tokens.unexpected("a characteristic"));
        };
        let kind = match word {
            "Functional" => Word::FunctionalProperty,
            "InverseFunctional" => Word::InverseFunctionalProperty,
            "Reflexive" => Word::ReflexiveProperty,
            "Irreflexive" => Word::IrreflexiveProperty,
            "Symmetric" => Word::SymmetricProperty,
            "Asymmetric" | "AntiSymmetric" => Word::AsymmetricProperty,
            "Transitive" => Word::TransitiveProperty,
            _ => {
                return Err(self.tokens.unexpected(
                    "one of Functional, InverseFunctional, Reflexive, Irreflexive, Symmetric, \
                     Asymmetric, Transitive",
                ));
            }
        };
        self.tokens.take()?;
        self.writer.declare(property, kind);
        Ok(())
    }

    /// Reads `p o q`.
    fn chain(&mut self, property: u32) -> Result<(), Problem> {
        let mut steps = vec![self.property()?];
        while self.skip("o")? {
            steps.push(self.property()?);
        }
        let list = self.writer.node_list(&steps);
        self.writer.state(property, Word::PropertyChainAxiom, list);
        Ok(())
    }
}
