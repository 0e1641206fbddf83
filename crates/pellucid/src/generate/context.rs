//! Random contexts: crosses strewn evenly, and symmetric graphs, even or heavy-tailed.
//!
//! For a heavy-tailed graph picture arrows thrown at random, the more often at a module the larger its weight, until there are
//! enough; arrows that fall on the same pair are one. So a pair is there with the chance `1 - exp(-c v w)`, *v* and *w* being
//! the weights of its two modules (Chung and Lu 2002, in the form of Norros and Reittu 2006).

use super::{GenerateError, fits};
use crate::learn::params::{ParamError, probability, within};
use crate::learn::rng::Streams;
use pellucid_data::Relation;
use pellucid_data::{Context, Names};

/// How fast the weights of a heavy-tailed graph fall: that of module *i*, from 1, is *i* to the power of minus this.
const FALL: f64 = 0.55;
/// More crosses than any program could list the concepts of.
const MOST_CROSSES: f64 = 4e9;

/// How a symmetric graph of modules is drawn; none is paired with itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GraphKind {
    /// Every pair of modules with one chance.
    Uniform,
    /// Every module with a weight that falls with its number, every pair with a chance that goes with both weights: heavy-tailed,
    /// as graphs of software are.
    ChungLu,
}

/// What a random context is like; objects and attributes are numbered from 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RandomContext {
    /// How many objects; of a graph, how many modules.
    pub objects: usize,
    /// How many attributes; a graph has as many as modules, whatever this says.
    pub attributes: usize,
    /// Share of all pairs of an object and an attribute that are crosses, 0 to 1.
    pub density: f64,
    /// Whether it is a graph, and of which kind.
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
    // A row of its own for each object, and its crosses there and in the relation.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "below the limit")]
    let crosses = (pairs * density) as usize;
    let rows = objects.checked_mul(64).and_then(|bytes| bytes.checked_add(crosses * 12));
    fits("objects", &format!("{objects} objects and their {crosses} crosses"), rows)?;
    let streams = Streams::new(seed).at("context");
    let rows = match kind {
        None => even(objects, attributes, density, &streams),
        Some(GraphKind::Uniform) => {
            let others = (objects as f64 - 1.0).max(1.0);
            let chance = density * objects as f64 / others;
            graph(objects, |_, _| chance, &streams)
        }
        Some(GraphKind::ChungLu) => {
            let weights: Vec<f64> = (1..=objects).map(|i| libm::pow(i as f64, -FALL)).collect();
            let factor = factor(&weights, pairs * density);
            let arrows = |from: usize, to: usize| factor * weights[from] * weights[to];
            graph(objects, |from, to| 1.0 - libm::exp(-arrows(from, to)), &streams)
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
    fn as_dense_as_asked_for() {
        for graph in [None, Some(GraphKind::Uniform), Some(GraphKind::ChungLu)] {
            for density in [0.0, 0.02, 0.3] {
                let context = generate(500, 400, density, graph);
                // 80,000 pairs or more: a hundredth is ten standard deviations of a graph's 2,500 arrows and more.
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
    fn graphs_are_symmetric_without_self_pairs_and_one_kind_is_heavy_tailed() {
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
