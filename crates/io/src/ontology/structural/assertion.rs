//! Assertions about individuals.

use super::super::collect::{Term, mark};
use super::super::vocabulary::Word;
use super::nodes::{at_least, exactly};
use super::{AxiomWriter, Construct, Part, Problem};

impl AxiomWriter<'_> {
    /// Writes an assertion; returns whether the axiom is one.
    pub(super) fn assertion(
        &mut self,
        construct: &Construct,
        parts: &[Part],
    ) -> Result<bool, Problem> {
        let (name, at) = (construct.name, construct.at);
        match name {
            "ClassAssertion" => {
                let [class, individual] = exactly(parts, name, at)?;
                let class = self.class(class, at)?;
                let individual = individual.name("an individual", at)?;
                self.state(individual, Word::Type, class);
            }
            "ObjectPropertyAssertion" => self.object_assertion(construct, parts)?,
            "DataPropertyAssertion" => {
                let [property, individual, value] = exactly(parts, name, at)?;
                let property = self.property(property, mark::PROPERTY, at)?;
                let individual = individual.name("an individual", at)?;
                let value = value.literal("a literal", at)?;
                self.state_literal(individual, property, value);
            }
            "NegativeObjectPropertyAssertion" | "NegativeDataPropertyAssertion" => {
                self.collector.ignore(Word::NegativePropertyAssertion.number());
            }
            "SameIndividual" => {
                let individuals = individuals(construct, parts)?;
                self.chain(&individuals, Word::SameAs);
            }
            "DifferentIndividuals" => {
                let individuals = individuals(construct, parts)?;
                self.different(&individuals);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// States that individuals are different.
    pub(in super::super) fn different(&mut self, individuals: &[u32]) {
        if let [one, other] = *individuals {
            self.state(one, Word::DifferentFrom, other);
        } else {
            self.all_of(Word::AllDifferent, Word::DistinctMembers, individuals);
        }
    }

    fn object_assertion(&mut self, construct: &Construct, parts: &[Part]) -> Result<(), Problem> {
        let at = construct.at;
        let [property, subject, object] = exactly(parts, construct.name, at)?;
        let subject = subject.name("an individual", at)?;
        let object = object.name("an individual", at)?;
        let (property, subject, object) = match property {
            Part::Construct(inverse) if inverse.name == "ObjectInverseOf" => {
                let [property] = inverse.exactly()?;
                (property, object, subject)
            }
            property => (property, subject, object),
        };
        let property = self.property(property, mark::ROLE, at)?;
        self.collector.state(subject, property, Term::Node(object));
        Ok(())
    }
}

fn individuals(construct: &Construct, parts: &[Part]) -> Result<Vec<u32>, Problem> {
    at_least(parts, 2, construct)?;
    parts.iter().map(|part| part.name("an individual", construct.at)).collect()
}
