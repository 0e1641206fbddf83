//! OWL/XML: functional syntax, with elements in place of brackets.

use std::borrow::Cow;

use quick_xml::Reader;
use quick_xml::escape::{resolve_predefined_entity, unescape_with};
use quick_xml::events::{BytesStart, Event};
use rustc_hash::FxHashMap;

use super::collect::StatementCollector;
use super::entities;
use super::prefixes::Prefixes;
use super::structural::{AxiomWriter, Construct, DEEPEST, Literal, Part, Problem, constructor};
use crate::source::error::shorten;

/// Reads all axioms of a document.
pub(super) fn read(text: &str, collector: &mut StatementCollector) -> Result<(), Problem> {
    let mut reader = OwlXmlReader {
        entities: entities::of(text),
        prefixes: Prefixes::default(),
        writer: AxiomWriter::new(collector),
        open: Vec::new(),
    };
    let mut events = Reader::from_str(text);
    events.config_mut().expand_empty_elements = true;
    let mut ended = false;
    loop {
        let at = usize::try_from(events.buffer_position()).unwrap_or(text.len());
        let event = events.read_event().map_err(|error| {
            let at = usize::try_from(events.error_position()).unwrap_or(at);
            Problem::new(at, error.to_string())
        })?;
        match event {
            Event::Start(element) => reader.start(&element, at)?,
            Event::End(_) => {
                reader.end()?;
                ended = reader.open.is_empty();
            }
            Event::Text(text) => reader.add(&text.xml10_content(), at)?,
            Event::CData(text) => reader.add(&text.xml10_content(), at)?,
            Event::GeneralRef(entity) => {
                let text = match entity.resolve_char_ref() {
                    Ok(Some(letter)) => Cow::Owned(letter.to_string()),
                    _ => Cow::Borrowed(reader.entity(&entity).ok_or_else(|| {
                        Problem::new(at, format!("found the unknown entity '&{};'", &*entity))
                    })?),
                }
                .into_owned();
                reader.add(&text, at)?;
            }
            Event::Eof if ended => return Ok(()),
            Event::Eof => {
                return Err(Problem::new(
                    text.len(),
                    "unexpected end of file; expected </Ontology>",
                ));
            }
            _ => {}
        }
    }
}

struct OwlXmlReader<'a> {
    entities: FxHashMap<String, String>,
    prefixes: Prefixes,
    writer: AxiomWriter<'a>,
    /// The elements that are open.
    open: Vec<Element>,
}

/// An element that is open.
#[derive(Debug)]
enum Element {
    /// The root.
    Ontology,
    Construct(Construct),
    Literal(Literal),
    /// `IRI`, `AbbreviatedIRI` or `Import`, whose text is a name.
    Name {
        abbreviated: bool,
        at: usize,
        text: String,
    },
    /// An element with attributes only, such as `Prefix`; its content is left out.
    Empty,
}

impl OwlXmlReader<'_> {
    fn entity(&self, name: &str) -> Option<&str> {
        let own = self.entities.get(name).map(String::as_str);
        own.or_else(|| resolve_predefined_entity(name))
    }

    /// Returns an attribute.
    fn attribute(
        &self,
        element: &BytesStart<'_>,
        name: &str,
        at: usize,
    ) -> Result<Option<String>, Problem> {
        for attribute in element.attributes() {
            let attribute = attribute.map_err(|error| Problem::new(at, error.to_string()))?;
            if attribute.key.as_ref() == name {
                let value = unescape_with(&attribute.value, |entity| self.entity(entity));
                let value = value.map_err(|error| Problem::new(at, error.to_string()))?;
                return Ok(Some(value.into_owned()));
            }
        }
        Ok(None)
    }

    fn start(&mut self, element: &BytesStart<'_>, at: usize) -> Result<(), Problem> {
        let local = element.local_name();
        let local: &str = local.as_ref();
        if let Some(base) = self.attribute(element, "xml:base", at)?
            && self.open.is_empty()
        {
            self.prefixes.set_base(&base);
        }
        if self.open.len() > DEEPEST {
            return Err(Problem::new(at, format!("elements are more than {DEEPEST} levels deep")));
        }
        let opened = match (self.open.last(), local) {
            (None, "Ontology") => self.ontology(element, at)?,
            (None, _) => {
                let message = format!("found <{}>; expected <Ontology>", shorten(local));
                return Err(Problem::new(at, message));
            }
            (Some(Element::Empty), _) => Element::Empty,
            (Some(Element::Literal(_) | Element::Name { .. }), _) => {
                let message = format!("found <{}>; expected text", shorten(local));
                return Err(Problem::new(at, message));
            }
            (_, "Prefix") => {
                let name = self.attribute(element, "name", at)?.unwrap_or_default();
                let iri = self.required(element, "IRI", at)?;
                self.prefixes.add(&name, &iri);
                Element::Empty
            }
            (_, "IRI") => Element::Name { abbreviated: false, at, text: String::new() },
            (_, "AbbreviatedIRI") => Element::Name { abbreviated: true, at, text: String::new() },
            (Some(Element::Ontology), "Import") => {
                Element::Name { abbreviated: false, at, text: String::new() }
            }
            (_, "Literal" | "Constant") => {
                let datatype = match self.attribute(element, "datatypeIRI", at)? {
                    Some(iri) => self.prefixes.resolve(&iri),
                    None => String::new(),
                };
                let language = self.attribute(element, "xml:lang", at)?.unwrap_or_default();
                Element::Literal(Literal { datatype, language, ..Literal::default() })
            }
            (_, "AnonymousIndividual") => {
                let id = self.required(element, "nodeID", at)?;
                let node = self.writer.collector.blank(id.strip_prefix("_:").unwrap_or(&id));
                self.push(Part::Node(node), at)?;
                Element::Empty
            }
            _ => self.construct(element, local, at)?,
        };
        self.open.push(opened);
        Ok(())
    }

    fn ontology(&mut self, element: &BytesStart<'_>, at: usize) -> Result<Element, Problem> {
        for attribute in element.attributes().flatten() {
            let key: &str = attribute.key.as_ref();
            if let Some(prefix) = key.strip_prefix("xmlns:")
                && !self.prefixes.has(prefix)
                && let Ok(iri) = unescape_with(&attribute.value, |entity| self.entity(entity))
            {
                self.prefixes.add(prefix, &iri);
            }
        }
        if let Some(iri) = self.attribute(element, "ontologyIRI", at)? {
            let name = self.writer.collector.name(&self.prefixes.resolve(&iri));
            self.writer.ontology(name);
        }
        Ok(Element::Ontology)
    }

    fn required(&self, element: &BytesStart<'_>, name: &str, at: usize) -> Result<String, Problem> {
        let found = self.attribute(element, name, at)?;
        found.ok_or_else(|| {
            let local = element.local_name();
            Problem::new(at, format!("<{}> has no {name}; expected one", shorten(local.as_ref())))
        })
    }

    /// Opens an axiom, an expression or the name of something.
    fn construct(
        &mut self,
        element: &BytesStart<'_>,
        local: &str,
        at: usize,
    ) -> Result<Element, Problem> {
        let iri = match self.attribute(element, "IRI", at)? {
            Some(iri) => Some(self.prefixes.resolve(&iri)),
            None => match self.attribute(element, "abbreviatedIRI", at)? {
                Some(name) => {
                    let iri = self.prefixes.expand(&name);
                    Some(iri.map_err(|message| Problem::new(at, message))?)
                }
                None => None,
            },
        };
        // A variable belongs to a rule, and rules are only counted.
        if let Some(iri) = iri.filter(|_| local != "Variable") {
            let node = self.writer.collector.name(&iri);
            let parent = self.open.last();
            let declares =
                matches!(parent, Some(Element::Construct(parent)) if parent.name == "Declaration");
            let part = match constructor(local) {
                Some(name) if declares => {
                    Part::Construct(Box::new(Construct { name, parts: vec![Part::Node(node)], at }))
                }
                _ => Part::Node(node),
            };
            self.push(part, at)?;
            return Ok(Element::Empty);
        }
        let Some(name) = constructor(local) else {
            let hint = Construct::hint(local);
            let message =
                format!("found <{}>; expected an axiom or an expression{hint}", shorten(local));
            return Err(Problem::new(at, message));
        };
        let mut parts = Vec::new();
        if let Some(count) = self.attribute(element, "cardinality", at)? {
            parts.push(Part::Literal(Box::new(Literal { text: count, ..Literal::default() })));
        }
        if name == "FacetRestriction" {
            let facet = self.required(element, "facet", at)?;
            let node = self.writer.collector.name(&self.prefixes.resolve(&facet));
            parts.push(Part::Node(node));
        }
        Ok(Element::Construct(Construct { name, parts, at }))
    }

    fn add(&mut self, text: &str, at: usize) -> Result<(), Problem> {
        match self.open.last_mut() {
            Some(Element::Literal(literal)) => literal.text.push_str(text),
            Some(Element::Name { text: name, .. }) => name.push_str(text),
            Some(Element::Empty) => {}
            _ if text.trim().is_empty() => {}
            _ => {
                let message = format!("found '{}'; expected an element", shorten(text.trim()));
                return Err(Problem::new(at, message));
            }
        }
        Ok(())
    }

    fn end(&mut self) -> Result<(), Problem> {
        match self.open.pop() {
            Some(Element::Construct(construct)) => {
                if matches!(self.open.last(), Some(Element::Ontology)) {
                    return self.writer.axiom(&construct);
                }
                let at = construct.at;
                self.push(Part::Construct(Box::new(construct)), at)
            }
            Some(Element::Literal(literal)) => self.push(Part::Literal(Box::new(literal)), 0),
            Some(Element::Name { abbreviated, at, text }) => {
                let text = text.trim();
                let iri = if abbreviated {
                    self.prefixes.expand(text).map_err(|message| Problem::new(at, message))?
                } else {
                    self.prefixes.resolve(text)
                };
                let node = self.writer.collector.name(&iri);
                if matches!(self.open.last(), Some(Element::Ontology)) {
                    self.writer.collector.statements += 1;
                    self.writer.import(node);
                    return Ok(());
                }
                self.push(Part::Node(node), at)
            }
            _ => Ok(()),
        }
    }

    /// Adds a part to the construct that is open.
    fn push(&mut self, part: Part, at: usize) -> Result<(), Problem> {
        match self.open.last_mut() {
            Some(Element::Construct(construct)) => {
                construct.parts.push(part);
                Ok(())
            }
            _ => Err(Problem::new(at, "found a name or a literal; expected an axiom")),
        }
    }
}
