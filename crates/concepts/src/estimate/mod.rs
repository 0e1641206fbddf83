//! The number of concepts and the time to count them, estimated before a long run.
//!
//! A context with few concepts is counted. For others, the search tree is sampled (Chen 1992): a run
//! walks the tree level by level and keeps one node of every stratum, that is of all nodes of the
//! level with about as many candidates and objects. The node stands for all nodes of its stratum
//! that the run has seen. The expected number of nodes of a run is the number of concepts. Knuth's
//! method (1975), which follows single paths, varies far more, because the subtrees of a node differ
//! by orders of magnitude.
//!
//! Runs are independent, so their mean has a confidence interval by Student's t. It contained the
//! number in 197 of 210 estimates of seven contexts (`bench/results/concepts_estimate.txt`).

mod strata;
mod tree;

use pellucid_bits::{Level, LevelError};
use pellucid_close::{SearchStop, Terms, search};
use pellucid_data::Relation;
use pellucid_device::Threads;
use serde::Serialize;
use std::time::Instant;
use tree::Tree;

/// Contexts with at most this many concepts are counted instead.
const COUNTED: u64 = 200_000;

/// The number of runs. There are fewer if a run takes long, but at least the first number.
const RUNS: std::ops::RangeInclusive<usize> = 4..=12;

/// The effort of a sample.
#[derive(Clone, Copy)]
struct Effort {
    /// The maximum number of runs, within [`RUNS`].
    runs: usize,
    /// The number of words of bits to process in all runs together, about.
    work: u64,
}

const ESTIMATE: Effort = Effort { runs: *RUNS.end(), work: 8_000_000_000 };

/// A forecast shares the processor with the search.
const FORECAST: Effort = Effort { runs: 8, work: 1_000_000_000 };

/// The maximum number of bytes of the columns of a forecast.
const FORECAST_BYTES: usize = 1 << 27;

/// The quantiles of Student's t for an interval of 95 %, by degrees of freedom from 3.
const STUDENT: [f64; 9] = [3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201];

/// The estimated number of concepts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ConceptEstimate {
    /// The number of concepts, or its estimate.
    pub concepts: u64,
    /// The lower end of the 95 % confidence interval.
    pub low: u64,
    /// The upper end of the 95 % confidence interval.
    pub high: u64,
    /// Whether the concepts were counted.
    pub exact: bool,
    /// The time to count the concepts in seconds: as long as it took, or at the speed at which the
    /// first 200,000 were counted.
    pub seconds: f64,
}

/// The expected number of concepts of a search that is under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConceptForecast {
    /// The estimated number of concepts.
    pub concepts: u64,
    /// The lower end of the 95 % confidence interval.
    pub low: u64,
    /// The upper end of the 95 % confidence interval.
    pub high: u64,
}

/// Estimates the number of concepts with at least `min_support` objects. A seed gives one result,
/// except for the time, with any number of threads. Returns nothing if `stop` returned true.
///
/// # Errors
/// If `PELLUCID_SIMD` is not a level that this CPU supports.
pub fn estimate(
    relation: &Relation,
    min_support: u64,
    seed: u64,
    threads: &Threads,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Option<ConceptEstimate>, LevelError> {
    let terms = Terms { min_support, most: Some(COUNTED), stop: Some(stop), ..Terms::default() };
    let start = Instant::now();
    let counted = search(relation, &terms, &mut vec![(); threads.count()])?;
    let seconds = start.elapsed().as_secs_f64();
    let concepts = counted.concepts;
    Ok(match counted.stop {
        SearchStop::Requested => None,
        SearchStop::Complete => {
            Some(ConceptEstimate { concepts, low: concepts, high: concepts, exact: true, seconds })
        }
        SearchStop::Limit => Tree::new(relation, min_support, threads.level(), usize::MAX, stop)
            .and_then(|tree| sample(&tree, ESTIMATE, seed, threads, stop))
            .map(|sizes| {
                let seconds = seconds * mean(&sizes) / concepts as f64;
                let ConceptForecast { concepts, low, high } = summary(&sizes, concepts + 1);
                ConceptEstimate { concepts, low, high, exact: false, seconds }
            }),
    })
}

/// Estimates the number of concepts of a search that is under way, on the thread of the caller, with
/// less work than [`estimate`]. A seed gives one result. `stop` is called often and may sleep, to
/// leave the time to the search. Returns nothing if it returned true, or if the context is too
/// large.
#[must_use]
pub fn forecast(
    relation: &Relation,
    min_support: u64,
    seed: u64,
    level: Level,
    stop: &(dyn Fn() -> bool + Sync),
) -> Option<ConceptForecast> {
    let tree = Tree::new(relation, min_support, level, FORECAST_BYTES, stop)?;
    let sizes = sample(&tree, FORECAST, seed, &Threads::callers(), stop)?;
    Some(summary(&sizes, 1))
}

/// Returns the number of concepts by each run, or nothing if it was stopped.
fn sample(
    tree: &Tree,
    effort: Effort,
    seed: u64,
    threads: &Threads,
    stop: &(dyn Fn() -> bool + Sync),
) -> Option<Vec<f64>> {
    let first = strata::run(tree, seed, 0, stop)?;
    let affordable = usize::try_from(effort.work / first.work.max(1)).unwrap_or(usize::MAX);
    let runs = affordable.clamp(*RUNS.start(), effort.runs);
    let others = threads.map_items((1..runs as u64).collect(), |number| {
        strata::run(tree, seed, number, stop).map(|run| run.size)
    });
    let mut sizes = vec![first.size];
    for size in others {
        sizes.push(size?);
    }
    Some(sizes)
}

/// Returns the estimate of the runs with its interval. There are at least `least` concepts.
fn summary(sizes: &[f64], least: u64) -> ConceptForecast {
    let (mean, half) = interval(sizes);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let number = |value: f64| (value.round() as u64).max(least);
    ConceptForecast { concepts: number(mean), low: number(mean - half), high: number(mean + half) }
}

fn mean(sizes: &[f64]) -> f64 {
    sizes.iter().sum::<f64>() / sizes.len() as f64
}

/// Returns the mean of the runs, and half of the width of its 95 % confidence interval.
fn interval(sizes: &[f64]) -> (f64, f64) {
    let runs = sizes.len() as f64;
    let mean = mean(sizes);
    let squares: f64 = sizes.iter().map(|size| (size - mean).powi(2)).sum();
    let quantile = STUDENT[sizes.len() - RUNS.start()];
    (mean, quantile * (squares / (runs - 1.0) / runs).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use pellucid_close::spec;

    /// Returns a context in which attributes are frequent and in part copies of each other.
    fn relation(objects: u64, attributes: u32, seed: u64) -> Relation {
        let hash = |a: u64, b: u64| {
            let mut bits = (a * 1_000_003 + b + seed).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            bits = (bits ^ bits >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            bits >> 40
        };
        let has = |object: u64, attribute: u32| {
            let original = if hash(object, 999) % 4 == 0 { attribute } else { attribute / 3 };
            hash(object, u64::from(original)) % 10 < 4 + u64::from(attribute % 4)
        };
        let row = |object| (0..attributes).filter(|&a| has(object, a)).collect::<Vec<_>>();
        Relation::new(attributes as usize, (0..objects).map(row)).unwrap()
    }

    #[test]
    fn the_interval_contains_the_number_in_about_95_of_100_estimates() {
        let threads = Threads::up_to(1).unwrap();
        let mut contained = 0;
        for (number, min_support) in [(1, 0), (2, 4), (3, 10), (4, 0)] {
            let relation = relation(120, 18, number);
            let terms = Terms { min_support, ..Terms::default() };
            let concepts = spec::concepts(&relation, &terms, &mut ()).concepts as f64;
            assert!(concepts > 500.0, "{concepts} concepts");
            let tree = Tree::new(&relation, min_support, Level::best(), usize::MAX, &|| false);
            let tree = tree.unwrap();
            for seed in 0..25 {
                let sizes = sample(&tree, ESTIMATE, seed, &threads, &|| false).unwrap();
                let (mean, half) = interval(&sizes);
                assert!(half < 0.5 * mean, "{mean} ± {half}");
                contained += u32::from((mean - concepts).abs() <= half);
            }
        }
        assert!((88..=100).contains(&contained), "{contained} of 100");
    }

    #[test]
    fn a_seed_gives_one_estimate_with_any_number_of_threads() {
        let relation = relation(600, 40, 5);
        let of = |threads| {
            let threads = Threads::up_to(threads).unwrap();
            let estimate = estimate(&relation, 10, 7, &threads, &|| false).unwrap().unwrap();
            assert!(!estimate.exact && estimate.low < estimate.concepts, "{estimate:?}");
            ConceptEstimate { seconds: 0.0, ..estimate }
        };
        assert_eq!(of(1), of(3));
        let forecasts = [Level::Portable, Level::best()]
            .map(|level| forecast(&relation, 10, 7, level, &|| false).unwrap());
        assert_eq!(forecasts[0], forecasts[1]);
        assert!(forecasts[0].low < of(1).high && of(1).low < forecasts[0].high, "{forecasts:?}");
    }

    #[test]
    fn few_concepts_are_counted_and_a_stop_is_heard() {
        let (relation, threads) = (relation(60, 9, 6), Threads::up_to(2).unwrap());
        let concepts = spec::concepts(&relation, &Terms::default(), &mut ()).concepts;
        let estimate = estimate(&relation, 0, 0, &threads, &|| false).unwrap().unwrap();
        let ConceptEstimate { low, high, exact, .. } = estimate;
        assert_eq!((estimate.concepts, low, high, exact), (concepts, concepts, concepts, true));
        assert!(forecast(&relation, 0, 0, Level::best(), &|| true).is_none());
    }
}
