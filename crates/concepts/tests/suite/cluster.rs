//! Clusters: the quality by its definition, local optima, published graphs, names and given partitions.

use pellucid_concepts::cluster::write::PartitionFormat;
use pellucid_concepts::cluster::{ClusterOptions, Partition, cluster, score};
use pellucid_data::{Dependency, DependencyGraph};
use pellucid_device::Threads;
use pellucid_io::{GraphOptions, Limits, read_graph, read_graph_from, read_partition_from};
use pellucid_testdata::{file_in, ours};
use proptest::prelude::*;
use std::num::NonZeroUsize;

/// The quality of clusters, computed from its definition.
fn quality(graph: &DependencyGraph, clusters: &[Vec<u32>], options: &ClusterOptions<'_>) -> f64 {
    let weight = |edge: &Dependency| if options.weights { edge.weight } else { 1.0 };
    let mut sum = 0.0;
    for cluster in clusters {
        let (mut inner, mut outer) = (0.0, 0.0);
        for edge in graph.edges() {
            let ends = [edge.from, edge.to].map(|end| cluster.contains(&end));
            let opposite = graph.edges().iter().find(|o| (o.from, o.to) == (edge.to, edge.from));
            let counted = match opposite.filter(|_| options.undirected) {
                // Half of the larger weight, because the opposite edge adds the other half.
                Some(opposite) => weight(edge).max(weight(opposite)) / 2.0,
                None => weight(edge),
            };
            match ends {
                [true, true] => inner += counted,
                [false, false] => {}
                _ => outer += counted,
            }
        }
        sum += if inner > 0.0 { 2.0 * inner / (2.0 * inner + outer) } else { 0.0 };
    }
    sum
}

fn graph() -> impl Strategy<Value = DependencyGraph> {
    let edge = |modules: u32| (0..modules, 0..modules, 1u32..5);
    (1u32..9, any::<bool>()).prop_flat_map(move |(modules, is_weighted)| {
        prop::collection::vec(edge(modules), 0..20).prop_map(move |edges| {
            let edges = edges.into_iter().map(|(from, to, weight)| Dependency {
                from,
                to,
                weight: f64::from(weight) / 2.0,
            });
            let names = (0..modules).map(|module| format!("m{module}")).collect();
            DependencyGraph::new("random", names, edges, is_weighted).expect("valid edges")
        })
    })
}

fn members(found: &Partition) -> Vec<Vec<u32>> {
    found.clusters.iter().map(|cluster| cluster.modules.clone()).collect()
}

proptest! {
    /// Every module is in one place, the quality is that of the definition, no single move improves it, and
    /// neither a written partition nor the number of threads changes it.
    #[test]
    fn no_single_move_improves_the_quality(
        graph in graph(),
        seed in any::<u64>(),
        undirected in any::<bool>(),
        weights in any::<bool>(),
        omnipresent in prop::option::of(1.0..3.0),
    ) {
        let options = ClusterOptions {
            undirected, weights, omnipresent, seed, starts: 2, ..ClusterOptions::default()
        };
        let found = cluster(&graph, &options, &Threads::callers());
        let mut all = members(&found).concat();
        all.extend(found.omnipresent.iter().chain(&found.unconnected));
        all.sort_unstable();
        prop_assert!(all.into_iter().eq(0..pellucid_bits::as_u32(graph.modules.len())));
        let rest: Vec<Dependency> = graph.edges().iter().copied().filter(|edge| {
            !found.omnipresent.contains(&edge.from) && !found.omnipresent.contains(&edge.to)
        }).collect();
        let names = graph.modules.clone();
        let rest = DependencyGraph::new("rest", names, rest, graph.is_weighted()).unwrap();
        let clusters = members(&found);
        prop_assert!((found.quality - quality(&rest, &clusters, &options)).abs() < 1e-9);
        for &module in clusters.concat().iter() {
            for to in 0..=clusters.len() {
                let mut moved = clusters.clone();
                moved.push(Vec::new());
                moved.iter_mut().for_each(|own| own.retain(|&other| other != module));
                moved[to].push(module);
                prop_assert!(quality(&rest, &moved, &options) <= found.quality + 1e-6);
            }
        }
        let several = Threads::new(NonZeroUsize::new(3)).expect("threads");
        prop_assert_eq!(&cluster(&graph, &options, &several), &found);
        for format in [PartitionFormat::Csv, PartitionFormat::Bunch] {
            let mut text = Vec::new();
            found.write(&graph, format, &mut text).unwrap();
            if found.clusters.is_empty() { continue; }
            let read = read_partition_from(&text[..], "p", &Limits::default()).unwrap();
            let again = score(&graph, &read, &options).unwrap();
            prop_assert_eq!(again.quality, found.quality);
            let names = |of: &Partition| -> Vec<String> {
                of.clusters.iter().map(|cluster| cluster.name.clone()).collect()
            };
            prop_assert_eq!((members(&again), names(&again)), (clusters.clone(), names(&found)));
        }
    }
}

/// Qualities that a plain hill climb with three starts reaches.
#[test]
fn published_graphs_reach_the_quality_of_a_hill_climb() {
    let graphs = [
        ("mtunis", 2.22),
        ("ispell", 2.32),
        ("rcs", 2.23),
        ("bison", 2.60),
        ("grappa", 12.70),
        ("incl", 13.60),
    ];
    for (name, least) in graphs {
        let Some(file) = file_in("fca", &format!("mdg/{name}")) else { continue };
        let graph = read_graph(&file, &GraphOptions::default()).unwrap();
        let found = cluster(&graph, &ClusterOptions::default(), &Threads::callers());
        assert!(found.quality >= least, "{name}: {}", found.quality);
    }
}

#[test]
fn clusters_are_named_by_what_their_modules_share() {
    let graph = read_graph(&ours("examples/modules.pairs"), &GraphOptions::default()).unwrap();
    let found = cluster(&graph, &ClusterOptions::default(), &Threads::callers());
    let mut names: Vec<&str> = found.clusters.iter().map(|cluster| &*cluster.name).collect();
    for cluster in &found.clusters {
        let concept = cluster.concept.as_ref().expect("a concept");
        assert!(!concept.intent.is_empty() && !cluster.name.is_empty());
        let within = |all: &[u32]| all.iter().all(|module| cluster.modules.contains(module));
        assert!(within(&concept.intent) && within(&concept.extent));
    }
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count, "names are unique");
}

#[test]
fn omnipresent_modules_are_set_aside() {
    // Two triangles, and a module that all others use.
    let text = "a b\nb c\nc a\nd e\ne f\nf d\na log\nb log\nc log\nd log\ne log\nf log\n";
    let graph = read_graph_from(text.as_bytes(), "g", &GraphOptions::default()).unwrap();
    let options = |omnipresent| ClusterOptions { omnipresent, ..ClusterOptions::default() };
    let found = cluster(&graph, &options(Some(1.5)), &Threads::callers());
    assert_eq!((found.quality, found.clusters.len()), (2.0, 2));
    assert_eq!(graph.modules[found.omnipresent[0] as usize], "log");
    let found = cluster(&graph, &options(None), &Threads::callers());
    assert!(found.omnipresent.is_empty() && found.quality < 2.0);
}

#[test]
fn given_partitions_must_fit() {
    let graph = read_graph_from(&b"a b\nb c\n"[..], "g", &GraphOptions::default()).unwrap();
    let message = |text: &str| {
        let clusters = read_partition_from(text.as_bytes(), "p", &Limits::default()).unwrap();
        score(&graph, &clusters, &ClusterOptions::default()).unwrap_err().to_string()
    };
    assert_eq!(message("SS(x)=a, b, d"), "module 'd' of cluster 'x' is not in the graph");
    assert!(message("SS(x)=a, b").starts_with("module 'c' is in no cluster; expected"));
    let twice = "module 'a' is in cluster 'x' and in cluster 'y'; expected one";
    assert_eq!(message("SS(x)=a, b\nSS(y)=a, c"), twice);
}
