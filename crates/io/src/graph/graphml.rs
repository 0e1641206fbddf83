//! `GraphML`: nodes and edges as XML.
//!
//! The value of an edge named `weight` is its weight. If every node has a value named `label` or `name`, or
//! the label of yEd, and no two are equal, these are the names.

use super::builder::{GraphBuilder, weight};
use crate::source::error::{Position, ReadError, ReadProblem, shorten};
use pellucid_data::DependencyGraph;
use quick_xml::Reader;
use quick_xml::escape::{resolve_predefined_entity, unescape};
use quick_xml::events::{BytesStart, Event};
use rustc_hash::FxHashMap;

/// Reads all graphs of a file as one.
pub(super) fn read(text: &str, name: &str) -> Result<DependencyGraph, ReadError> {
    let mut reader = Reader::from_str(text);
    reader.config_mut().expand_empty_elements = true;
    let mut lines = LineCounter { text, position: 0, line: 1 };
    let mut graph = GraphMlReader::default();
    let mut depth = 0_u64;
    loop {
        let at = usize::try_from(reader.buffer_position()).unwrap_or(text.len());
        let line = lines.line_of(at);
        let fail = |found: &dyn std::fmt::Display| {
            ReadError::at(Position::Line(line), ReadProblem::Xml(found.to_string()))
        };
        match reader.read_event().map_err(|error| fail(&error))? {
            Event::Start(element) => {
                depth += 1;
                graph.start(&element, line)?;
            }
            Event::End(element) => {
                depth = depth.saturating_sub(1);
                graph.end(element.local_name().as_ref(), line)?;
            }
            Event::Text(text) => graph.add_text(&text.xml10_content()),
            Event::CData(text) => graph.add_text(&text.xml10_content()),
            Event::GeneralRef(entity) => {
                let predefined = resolve_predefined_entity(&entity);
                let number = entity.resolve_char_ref().ok().flatten();
                match (predefined, number) {
                    (Some(text), _) => graph.add_text(text),
                    (None, Some(letter)) => graph.add_text(letter.encode_utf8(&mut [0; 4])),
                    (None, None) => {}
                }
            }
            Event::Eof if depth > 0 => {
                return Err(ReadProblem::Ended("the end of the XML elements").into());
            }
            Event::Eof => break,
            _ => {}
        }
    }
    if !graph.has_graph {
        return Err(ReadProblem::Form {
            found: "XML without the element 'graph'".to_owned(),
            expected: "GraphML".to_owned(),
        }
        .into());
    }
    graph.builder.use_labels(&graph.labels);
    graph.builder.finish(name)
}

/// Finds the lines of ascending positions.
struct LineCounter<'a> {
    text: &'a str,
    position: usize,
    line: u64,
}

impl LineCounter<'_> {
    fn line_of(&mut self, position: usize) -> u64 {
        let passed = self.text.as_bytes().get(self.position..position).unwrap_or_default();
        self.line += passed.iter().filter(|&&byte| byte == b'\n').count() as u64;
        self.position = self.position.max(position);
        self.line
    }
}

#[derive(Default)]
struct GraphMlReader {
    builder: GraphBuilder,
    has_graph: bool,
    /// The names of values, by the ids of their keys.
    keys: FxHashMap<String, String>,
    /// The nodes that are open; a node may contain a graph.
    nodes: Vec<u32>,
    /// The open edge, with its weight.
    edge: Option<(u32, u32, Option<f64>)>,
    /// The name of the open value, and its text so far.
    value: Option<(String, String)>,
    labels: FxHashMap<u32, String>,
}

impl GraphMlReader {
    fn start(&mut self, element: &BytesStart<'_>, line: u64) -> Result<(), ReadError> {
        let needed = |name: &'static str| {
            attribute(element, name).ok_or_else(|| {
                let found =
                    format!("an element '{}' without '{name}'", element.local_name().as_ref());
                let problem =
                    ReadProblem::Form { found, expected: format!("the attribute '{name}'") };
                ReadError::at(Position::Line(line), problem)
            })
        };
        match element.local_name().as_ref() {
            "graph" => self.has_graph = true,
            "key" => {
                let id = needed("id")?;
                let name = attribute(element, "attr.name").unwrap_or_else(|| id.clone());
                self.keys.insert(id, name.to_lowercase());
            }
            "node" => self.nodes.push(self.builder.module(&needed("id")?)?),
            "edge" => {
                let from = self.builder.module(&needed("source")?)?;
                let to = self.builder.module(&needed("target")?)?;
                self.edge = Some((from, to, None));
            }
            "data" => {
                let key = needed("key")?;
                let name = self.keys.get(&key).unwrap_or(&key);
                self.value = Some((name.clone(), String::new()));
            }
            "NodeLabel" => self.value = Some(("label".to_owned(), String::new())),
            _ => {}
        }
        Ok(())
    }

    fn add_text(&mut self, text: &str) {
        if let Some((_, value)) = &mut self.value {
            value.push_str(text);
        }
    }

    fn end(&mut self, element: &str, line: u64) -> Result<(), ReadError> {
        match element {
            "node" => drop(self.nodes.pop()),
            "edge" => {
                if let Some((from, to, weight)) = self.edge.take() {
                    self.builder.edge(from, to, weight)?;
                }
            }
            "data" | "NodeLabel" => {
                let Some((name, text)) = self.value.take() else { return Ok(()) };
                match (&*name, &mut self.edge, self.nodes.last()) {
                    ("weight", Some(edge), _) => {
                        edge.2 = Some(weight(&text, Position::Line(line))?);
                    }
                    ("label" | "name", None, Some(&node)) if !text.trim().is_empty() => {
                        self.labels.entry(node).or_insert(text);
                    }
                    _ => {}
                }
            }
            _ => {}
        }
        Ok(())
    }
}

/// Returns the value of an attribute.
fn attribute(element: &BytesStart<'_>, name: &str) -> Option<String> {
    let found = element.try_get_attribute(name).ok().flatten()?;
    let value = unescape(&found.value).map_or_else(|_| shorten(&found.value), Into::into);
    Some(value)
}
