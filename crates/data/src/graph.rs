//! Dependency graphs: modules, and which of them uses which.

use crate::{Context, Message};
use thiserror::Error;

/// An edge of a graph: one module uses another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dependency {
    /// The module that uses the other one.
    pub from: u32,
    /// The module that is used.
    pub to: u32,
    /// The strength, a positive number; 1 without weights.
    pub weight: f64,
}

/// A directed graph of modules. Readers return it; `pellucid-concepts` clusters it.
///
/// ```
/// use pellucid_data::{Dependency, DependencyGraph};
/// let edge = |from, to| Dependency { from, to, weight: 2.0 };
/// let names = ["main", "parser"].map(str::to_owned).to_vec();
/// let graph = DependencyGraph::new("compiler", names, [edge(0, 1), edge(0, 1), edge(1, 1)], true)?;
/// // Edges between the same modules are added, and a module does not depend on itself.
/// assert_eq!(graph.edges(), [Dependency { from: 0, to: 1, weight: 4.0 }]);
/// # Ok::<(), pellucid_data::GraphError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct DependencyGraph {
    /// The name of the file without its extension, or of the folder.
    pub name: String,
    /// The names of the modules.
    pub modules: Vec<String>,
    /// The assumptions of the reader.
    pub notes: Vec<Message>,
    is_weighted: bool,
    edges: Vec<Dependency>,
}

/// The reason why edges or a context are not a graph.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum GraphError {
    /// An edge to a module that does not exist.
    #[error("an edge ends at module {found} of {modules}")]
    Module {
        /// The index of the module.
        found: u32,
        /// The number of modules.
        modules: usize,
    },
    /// A weight that is not a positive finite number.
    #[error("found the weight {found}; expected a positive number")]
    Weight {
        /// The weight.
        found: f64,
    },
    /// A context whose objects and attributes are not the same modules.
    #[error(
        "object {number} is '{object}', but attribute {number} is '{attribute}'; a graph needs the \
         same objects and attributes in the same order"
    )]
    Names {
        /// The position of the names, counted from 1.
        number: usize,
        /// The name of the object.
        object: String,
        /// The name of the attribute.
        attribute: String,
    },
    /// A context with more objects than attributes, or fewer.
    #[error(
        "a graph needs the same modules as objects and attributes; \
         found {objects} objects and {attributes} attributes"
    )]
    Sizes {
        /// The number of objects.
        objects: usize,
        /// The number of attributes.
        attributes: usize,
    },
}

impl DependencyGraph {
    /// Returns a graph without repeated edges. With weights, those of repeated edges are added; without,
    /// every edge has the weight 1. Edges of a module to itself are left out.
    ///
    /// # Errors
    /// If an edge ends at a module that does not exist, or a weight is not a positive number.
    pub fn new(
        name: impl Into<String>,
        modules: Vec<String>,
        edges: impl IntoIterator<Item = Dependency>,
        is_weighted: bool,
    ) -> Result<DependencyGraph, GraphError> {
        let mut sorted: Vec<Dependency> = Vec::new();
        for edge in edges {
            if let Some(found) =
                [edge.from, edge.to].into_iter().find(|&end| end as usize >= modules.len())
            {
                return Err(GraphError::Module { found, modules: modules.len() });
            }
            if is_weighted && !(edge.weight > 0.0 && edge.weight.is_finite()) {
                return Err(GraphError::Weight { found: edge.weight });
            }
            if edge.from != edge.to {
                sorted.push(if is_weighted { edge } else { Dependency { weight: 1.0, ..edge } });
            }
        }
        // The sort is stable, so weights are added in the order of the file.
        sorted.sort_by_key(|edge| (edge.from, edge.to));
        sorted.dedup_by(|next, kept| {
            let is_same = (next.from, next.to) == (kept.from, kept.to);
            if is_same && is_weighted {
                kept.weight += next.weight;
            }
            is_same
        });
        if let Some(edge) = sorted.iter().find(|edge| !edge.weight.is_finite()) {
            return Err(GraphError::Weight { found: edge.weight });
        }
        let name = name.into();
        Ok(DependencyGraph { name, modules, notes: Vec::new(), is_weighted, edges: sorted })
    }

    /// Returns the graph of a context whose objects and attributes are the same modules: a cross means
    /// that the object uses the attribute.
    ///
    /// # Errors
    /// If objects and attributes differ.
    pub fn of_context(context: &Context) -> Result<DependencyGraph, GraphError> {
        let (objects, attributes) = (&context.objects, &context.attributes);
        for (index, (object, attribute)) in objects.iter().zip(attributes.iter()).enumerate() {
            if object != attribute {
                let (object, attribute) = (object.into_owned(), attribute.into_owned());
                return Err(GraphError::Names { number: index + 1, object, attribute });
            }
        }
        if objects.len() != attributes.len() {
            let (objects, attributes) = (objects.len(), attributes.len());
            return Err(GraphError::Sizes { objects, attributes });
        }
        let modules = objects.iter().map(Into::into).collect();
        let edges = (0..).zip(context.relation.rows()).flat_map(|(from, row)| {
            row.iter().map(move |&to| Dependency { from, to, weight: 1.0 })
        });
        DependencyGraph::new(context.name.clone(), modules, edges, false)
    }

    /// Returns the edges in ascending order, each pair of modules at most once.
    #[must_use]
    pub fn edges(&self) -> &[Dependency] {
        &self.edges
    }

    /// Whether the edges have weights.
    #[must_use]
    pub fn is_weighted(&self) -> bool {
        self.is_weighted
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Names, Relation};

    #[test]
    fn edges_are_checked() {
        let graph = |from, to, weight| {
            let modules = vec!["a".to_owned(), "b".to_owned()];
            DependencyGraph::new("g", modules, [Dependency { from, to, weight }], true)
        };
        assert_eq!(graph(0, 2, 1.0), Err(GraphError::Module { found: 2, modules: 2 }));
        for weight in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let error = graph(0, 1, weight).unwrap_err().to_string();
            assert!(error.ends_with("expected a positive number"), "{error}");
        }
        let large = [Dependency { from: 0, to: 1, weight: f64::MAX }; 2];
        let modules = vec!["a".to_owned(), "b".to_owned()];
        assert!(DependencyGraph::new("g", modules, large, true).is_err());
    }

    #[test]
    fn contexts_need_the_same_modules_on_both_sides() {
        let context = |objects: &[&str], attributes: &[&str]| {
            let rows = vec![vec![0]; objects.len()];
            let relation = Relation::new(attributes.len(), rows).unwrap();
            let names = |names: &[&str]| names.iter().copied().collect::<Names>();
            Context::new("c", names(objects), names(attributes), relation)
        };
        let graph = DependencyGraph::of_context(&context(&["a", "b"], &["a", "b"])).unwrap();
        assert_eq!(graph.edges(), [Dependency { from: 1, to: 0, weight: 1.0 }]);
        let error = DependencyGraph::of_context(&context(&["a", "b"], &["a", "c"])).unwrap_err();
        assert!(error.to_string().contains("object 2 is 'b', but attribute 2 is 'c'"), "{error}");
        let error = DependencyGraph::of_context(&context(&["a"], &["a", "c"])).unwrap_err();
        assert!(error.to_string().contains("1 objects and 2 attributes"), "{error}");
    }
}
