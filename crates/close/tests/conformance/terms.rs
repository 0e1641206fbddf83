//! Limits, stopping and progress.

use super::all_backends;
use pellucid_close::{ConceptView, SearchStop, Terms, search};
use pellucid_data::Relation;
use std::sync::atomic::{AtomicU64, Ordering};

/// Returns a context in which every object lacks one attribute, so that all sets of attributes are
/// intents.
fn all_sets(attributes: u32) -> Relation {
    let rows =
        (0..attributes).map(|object| (0..attributes).filter(|&a| a != object).collect::<Vec<_>>());
    Relation::new(attributes as usize, rows).unwrap()
}

#[test]
fn lists_exactly_as_many_concepts_as_the_limit_allows() {
    let relation = all_sets(7);
    for backend in all_backends() {
        for most in [0, 1, 2, 100, 127, 128, 129] {
            let terms = Terms { most: Some(most), ..Terms::default() };
            let (outcome, concepts) = backend.listed(&relation, &terms);
            assert_eq!(outcome.concepts, most.min(128), "{backend:?}");
            assert_eq!(concepts.len() as u64, outcome.concepts);
            assert!(concepts.windows(2).all(|pair| pair[0].0 != pair[1].0), "{backend:?}");
            let stop = if most < 128 { SearchStop::Limit } else { SearchStop::Complete };
            assert_eq!(outcome.stop, stop, "{backend:?}, {most}");
            assert_eq!(backend.counted(&relation, &terms).concepts, outcome.concepts);
        }
    }
}

#[test]
fn stops_on_request() {
    let relation = all_sets(22);
    for backend in all_backends() {
        let calls = AtomicU64::new(0);
        let stop = || calls.fetch_add(1, Ordering::Relaxed) >= 5;
        let terms = Terms { stop: Some(&stop), ..Terms::default() };
        let outcome = backend.counted(&relation, &terms);
        // A large GPU may finish before the stop function is called that often.
        if outcome.stop == SearchStop::Complete {
            assert!(calls.into_inner() <= 5, "{backend:?} ignored the stop request");
            assert_eq!(outcome.concepts, 1 << 22);
        } else {
            assert_eq!(outcome.stop, SearchStop::Requested);
            assert!(outcome.concepts < 1 << 22, "{backend:?}: {}", outcome.concepts);
        }
        let at_once = Terms { stop: Some(&|| true), ..Terms::default() };
        let outcome = backend.counted(&relation, &at_once);
        assert_eq!((outcome.concepts, outcome.stop), (0, SearchStop::Requested));
    }
}

#[test]
fn progress_ends_at_the_number_of_concepts() {
    let relation = all_sets(9);
    for backend in all_backends() {
        let progress = AtomicU64::new(0);
        let terms = Terms { progress: Some(&progress), ..Terms::default() };
        let outcome = backend.counted(&relation, &terms);
        assert_eq!((outcome.concepts, progress.into_inner()), (1 << 9, 1 << 9));
    }
}

/// The tree has as many levels as attributes.
#[test]
fn deep_searches_need_no_deep_stack() {
    let relation = all_sets(1_500);
    let terms = Terms { most: Some(20_000), ..Terms::default() };
    let outcome = search(&relation, &terms, &mut [(), ()]).expect("a level");
    assert_eq!((outcome.concepts, outcome.stop), (20_000, SearchStop::Limit));
}

#[test]
#[should_panic(expected = "enough of this")]
fn a_visitor_that_panics_ends_the_search() {
    let visitor = |concept: &ConceptView<'_>| assert!(concept.support > 3, "enough of this");
    let _ = search(&all_sets(12), &Terms::default(), &mut [visitor, visitor, visitor]);
}
