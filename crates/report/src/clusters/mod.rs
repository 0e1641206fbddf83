//! The clusters of a graph as a drawing: one self-contained SVG file, or the same positions as JSON.
//!
//! Each disk is a cluster and each dot in it a module; the modules with the most edges within the cluster
//! are in the middle. A line between disks is wider the more edges there are between the clusters, and
//! clusters with many edges between them are close. The drawing follows the reader's light or dark color
//! scheme. A dot under the pointer shows its name; with up to [`MOST_LABELED`] modules all names are shown.
//!
//! ```
//! use pellucid_concepts::cluster::{ClusterOptions, cluster};
//! use pellucid_data::{Dependency, DependencyGraph};
//! use pellucid_device::Threads;
//! use pellucid_report::clusters::ClusterDrawing;
//!
//! let modules = ["main", "parser"].map(str::to_owned).to_vec();
//! let edges = [Dependency { from: 0, to: 1, weight: 1.0 }];
//! let graph = DependencyGraph::new("compiler", modules, edges, false)?;
//! let options = ClusterOptions::default();
//! let found = cluster(&graph, &options, &Threads::callers());
//! let mut svg = Vec::new();
//! ClusterDrawing::new(&graph, &found, &options)?.write_svg(&mut svg)?;
//! assert!(svg.starts_with(b"<svg "));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod disks;
mod json;
mod svg;

use disks::Disk;
use pellucid_concepts::cluster::{ClusterOptions, Partition, shared_prefix};
use pellucid_data::DependencyGraph;
use std::collections::BTreeMap;
use std::f64::consts::PI;
use thiserror::Error;

/// The most clusters in a drawing.
pub const MOST_CLUSTERS: usize = 1_000;
/// The most modules in a drawing.
pub const MOST_MODULES: usize = 20_000;
/// The most modules whose names are all shown.
pub const MOST_LABELED: usize = 120;

/// The distance between neighboring modules in a disk.
const SPACING: f64 = 26.0;
/// The space around the modules of a disk.
const RIM: f64 = 14.0;

/// The reason why clusters were not drawn.
#[derive(Debug, Error, PartialEq, Eq)]
#[error(
    "cannot draw {clusters} clusters of {modules} modules, only up to {MOST_CLUSTERS} clusters of \
     {MOST_MODULES} modules"
)]
pub struct TooManyModules {
    clusters: usize,
    modules: usize,
}

/// A module in a drawing.
#[derive(Clone, Copy, Debug, PartialEq)]
struct DrawnModule {
    module: u32,
    cluster: usize,
    x: f64,
    y: f64,
}

/// The positions of clusters and modules.
#[derive(Debug)]
pub struct ClusterDrawing<'a> {
    graph: &'a DependencyGraph,
    partition: &'a Partition,
    disks: Vec<Disk>,
    modules: Vec<DrawnModule>,
    /// The weight of the edges between two clusters, the smaller number first.
    between: BTreeMap<(usize, usize), f64>,
    /// The width and the height.
    size: (f64, f64),
    /// The prefix that all names share.
    prefix: &'a str,
}

impl<'a> ClusterDrawing<'a> {
    /// Places the clusters and their modules. The options say what counts as an edge.
    ///
    /// # Errors
    /// If there are too many clusters or modules.
    pub fn new(
        graph: &'a DependencyGraph,
        partition: &'a Partition,
        options: &ClusterOptions<'_>,
    ) -> Result<ClusterDrawing<'a>, TooManyModules> {
        let (clusters, modules) = (partition.clusters.len(), graph.modules.len());
        if clusters > MOST_CLUSTERS || modules > MOST_MODULES {
            return Err(TooManyModules { clusters, modules });
        }
        let mut cluster_of = vec![None; modules];
        for (number, cluster) in partition.clusters.iter().enumerate() {
            cluster.modules.iter().for_each(|&module| cluster_of[module as usize] = Some(number));
        }
        let weighs = options.weights && graph.is_weighted();
        let (mut between, mut inner) = (BTreeMap::new(), vec![0.0; modules]);
        for edge in graph.edges() {
            let weight = if weighs { edge.weight } else { 1.0 };
            let ends = [edge.from, edge.to].map(|end| end as usize);
            match ends.map(|end| cluster_of[end]) {
                [Some(one), Some(other)] if one == other => {
                    ends.into_iter().for_each(|end| inner[end] += weight);
                }
                [Some(one), Some(other)] => {
                    *between.entry((one.min(other), one.max(other))).or_insert(0.0) += weight;
                }
                _ => {}
            }
        }
        let sizes = partition.clusters.iter().map(|cluster| radius(cluster.modules.len()));
        let (disks, size) = disks::placed(&sizes.collect::<Vec<_>>(), &between);
        let modules = disks
            .iter()
            .zip(&partition.clusters)
            .enumerate()
            .flat_map(|(number, (disk, cluster))| around(number, disk, &cluster.modules, &inner))
            .collect();
        let prefix = shared_prefix(&graph.modules);
        Ok(ClusterDrawing { graph, partition, disks, modules, between, size, prefix })
    }

    fn short_name(&self, module: u32) -> &str {
        let name = self.graph.modules[module as usize].as_str();
        name.strip_prefix(self.prefix).unwrap_or(name)
    }
}

/// Returns the radius of a disk for a number of modules.
fn radius(modules: usize) -> f64 {
    SPACING * ((modules as f64 - 1.0).max(0.0) / PI * 2.2).sqrt() + RIM
}

/// Places the modules of a cluster like the seeds of a sunflower, those with the most inner edges first.
fn around(cluster: usize, disk: &Disk, modules: &[u32], inner: &[f64]) -> Vec<DrawnModule> {
    let golden = PI * (3.0 - 5.0_f64.sqrt());
    let mut order = modules.to_vec();
    order.sort_by(|&one, &other| {
        inner[other as usize].total_cmp(&inner[one as usize]).then(one.cmp(&other))
    });
    let most = (disk.radius - RIM).max(0.0);
    let last = (order.len() as f64 - 1.0).max(1.0);
    let place = |(index, module): (usize, u32)| {
        let (distance, angle) = (most * (index as f64 / last).sqrt(), golden * index as f64);
        let (sin, cos) = libm::sincos(angle);
        let (x, y) = (disk.x + distance * cos, disk.y + distance * sin);
        DrawnModule { module, cluster, x, y }
    };
    order.into_iter().enumerate().map(place).collect()
}
