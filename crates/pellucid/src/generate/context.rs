//! Random contexts: independent crosses, and symmetric graphs that are uniform or heavy-tailed.
//!
//! In a heavy-tailed graph each module has a weight. A pair of modules with weights *v* and *w* is
//! an edge with probability `1 - exp(-c v w)` (Chung and Lu 2002, in the form of Norros and Reittu
//! 2006).

use super::{GenerateError, fits};
use crate::learn::params::{ParamError, probability, within};
use crate::learn::rng::Streams;
use pellucid_data::Relation;
use pellucid_data::{Context, Names};

/// The exponent of the weights of a heavy-tailed graph: module *i*, counted from 1, has weight *i*
/// to the power of minus this.
const EXPONENT: f64 = 0.55;
/// The maximum number of crosses. Listing the concepts of a larger context is not feasible.
const MOST_CROSSES: f64 = 4e9;

/// The kind of a random symmetric graph. Graphs have no loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GraphKind {
    /// All pairs of modules have the same probability.
    Uniform,
    /// Modules have decreasing weights, and the probability of a pair depends on both weights. The graph is
    /// heavy-tailed, like dependency graphs of software.
    ChungLu,
}

/// The parameters of a random context. Objects and attributes are numbered from 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RandomContext {
    /// The number of objects, or of modules of a graph.
    pub objects: usize,
    /// The number of attributes. Ignored for a graph.
    pub attributes: usize,
    /// The share of all pairs of an object and an attribute that are crosses, 0 to 1.
    pub density: f64,
    /// The kind of graph. If none, the context is not a graph.
    pub graph: Option<GraphKind>,
}

impl Default for RandomContext {
    fn default() -> RandomContext {
        RandomContext { objects: 100, attributes: 100, density: 0.1, graph: None }
    }
}

pub(super) fn generate(random: &RandomContext, seed: u64) -> Result<Context, GenerateError> {
    let &RandomContext { objects, density, graph: kind, .. } = random;
    let attributes = if kind.is_some() { objects } else { random.attributes };
    within("objects", objects, 1..)?;
    within("attributes", attributes, 1..)?;
    probability("density", density)?;
    let pairs = objects as f64 * attributes as f64;
    if pairs * density > MOST_CROSSES || u32::try_from(attributes).is_err() {
        let allowed = format!("at most {MOST_CROSSES} crosses of {objects} x {attributes} pairs");
        return Err(ParamError::new("density", density, allowed).into());
    }
    // Each object has a row, and each cross is stored in the row and in the relation.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "below the limit")]
    let crosses = (pairs * density) as usize;
    let rows = objects.checked_mul(64).and_then(|bytes| bytes.checked_add(crosses * 12));
    fits("objects", &format!("{objects} objects and their {crosses} crosses"), rows)?;
    let streams = Streams::new(seed).at("context");
    let rows = match kind {
        None => independent_crosses(objects, attributes, density, &streams),
        Some(GraphKind::Uniform) => {
            let others = (objects as f64 - 1.0).max(1.0);
            let probability = density * objects as f64 / others;
            graph(objects, |_, _| probability, &streams)
        }
        Some(GraphKind::ChungLu) => {
            let weights: Vec<f64> = (1..=objects).map(|i| libm::pow(i as f64, -EXPONENT)).collect();
            let factor = factor(&weights, pairs * density);
            let rate = |from: usize, to: usize| factor * weights[from] * weights[to];
            graph(objects, |from, to| 1.0 - libm::exp(-rate(from, to)), &streams)
        }
    };
    let name = match kind {
        None => "random",
        Some(GraphKind::Uniform) => "uniform",
        Some(GraphKind::ChungLu) => "chung-lu",
    };
    let names = |count| Names::Numbered { first: 1, count };
    Ok(Context::new(name, names(objects), names(attributes), Relation::new(attributes, rows)?))
}

/// Draws crosses with the same probability for each pair. The gap to the next cross takes a single draw.
fn independent_crosses(
    objects: usize,
    attributes: usize,
    probability: f64,
    streams: &Streams,
) -> Vec<Vec<u32>> {
    let row = |object: usize| {
        let mut stream = streams.stream(&[object.into()]);
        let mut next = 0u64;
        std::iter::from_fn(move || {
            let cross = next.saturating_add(stream.gap(probability));
            next = cross.saturating_add(1);
            u32::try_from(cross).ok().filter(|&cross| (cross as usize) < attributes)
        })
        .collect()
    };
    (0..objects).map(row).collect()
}

/// Draws a symmetric graph. `probability` is that of each pair of different modules.
fn graph(
    modules: usize,
    probability: impl Fn(usize, usize) -> f64,
    streams: &Streams,
) -> Vec<Vec<u32>> {
    let mut rows: Vec<Vec<u32>> = vec![Vec::new(); modules];
    let numbers = || (0u32..).zip(0..modules);
    for (from, row) in numbers() {
        let mut stream = streams.stream(&[row.into()]);
        for (to, column) in numbers().skip(row + 1) {
            if stream.chance(probability(row, column)) {
                rows[row].push(to);
                rows[column].push(from);
            }
        }
    }
    rows
}

/// Returns the factor of the products of two weights for which the expected number of crosses is `crosses`.
///
/// The expected number is a concave function of the factor, so Newton's method from below converges
/// monotonically.
fn factor(weights: &[f64], crosses: f64) -> f64 {
    let modules = weights.len() as f64;
    if crosses >= modules * (modules - 1.0) {
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
        let step = (crosses - expected) / slope;
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

    fn generate(
        objects: usize,
        attributes: usize,
        density: f64,
        graph: Option<GraphKind>,
    ) -> Context {
        let random = RandomContext { objects, attributes, density, graph };
        super::generate(&random, 7).unwrap()
    }

    #[test]
    fn the_density_is_as_specified() {
        for graph in [None, Some(GraphKind::Uniform), Some(GraphKind::ChungLu)] {
            for density in [0.0, 0.02, 0.3] {
                let context = generate(500, 400, density, graph);
                // With at least 80,000 pairs, 0.01 is more than ten standard deviations of the density.
                assert!(
                    (context.density() - density).abs() < 0.01,
                    "{graph:?} {}",
                    context.density()
                );
            }
        }
        assert_eq!(generate(5, 4, 1.0, None).relation.crosses(), 20);
    }

    #[test]
    fn graphs_are_symmetric_without_loops_and_one_kind_is_heavy_tailed() {
        let largest = |kind| {
            let context = generate(400, 0, 0.02, Some(kind));
            assert_eq!(context.relation.transposed(), context.relation);
            assert!((0u32..400).all(|m| !context.relation.has(m as usize, m)));
            context.relation.supports().into_iter().max().unwrap()
        };
        assert!(largest(GraphKind::ChungLu) > 3 * largest(GraphKind::Uniform));
        for kind in [GraphKind::Uniform, GraphKind::ChungLu] {
            let full = generate(9, 0, 1.0, Some(kind));
            assert_eq!(full.relation.crosses(), 72, "{kind:?}");
            assert_eq!(generate(1, 0, 1.0, Some(kind)).relation.crosses(), 0);
        }
    }
}
