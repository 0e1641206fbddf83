//! Random contexts: crosses strewn evenly, and symmetric graphs, even or heavy-tailed.
//!
//! For a heavy-tailed graph picture arrows thrown at random, the more often at a module the larger its weight, until there are
//! enough; arrows that fall on the same pair are one. So a pair is there with the chance `1 - exp(-c v w)`, *v* and *w* being
//! the weights of its two modules (Chung and Lu 2002, in the form of Norros and Reittu 2006).

use crate::args::{GenerateContextArgs, Graph};
use anyhow::{Result, ensure};
use pellucid::engine::close::Relation;
use pellucid::engine::data::{Context, Names};
use pellucid::learn::rng::Streams;

/// How fast the weights of a heavy-tailed graph fall: that of module *i*, from 1, is *i* to the power of minus this.
const FALL: f64 = 0.55;
/// More crosses than any program could list the concepts of.
const MOST_CROSSES: f64 = 4e9;

/// A random context; objects and attributes are numbered from 1.
pub(crate) fn generate(args: &GenerateContextArgs) -> Result<Context> {
    let (objects, density) = (args.objects, args.density);
    let attributes = if args.graph.is_some() { objects } else { args.attributes };
    ensure!(objects > 0, "--objects: found 0, allowed are 1 and more");
    ensure!(attributes > 0, "--attributes: found 0, allowed are 1 and more");
    ensure!((0.0..=1.0).contains(&density), "--density: found {density}, allowed are 0 to 1");
    let pairs = objects as f64 * attributes as f64;
    ensure!(
        pairs * density <= MOST_CROSSES && u32::try_from(attributes).is_ok(),
        "--density: found {density}, of {objects} x {attributes} pairs at most {MOST_CROSSES} can be crosses"
    );
    let streams = Streams::new(args.seed).at("context");
    let rows = match args.graph {
        None => even(objects, attributes, density, &streams),
        Some(Graph::Uniform) => {
            let others = (objects as f64 - 1.0).max(1.0);
            let chance = density * objects as f64 / others;
            graph(objects, |_, _| chance, &streams)
        }
        Some(Graph::ChungLu) => {
            let weights: Vec<f64> = (1..=objects).map(|i| libm::pow(i as f64, -FALL)).collect();
            let factor = factor(&weights, pairs * density);
            let arrows = |from: usize, to: usize| factor * weights[from] * weights[to];
            graph(objects, |from, to| 1.0 - libm::exp(-arrows(from, to)), &streams)
        }
    };
    let name = match args.graph {
        None => "random",
        Some(Graph::Uniform) => "uniform",
        Some(Graph::ChungLu) => "chung-lu",
    };
    let names = |count| Names::Numbered { first: 1, count };
    Ok(Context::new(name, names(objects), names(attributes), Relation::new(attributes, rows)?))
}

/// Every pair with one chance; the next cross is skipped to in one draw.
fn even(objects: usize, attributes: usize, chance: f64, streams: &Streams) -> Vec<Vec<u32>> {
    let row = |object: usize| {
        let mut stream = streams.stream(&[object.into()]);
        let mut place = 0u64;
        std::iter::from_fn(move || {
            let cross = place.saturating_add(stream.gap(chance));
            place = cross.saturating_add(1);
            u32::try_from(cross).ok().filter(|&cross| (cross as usize) < attributes)
        })
        .collect()
    };
    (0..objects).map(row).collect()
}

/// A symmetric graph: every pair of different modules with its chance.
fn graph(modules: usize, chance: impl Fn(usize, usize) -> f64, streams: &Streams) -> Vec<Vec<u32>> {
    let mut rows: Vec<Vec<u32>> = vec![Vec::new(); modules];
    let numbers = || (0u32..).zip(0..modules);
    for (from, row) in numbers() {
        let mut stream = streams.stream(&[row.into()]);
        for (to, column) in numbers().skip(row + 1) {
            if stream.chance(chance(row, column)) {
                rows[row].push(to);
                rows[column].push(from);
            }
        }
    }
    rows
}

/// What to multiply the products of two weights by, so that this many crosses are expected.
///
/// The expectation rises ever more slowly with the factor; so Newton's steps, begun below, come nearer and never go beyond.
fn factor(weights: &[f64], wanted: f64) -> f64 {
    let modules = weights.len() as f64;
    if wanted >= modules * (modules - 1.0) {
        return f64::INFINITY;
    }
    let mut factor = 0.0;
    for _ in 0..100 {
        let (mut expected, mut slope) = (0.0, 0.0);
        for (index, weight) in weights.iter().enumerate() {
            for product in weights[index + 1..].iter().map(|other| weight * other) {
                let absent = libm::exp(-factor * product);
                expected += 2.0 * (1.0 - absent);
                slope += 2.0 * product * absent;
            }
        }
        let step = (wanted - expected) / slope;
        factor += step;
        if step <= factor * 1e-9 {
            break;
        }
    }
    factor
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    fn args(
        objects: usize,
        attributes: usize,
        density: f64,
        graph: Option<Graph>,
    ) -> GenerateContextArgs {
        GenerateContextArgs {
            objects,
            attributes,
            density,
            graph,
            out: PathBuf::from("-"),
            seed: 7,
        }
    }

    #[test]
    fn as_dense_as_asked_for() {
        for graph in [None, Some(Graph::Uniform), Some(Graph::ChungLu)] {
            for density in [0.0, 0.02, 0.3] {
                let context = generate(&args(500, 400, density, graph)).unwrap();
                // 80,000 pairs or more: a hundredth is ten standard deviations of a graph's 2,500 arrows and more.
                assert!(
                    (context.density() - density).abs() < 0.01,
                    "{graph:?} {}",
                    context.density()
                );
            }
        }
        assert_eq!(generate(&args(5, 4, 1.0, None)).unwrap().relation.crosses(), 20);
    }

    #[test]
    fn graphs_are_symmetric_without_self_pairs_and_one_kind_is_heavy_tailed() {
        let largest = |kind| {
            let context = generate(&args(400, 0, 0.02, Some(kind))).unwrap();
            assert_eq!(context.relation.transposed(), context.relation);
            assert!((0u32..400).all(|m| !context.relation.has(m as usize, m)));
            context.relation.supports().into_iter().max().unwrap()
        };
        assert!(largest(Graph::ChungLu) > 3 * largest(Graph::Uniform));
        for kind in [Graph::Uniform, Graph::ChungLu] {
            let full = generate(&args(9, 0, 1.0, Some(kind))).unwrap();
            assert_eq!(full.relation.crosses(), 72, "{kind:?}");
            assert_eq!(generate(&args(1, 0, 1.0, Some(kind))).unwrap().relation.crosses(), 0);
        }
    }
}
