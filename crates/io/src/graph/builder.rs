//! Collects the modules and edges of a graph.

use crate::source::error::{Position, ReadError, ReadProblem, counted, shorten};
use pellucid_data::{Dependency, DependencyGraph, Message, message};
use rustc_hash::{FxHashMap, FxHashSet};

/// The most edges of a graph. A short text with sets on both sides of an edge could make more.
const MOST_EDGES: usize = 1 << 25;

/// The modules and edges so far. Modules are numbered in the order in which they are added.
#[derive(Debug, Default)]
pub(super) struct GraphBuilder {
    modules: Vec<String>,
    numbers: FxHashMap<String, u32>,
    edges: Vec<Dependency>,
    is_weighted: bool,
    pub(super) notes: Vec<Message>,
}

impl GraphBuilder {
    /// Returns the number of a module, which is added if it is new.
    pub(super) fn module(&mut self, name: &str) -> Result<u32, ReadProblem> {
        if let Some(&number) = self.numbers.get(name) {
            return Ok(number);
        }
        let number = u32::try_from(self.modules.len()).map_err(|_| ReadProblem::Memory)?;
        self.modules.push(name.to_owned());
        self.numbers.insert(name.to_owned(), number);
        Ok(number)
    }

    /// Adds an edge; without a weight it has the weight 1.
    pub(super) fn edge(
        &mut self,
        from: u32,
        to: u32,
        weight: Option<f64>,
    ) -> Result<(), ReadProblem> {
        if self.edges.len() == MOST_EDGES {
            let found = format!("more than {MOST_EDGES} edges");
            return Err(ReadProblem::Form { found, expected: "a smaller graph".to_owned() });
        }
        self.is_weighted |= weight.is_some();
        self.edges.push(Dependency { from, to, weight: weight.unwrap_or(1.0) });
        Ok(())
    }

    /// Takes labels as names if every module has one, and no two are equal.
    pub(super) fn use_labels(&mut self, labels: &FxHashMap<u32, String>) {
        let numbers = (0u32..).take(self.modules.len());
        let names: Vec<String> = numbers
            .filter_map(|module| labels.get(&module))
            .map(|label| label.split_whitespace().collect::<Vec<_>>().join(" "))
            .filter(|label| !label.is_empty())
            .collect();
        let distinct: FxHashSet<&String> = names.iter().collect();
        if distinct.len() == self.modules.len() && names != self.modules {
            self.modules = names;
            self.notes.push("used the labels of the nodes as names".into());
        }
    }

    /// Returns the graph, which has at least one edge.
    pub(super) fn finish(mut self, name: &str) -> Result<DependencyGraph, ReadError> {
        if self.edges.is_empty() {
            return Err(ReadProblem::NoEdges.into());
        }
        let to_self = self.edges.iter().filter(|edge| edge.from == edge.to).count();
        if to_self > 0 {
            let edges = counted(to_self, "edge");
            self.notes.push(message!("ignored {edges} of a module to itself"));
        }
        let graph = DependencyGraph::new(name, self.modules, self.edges, self.is_weighted);
        let mut graph = graph.map_err(|error| ReadProblem::Options(error.to_string().into()))?;
        graph.notes = self.notes;
        Ok(graph)
    }
}

/// Returns the weight in a text.
pub(super) fn weight(text: &str, position: Position) -> Result<f64, ReadError> {
    let number = crate::cells::number::parse(text.trim());
    number.filter(|weight| *weight > 0.0 && weight.is_finite()).ok_or_else(|| {
        let expected = "a weight, which is a positive number".to_owned();
        ReadError::at(position, ReadProblem::Form { found: shorten(text), expected })
    })
}
