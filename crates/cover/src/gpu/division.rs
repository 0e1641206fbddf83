//! Divides a batch into **trips**, which are sent to the GPU one after the other, and a trip into
//! **parts**. Each part is planned and encoded by one thread of the CPU.

use super::tiling::Tiling;
use crate::plan::{Hypothesis, Variety};
use pellucid_device::gpu::GpuLimits;
use std::ops::Range;

/// The maximum number of roots of a plan that counts bags. Every root of a plan has a counter on
/// the GPU.
const MAX_BAG_ROOTS: usize = 1024;
/// The minimum number of tiles for which a large batch is divided into trips. With fewer tiles, a
/// trip would not occupy the GPU.
const MIN_TRIP_TILES: usize = 512;
/// The ends of the trips of a large batch, in parts of the same size.
const TRIP_ENDS: [usize; 4] = [1, 3, 7, TRIP_PARTS];
const TRIP_PARTS: usize = 15;
/// The number of threads that build such parts beside the one that sends them. They are faster than
/// the GPU counts, and to wake more of them takes as long as building a part.
const TRIP_HELPERS: usize = 5;
/// The time to build a root on the CPU relative to the time to fill the slots of one more part for
/// a tile on the GPU.
const BUILD_COST: usize = 3;
/// The minimum number of roots for a separate block.
const MIN_BLOCK_ROOTS: usize = 32;
/// The minimum number of roots for which other threads are used. Waking them takes as long as
/// building a thousand roots.
const MIN_PARALLEL_ROOTS: usize = 4096;
/// The last number for an emulated GPU, so that small tests reach every case.
const MIN_PARALLEL_ROOTS_EMULATED: usize = 24;

/// Roots that one thread plans and encodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) roots: Range<usize>,
    /// Whether it is the last part of its trip.
    pub(super) ends_trip: bool,
}

/// Returns whether a batch has enough roots to build it on several threads.
pub(super) fn is_parallel(limits: &GpuLimits, roots: usize) -> bool {
    let emulated = limits.is_emulated;
    roots >= if emulated { MIN_PARALLEL_ROOTS_EMULATED } else { MIN_PARALLEL_ROOTS }
}

/// The parts of a batch, and the number of threads that build them beside the one that sends them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Division {
    pub(super) parts: Vec<Part>,
    pub(super) helpers: usize,
}

/// Divides a batch. Each trip has twice as many roots as the one before it: the GPU starts early,
/// and counts every trip while the next is built. Counters of bags would be needed for every trip,
/// so bags are counted in one.
///
/// A trip has several parts if their slots take the GPU little time: if there are few comparisons,
/// or if even a part needs several plans.
pub(super) fn divide(
    roots: usize,
    variety: impl FnOnce() -> Variety,
    hypothesis: Hypothesis,
    tiling: &Tiling,
    limits: &GpuLimits,
    threads: usize,
) -> Division {
    let is_long = tiling.len() >= MIN_TRIP_TILES || limits.is_emulated;
    if hypothesis != Hypothesis::Rows || !is_long || !is_parallel(limits, roots) {
        let parts = one_trip(roots, hypothesis, tiling, limits, threads);
        return Division { helpers: parts.len(), parts };
    }
    let variety = variety();
    let end = |part: usize| roots * part / TRIP_PARTS;
    let starts = std::iter::once(0).chain(TRIP_ENDS);
    let mut parts = Vec::with_capacity(TRIP_PARTS);
    for (first, last) in starts.zip(TRIP_ENDS) {
        if variety == Variety::Medium {
            parts.push(Part { roots: end(first)..end(last), ends_trip: true });
            continue;
        }
        parts.extend(
            (first..last)
                .map(|part| Part { roots: end(part)..end(part + 1), ends_trip: part + 1 == last }),
        );
    }
    Division { parts, helpers: TRIP_HELPERS }
}

/// Divides a batch into the parts of one trip.
pub(super) fn one_trip(
    roots: usize,
    hypothesis: Hypothesis,
    tiling: &Tiling,
    limits: &GpuLimits,
    threads: usize,
) -> Vec<Part> {
    let (units, most) = match hypothesis {
        Hypothesis::Rows => (tiling.len().max(1), roots),
        _ => (tiling.stacks().max(1), MAX_BAG_ROOTS),
    };
    // Enough parts for all multiprocessors, even if there are few tiles.
    let idle = (limits.multiprocessors / units).min(roots / MIN_BLOCK_ROOTS);
    // Every part fills its own slots on the GPU, but parts are built in parallel on the CPU.
    let parallel = match is_parallel(limits, roots) {
        true => (BUILD_COST * roots / units).isqrt().min(threads),
        false => 1,
    };
    let parts = idle.max(parallel).max(roots.div_ceil(most.max(1))).max(1);
    let size = roots.div_ceil(parts).max(1);
    let end = |start: usize| (start + size).min(roots);
    let starts = (0..roots).step_by(size);
    starts.map(|start| Part { roots: start..end(start), ends_trip: end(start) == roots }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Table;
    use pellucid_data::Values;
    use proptest::prelude::*;

    fn tiling(tiles: usize) -> Tiling {
        let values: Vec<f64> = vec![0.0; tiles * 1024];
        let columns = vec![("a".to_owned(), Values::Numeric(values.into()))];
        Tiling::new(Table::new(columns).expect("a table").layout())
    }

    fn limits(is_emulated: bool) -> GpuLimits {
        GpuLimits {
            name: String::new(),
            multiprocessors: 132,
            shared_bytes: 227 << 10,
            threads: 1024,
            total_bytes: 0,
            is_emulated,
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        #[test]
        fn every_root_is_in_one_part(
            roots in 1_usize..20_000,
            tiles in prop_oneof![1_usize..20, Just(600_usize)],
            threads in 1_usize..20,
            is_emulated: bool,
        ) {
            let (tiling, limits) = (tiling(tiles), limits(is_emulated));
            let divided = |variety| {
                divide(roots, || variety, Hypothesis::Rows, &tiling, &limits, threads).parts
            };
            for parts in [
                divided(Variety::Few),
                divided(Variety::Medium),
                divided(Variety::Many),
                one_trip(roots, Hypothesis::Rows, &tiling, &limits, threads),
            ] {
                let mut next = 0;
                for part in &parts {
                    prop_assert_eq!(part.roots.start, next);
                    prop_assert!(!part.roots.is_empty());
                    next = part.roots.end;
                }
                prop_assert_eq!(next, roots);
                prop_assert!(parts.last().is_some_and(|part| part.ends_trip));
            }
        }
    }

    fn divided(roots: usize, tiles: usize, variety: Variety) -> Vec<Part> {
        let (tiling, limits) = (tiling(tiles), limits(false));
        divide(roots, || variety, Hypothesis::Rows, &tiling, &limits, 16).parts
    }

    #[test]
    fn only_large_batches_on_long_tables_take_several_trips() {
        let trips = |roots, tiles| {
            let parts = divided(roots, tiles, Variety::Medium);
            parts.iter().filter(|part| part.ends_trip).count()
        };
        assert_eq!([trips(10_000, 600), trips(10_000, 60), trips(100, 600)], [4, 1, 1]);
    }

    #[test]
    fn trips_have_parts_unless_comparisons_are_repeated() {
        let whole = divided(15_000, 600, Variety::Medium);
        let ends: Vec<usize> = whole.iter().map(|part| part.roots.end).collect();
        assert_eq!(ends, [1_000, 3_000, 7_000, 15_000]);
        for variety in [Variety::Few, Variety::Many] {
            let parts = divided(15_000, 600, variety);
            assert!(parts.iter().all(|part| part.roots.len() == 1_000));
            let trips = parts.iter().filter(|part| part.ends_trip).map(|part| part.roots.end);
            assert_eq!(trips.collect::<Vec<_>>(), ends);
        }
    }
}
