//! Formal contexts and iteration over their concepts.

use crate::columns::boolean_bytes;
use crate::errors;
use crate::guard::{caught, detached, guarded, panic_error};
use crate::lattice::Lattice;
use crate::machine::{machine, threads};
use crate::table::Table;
use crate::watch::run_watched;
use numpy::PyReadonlyArray2;
use pellucid::bits::words::{contains, words_for};
use pellucid::close::{ConceptView, SearchStop, Share, Terms, Visitor, open, search};
use pellucid::concepts::association::{self, RuleOptions};
use pellucid::concepts::cluster::{ClusterOptions, cluster};
use pellucid::concepts::estimate::estimate;
use pellucid::concepts::exploration::Exploration;
use pellucid::concepts::implications::{BaseOptions, base};
use pellucid::concepts::lattice;
use pellucid::concepts::scale::{Scaling, scale};
use pellucid::contexts::{ContextRecipe, Simplify};
use pellucid::data::{self, DependencyGraph, Names, Relation};
use pellucid::device::Threads;
use pellucid::io::{Choice, ReadOptions};
use pellucid::learn::run::Control;
use pellucid::report::exploration::{SessionSource, page};
use pellucid::report::page::Provenance;
use pellucid::reports;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// A formal context.
#[pyclass(module = "pellucid._native", frozen)]
pub(crate) struct Context(Arc<data::Context>);

/// An implication: premise, conclusion and support.
type Implication = (Vec<String>, Vec<String>, u64);
/// An association rule: premise, conclusion, support, confidence and lift.
type AssociationRule = (Vec<String>, Vec<String>, u64, f64, f64);
/// The arguments of `Context.from_rows`: name, objects, attributes and rows.
type ContextParts = (String, Vec<String>, Vec<String>, Vec<Vec<u32>>);
/// The intent and the extent of a concept as bit sets.
type ConceptBits = (Box<[u64]>, Box<[u64]>);
/// The intent and the extent of a concept as names.
type Concept = (Vec<String>, Vec<String>);

/// Returns the names of the members of a bit set.
pub(crate) fn members(names: &Names, set: &[u64]) -> Vec<String> {
    let is_member = |&index: &usize| index / 64 < set.len() && contains(set, index);
    (0..names.len()).filter(is_member).map(|index| names.get(index).into_owned()).collect()
}

fn scaling(name: &str, cuts: Option<usize>) -> PyResult<Scaling> {
    let scaling = match name {
        "nominal" => Scaling::nominal(),
        "ordinal" => Scaling::ordinal(),
        "interordinal" => Scaling::interordinal(),
        other => {
            let expected = "expected one of nominal, ordinal, interordinal";
            return Err(PyValueError::new_err(format!("scale: found '{other}'; {expected}")));
        }
    };
    Ok(match cuts {
        None => scaling,
        Some(cuts) => scaling.cuts(cuts),
    })
}

fn simplification(name: Option<&str>) -> PyResult<Option<Simplify>> {
    match name {
        None => Ok(None),
        Some("clarify") => Ok(Some(Simplify::Clarify)),
        Some("reduce") => Ok(Some(Simplify::Reduce)),
        Some(other) => {
            let expected = "expected one of clarify, reduce";
            Err(PyValueError::new_err(format!("simplify: found '{other}'; {expected}")))
        }
    }
}

#[pymethods]
impl Context {
    /// Reads a context, or a table of values that is converted with `scale`.
    #[staticmethod]
    #[pyo3(signature = (path, symmetric=false, scale=None, cuts=None))]
    fn read(
        py: Python<'_>,
        path: PathBuf,
        symmetric: bool,
        scale: Option<&str>,
        cuts: Option<usize>,
    ) -> PyResult<Context> {
        let mut recipe = ContextRecipe::default();
        recipe.context.symmetric = symmetric;
        recipe.scaling = scale.map(|name| scaling(name, cuts)).transpose()?;
        let context = detached(py, || recipe.load(&path))?.map_err(errors::value)?;
        Ok(Context(Arc::new(context)))
    }

    /// Creates a context from names and a boolean array.
    #[staticmethod]
    fn from_crosses(
        name: &str,
        objects: Vec<String>,
        attributes: Vec<String>,
        crosses: &Bound<'_, PyAny>,
    ) -> PyResult<Context> {
        let crosses: PyReadonlyArray2<'_, u8> = boolean_bytes(crosses)?;
        let crosses = crosses.as_array();
        if crosses.dim() != (objects.len(), attributes.len()) {
            let (rows, columns) = crosses.dim();
            return Err(PyValueError::new_err(format!(
                "found {rows} x {columns} crosses; expected {} objects x {} attributes",
                objects.len(),
                attributes.len()
            )));
        }
        let row = |row: numpy::ndarray::ArrayView1<'_, u8>| -> Vec<u32> {
            (0u32..)
                .zip(row.iter())
                .filter(|(_, cross)| **cross != 0)
                .map(|(index, _)| index)
                .collect()
        };
        let rows: Vec<Vec<u32>> = crosses.rows().into_iter().map(row).collect();
        Context::from_rows(name, objects, attributes, rows)
    }

    /// Creates a context from names and the ascending attribute indices of each object.
    #[staticmethod]
    fn from_rows(
        name: &str,
        objects: Vec<String>,
        attributes: Vec<String>,
        rows: Vec<Vec<u32>>,
    ) -> PyResult<Context> {
        guarded(|| {
            let relation = Relation::new(attributes.len(), rows).map_err(errors::value)?;
            let (objects, attributes) = (Names::Listed(objects), Names::Listed(attributes));
            Ok(Context(Arc::new(data::Context::new(name, objects, attributes, relation))))
        })
    }

    fn __reduce__<'py>(slf: &Bound<'py, Context>) -> PyResult<(Bound<'py, PyAny>, ContextParts)> {
        let context = slf.get();
        let rows = context.0.relation.rows().map(<[u32]>::to_vec).collect();
        let parts = (context.0.name.clone(), context.objects(), context.attributes(), rows);
        Ok((slf.get_type().getattr("from_rows")?, parts))
    }

    /// Creates a context from a table of values. The columns of the table are consumed.
    #[staticmethod]
    #[pyo3(signature = (table, objects, scale="nominal", cuts=None))]
    fn from_table(
        py: Python<'_>,
        table: &Bound<'_, Table>,
        objects: Vec<String>,
        scale: &str,
        cuts: Option<usize>,
    ) -> PyResult<Context> {
        let scaling = scaling(scale, cuts)?;
        let options =
            ReadOptions::default().target(Choice::None).bag(Choice::None).keep_identifiers(true);
        let data = guarded(|| table.try_borrow_mut()?.take(&options))?;
        let mut context = detached(py, || self::scale(&data, &scaling))?.map_err(errors::value)?;
        if objects.len() == context.objects.len() {
            context.objects = Names::Listed(objects);
        }
        Ok(Context(Arc::new(context)))
    }

    /// The name of the context.
    #[getter]
    fn name(&self) -> &str {
        &self.0.name
    }

    /// The names of the objects.
    #[getter]
    fn objects(&self) -> Vec<String> {
        self.0.objects.iter().map(|name| name.into_owned()).collect()
    }

    /// The names of the attributes.
    #[getter]
    fn attributes(&self) -> Vec<String> {
        self.0.attributes.iter().map(|name| name.into_owned()).collect()
    }

    /// The number of crosses.
    #[getter]
    fn crosses(&self) -> usize {
        self.0.relation.crosses()
    }

    /// Returns the attributes of an object.
    fn row(&self, object: usize) -> PyResult<Vec<String>> {
        let objects = self.0.objects.len();
        if object >= objects {
            let message = format!("found object {object}; expected a number below {objects}");
            return Err(PyValueError::new_err(message));
        }
        let row = self.0.relation.row(object).iter();
        Ok(row.map(|&index| self.0.attributes.get(index as usize).into_owned()).collect())
    }

    /// Returns the context with objects and attributes exchanged, or clarified or reduced.
    #[pyo3(signature = (transpose=false, simplify=None))]
    fn reshape(&self, transpose: bool, simplify: Option<&str>) -> PyResult<Context> {
        let simplify = simplification(simplify)?;
        let recipe = ContextRecipe { transpose, simplify, ..ContextRecipe::default() };
        guarded(|| Ok(Context(Arc::new(recipe.reshape((*self.0).clone())))))
    }

    /// Returns the number of concepts, their digest, and whether the count is complete. With `share`, such as
    /// `(0, 4)` for the first of four shares, only that share of the search is counted.
    #[pyo3(signature = (min_support=0, most=None, n_jobs=None, device=None, share=None))]
    fn count(
        &self,
        py: Python<'_>,
        min_support: u64,
        most: Option<u64>,
        n_jobs: Option<i64>,
        device: Option<&str>,
        share: Option<(usize, usize)>,
    ) -> PyResult<(u64, String, bool)> {
        let share = share.map(|(number, of)| Share { number, of });
        let (context, machine) = (Arc::clone(&self.0), machine(py, device, n_jobs)?);
        let control = Control::new();
        let outcome = run_watched(py, &control, None, |_| {
            let stop = || control.should_stop().is_some();
            let terms = Terms { min_support, most, share, stop: Some(&stop), ..Terms::default() };
            let mut visitors = vec![(); machine.threads.count()];
            open(&machine, &context.relation).search(&terms, &mut visitors)
        })?;
        let outcome = outcome.map_err(errors::value)?;
        Ok((outcome.concepts, outcome.digest.to_string(), outcome.stop == SearchStop::Complete))
    }

    /// Returns the estimated number of concepts, its 95 % confidence interval, whether they were
    /// counted, and the seconds to count them.
    #[pyo3(signature = (min_support=0, seed=0, n_jobs=None))]
    fn estimate(
        &self,
        py: Python<'_>,
        min_support: u64,
        seed: u64,
        n_jobs: Option<i64>,
    ) -> PyResult<(u64, u64, u64, bool, f64)> {
        let (context, machine) = (Arc::clone(&self.0), machine(py, Some("cpu"), n_jobs)?);
        let control = Control::new();
        let found = run_watched(py, &control, None, |_| {
            let stop = || control.should_stop().is_some();
            estimate(&context.relation, min_support, seed, &machine.threads, &stop)
        })?;
        let found = found.map_err(errors::value)?;
        let found = found.ok_or_else(|| PyValueError::new_err("the estimate was stopped"))?;
        Ok((found.concepts, found.low, found.high, found.exact, found.seconds))
    }

    /// Returns an iterator over the concepts.
    #[pyo3(signature = (min_support=0, most=None, share=None))]
    fn concepts(
        &self,
        min_support: u64,
        most: Option<u64>,
        share: Option<(usize, usize)>,
    ) -> Concepts {
        let share = share.map(|(number, of)| Share { number, of });
        Concepts::begin(Arc::clone(&self.0), min_support, most, share)
    }

    /// Computes the concept lattice.
    #[pyo3(signature = (min_support=0, most=1_000_000, n_jobs=None))]
    fn lattice(
        &self,
        py: Python<'_>,
        min_support: u64,
        most: u64,
        n_jobs: Option<i64>,
    ) -> PyResult<Lattice> {
        let threads = Threads::new(threads(n_jobs)?).map_err(errors::value)?.count();
        let (context, control) = (Arc::clone(&self.0), Control::new());
        let built = run_watched(py, &control, None, |_| {
            let stop = || control.should_stop().is_some();
            let terms =
                Terms { min_support, most: Some(most), stop: Some(&stop), ..Terms::default() };
            lattice::Lattice::build(&context.relation, &terms, threads)
        })?;
        Ok(Lattice::new(Arc::clone(&self.0), built.map_err(errors::value)?))
    }

    /// Returns the page of an attribute exploration, which begins or continues a session.
    #[pyo3(signature = (expert=None, session=None, path=None))]
    fn exploration_page(
        &self,
        expert: Option<&str>,
        session: Option<&str>,
        path: Option<PathBuf>,
    ) -> PyResult<String> {
        guarded(|| {
            let context = data::Context::clone(&self.0);
            let mut exploration = match session {
                None => Exploration::new(context, expert.unwrap_or("expert")),
                Some(text) => Exploration::from_json(text).map_err(errors::value)?,
            };
            if !exploration.is_of(&self.0) {
                return Err(PyValueError::new_err("the session is of another context"));
            }
            if let Some(expert) = expert {
                exploration.set_expert(expert);
            }
            let path = path.unwrap_or_else(|| "session.json".into());
            let source = SessionSource { path, command: None };
            let from = Provenance { date: Some(reports::today()), ..Provenance::default() };
            page(&exploration, &source, env!("CARGO_PKG_VERSION"), &from).map_err(errors::value)
        })
    }

    /// Computes the Duquenne-Guigues base.
    #[pyo3(signature = (min_support=0, most=None))]
    fn implications(
        &self,
        py: Python<'_>,
        min_support: u64,
        most: Option<u64>,
    ) -> PyResult<Vec<Implication>> {
        let (context, control) = (Arc::clone(&self.0), Control::new());
        let found = run_watched(py, &control, None, |_| {
            let stop = || control.should_stop().is_some();
            let options = BaseOptions { min_support, most, stop: Some(&stop), progress: None };
            base(&context.relation, &options)
        })?;
        let names = |set: &[u64]| members(&self.0.attributes, set);
        let found = found.implications.iter();
        Ok(found.map(|one| (names(&one.premise), names(&one.conclusion), one.support)).collect())
    }

    /// Clusters the modules of a graph. Returns the clusters and their quality.
    #[pyo3(signature = (beginnings=3, seed=0))]
    fn clusters(
        &self,
        py: Python<'_>,
        beginnings: usize,
        seed: u64,
    ) -> PyResult<(Vec<Vec<String>>, f64)> {
        let graph = DependencyGraph::of_context(&self.0).map_err(errors::value)?;
        // A context has no directions that matter here, and no weights.
        let options = ClusterOptions {
            undirected: true,
            starts: beginnings,
            seed,
            ..ClusterOptions::default()
        };
        let threads = Threads::callers();
        let found = detached(py, || cluster(&graph, &options, &threads))?;
        let clusters = found.clusters.iter().map(|cluster| cluster.modules.clone());
        let alone = found.unconnected.iter().map(|&module| vec![module]);
        let mut clusters: Vec<Vec<u32>> = clusters.chain(alone).collect();
        clusters.sort_unstable();
        let names = |cluster: &Vec<u32>| -> Vec<String> {
            cluster.iter().map(|&module| graph.modules[module as usize].clone()).collect()
        };
        Ok((clusters.iter().map(names).collect(), found.quality))
    }

    /// Computes association rules.
    #[pyo3(signature = (min_support=1, min_confidence=0.8, exact=false, most=None))]
    fn association_rules(
        &self,
        py: Python<'_>,
        min_support: u64,
        min_confidence: f64,
        exact: bool,
        most: Option<u64>,
    ) -> PyResult<Vec<AssociationRule>> {
        let (context, control) = (Arc::clone(&self.0), Control::new());
        let found = run_watched(py, &control, None, |_| {
            let stop = || control.should_stop().is_some();
            let stop: Option<&(dyn Fn() -> bool + Sync)> = Some(&stop);
            let options = RuleOptions {
                min_support,
                min_confidence,
                exact,
                most,
                stop,
                ..RuleOptions::default()
            };
            association::collect(&context.relation, &options)
        })?;
        let (found, _) = found.map_err(errors::value)?;
        let names = |set: &[u64]| members(&self.0.attributes, set);
        let named = |one: &association::AssociationRule| {
            (names(&one.premise), names(&one.conclusion), one.support, one.confidence, one.lift)
        };
        Ok(found.iter().map(named).collect())
    }
}

/// An iterator over concepts. The search runs on its own thread, a limited number of concepts ahead of the
/// iterator, and ends when the iterator is dropped.
#[pyclass(module = "pellucid._native", frozen)]
pub(crate) struct Concepts {
    context: Arc<data::Context>,
    found: Mutex<Receiver<Result<ConceptBits, String>>>,
    ended: Arc<AtomicBool>,
}

/// The number of concepts that the search may be ahead of the iterator.
const AHEAD: usize = 1024;

/// Sends the concepts of the search to the iterator.
struct ConceptSender {
    sender: SyncSender<Result<ConceptBits, String>>,
    ended: Arc<AtomicBool>,
}

impl Visitor for ConceptSender {
    fn visit(&mut self, found: &ConceptView<'_>) {
        if self.sender.send(Ok((found.intent.into(), found.extent.into()))).is_err() {
            self.ended.store(true, Ordering::Relaxed);
        }
    }
}

impl Concepts {
    fn begin(
        context: Arc<data::Context>,
        min_support: u64,
        most: Option<u64>,
        share: Option<Share>,
    ) -> Concepts {
        let (sender, found) = sync_channel(AHEAD);
        let ended = Arc::new(AtomicBool::new(false));
        let concepts = Concepts {
            context: Arc::clone(&context),
            found: Mutex::new(found),
            ended: Arc::clone(&ended),
        };
        std::thread::spawn(move || {
            let has_ended = Arc::clone(&ended);
            let stop = || has_ended.load(Ordering::Relaxed);
            let terms = Terms { min_support, most, share, ..Terms::default() };
            let terms = Terms { extents: true, stop: Some(&stop), ..terms };
            let mut visitors = [ConceptSender { sender: sender.clone(), ended }];
            let outcome = caught(|| search(&context.relation, &terms, &mut visitors));
            let outcome = outcome.and_then(|found| found.map_err(|error| error.to_string()));
            if let Err(message) = outcome {
                // Otherwise the iterator would end as if the search were complete. The receiver may be gone.
                let _ = sender.send(Err(message));
            }
        });
        concepts
    }
}

impl Drop for Concepts {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Relaxed);
    }
}

#[pymethods]
impl Concepts {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    /// Returns the intent and the extent of the next concept.
    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Concept>> {
        loop {
            let next = detached(py, || {
                let found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
                found.recv_timeout(Duration::from_millis(50))
            })?;
            match next {
                Ok(Err(message)) => return Err(panic_error(message)),
                Ok(Ok((intent, extent))) => {
                    let objects = self.context.objects.len();
                    debug_assert!(extent.is_empty() || extent.len() == words_for(objects));
                    let intent = members(&self.context.attributes, &intent);
                    return Ok(Some((intent, members(&self.context.objects, &extent))));
                }
                Err(RecvTimeoutError::Timeout) => py.check_signals()?,
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
            }
        }
    }
}
