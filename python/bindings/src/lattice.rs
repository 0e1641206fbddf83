//! Concept lattices.

use crate::concepts::members;
use crate::errors;
use crate::guard::guarded;
use pellucid::concepts::lattice::{self, dot, json};
use pellucid::data;
use pellucid::report::lattice::{DrawOptions, NameLabels, explorer, svg};
use pellucid::report::page::Provenance;
use pellucid::reports;
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use std::sync::Arc;

/// A concept lattice, with concepts numbered from the top down.
#[pyclass(module = "pellucid._native", frozen)]
pub(crate) struct Lattice {
    context: Arc<data::Context>,
    lattice: lattice::Lattice,
}

impl Lattice {
    pub(crate) fn new(context: Arc<data::Context>, lattice: lattice::Lattice) -> Lattice {
        Lattice { context, lattice }
    }

    fn check_index(&self, concept: u32) -> PyResult<u32> {
        let count = self.lattice.len();
        if (concept as usize) < count {
            return Ok(concept);
        }
        let message =
            format!("concept {concept} is out of range: the lattice has {count} concepts");
        Err(PyIndexError::new_err(message))
    }

    fn text(written: Vec<u8>) -> String {
        String::from_utf8_lossy(&written).into_owned()
    }

    fn objects(&self, places: &[u32]) -> Vec<String> {
        let name = |&place: &u32| self.context.objects.get(place as usize).into_owned();
        places.iter().map(name).collect()
    }
}

#[pymethods]
impl Lattice {
    fn __len__(&self) -> usize {
        self.lattice.len()
    }

    /// The number of edges of the diagram.
    #[getter]
    fn edges(&self) -> usize {
        self.lattice.edges()
    }

    /// The concept with all attributes, or nothing if its support is too low.
    #[getter]
    fn bottom(&self) -> Option<u32> {
        self.lattice.bottom()
    }

    /// Returns the attributes of a concept.
    fn intent(&self, concept: u32) -> PyResult<Vec<String>> {
        let concept = self.check_index(concept)?;
        guarded(|| Ok(members(&self.context.attributes, self.lattice.intent(concept))))
    }

    /// Returns the objects of a concept.
    fn extent(&self, concept: u32) -> PyResult<Vec<String>> {
        let concept = self.check_index(concept)?;
        guarded(|| Ok(self.objects(&self.lattice.extent(concept))))
    }

    /// Returns the number of objects of a concept.
    fn support(&self, concept: u32) -> PyResult<u64> {
        Ok(self.lattice.support(self.check_index(concept)?))
    }

    /// Returns the lower neighbors of a concept.
    fn lower(&self, concept: u32) -> PyResult<Vec<u32>> {
        Ok(self.lattice.lower(self.check_index(concept)?).to_vec())
    }

    /// Returns the upper neighbors of a concept.
    fn upper(&self, concept: u32) -> PyResult<Vec<u32>> {
        Ok(self.lattice.upper(self.check_index(concept)?).to_vec())
    }

    /// Returns the largest concept below two concepts, or nothing if its support is too low.
    fn meet(&self, a: u32, b: u32) -> PyResult<Option<u32>> {
        let (a, b) = (self.check_index(a)?, self.check_index(b)?);
        guarded(|| Ok(self.lattice.meet(a, b)))
    }

    /// Returns the smallest concept above two concepts.
    fn join(&self, a: u32, b: u32) -> PyResult<u32> {
        let (a, b) = (self.check_index(a)?, self.check_index(b)?);
        guarded(|| Ok(self.lattice.join(a, b)))
    }

    /// Returns the diagram as SVG.
    #[pyo3(signature = (labels="auto", interactive=false))]
    fn svg(&self, labels: &str, interactive: bool) -> PyResult<String> {
        let labels = match labels {
            "auto" => NameLabels::Auto,
            "all" => NameLabels::All,
            "hover" => NameLabels::Hover,
            other => {
                let message = format!("labels: found '{other}'; expected one of auto, all, hover");
                return Err(PyValueError::new_err(message));
            }
        };
        let options = DrawOptions { labels, is_interactive: interactive };
        guarded(|| {
            let mut out = Vec::new();
            svg(&self.context, &self.lattice, &options, &mut out).map_err(errors::value)?;
            Ok(Lattice::text(out))
        })
    }

    /// Returns the page in which the lattice can be explored.
    fn page(&self) -> PyResult<String> {
        guarded(|| {
            let from = Provenance { date: Some(reports::today()), ..Provenance::default() };
            let version = env!("CARGO_PKG_VERSION");
            explorer(&self.context, &self.lattice, version, &from).map_err(errors::value)
        })
    }

    /// Returns the lattice as a Graphviz file.
    fn dot(&self) -> PyResult<String> {
        guarded(|| {
            let mut out = Vec::new();
            dot::write(&self.context, &self.lattice, &mut out)?;
            Ok(Lattice::text(out))
        })
    }

    /// Returns the lattice as JSON.
    fn to_json(&self) -> PyResult<String> {
        guarded(|| {
            let mut out = Vec::new();
            json::write(&self.context, &self.lattice, true, &mut out)?;
            Ok(Lattice::text(out))
        })
    }
}
