//! Class expressions and data ranges.

use super::super::collect::mark;
use super::super::vocabulary::{Namespace, Word};
use super::construct::Literal;
use super::nodes::{Member, at_least, exactly};
use super::{AxiomWriter, Construct, Part, Problem};

/// A restriction of a property.
#[derive(Clone, Copy, Debug)]
pub(in super::super) enum Filler<'a> {
    None,
    Class(u32),
    Range(u32),
    Value(Member<'a>),
}

impl AxiomWriter<'_> {
    /// Returns the node of a class or of a data range.
    pub(super) fn class(&mut self, part: &Part, at: usize) -> Result<u32, Problem> {
        match part {
            Part::Node(node) => Ok(*node),
            Part::Literal(_) => Err(Problem::new(at, "found a literal; expected a class")),
            Part::Construct(construct) => self.expression(construct),
        }
    }

    pub(super) fn classes(&mut self, parts: &[Part], at: usize) -> Result<Vec<u32>, Problem> {
        parts.iter().map(|part| self.class(part, at)).collect()
    }

    fn expression(&mut self, construct: &Construct) -> Result<u32, Problem> {
        let (at, parts) = (construct.at, &construct.parts[..]);
        let set = |word| Ok::<_, Problem>((word, at_least(parts, 1, construct)?));
        match construct.name {
            "ObjectIntersectionOf" | "DataIntersectionOf" => {
                let (word, ()) = set(Word::IntersectionOf)?;
                let classes = self.classes(parts, at)?;
                Ok(self.combination(word, &classes, construct.name.starts_with("Data")))
            }
            "ObjectUnionOf" | "DataUnionOf" => {
                let (word, ()) = set(Word::UnionOf)?;
                let classes = self.classes(parts, at)?;
                Ok(self.combination(word, &classes, construct.name.starts_with("Data")))
            }
            "ObjectComplementOf" => {
                let [class] = construct.exactly()?;
                let class = self.class(class, at)?;
                Ok(self.complement(class, Word::ComplementOf))
            }
            "DataComplementOf" => {
                let [range] = construct.exactly()?;
                let range = self.class(range, at)?;
                Ok(self.complement(range, Word::DatatypeComplementOf))
            }
            "ObjectOneOf" => {
                let members: Result<Vec<Member<'_>>, Problem> = parts
                    .iter()
                    .map(|part| part.name("an individual", at).map(Member::Node))
                    .collect();
                Ok(self.one_of(&members?, false))
            }
            "DataOneOf" => {
                let members: Result<Vec<Member<'_>>, Problem> = parts
                    .iter()
                    .map(|part| part.literal("a literal", at).map(Member::Literal))
                    .collect();
                Ok(self.one_of(&members?, true))
            }
            "DatatypeRestriction" => self.facets(construct),
            _ => self.restriction_of(construct),
        }
    }

    /// Returns an intersection or a union.
    pub(in super::super) fn combination(&mut self, word: Word, parts: &[u32], data: bool) -> u32 {
        let node = self.unnamed_class(data);
        let list = self.node_list(parts);
        self.state(node, word, list);
        node
    }

    /// Returns a complement.
    pub(in super::super) fn complement(&mut self, class: u32, word: Word) -> u32 {
        let node = self.unnamed_class(word == Word::DatatypeComplementOf);
        self.state(node, word, class);
        node
    }

    /// Returns an enumeration.
    pub(in super::super) fn one_of(&mut self, members: &[Member<'_>], data: bool) -> u32 {
        let node = self.unnamed_class(data);
        let list = self.list(members);
        self.state(node, Word::OneOf, list);
        node
    }

    fn unnamed_class(&mut self, data: bool) -> u32 {
        let node = self.collector.fresh();
        self.declare(node, if data { Word::Datatype } else { Word::Class });
        node
    }

    fn restriction_of(&mut self, construct: &Construct) -> Result<u32, Problem> {
        let (at, parts) = (construct.at, &construct.parts[..]);
        let name = construct.name;
        let object = name.strip_prefix("Object");
        let kind = if object.is_some() { mark::ROLE } else { mark::PROPERTY };
        match object.or_else(|| name.strip_prefix("Data")).unwrap_or_default() {
            "SomeValuesFrom" => self.values_from(construct, Word::SomeValuesFrom, kind),
            "AllValuesFrom" => self.values_from(construct, Word::AllValuesFrom, kind),
            "HasValue" => {
                let [property, value] = construct.exactly()?;
                let property = self.property(property, kind, at)?;
                let value = match value {
                    Part::Literal(literal) if kind == mark::PROPERTY => Member::Literal(literal),
                    value if kind == mark::ROLE => Member::Node(value.name("an individual", at)?),
                    _ => return Err(Problem::new(at, "found a name; expected a literal")),
                };
                Ok(self.restriction(property, Word::HasValue, Filler::Value(value), None))
            }
            "HasSelf" => {
                let [property] = construct.exactly()?;
                let property = self.property(property, kind, at)?;
                Ok(self.has_self(property))
            }
            "MinCardinality" => self.cardinality(construct, kind, Word::MinCardinality),
            "MaxCardinality" => self.cardinality(construct, kind, Word::MaxCardinality),
            "ExactCardinality" => self.cardinality(construct, kind, Word::Cardinality),
            _ => {
                let message = format!("found {name} with {} parts; expected a class", parts.len());
                Err(Problem::new(at, message))
            }
        }
    }

    fn values_from(
        &mut self,
        construct: &Construct,
        word: Word,
        kind: u16,
    ) -> Result<u32, Problem> {
        let at = construct.at;
        if let [properties @ .., range] = &construct.parts[..]
            && properties.len() > 1
            && kind == mark::PROPERTY
        {
            // A condition on several values at once. It has no `onProperty`, so its axiom is noted
            // as one that cannot be read.
            let node = self.collector.fresh();
            self.declare(node, Word::Restriction);
            let range = self.class(range, at)?;
            self.state(node, word, range);
            return Ok(node);
        }
        let [property, filler] = construct.exactly()?;
        let property = self.property(property, kind, at)?;
        let filler = self.class(filler, at)?;
        Ok(self.restriction(property, word, Filler::Class(filler), None))
    }

    fn cardinality(
        &mut self,
        construct: &Construct,
        kind: u16,
        word: Word,
    ) -> Result<u32, Problem> {
        let (at, parts) = (construct.at, &construct.parts[..]);
        let (parts, filler) = match parts {
            [count, property, filler] => ([count, property], Some(filler)),
            _ => {
                let [count, property] = exactly(parts, construct.name, at)?;
                ([count, property], None)
            }
        };
        let count = parts[0].literal("a cardinality", at)?;
        let property = self.property(parts[1], kind, at)?;
        let filler = match filler {
            None => Filler::None,
            Some(filler) if kind == mark::ROLE => Filler::Class(self.class(filler, at)?),
            Some(filler) => Filler::Range(self.class(filler, at)?),
        };
        Ok(self.restriction(property, word, filler, Some(count)))
    }

    /// Returns a restriction. A cardinality has a number; with a filler, it is a qualified one.
    pub(in super::super) fn restriction(
        &mut self,
        property: u32,
        word: Word,
        filler: Filler<'_>,
        count: Option<&Literal>,
    ) -> u32 {
        let node = self.collector.fresh();
        self.declare(node, Word::Restriction);
        self.state(node, Word::OnProperty, property);
        if let Some(count) = count {
            let word = if matches!(filler, Filler::None) { word } else { qualified(word) };
            self.state_literal(node, word.number(), count);
        }
        match filler {
            Filler::None => {}
            Filler::Class(class) if count.is_some() => self.state(node, Word::OnClass, class),
            Filler::Range(range) if count.is_some() => self.state(node, Word::OnDataRange, range),
            Filler::Class(filler) | Filler::Range(filler) => self.state(node, word, filler),
            Filler::Value(Member::Node(value)) => self.state(node, word, value),
            Filler::Value(Member::Literal(value)) => {
                self.state_literal(node, word.number(), value);
            }
        }
        node
    }

    /// Returns the class of all individuals that are related to themselves.
    pub(in super::super) fn has_self(&mut self, property: u32) -> u32 {
        let datatype = format!("{}boolean", Namespace::Xsd.iri());
        let literal = Literal { text: "true".to_owned(), datatype, ..Literal::default() };
        let value = Filler::Value(Member::Literal(&literal));
        self.restriction(property, Word::HasSelf, value, None)
    }

    /// Returns a datatype with facets: `DatatypeRestriction(xsd:integer xsd:minInclusive "5")`. In
    /// OWL/XML, each facet is an element.
    fn facets(&mut self, construct: &Construct) -> Result<u32, Problem> {
        let at = construct.at;
        at_least(&construct.parts, 2, construct)?;
        let datatype = construct.parts[0].name("a datatype", at)?;
        let mut facets = Vec::new();
        let mut rest = &construct.parts[1..];
        while let Some((first, after)) = rest.split_first() {
            let (facet, value, after) = match first {
                Part::Construct(facet) if facet.name == "FacetRestriction" => {
                    let [name, value] = facet.exactly()?;
                    (name, value, after)
                }
                first => match after.split_first() {
                    Some((value, after)) => (first, value, after),
                    None => return Err(Problem::new(at, "found a facet without a value")),
                },
            };
            let facet = facet.name("a facet", at)?;
            facets.push((facet, value.literal("the value of a facet", at)?));
            rest = after;
        }
        Ok(self.datatype_with(datatype, &facets))
    }

    /// Returns a datatype with facets.
    pub(in super::super) fn datatype_with(
        &mut self,
        datatype: u32,
        facets: &[(u32, &Literal)],
    ) -> u32 {
        let node = self.unnamed_class(true);
        self.state(node, Word::OnDatatype, datatype);
        let mut nodes = Vec::with_capacity(facets.len());
        for &(facet, value) in facets {
            let facet_node = self.collector.fresh();
            self.state_literal(facet_node, facet, value);
            nodes.push(facet_node);
        }
        let list = self.node_list(&nodes);
        self.state(node, Word::WithRestrictions, list);
        node
    }
}

/// Returns the qualified form of a cardinality.
fn qualified(word: Word) -> Word {
    match word {
        Word::MinCardinality => Word::MinQualifiedCardinality,
        Word::MaxCardinality => Word::MaxQualifiedCardinality,
        Word::Cardinality => Word::QualifiedCardinality,
        other => other,
    }
}
