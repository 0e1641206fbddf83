//! Dependency graphs and their clusters.

use crate::errors;
use crate::guard::{detached, guarded};
use crate::machine::threads;
use crate::watch::run_watched;
use pellucid::concepts::cluster::write::{PartitionFormat, write_dot};
use pellucid::concepts::cluster::{self, ClusterOptions, Partition};
use pellucid::data::{Dependency, DependencyGraph};
use pellucid::device::Threads;
use pellucid::io::{GraphOptions, Limits, read_graph, read_partition};
use pellucid::learn::run::Control;
use pellucid::report::clusters::ClusterDrawing;
use pyo3::exceptions::{PyIOError, PyValueError};
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// A dependency graph.
#[pyclass(module = "pellucid._native", frozen)]
pub(crate) struct Graph(Arc<DependencyGraph>);

/// The name, the modules and the factor of a cluster.
type Cluster = (String, Vec<String>, f64);

/// What counts as an edge: undirected, weights, and the limit for omnipresent modules.
type Counting = (bool, bool, Option<f64>);

fn options(counting: Counting) -> PyResult<ClusterOptions<'static>> {
    let (undirected, weights, omnipresent) = counting;
    if let Some(found) = omnipresent.filter(|times| !(1.0..=1e9).contains(times)) {
        let problem = format!("omnipresent: found {found}; expected a number of at least 1");
        return Err(PyValueError::new_err(problem));
    }
    Ok(ClusterOptions { undirected, weights, omnipresent, ..ClusterOptions::default() })
}

#[pymethods]
impl Graph {
    /// Reads a file of edges or a folder of source code.
    #[staticmethod]
    #[pyo3(signature = (path, external=false))]
    fn read(py: Python<'_>, path: PathBuf, external: bool) -> PyResult<Graph> {
        let options = GraphOptions::default().external(external);
        let graph = detached(py, || read_graph(&path, &options))?.map_err(errors::value)?;
        Ok(Graph(Arc::new(graph)))
    }

    /// Creates a graph from modules and edges between their indices, with or without weights.
    #[staticmethod]
    fn from_edges(
        name: &str,
        modules: Vec<String>,
        edges: Vec<(u32, u32, f64)>,
        weighted: bool,
    ) -> PyResult<Graph> {
        guarded(|| {
            let edges = edges.into_iter().map(|(from, to, weight)| Dependency { from, to, weight });
            let graph = DependencyGraph::new(name, modules, edges, weighted);
            Ok(Graph(Arc::new(graph.map_err(errors::value)?)))
        })
    }

    #[getter]
    fn name(&self) -> &str {
        &self.0.name
    }

    #[getter]
    fn modules(&self) -> Vec<String> {
        self.0.modules.clone()
    }

    #[getter]
    fn notes(&self) -> Vec<String> {
        self.0.notes.iter().map(ToString::to_string).collect()
    }

    /// The edges as indices of modules with weights.
    #[getter]
    fn edges(&self) -> Vec<(u32, u32, f64)> {
        self.0.edges().iter().map(|edge| (edge.from, edge.to, edge.weight)).collect()
    }

    /// Finds clusters.
    #[pyo3(signature = (counting, starts=None, seed=0, n_jobs=None, seconds=None))]
    fn cluster(
        &self,
        py: Python<'_>,
        counting: Counting,
        starts: Option<usize>,
        seed: u64,
        n_jobs: Option<i64>,
        seconds: Option<f64>,
    ) -> PyResult<Clustering> {
        let limit = seconds.map(Duration::try_from_secs_f64).transpose();
        let limit = limit.map_err(|error| PyValueError::new_err(format!("time_limit: {error}")))?;
        let control = Control::new();
        let control = match limit {
            Some(limit) => control.time_limit(limit),
            None => control,
        };
        let threads = Threads::new(threads(n_jobs)?).map_err(errors::value)?;
        let mut options = options(counting)?;
        options.starts = starts.unwrap_or(options.starts);
        options.seed = seed;
        let graph = Arc::clone(&self.0);
        let partition = run_watched(py, &control, None, |_| {
            let stop = || control.should_stop().is_some();
            let options = ClusterOptions { stop: Some(&stop), ..options };
            cluster::cluster(&graph, &options, &threads)
        })?;
        Ok(Clustering { graph: Arc::clone(&self.0), partition, counting })
    }

    /// Evaluates given clusters.
    fn score(
        &self,
        clusters: Vec<(String, Vec<String>)>,
        counting: Counting,
    ) -> PyResult<Clustering> {
        guarded(|| {
            let partition = cluster::score(&self.0, &clusters, &options(counting)?);
            let partition = partition.map_err(errors::value)?;
            Ok(Clustering { graph: Arc::clone(&self.0), partition, counting })
        })
    }

    /// Evaluates the clusters in a file.
    fn score_file(&self, path: PathBuf, counting: Counting) -> PyResult<Clustering> {
        let clusters =
            guarded(|| read_partition(&path, &Limits::default()).map_err(errors::value))?;
        self.score(clusters, counting)
    }
}

/// A partition of a graph.
#[pyclass(module = "pellucid._native", frozen)]
pub(crate) struct Clustering {
    graph: Arc<DependencyGraph>,
    partition: Partition,
    counting: Counting,
}

impl Clustering {
    fn names(&self, modules: &[u32]) -> Vec<String> {
        modules.iter().map(|&module| self.graph.modules[module as usize].clone()).collect()
    }

    fn drawing(&self) -> PyResult<ClusterDrawing<'_>> {
        ClusterDrawing::new(&self.graph, &self.partition, &options(self.counting)?)
            .map_err(errors::value)
    }
}

/// Returns what a function writes.
fn written(write: impl FnOnce(&mut Vec<u8>) -> std::io::Result<()>) -> PyResult<String> {
    let mut text = Vec::new();
    write(&mut text).map_err(|error| PyIOError::new_err(error.to_string()))?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

#[pymethods]
impl Clustering {
    #[getter]
    fn quality(&self) -> f64 {
        self.partition.quality
    }

    #[getter]
    fn clusters(&self) -> Vec<Cluster> {
        let clusters = self.partition.clusters.iter();
        clusters.map(|one| (one.name.clone(), self.names(&one.modules), one.factor)).collect()
    }

    #[getter]
    fn omnipresent(&self) -> Vec<String> {
        self.names(&self.partition.omnipresent)
    }

    #[getter]
    fn unconnected(&self) -> Vec<String> {
        self.names(&self.partition.unconnected)
    }

    /// Returns the partition in a format: text, csv, bunch or json.
    fn write(&self, format: &str) -> PyResult<String> {
        let format = match format {
            "text" => PartitionFormat::Text,
            "csv" => PartitionFormat::Csv,
            "bunch" => PartitionFormat::Bunch,
            "json" => PartitionFormat::Json,
            other => {
                let expected = "expected one of text, csv, bunch, json";
                return Err(PyValueError::new_err(format!("format: found '{other}'; {expected}")));
            }
        };
        written(|out| self.partition.write(&self.graph, format, out))
    }

    fn svg(&self) -> PyResult<String> {
        let drawing = self.drawing()?;
        written(|out| drawing.write_svg(out))
    }

    fn dot(&self) -> PyResult<String> {
        let options = options(self.counting)?;
        written(|out| write_dot(&self.graph, &self.partition, &options, out))
    }
}
