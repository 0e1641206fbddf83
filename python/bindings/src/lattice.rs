//! A lattice of concepts: walked, drawn, written.

use crate::concepts::members;
use crate::errors;
use crate::guard::guarded;
use pellucid::concepts::lattice::{self, dot, json};
use pellucid::data;
use pellucid::report::lattice::{DrawOptions, NameLabels, svg};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use std::sync::Arc;

/// Concepts in their order, numbered from the top down.
#[pyclass(module = "pellucid._native", frozen)]
pub(crate) struct Lattice {
    context: Arc<data::Context>,
    lattice: lattice::Lattice,
}

impl Lattice {
    pub(crate) fn new(context: Arc<data::Context>, lattice: lattice::Lattice) -> Lattice {
        Lattice { context, lattice }
    }

    fn known(&self, concept: u32) -> PyResult<u32> {
        if (concept as usize) < self.lattice.len() {
            return Ok(concept);
        }
        let told = format!("concept {concept}: there are {}, counted from 0", self.lattice.len());
        Err(PyIndexError::new_err(told))
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

    /// How many lines the diagram has.
    #[getter]
    fn edges(&self) -> usize {
        self.lattice.edges()
    }

    /// The concept of all attributes, unless it was left out.
    #[getter]
    fn bottom(&self) -> Option<u32> {
        self.lattice.bottom()
    }

    /// The attributes of a concept.
    fn intent(&self, concept: u32) -> PyResult<Vec<String>> {
        let concept = self.known(concept)?;
        guarded(|| Ok(members(&self.context.attributes, self.lattice.intent(concept))))
    }

    /// The objects of a concept.
    fn extent(&self, concept: u32) -> PyResult<Vec<String>> {
        let concept = self.known(concept)?;
        guarded(|| Ok(self.objects(&self.lattice.extent(concept))))
    }

    /// How many objects a concept has.
    fn support(&self, concept: u32) -> PyResult<u64> {
        Ok(self.lattice.support(self.known(concept)?))
    }

    /// The concepts right below one.
    fn lower(&self, concept: u32) -> PyResult<Vec<u32>> {
        Ok(self.lattice.lower(self.known(concept)?).to_vec())
    }

    /// The concepts right above one.
    fn upper(&self, concept: u32) -> PyResult<Vec<u32>> {
        Ok(self.lattice.upper(self.known(concept)?).to_vec())
    }

    /// The largest concept below both, if it is listed.
    fn meet(&self, a: u32, b: u32) -> PyResult<Option<u32>> {
        let (a, b) = (self.known(a)?, self.known(b)?);
        guarded(|| Ok(self.lattice.meet(a, b)))
    }

    /// The smallest concept above both.
    fn join(&self, a: u32, b: u32) -> PyResult<u32> {
        let (a, b) = (self.known(a)?, self.known(b)?);
        guarded(|| Ok(self.lattice.join(a, b)))
    }

    /// The lattice as a drawing.
    #[pyo3(signature = (labels="auto", interactive=false))]
    fn svg(&self, labels: &str, interactive: bool) -> PyResult<String> {
        let labels = match labels {
            "auto" => NameLabels::Auto,
            "all" => NameLabels::All,
            "hover" => NameLabels::Hover,
            other => {
                let told = format!("labels: found '{other}', allowed are auto, all and hover");
                return Err(PyValueError::new_err(told));
            }
        };
        let options = DrawOptions { labels, is_interactive: interactive };
        guarded(|| {
            let mut out = Vec::new();
            svg(&self.context, &self.lattice, &options, &mut out).map_err(errors::value)?;
            Ok(Lattice::text(out))
        })
    }

    /// The lattice for Graphviz.
    fn dot(&self) -> PyResult<String> {
        guarded(|| {
            let mut out = Vec::new();
            dot::write(&self.context, &self.lattice, &mut out)?;
            Ok(Lattice::text(out))
        })
    }

    /// The lattice for programs.
    fn to_json(&self) -> PyResult<String> {
        guarded(|| {
            let mut out = Vec::new();
            json::write(&self.context, &self.lattice, true, &mut out)?;
            Ok(Lattice::text(out))
        })
    }
}
