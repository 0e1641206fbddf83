//! Axioms about properties.

use super::super::collect::mark;
use super::super::vocabulary::{Namespace, Word};
use super::nodes::{at_least, exactly};
use super::{AxiomWriter, Construct, Part, Problem};

impl AxiomWriter<'_> {
    /// Writes an axiom about properties; returns whether it is one.
    pub(super) fn property_axiom(
        &mut self,
        construct: &Construct,
        parts: &[Part],
    ) -> Result<bool, Problem> {
        use Word::*;
        match construct.name {
            "SubObjectPropertyOf" => self.sub_property(construct, parts, mark::ROLE)?,
            "SubDataPropertyOf" => self.sub_property(construct, parts, mark::PROPERTY)?,
            "EquivalentObjectProperties" => self.equivalent(construct, parts, mark::ROLE)?,
            "EquivalentDataProperties" => self.equivalent(construct, parts, mark::PROPERTY)?,
            "DisjointObjectProperties" => self.disjoint_properties(construct, parts, mark::ROLE)?,
            "DisjointDataProperties" => {
                self.disjoint_properties(construct, parts, mark::PROPERTY)?;
            }
            "InverseObjectProperties" => {
                let [one, other] = exactly(parts, construct.name, construct.at)?;
                let one = self.property(one, mark::ROLE, construct.at)?;
                let other = self.property(other, mark::ROLE, construct.at)?;
                self.state(one, InverseOf, other);
            }
            "ObjectPropertyDomain" => self.bound(construct, parts, mark::ROLE, Domain)?,
            "ObjectPropertyRange" => self.bound(construct, parts, mark::ROLE, Range)?,
            "DataPropertyDomain" => self.bound(construct, parts, mark::PROPERTY, Domain)?,
            "DataPropertyRange" => self.bound(construct, parts, mark::PROPERTY, Range)?,
            "FunctionalDataProperty" => {
                self.characteristic(construct, parts, mark::PROPERTY, FunctionalProperty)?;
            }
            name => {
                let Some(kind) = characteristic(name) else { return Ok(false) };
                self.characteristic(construct, parts, mark::ROLE, kind)?;
            }
        }
        Ok(true)
    }

    fn sub_property(
        &mut self,
        construct: &Construct,
        parts: &[Part],
        kind: u16,
    ) -> Result<(), Problem> {
        let at = construct.at;
        let [lower, upper] = exactly(parts, construct.name, at)?;
        let upper = self.property(upper, kind, at)?;
        match lower {
            Part::Construct(chain) if chain.name == "ObjectPropertyChain" && kind == mark::ROLE => {
                at_least(&chain.parts, 1, chain)?;
                let steps: Result<Vec<u32>, Problem> =
                    chain.parts.iter().map(|step| self.property(step, kind, chain.at)).collect();
                let list = self.node_list(&steps?);
                self.state(upper, Word::PropertyChainAxiom, list);
            }
            lower => {
                let lower = self.property(lower, kind, at)?;
                self.state(lower, Word::SubPropertyOf, upper);
            }
        }
        Ok(())
    }

    fn properties(
        &mut self,
        construct: &Construct,
        parts: &[Part],
        kind: u16,
    ) -> Result<Vec<u32>, Problem> {
        at_least(parts, 2, construct)?;
        parts.iter().map(|part| self.property(part, kind, construct.at)).collect()
    }

    fn equivalent(
        &mut self,
        construct: &Construct,
        parts: &[Part],
        kind: u16,
    ) -> Result<(), Problem> {
        let properties = self.properties(construct, parts, kind)?;
        self.chain(&properties, Word::EquivalentProperty);
        Ok(())
    }

    fn disjoint_properties(
        &mut self,
        construct: &Construct,
        parts: &[Part],
        kind: u16,
    ) -> Result<(), Problem> {
        let properties = self.properties(construct, parts, kind)?;
        if properties.len() == 2 {
            self.ignore(Namespace::Owl, "propertyDisjointWith");
        } else {
            self.all_of(Word::AllDisjointProperties, Word::Members, &properties);
        }
        Ok(())
    }

    fn bound(
        &mut self,
        construct: &Construct,
        parts: &[Part],
        kind: u16,
        word: Word,
    ) -> Result<(), Problem> {
        let [property, class] = exactly(parts, construct.name, construct.at)?;
        let property = self.property(property, kind, construct.at)?;
        let class = self.class(class, construct.at)?;
        self.state(property, word, class);
        Ok(())
    }

    fn characteristic(
        &mut self,
        construct: &Construct,
        parts: &[Part],
        kind: u16,
        word: Word,
    ) -> Result<(), Problem> {
        let [property] = exactly(parts, construct.name, construct.at)?;
        let property = self.property(property, kind, construct.at)?;
        self.declare(property, word);
        Ok(())
    }
}

/// Returns the characteristic that an axiom about an object property states.
fn characteristic(name: &str) -> Option<Word> {
    Some(match name {
        "FunctionalObjectProperty" => Word::FunctionalProperty,
        "InverseFunctionalObjectProperty" => Word::InverseFunctionalProperty,
        "ReflexiveObjectProperty" => Word::ReflexiveProperty,
        "IrreflexiveObjectProperty" => Word::IrreflexiveProperty,
        "SymmetricObjectProperty" => Word::SymmetricProperty,
        "AsymmetricObjectProperty" => Word::AsymmetricProperty,
        "TransitiveObjectProperty" => Word::TransitiveProperty,
        _ => return None,
    })
}
