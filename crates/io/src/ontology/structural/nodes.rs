//! Statements about nodes, and lists.

use super::super::collect::{LiteralRef, Term, mark};
use super::super::vocabulary::{Namespace, Word};
use super::construct::Literal;
use super::{AxiomWriter, Construct, Part, Problem};

impl Literal {
    pub(in super::super) fn borrowed(&self) -> LiteralRef<'_> {
        LiteralRef { text: &self.text, datatype: &self.datatype, language: &self.language }
    }
}

impl AxiomWriter<'_> {
    /// States that a node is related to another one.
    pub(in super::super) fn state(&mut self, subject: u32, word: Word, object: u32) {
        self.collector.state(subject, word.number(), Term::Node(object));
    }

    /// States that a node has a literal.
    pub(in super::super) fn state_literal(
        &mut self,
        subject: u32,
        predicate: u32,
        literal: &Literal,
    ) {
        self.collector.state(subject, predicate, Term::Literal(literal.borrowed()));
    }

    /// Declares the kind of a name.
    pub(in super::super) fn declare(&mut self, node: u32, kind: Word) {
        self.state(node, Word::Type, kind.number());
    }

    /// Returns a name of the vocabulary that has no meaning for the reader.
    pub(in super::super) fn word_of(&mut self, namespace: Namespace, local: &str) -> u32 {
        let name = format!("{}{local}", namespace.iri());
        self.collector.name(&name)
    }

    /// Counts an axiom that is not used.
    pub(in super::super) fn ignore(&mut self, namespace: Namespace, local: &str) {
        let name = self.word_of(namespace, local);
        self.collector.ignore(name);
    }

    /// Returns a list of objects.
    pub(in super::super) fn list(&mut self, members: &[Member<'_>]) -> u32 {
        let mut list = Word::Nil.number();
        for member in members.iter().rev() {
            let node = self.collector.fresh();
            match *member {
                Member::Node(object) => self.state(node, Word::First, object),
                Member::Literal(literal) => self.state_literal(node, Word::First.number(), literal),
            }
            self.state(node, Word::Rest, list);
            list = node;
        }
        list
    }

    /// Returns a list of nodes.
    pub(in super::super) fn node_list(&mut self, nodes: &[u32]) -> u32 {
        let members: Vec<Member<'_>> = nodes.iter().map(|&node| Member::Node(node)).collect();
        self.list(&members)
    }

    /// Returns the node of a property, marked with its kind.
    pub(super) fn property(&mut self, part: &Part, marks: u16, at: usize) -> Result<u32, Problem> {
        match part {
            Part::Node(node) => {
                self.collector.mark(*node, marks);
                Ok(*node)
            }
            Part::Construct(construct)
                if construct.name == "ObjectInverseOf" && marks == mark::ROLE =>
            {
                let [property] = construct.exactly()?;
                let property = self.property(property, marks, construct.at)?;
                Ok(self.inverse(property))
            }
            Part::Construct(construct) => {
                let message = format!("found {}; expected a property", construct.name);
                Err(Problem::new(construct.at, message))
            }
            Part::Literal(_) => Err(Problem::new(at, "found a literal; expected a property")),
        }
    }

    /// Returns the inverse of an object property.
    pub(in super::super) fn inverse(&mut self, property: u32) -> u32 {
        let node = self.collector.fresh();
        self.state(node, Word::InverseOf, property);
        node
    }
}

/// A member of a list.
#[derive(Clone, Copy, Debug)]
pub(in super::super) enum Member<'a> {
    Node(u32),
    Literal(&'a Literal),
}

impl Part {
    /// Returns the node of a name, of a kind that messages name.
    pub(super) fn name(&self, kind: &str, at: usize) -> Result<u32, Problem> {
        match self {
            Part::Node(node) => Ok(*node),
            Part::Literal(_) => Err(Problem::new(at, format!("found a literal; expected {kind}"))),
            Part::Construct(construct) => {
                let message = format!("found {}; expected {kind}", construct.name);
                Err(Problem::new(construct.at, message))
            }
        }
    }

    /// Returns a literal.
    pub(super) fn literal(&self, kind: &str, at: usize) -> Result<&Literal, Problem> {
        match self {
            Part::Literal(literal) => Ok(literal),
            Part::Node(_) => Err(Problem::new(at, format!("found a name; expected {kind}"))),
            Part::Construct(construct) => {
                let message = format!("found {}; expected {kind}", construct.name);
                Err(Problem::new(construct.at, message))
            }
        }
    }
}

impl Construct {
    /// Returns the parts, whose number is fixed.
    pub(super) fn exactly<const N: usize>(&self) -> Result<&[Part; N], Problem> {
        exactly(&self.parts, self.name, self.at)
    }
}

/// Returns the parts of a construct, whose number is fixed.
pub(super) fn exactly<'a, const N: usize>(
    parts: &'a [Part],
    name: &str,
    at: usize,
) -> Result<&'a [Part; N], Problem> {
    parts
        .try_into()
        .map_err(|_| Problem::new(at, format!("{name} has {}; expected {N}", counted(parts.len()))))
}

/// Checks the minimum number of parts.
pub(super) fn at_least(parts: &[Part], least: usize, construct: &Construct) -> Result<(), Problem> {
    if parts.len() >= least {
        return Ok(());
    }
    let message =
        format!("{} has {}; expected at least {least}", construct.name, counted(parts.len()));
    Err(Problem::new(construct.at, message))
}

fn counted(parts: usize) -> String {
    crate::source::error::counted(parts, "part")
}
