//! Annotations.

use super::super::collect::{Term, mark};
use super::super::vocabulary::Word;
use super::nodes::exactly;
use super::{AxiomWriter, Construct, Part, Problem};

impl AxiomWriter<'_> {
    /// Writes an axiom about annotations; returns whether it is one.
    pub(super) fn annotation(
        &mut self,
        construct: &Construct,
        parts: &[Part],
    ) -> Result<bool, Problem> {
        let (name, at) = (construct.name, construct.at);
        match name {
            "AnnotationAssertion" => {
                let [property, subject, value] = exactly(parts, name, at)?;
                let property = property.name("an annotation property", at)?;
                let subject = subject.name("a name", at)?;
                self.annotate(subject, property, value, at)?;
            }
            // An annotation of the ontology; its own annotations come first.
            "Annotation" => {
                let own = parts.len().saturating_sub(2);
                let [property, value] = exactly(&parts[own..], name, at)?;
                let property = property.name("an annotation property", at)?;
                self.annotate(self.header, property, value, at)?;
            }
            "SubAnnotationPropertyOf" => self.about(construct, parts, Word::SubPropertyOf)?,
            "AnnotationPropertyDomain" => self.about(construct, parts, Word::Domain)?,
            "AnnotationPropertyRange" => self.about(construct, parts, Word::Range)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Writes an axiom about an annotation property.
    fn about(&mut self, construct: &Construct, parts: &[Part], word: Word) -> Result<(), Problem> {
        let [property, other] = exactly(parts, construct.name, construct.at)?;
        let property = property.name("an annotation property", construct.at)?;
        let other = other.name("a name", construct.at)?;
        self.collector.mark(property, mark::ANNOTATION);
        if word == Word::SubPropertyOf {
            self.collector.mark(other, mark::ANNOTATION);
            self.state(property, word, other);
        }
        Ok(())
    }

    fn annotate(
        &mut self,
        subject: u32,
        property: u32,
        value: &Part,
        at: usize,
    ) -> Result<(), Problem> {
        let value = match value {
            Part::Literal(literal) => Term::Literal(literal.borrowed()),
            value => Term::Node(value.name("a literal or a name", at)?),
        };
        self.annotation_of(subject, property, value);
        Ok(())
    }

    /// Adds an annotation. Those that the vocabulary does not define are only counted, so that they
    /// are not mistaken for assertions.
    pub(in super::super) fn annotation_of(&mut self, subject: u32, property: u32, value: Term<'_>) {
        if Word::of(property).is_some() {
            self.collector.state(subject, property, value);
        } else {
            self.collector.mark(property, mark::ANNOTATION);
            self.collector.ignore(property);
        }
    }
}
