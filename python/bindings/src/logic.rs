//! Ontologies: class expressions are learned from individuals, and asked about.

use crate::errors;
use crate::fit::{RunOptions, learn};
use crate::guard::{detached, guarded};
use crate::learners::chosen;
use crate::machine::machine;
use crate::model::Model;
use crate::predictions::Predictions;
use pellucid::evaluate::{Covered, Evaluator, OntologyQuestion};
use pellucid::io::{LearningProblem, read_ontology_from};
use pellucid::logic::learn::Individuals;
use pellucid::logic::{self, Closure};
use pellucid::read::knowledge_base;
use pellucid::registry::Data;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;
use std::sync::Arc;

/// An ontology with its conclusions drawn.
#[pyclass(module = "pellucid._native", frozen)]
pub(crate) struct KnowledgeBase(Arc<logic::KnowledgeBase>);

/// For each expression its counts or why there are none, and whom it holds for where that was asked.
type Answer = (Option<Vec<u64>>, Option<String>, Option<Vec<String>>);

impl KnowledgeBase {
    /// All names of a kind, as they are shown.
    fn shown(&self, count: usize, show: impl Fn(u32) -> String) -> Vec<String> {
        (0u32..).take(count).map(show).collect()
    }
}

#[pymethods]
impl KnowledgeBase {
    /// Reads a file.
    #[staticmethod]
    #[pyo3(signature = (path, domains_and_ranges=true))]
    fn read(py: Python<'_>, path: PathBuf, domains_and_ranges: bool) -> PyResult<KnowledgeBase> {
        let closure = Closure { domains_and_ranges, ..Closure::default() };
        let kb = detached(py, || knowledge_base(&path, &closure))?.map_err(errors::boxed)?;
        Ok(KnowledgeBase(Arc::new(kb)))
    }

    /// Reads the bytes of a file; the ending of the name tells which syntax it is.
    #[staticmethod]
    #[pyo3(signature = (text, name, domains_and_ranges=true))]
    fn parse(
        py: Python<'_>,
        text: Vec<u8>,
        name: &str,
        domains_and_ranges: bool,
    ) -> PyResult<KnowledgeBase> {
        let closure = Closure { domains_and_ranges, ..Closure::default() };
        let kb = detached(py, || {
            let ontology = read_ontology_from(&text[..], name).map_err(errors::value)?;
            logic::KnowledgeBase::new(ontology, &closure).map_err(errors::value)
        })??;
        Ok(KnowledgeBase(Arc::new(kb)))
    }

    /// What it is called.
    #[getter]
    fn name(&self) -> &str {
        &self.0.name
    }

    fn __len__(&self) -> usize {
        self.0.world.len()
    }

    /// Everybody.
    #[getter]
    fn individuals(&self) -> Vec<String> {
        self.shown(self.0.world.len(), |number| self.0.show_individual(number).to_owned())
    }

    /// What was concluded, assumed or passed over.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.0.notes.clone()
    }

    /// What there is and what follows, for people; of every kind at most so many.
    #[pyo3(signature = (most=20))]
    fn text(&self, most: usize) -> PyResult<String> {
        guarded(|| Ok(self.0.summary().page(most)))
    }

    /// Learns class expressions that hold for the positive individuals and not for the negative ones.
    fn learn<'py>(
        &self,
        py: Python<'py>,
        positive: Vec<String>,
        negative: Vec<String>,
        name: String,
        settings: &Bound<'py, PyDict>,
        options: &Bound<'py, PyDict>,
    ) -> PyResult<(Model, Bound<'py, PyDict>)> {
        let options: RunOptions = options.extract()?;
        let problem = LearningProblem { name, positive, negative };
        let examples = guarded(|| Individuals::examples(&self.0, &problem).map_err(errors::value))?;
        learn(py, "logic", &Data::Individuals(examples), &chosen(settings)?, options)
    }

    /// What a model says of individuals, or of everybody.
    #[pyo3(signature = (model, individuals=None, n_jobs=None, device=None))]
    fn predict(
        &self,
        py: Python<'_>,
        model: &Model,
        individuals: Option<Vec<String>>,
        n_jobs: Option<i64>,
        device: Option<&str>,
    ) -> PyResult<Predictions> {
        let asked = guarded(|| {
            let everybody = Individuals::everybody(&self.0);
            match individuals {
                None => Ok(everybody),
                Some(names) => everybody.asking(&names).map_err(errors::value),
            }
        })?;
        let (model, machine) = (Arc::clone(model.inner()), machine(py, device, n_jobs)?);
        let data = Data::Individuals(asked);
        detached(py, || Predictions::new(&*model, &data, &machine, None, None))?
    }

    /// Asks expressions, each answered by counts or by a sentence that says why there are none.
    #[pyo3(signature = (expressions, positive=None, negative=None, cover=false, n_jobs=None, device=None))]
    #[expect(clippy::too_many_arguments, reason = "keywords in Python")]
    fn evaluate(
        &self,
        py: Python<'_>,
        expressions: Vec<String>,
        positive: Option<Vec<String>>,
        negative: Option<Vec<String>>,
        cover: bool,
        n_jobs: Option<i64>,
        device: Option<&str>,
    ) -> PyResult<Vec<Answer>> {
        let examples = match (positive, negative) {
            (None, None) => None,
            (positive, negative) => {
                let problem = LearningProblem {
                    name: "examples".to_owned(),
                    positive: positive.unwrap_or_default(),
                    negative: negative.unwrap_or_default(),
                };
                Some(guarded(|| self.0.resolve(&problem).map_err(errors::value))?)
            }
        };
        let question = OntologyQuestion { examples, cover, ..OntologyQuestion::default() };
        let (kb, machine) = ((*self.0).clone(), machine(py, device, n_jobs)?);
        let answers = detached(py, || {
            let mut evaluator = Evaluator::of_ontology(kb, &question, &machine)?;
            evaluator.evaluate(&expressions)
        })?;
        let answer = |answer: Result<pellucid::evaluate::Evaluation, String>| match answer {
            Err(why) => (None, Some(why), None),
            Ok(answer) => {
                let covered = match answer.covered {
                    Some(Covered::Individuals(names)) => Some(names),
                    _ => None,
                };
                (Some(answer.counts), None, covered)
            }
        };
        Ok(answers.map_err(errors::value)?.into_iter().map(answer).collect())
    }
}
