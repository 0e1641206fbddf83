//! Omnipresent modules: libraries that nearly everything uses, and drivers that use nearly everything.
//!
//! They belong to no cluster in particular, and their edges hide the structure of the others.

use super::ClusterOptions;
use super::links::ModuleLinks;
use pellucid_data::DependencyGraph;

/// Returns for each module whether the options set it aside: it has more neighbors than a multiple of the
/// average over all modules with neighbors.
pub(super) fn modules(graph: &DependencyGraph, options: &ClusterOptions<'_>) -> Vec<bool> {
    let nothing = vec![false; graph.modules.len()];
    let Some(times) = options.omnipresent else { return nothing };
    let links = ModuleLinks::of(graph, options, &nothing);
    let degrees: Vec<usize> = (0..links.len()).map(|module| links.degree(module)).collect();
    let linked = degrees.iter().filter(|&&degree| degree > 0).count();
    let average = degrees.iter().sum::<usize>() as f64 / linked.max(1) as f64;
    degrees.iter().map(|&degree| degree as f64 > times * average).collect()
}
