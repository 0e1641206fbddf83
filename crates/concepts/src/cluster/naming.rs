//! Names of clusters: the largest concept mostly within a cluster.
//!
//! In the context of links a module has itself and its neighbors as attributes. A concept is then a set of
//! modules together with all modules that each of them is, or is connected with. The best one for a cluster
//! covers most of it; the modules of its intent are what the cluster has in common and name it.

use super::ModuleCluster;
use super::links::ModuleLinks;
use super::prefix::{common_prefix, shared_prefix};
use pellucid_bits::words::members;
use pellucid_close::{ConceptView, SearchStop, Terms, Visitor, search};
use pellucid_data::{DependencyGraph, Relation};
use rustc_hash::FxHashSet;
use std::cmp::Reverse;

/// The most concepts of a cluster that are compared.
const MOST_CONCEPTS: u64 = 20_000;
/// The most modules in the name of a cluster.
const MOST_NAMES: usize = 3;
/// The ends of prefixes that the modules of one name share.
const NAME_SEPARATORS: &[char] = &['.', '/', '\\', ':'];

/// A concept that names a cluster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedConcept {
    /// The modules of the cluster that are connected with all of the intent, or are in it, ascending.
    pub extent: Vec<u32>,
    /// The modules of the cluster that they share, ascending.
    pub intent: Vec<u32>,
}

/// Finds the concept of each cluster and names the cluster.
pub(super) fn name_clusters(
    graph: &DependencyGraph,
    links: &ModuleLinks,
    clusters: &mut [ModuleCluster],
) {
    let shared = shared_prefix(&graph.modules);
    let mut taken = FxHashSet::default();
    for cluster in clusters {
        let concept = best_concept(links, &cluster.modules);
        let name = name(graph, links, &concept, shared);
        cluster.name = if taken.contains(&name) {
            let mut numbered = (2..).map(|number| format!("{name} {number}"));
            numbered.find(|name| !taken.contains(name)).unwrap_or(name)
        } else {
            name
        };
        taken.insert(cluster.name.clone());
        cluster.concept = Some(concept);
    }
}

/// Returns the concept with the most pairs of extent and intent in the cluster, of those with more than half
/// of their modules in the cluster. If there is none, the module with the most neighbors in the cluster.
fn best_concept(links: &ModuleLinks, modules: &[u32]) -> NamedConcept {
    let position = |module: u32| modules.binary_search(&module).ok().map(pellucid_bits::as_u32);
    let rows: Vec<Vec<u32>> = modules
        .iter()
        .map(|&module| {
            let neighbors = links.neighbors(module as usize).iter().copied();
            let own = neighbors.chain([module]).filter_map(position);
            let mut row: Vec<u32> = own.collect();
            row.sort_unstable();
            row
        })
        .collect();
    let relation = Relation::new(modules.len(), &rows).expect("positions in the cluster");
    let mut found = concepts(&relation);
    let area = |(support, intent): &(u64, Vec<u32>)| *support * intent.len() as u64;
    found.sort_by_cached_key(|one| (Reverse(area(one)), one.1.len(), one.1.clone()));
    let module = |&position: &u32| modules[position as usize];
    let within = |(support, intent): &&(u64, Vec<u32>)| {
        let intent: Vec<u32> = intent.iter().map(module).collect();
        2 * support > common_neighbors(links, &intent)
    };
    let best = found.iter().find(within).map(|one| one.1.clone());
    let intent = best.unwrap_or_else(|| hub(&rows));
    let has_all = |row: &Vec<u32>| intent.iter().all(|one| row.binary_search(one).is_ok());
    let extent = rows.iter().zip(modules).filter(|(row, _)| has_all(row));
    NamedConcept {
        extent: extent.map(|(_, &module)| module).collect(),
        intent: intent.iter().map(module).collect(),
    }
}

/// Returns the position of the module with the most neighbors in the cluster.
fn hub(rows: &[Vec<u32>]) -> Vec<u32> {
    let hub = (0u32..).zip(rows).max_by_key(|(position, row)| (row.len(), Reverse(*position)));
    hub.map(|(position, _)| position).into_iter().collect()
}

/// Returns the support and the intent of the concepts with the most objects: all of them, or those from some
/// minimum support on if there are very many.
fn concepts(relation: &Relation) -> Vec<(u64, Vec<u32>)> {
    let mut min_support = 1;
    loop {
        let mut found = [Candidates::default()];
        let terms = Terms { min_support, most: Some(MOST_CONCEPTS), ..Terms::default() };
        match search(relation, &terms, &mut found).map(|outcome| outcome.stop) {
            // Which concepts are found before a limit depends on the processor.
            Ok(SearchStop::Limit) => min_support *= 2,
            // An unknown level of instructions was refused when the threads were started.
            Ok(_) | Err(_) => return found.into_iter().flat_map(|found| found.0).collect(),
        }
    }
}

/// Collects the support and the intent of each concept with an intent.
#[derive(Default)]
struct Candidates(Vec<(u64, Vec<u32>)>);

impl Visitor for Candidates {
    fn visit(&mut self, found: &ConceptView<'_>) {
        let intent: Vec<u32> = members(found.intent).map(pellucid_bits::as_u32).collect();
        if !intent.is_empty() {
            self.0.push((found.support, intent));
        }
    }
}

/// Returns how many modules of the graph are each of some modules, or connected with it.
fn common_neighbors(links: &ModuleLinks, modules: &[u32]) -> u64 {
    let Some((&first, others)) = modules.split_first() else { return links.len() as u64 };
    let has = |module: u32, other: u32| {
        module == other || links.neighbors(module as usize).binary_search(&other).is_ok()
    };
    let near = links.neighbors(first as usize).iter().copied().chain([first]);
    near.filter(|&module| others.iter().all(|&other| has(module, other))).count() as u64
}

/// Returns the modules of the intent as a name: without the prefix of all modules, and with the one that they
/// share named once, as in `parser: lexer, tree`.
fn name(
    graph: &DependencyGraph,
    links: &ModuleLinks,
    concept: &NamedConcept,
    shared: &str,
) -> String {
    let mut intent = concept.intent.clone();
    intent.sort_by_key(|&module| (Reverse(links.degree(module as usize)), module));
    let short = |&module: &u32| {
        let name = graph.modules[module as usize].as_str();
        name.strip_prefix(shared).unwrap_or(name)
    };
    let names: Vec<&str> = intent.iter().take(MOST_NAMES).map(short).collect();
    let prefix = common_prefix(names.iter().copied(), NAME_SEPARATORS);
    let parts: Vec<&str> = names.iter().map(|name| &name[prefix..]).collect();
    let parts = parts.join(", ");
    match names.first().map(|name| name[..prefix].trim_end_matches(NAME_SEPARATORS)) {
        Some(folder) if !folder.is_empty() => format!("{folder}: {parts}"),
        _ => parts,
    }
}
