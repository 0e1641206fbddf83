//! The DOT language of Graphviz.
//!
//! Nodes are modules, edges are dependencies, and the attribute `weight` of an edge is its weight. An edge
//! from or to a subgraph stands for edges from or to all of its nodes. If every node has a label and no two
//! are equal, labels are the names; programs often number their nodes.

use super::builder::{GraphBuilder, weight};
use super::dot_tokens::{DotToken, DotTokens};
use crate::source::error::{Position, ReadError, ReadProblem, shorten};
use pellucid_data::DependencyGraph;
use rustc_hash::FxHashMap;
use std::borrow::Cow;

/// The deepest nesting of subgraphs.
const MOST_NESTED: usize = 100;

/// Reads all graphs of a file as one.
pub(super) fn read(text: &str, name: &str) -> Result<DependencyGraph, ReadError> {
    let mut parser = DotParser {
        tokens: DotTokens::new(text),
        ahead: None,
        builder: GraphBuilder::default(),
        labels: FxHashMap::default(),
    };
    while parser.peek()?.is_some() {
        parser.graph()?;
    }
    parser.builder.use_labels(&parser.labels);
    parser.builder.finish(name)
}

/// Attributes that matter: the weight with its line, and the label.
#[derive(Default)]
struct DotAttributes {
    weight: Option<(String, u64)>,
    label: Option<String>,
}

struct DotParser<'a> {
    tokens: DotTokens<'a>,
    /// The next token, if it was looked at.
    ahead: Option<Option<DotToken<'a>>>,
    builder: GraphBuilder,
    labels: FxHashMap<u32, String>,
}

impl<'a> DotParser<'a> {
    fn peek(&mut self) -> Result<Option<&DotToken<'a>>, ReadError> {
        if self.ahead.is_none() {
            self.ahead = Some(self.tokens.next()?);
        }
        Ok(self.ahead.as_ref().and_then(Option::as_ref))
    }

    fn next(&mut self) -> Result<Option<DotToken<'a>>, ReadError> {
        match self.ahead.take() {
            Some(token) => Ok(token),
            None => self.tokens.next(),
        }
    }

    fn is_next(&mut self, token: &DotToken<'_>) -> Result<bool, ReadError> {
        Ok(self.peek()? == Some(token))
    }

    /// Takes a mark if it is next.
    fn skip(&mut self, mark: char) -> Result<bool, ReadError> {
        let is_there = self.is_next(&DotToken::Mark(mark))?;
        if is_there {
            self.next()?;
        }
        Ok(is_there)
    }

    fn expect(&mut self, mark: char, expected: &str) -> Result<(), ReadError> {
        match self.next()? {
            Some(DotToken::Mark(found)) if found == mark => Ok(()),
            found => Err(self.wrong(found, expected)),
        }
    }

    fn wrong(&self, found: Option<DotToken<'_>>, expected: &str) -> ReadError {
        let found = match found {
            Some(DotToken::Id(text)) => shorten(&text),
            Some(DotToken::Keyword(word)) => word.to_owned(),
            Some(DotToken::Html) => "<…>".to_owned(),
            Some(DotToken::Arrow) => "->".to_owned(),
            Some(DotToken::Mark(mark)) => mark.to_string(),
            None => return ReadProblem::Ended("a closing brace").into(),
        };
        let problem = ReadProblem::Form { found, expected: expected.to_owned() };
        ReadError::at(Position::Line(self.tokens.line), problem)
    }

    /// Parses `strict digraph name { … }`.
    fn graph(&mut self) -> Result<(), ReadError> {
        if self.is_next(&DotToken::Keyword("strict"))? {
            self.next()?;
        }
        match self.next()? {
            Some(DotToken::Keyword("graph" | "digraph")) => {}
            found => return Err(self.wrong(found, "'graph' or 'digraph'")),
        }
        if let Some(DotToken::Id(_) | DotToken::Html) = self.peek()? {
            self.next()?;
        }
        self.expect('{', "'{'")?;
        self.statements(&mut Vec::new(), 0)
    }

    /// Parses statements up to a closing brace, and collects the nodes in them.
    fn statements(&mut self, nodes: &mut Vec<u32>, depth: usize) -> Result<(), ReadError> {
        loop {
            match self.peek()? {
                Some(DotToken::Mark('}')) => {
                    self.next()?;
                    return Ok(());
                }
                Some(DotToken::Mark(';' | ',')) => drop(self.next()?),
                Some(DotToken::Keyword("graph" | "node" | "edge")) => {
                    self.next()?;
                    self.attributes()?;
                }
                _ => self.edges(nodes, depth)?,
            }
        }
    }

    /// Parses a node, a subgraph, or several with edges between them, or an assignment.
    fn edges(&mut self, nodes: &mut Vec<u32>, depth: usize) -> Result<(), ReadError> {
        let Some(mut before) = self.operand(depth)? else { return Ok(()) };
        let mut pairs = Vec::new();
        let single = before.clone();
        while self.is_next(&DotToken::Arrow)? {
            self.next()?;
            let Some(after) = self.operand(depth)? else {
                return Err(self.wrong(Some(DotToken::Mark('=')), "a node"));
            };
            nodes.append(&mut before.clone());
            pairs.push((before, after.clone()));
            before = after;
        }
        nodes.append(&mut before);
        let attributes = self.attributes()?;
        let weight = attributes.weight.map(|(text, line)| weight(&text, Position::Line(line)));
        let weight = weight.transpose()?;
        if let (Some(label), true, [node]) = (attributes.label, pairs.is_empty(), &*single) {
            let lines = ["\\n", "\\l", "\\r"].iter();
            let label = lines.fold(label, |text, line| text.replace(line, " "));
            // Other escapes, such as the name of the node, are not resolved.
            if !label.contains('\\') {
                self.labels.insert(*node, label);
            }
        }
        for (from, to) in pairs {
            for &from in &from {
                for &to in &to {
                    self.builder.edge(from, to, weight)?;
                }
            }
        }
        Ok(())
    }

    /// Parses a node with an optional port, or a subgraph, and returns its nodes; `None` for `name=value`.
    fn operand(&mut self, depth: usize) -> Result<Option<Vec<u32>>, ReadError> {
        match self.next()? {
            Some(DotToken::Mark('{')) => self.subgraph(depth),
            Some(DotToken::Keyword("subgraph")) => {
                if let Some(DotToken::Id(_) | DotToken::Html) = self.peek()? {
                    self.next()?;
                }
                self.expect('{', "'{'")?;
                self.subgraph(depth)
            }
            Some(DotToken::Id(name)) => {
                let name = self.joined(name)?;
                if self.skip('=')? {
                    self.next()?;
                    return Ok(None);
                }
                while self.skip(':')? {
                    self.next()?;
                }
                Ok(Some(vec![self.builder.module(&name)?]))
            }
            found => Err(self.wrong(found, "a node, an edge, a subgraph or '}'")),
        }
    }

    /// Parses the rest of `"a" + "b"`.
    fn joined(&mut self, first: Cow<'a, str>) -> Result<Cow<'a, str>, ReadError> {
        let mut text = first;
        while self.skip('+')? {
            match self.next()? {
                Some(DotToken::Id(more)) => text.to_mut().push_str(&more),
                found => return Err(self.wrong(found, "a quoted text")),
            }
        }
        Ok(text)
    }

    /// Parses a subgraph after its opening brace.
    fn subgraph(&mut self, depth: usize) -> Result<Option<Vec<u32>>, ReadError> {
        if depth == MOST_NESTED {
            let expected = format!("at most {MOST_NESTED} subgraphs in each other");
            return Err(self.wrong(Some(DotToken::Mark('{')), &expected));
        }
        let mut nodes = Vec::new();
        self.statements(&mut nodes, depth + 1)?;
        nodes.sort_unstable();
        nodes.dedup();
        Ok(Some(nodes))
    }

    /// Parses lists of attributes in brackets.
    fn attributes(&mut self) -> Result<DotAttributes, ReadError> {
        let mut attributes = DotAttributes::default();
        while self.skip('[')? {
            while !self.skip(']')? {
                let key = match self.next()? {
                    Some(DotToken::Mark(',' | ';')) => continue,
                    Some(DotToken::Id(key)) => key,
                    found => return Err(self.wrong(found, "an attribute or ']'")),
                };
                if !self.skip('=')? {
                    continue;
                }
                let value = match self.next()? {
                    Some(DotToken::Id(value)) => self.joined(value)?,
                    Some(DotToken::Html) => Cow::Borrowed(""),
                    found => return Err(self.wrong(found, "the value of an attribute")),
                };
                match &*key {
                    "weight" => attributes.weight = Some((value.into_owned(), self.tokens.line)),
                    "label" => attributes.label = Some(value.into_owned()),
                    _ => {}
                }
            }
        }
        Ok(attributes)
    }
}
