//! Relations, which are object properties.

use super::super::structural::Problem;
use super::super::vocabulary::{Namespace, Word};
use super::OboReader;
use super::clause::{Clause, Stanza};

impl OboReader<'_> {
    pub(super) fn typedef(&mut self, stanza: &Stanza<'_>) -> Result<(), Problem> {
        let property = self.subject(stanza)?;
        let metadata = |clause: &Clause<'_>| clause.tag == "is_metadata_tag" && clause.is_true();
        let annotates = stanza.clauses.iter().any(metadata);
        let kind = if annotates { Word::AnnotationProperty } else { Word::ObjectProperty };
        self.writer.collector.statements += 1;
        self.writer.declare(property, kind);
        for clause in &stanza.clauses {
            match clause.tag {
                "id" | "is_metadata_tag" => {}
                "name" => self.label(property, clause),
                _ if annotates => self.ignore(clause),
                _ => self.relation(property, clause)?,
            }
        }
        Ok(())
    }

    fn relation(&mut self, property: u32, clause: &Clause<'_>) -> Result<(), Problem> {
        if let Some(kind) = characteristic(clause.tag) {
            if clause.is_true() {
                self.writer.collector.statements += 1;
                self.writer.declare(property, kind);
            }
            return Ok(());
        }
        let word = match clause.tag {
            "is_a" => Word::SubPropertyOf,
            "equivalent_to" => Word::EquivalentProperty,
            "inverse_of" => Word::InverseOf,
            "domain" => Word::Domain,
            "range" => Word::Range,
            "disjoint_from" => {
                self.writer.ignore(Namespace::Owl, "propertyDisjointWith");
                return Ok(());
            }
            "transitive_over" => {
                let other = self.identifier(clause.identifier()?);
                self.chain(property, &[property, other]);
                return Ok(());
            }
            "holds_over_chain" | "equivalent_to_chain" => {
                let (first, second) = clause.two_words()?;
                let steps = [self.identifier(first), self.identifier(second)];
                self.chain(property, &steps);
                return Ok(());
            }
            _ => {
                self.ignore(clause);
                return Ok(());
            }
        };
        let other = self.identifier(clause.identifier()?);
        self.writer.collector.statements += 1;
        self.writer.state(property, word, other);
        Ok(())
    }

    fn chain(&mut self, property: u32, steps: &[u32]) {
        self.writer.collector.statements += 1;
        let list = self.writer.node_list(steps);
        self.writer.state(property, Word::PropertyChainAxiom, list);
    }
}

fn characteristic(tag: &str) -> Option<Word> {
    Some(match tag {
        "is_transitive" => Word::TransitiveProperty,
        "is_symmetric" => Word::SymmetricProperty,
        "is_reflexive" => Word::ReflexiveProperty,
        "is_functional" => Word::FunctionalProperty,
        "is_inverse_functional" => Word::InverseFunctionalProperty,
        "is_asymmetric" => Word::AsymmetricProperty,
        _ => return None,
    })
}
