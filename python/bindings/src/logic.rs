//! Ontologies: learning and evaluation of class expressions.

use crate::errors;
use crate::fit::{RunOptions, learn};
use crate::guard::{detached, guarded};
use crate::learners::to_settings;
use crate::machine::machine;
use crate::model::Model;
use crate::predictions::Predictions;
use pellucid::evaluate::{CoveredExamples, Evaluator, OntologyQuestion};
use pellucid::io::{LearningProblem, Limits, read_ontology_from};
use pellucid::logic::kb::{ExampleSource, LabelChoice};
use pellucid::logic::learn::Individuals;
use pellucid::logic::{self, Closure};
use pellucid::read::knowledge_base_of;
use pellucid::registry::Data;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// An ontology, with the facts that follow from its axioms.
#[pyclass(module = "pellucid._native", frozen)]
pub(crate) struct KnowledgeBase(Arc<logic::KnowledgeBase>);

/// The counts of an expression or its error, and the individuals it covers if requested.
type Answer = (Option<Vec<u64>>, Option<String>, Option<Vec<String>>);

/// Returns the labels to show.
fn chosen(labels: Option<&str>) -> LabelChoice {
    match labels {
        None => LabelChoice::Codes,
        Some("none") => LabelChoice::None,
        Some(language) => LabelChoice::Language(language.to_owned()),
    }
}

impl KnowledgeBase {
    pub(crate) fn inner(&self) -> &Arc<logic::KnowledgeBase> {
        &self.0
    }
}

#[pymethods]
impl KnowledgeBase {
    /// Reads an ontology file.
    #[staticmethod]
    #[pyo3(signature = (path, domains_and_ranges=true, labels=None, imports=Vec::new()))]
    fn read(
        py: Python<'_>,
        path: PathBuf,
        domains_and_ranges: bool,
        labels: Option<&str>,
        imports: Vec<PathBuf>,
    ) -> PyResult<KnowledgeBase> {
        let closure = Closure { domains_and_ranges, ..Closure::default() };
        let paths: Vec<&Path> =
            std::iter::once(&path).chain(&imports).map(PathBuf::as_path).collect();
        let read = || knowledge_base_of(&paths, &closure, &Limits::default());
        let kb = detached(py, read)?.map_err(errors::boxed)?;
        Ok(KnowledgeBase(Arc::new(kb.with_labels(&chosen(labels)))))
    }

    /// Parses the content of an ontology file. The extension of the name determines the syntax.
    #[staticmethod]
    #[pyo3(signature = (text, name, domains_and_ranges=true, labels=None))]
    fn parse(
        py: Python<'_>,
        text: Vec<u8>,
        name: &str,
        domains_and_ranges: bool,
        labels: Option<&str>,
    ) -> PyResult<KnowledgeBase> {
        let closure = Closure { domains_and_ranges, ..Closure::default() };
        let kb = detached(py, || {
            let ontology = read_ontology_from(&text[..], name).map_err(errors::value)?;
            logic::KnowledgeBase::new(ontology, &closure).map_err(errors::value)
        })??;
        Ok(KnowledgeBase(Arc::new(kb.with_labels(&chosen(labels)))))
    }

    /// The name of the ontology.
    #[getter]
    fn name(&self) -> &str {
        &self.0.name
    }

    fn __len__(&self) -> usize {
        self.0.world.len()
    }

    /// The display names of all individuals.
    #[getter]
    fn individuals(&self) -> Vec<String> {
        let name = |number| self.0.show_individual(number).to_owned();
        (0u32..).take(self.0.world.len()).map(name).collect()
    }

    /// Notes about facts that were inferred or assumed, and axioms that were ignored.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.0.notes.iter().map(ToString::to_string).collect()
    }

    /// Returns a summary of the ontology, with at most `most` items per category.
    #[pyo3(signature = (most=20))]
    fn text(&self, most: usize) -> PyResult<String> {
        guarded(|| Ok(self.0.summary().page(most)))
    }

    /// Learns class expressions that cover the positive individuals and not the negative ones, or
    /// that define a class.
    #[expect(clippy::too_many_arguments, reason = "keywords in Python")]
    fn learn<'py>(
        &self,
        py: Python<'py>,
        positive: Vec<String>,
        negative: Option<Vec<String>>,
        class_name: Option<String>,
        name: String,
        settings: &Bound<'py, PyDict>,
        options: &Bound<'py, PyDict>,
    ) -> PyResult<(Model, Bound<'py, PyDict>)> {
        let options: RunOptions = options.extract()?;
        let source = match (class_name, negative) {
            (Some(class), _) => ExampleSource::Class(class),
            (None, Some(negative)) => {
                ExampleSource::Listed(LearningProblem { name, positive, negative })
            }
            (None, None) => {
                let negative = Vec::new();
                ExampleSource::PositiveOnly(LearningProblem { name, positive, negative })
            }
        };
        let settings = to_settings(settings)?;
        let examples = guarded(|| {
            Individuals::from_source(&self.0, &source, settings.seed()).map_err(errors::value)
        })?;
        learn(py, "logic", &Data::Individuals(examples), &settings, options)
    }

    /// Predicts the classes of some individuals, or of all individuals.
    #[pyo3(signature = (model, individuals=None, n_jobs=None, device=None))]
    fn predict(
        &self,
        py: Python<'_>,
        model: &Model,
        individuals: Option<Vec<String>>,
        n_jobs: Option<i64>,
        device: Option<&str>,
    ) -> PyResult<Predictions> {
        let selected = guarded(|| {
            let all = Individuals::everybody(&self.0);
            match individuals {
                None => Ok(all),
                Some(names) => all.asking(&names).map_err(errors::value),
            }
        })?;
        let (model, machine) = (Arc::clone(model.inner()), machine(py, device, n_jobs)?);
        let data = Data::Individuals(selected);
        detached(py, || Predictions::new(&*model, &data, &machine, None, None))?
    }

    /// Evaluates expressions. Returns the counts or the error of each.
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
            Err(error) => (None, Some(error), None),
            Ok(answer) => {
                let covered = match answer.covered {
                    Some(CoveredExamples::Individuals(names)) => Some(names),
                    _ => None,
                };
                (Some(answer.counts), None, covered)
            }
        };
        Ok(answers.map_err(errors::value)?.into_iter().map(answer).collect())
    }
}
