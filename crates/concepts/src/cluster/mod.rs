//! Clusters the modules of a graph so that most edges stay within a cluster.
//!
//! The objective is the *modularization quality* (`TurboMQ`). Each cluster has a factor:
//!
//! ```text
//! 2 · inner edges / (2 · inner edges + edges to and from other clusters)
//! ```
//!
//! A cluster without edges to others has the factor 1, a cluster without inner edges 0. The quality is
//! the sum of the factors. Edges count by their weights. An edge in each direction between two modules
//! counts twice, unless [`ClusterOptions::undirected`] makes them one.
//!
//! A start begins with every module alone and climbs: it moves modules and merges clusters until no step
//! improves the quality. Then come rounds that change a few modules at random and repair the partition
//! around them; a round that makes it worse is undone. Several starts run in parallel, and the best of
//! them is returned. Each has its own random stream, so the result does not depend on threads.
//!
//! [`score`] evaluates a given partition. Clusters are named by their best concept ([`NamedConcept`]).
//! [`write`](mod@write) writes partitions.

mod assignment;
mod climb;
mod links;
mod naming;
mod omnipresent;
mod prefix;
mod rounds;
pub mod write;

pub use naming::NamedConcept;
pub use prefix::shared_prefix;

use assignment::Assignment;
use links::ModuleLinks;
use pellucid_data::DependencyGraph;
use pellucid_device::Threads;
use pellucid_learn::rng::Streams;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::AtomicU64;
use thiserror::Error;

type StopFunction<'a> = &'a (dyn Fn() -> bool + Sync);

/// The options of a search for clusters, and of what counts as an edge.
#[derive(Clone, Copy)]
pub struct ClusterOptions<'a> {
    /// Whether edges in both directions between two modules are one edge, with the larger weight.
    pub undirected: bool,
    /// Whether the weights of the graph count.
    pub weights: bool,
    /// Sets aside modules with more than this many times as many neighbors as the average module.
    pub omnipresent: Option<f64>,
    /// The number of starts; the best result is returned.
    pub starts: usize,
    /// The random seed.
    pub seed: u64,
    /// Called repeatedly; the search ends with what it has when it returns true.
    pub stop: Option<StopFunction<'a>>,
    /// Updated with the number of rounds so far.
    pub progress: Option<&'a AtomicU64>,
}

impl Default for ClusterOptions<'_> {
    fn default() -> Self {
        ClusterOptions {
            undirected: false,
            weights: true,
            omnipresent: None,
            starts: ClusterOptions::STARTS,
            seed: 0,
            stop: None,
            progress: None,
        }
    }
}

impl ClusterOptions<'_> {
    /// The default number of starts.
    pub const STARTS: usize = 4;
    /// The usual limit for [`ClusterOptions::omnipresent`].
    pub const OMNIPRESENT: f64 = 3.0;
}

impl fmt::Debug for ClusterOptions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClusterOptions")
            .field("undirected", &self.undirected)
            .field("weights", &self.weights)
            .field("omnipresent", &self.omnipresent)
            .field("starts", &self.starts)
            .field("seed", &self.seed)
            .finish_non_exhaustive()
    }
}

/// A cluster of modules.
#[derive(Clone, Debug, PartialEq)]
pub struct ModuleCluster {
    /// The name, which no other cluster has.
    pub name: String,
    /// The modules, ascending.
    pub modules: Vec<u32>,
    /// The contribution to the quality, from 0 to 1.
    pub factor: f64,
    /// The concept that names the cluster, if the cluster was found and not given.
    pub concept: Option<NamedConcept>,
}

/// A partition of the modules of a graph.
#[derive(Clone, Debug, PartialEq)]
pub struct Partition {
    /// The clusters, ordered by their first modules.
    pub clusters: Vec<ModuleCluster>,
    /// The modules that were set aside because they are connected with very many others, ascending.
    pub omnipresent: Vec<u32>,
    /// The modules without edges, ascending. They are in no cluster.
    pub unconnected: Vec<u32>,
    /// The modularization quality: the sum of all factors.
    pub quality: f64,
}

/// The reason why a given partition does not fit a graph.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum PartitionError {
    /// A module of the partition that the graph does not have.
    #[error("module '{module}' of cluster '{cluster}' is not in the graph")]
    UnknownModule {
        /// The module.
        module: String,
        /// Its cluster.
        cluster: String,
    },
    /// A module with edges that is in no cluster.
    #[error(
        "module '{module}' is in no cluster; expected a cluster for each of the {needed} modules with edges"
    )]
    NoCluster {
        /// The module.
        module: String,
        /// The number of modules that need a cluster.
        needed: usize,
    },
    /// A module in two clusters.
    #[error("module '{module}' is in cluster '{first}' and in cluster '{second}'; expected one")]
    TwoClusters {
        /// The module.
        module: String,
        /// Its first cluster.
        first: String,
        /// Its second cluster.
        second: String,
    },
}

/// Returns the best partition of several starts. Equal seeds give equal partitions.
///
/// ```
/// use pellucid_concepts::cluster::{ClusterOptions, cluster};
/// use pellucid_data::{Dependency, DependencyGraph};
/// use pellucid_device::Threads;
///
/// // Two triangles, connected by one edge.
/// let edges = [(0, 1), (0, 2), (1, 2), (2, 3), (3, 4), (3, 5), (4, 5)];
/// let edges = edges.map(|(from, to)| Dependency { from, to, weight: 1.0 });
/// let modules = ["a", "b", "c", "d", "e", "f"].map(str::to_owned).to_vec();
/// let graph = DependencyGraph::new("triangles", modules, edges, false)?;
/// let found = cluster(&graph, &ClusterOptions::default(), &Threads::callers());
/// assert_eq!(found.clusters[0].modules, [0, 1, 2]);
/// assert_eq!(found.quality, 12.0 / 7.0);
/// # Ok::<(), pellucid_data::GraphError>(())
/// ```
#[must_use]
pub fn cluster(
    graph: &DependencyGraph,
    options: &ClusterOptions<'_>,
    threads: &Threads,
) -> Partition {
    let omnipresent = omnipresent::modules(graph, options);
    let links = ModuleLinks::of(graph, options, &omnipresent);
    let stop = || options.stop.is_some_and(|stop| stop());
    let streams = Streams::new(options.seed).at("cluster");
    let starts = threads.map(options.starts.max(1), |start| {
        let mut stream = streams.stream(&[start.into()]);
        let alone = (0u32..).take(links.len()).collect();
        let climbed = climb::climb(&links, alone, &mut stream, &stop);
        let found = rounds::improve(&links, climbed, &mut stream, &stop, options.progress);
        (Assignment::new(&links, found.clone()).quality(), found)
    });
    let better = |best: (f64, Vec<u32>), next: (f64, Vec<u32>)| {
        if next.0 > best.0 + assignment::MIN_GAIN { next } else { best }
    };
    let cluster_of = starts.into_iter().reduce(better).map_or_else(Vec::new, |best| best.1);
    let mut found = partition(&links, cluster_of, &omnipresent);
    naming::name_clusters(graph, &links, &mut found.clusters);
    found
}

/// Evaluates a given partition: names of clusters with the names of their modules. Modules that are set
/// aside or have no edges need no cluster, and do not count in theirs.
///
/// # Errors
/// If a module is unknown, in no cluster or in several.
pub fn score(
    graph: &DependencyGraph,
    clusters: &[(String, Vec<String>)],
    options: &ClusterOptions<'_>,
) -> Result<Partition, PartitionError> {
    let omnipresent = omnipresent::modules(graph, options);
    let links = ModuleLinks::of(graph, options, &omnipresent);
    let numbers = graph.modules.iter().zip(0..).map(|(name, number)| (name.as_str(), number));
    let numbers: BTreeMap<&str, usize> = numbers.collect();
    let mut given: Vec<Option<u32>> = vec![None; graph.modules.len()];
    for (index, (cluster, modules)) in (0u32..).zip(clusters) {
        for module in modules {
            let Some(&number) = numbers.get(module.as_str()) else {
                let (module, cluster) = (module.clone(), cluster.clone());
                return Err(PartitionError::UnknownModule { module, cluster });
            };
            if let Some(first) = given[number].replace(index) {
                let first = clusters[first as usize].0.clone();
                let (module, second) = (module.clone(), cluster.clone());
                return Err(PartitionError::TwoClusters { module, first, second });
            }
        }
    }
    let needs = |&module: &usize| links.degree(module) > 0;
    if let Some(module) = (0..links.len()).find(|module| needs(module) && given[*module].is_none())
    {
        let needed = (0..links.len()).filter(needs).count();
        let module = graph.modules[module].clone();
        return Err(PartitionError::NoCluster { module, needed });
    }
    // Modules without edges may have any cluster of their own.
    let mut others = pellucid_bits::as_u32(clusters.len())..;
    let mut next = || others.next().unwrap_or(u32::MAX);
    let mut cluster_of: Vec<u32> =
        given.iter().map(|given| given.unwrap_or_else(&mut next)).collect();
    let named = cluster_of.clone();
    climb::renumber(&mut cluster_of);
    let mut found = partition(&links, cluster_of, &omnipresent);
    for cluster in &mut found.clusters {
        let index = cluster.modules.first().map_or(0, |&module| named[module as usize]);
        cluster.name =
            clusters.get(index as usize).map_or_else(String::new, |(name, _)| name.clone());
    }
    Ok(found)
}

/// Returns the partition of an assignment, whose clusters have no names yet.
fn partition(links: &ModuleLinks, cluster_of: Vec<u32>, omnipresent: &[bool]) -> Partition {
    let assignment = Assignment::new(links, cluster_of);
    let mut members: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    let (mut aside, mut unconnected) = (Vec::new(), Vec::new());
    for (module, &cluster) in (0u32..).zip(&assignment.cluster_of) {
        match (omnipresent[module as usize], links.degree(module as usize)) {
            (true, _) => aside.push(module),
            (false, 0) => unconnected.push(module),
            (false, _) => members.entry(cluster).or_default().push(module),
        }
    }
    let mut clusters: Vec<ModuleCluster> = members
        .into_iter()
        .map(|(cluster, modules)| {
            let factor = assignment.factor(cluster);
            ModuleCluster { name: String::new(), modules, factor, concept: None }
        })
        .collect();
    clusters.sort_by_key(|cluster| cluster.modules.first().copied());
    // The order is fixed, because sums of floats depend on it.
    let quality = clusters.iter().map(|cluster| cluster.factor).sum();
    Partition { clusters, omnipresent: aside, unconnected, quality }
}
