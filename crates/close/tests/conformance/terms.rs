//! Limits, stopping and progress.

use super::{Way, counted, levels, listed, tunings};
use pellucid_close::{Found, Stop, Terms, search};
use pellucid_data::Relation;
use std::sync::atomic::{AtomicU64, Ordering};

/// Every object lacks one attribute: all sets of attributes are intents.
fn all_sets(attributes: u32) -> Relation {
    let rows =
        (0..attributes).map(|object| (0..attributes).filter(|&a| a != object).collect::<Vec<_>>());
    Relation::new(attributes as usize, rows).unwrap()
}

fn ways() -> impl Iterator<Item = Way> {
    let level = *levels().last().unwrap();
    let way = move |tuning| (1..4).map(move |threads| Way { level, threads, tuning });
    tunings().into_iter().flat_map(way)
}

#[test]
fn lists_exactly_as_many_as_were_asked_for() {
    let relation = all_sets(9);
    for way in ways() {
        for most in [0, 1, 2, 100, 511, 512, 513] {
            let terms = Terms { most: Some(most), ..Terms::default() };
            let (outcome, concepts) = listed(&relation, &terms, way);
            assert_eq!(outcome.concepts, most.min(512), "{way:?}");
            assert_eq!(concepts.len() as u64, outcome.concepts);
            assert!(concepts.windows(2).all(|pair| pair[0].0 != pair[1].0), "{way:?}");
            let stop = if most < 512 { Stop::Most } else { Stop::Complete };
            assert_eq!(outcome.stop, stop, "{way:?}, {most}");
            assert_eq!(counted(&relation, &terms, way).concepts, outcome.concepts);
        }
    }
}

#[test]
fn stops_when_told() {
    let relation = all_sets(22);
    for way in ways() {
        let asked = AtomicU64::new(0);
        let stop = || asked.fetch_add(1, Ordering::Relaxed) >= 5;
        let terms = Terms { stop: Some(&stop), ..Terms::default() };
        let outcome = counted(&relation, &terms, way);
        assert_eq!(outcome.stop, Stop::Told);
        assert!(outcome.concepts < 1 << 22, "{way:?}: {}", outcome.concepts);
        let at_once = Terms { stop: Some(&|| true), ..Terms::default() };
        let outcome = counted(&relation, &at_once, way);
        assert_eq!((outcome.concepts, outcome.stop), (0, Stop::Told));
    }
}

#[test]
fn progress_ends_at_the_number_of_concepts() {
    let relation = all_sets(11);
    for way in ways() {
        let progress = AtomicU64::new(0);
        let terms = Terms { progress: Some(&progress), ..Terms::default() };
        let outcome = counted(&relation, &terms, way);
        assert_eq!((outcome.concepts, progress.into_inner()), (1 << 11, 1 << 11));
    }
}

/// As many levels as attributes.
#[test]
fn deep_searches_need_no_deep_stack() {
    let relation = all_sets(1_500);
    let terms = Terms { most: Some(20_000), ..Terms::default() };
    let outcome = search(&relation, &terms, &mut [(), ()]);
    assert_eq!((outcome.concepts, outcome.stop), (20_000, Stop::Most));
}

#[test]
#[should_panic(expected = "enough of this")]
fn a_visitor_that_panics_ends_the_search() {
    let visitor = |found: &Found<'_>| assert!(found.support > 3, "enough of this");
    search(&all_sets(12), &Terms::default(), &mut [visitor, visitor, visitor]);
}
