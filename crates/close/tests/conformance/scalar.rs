//! The scalar level is the specification itself: it lists concepts in the order of the
//! specification, which no other search does.

use super::Collector;
use pellucid_bits::Level;
use pellucid_close::{Terms, Tuning, open, search_with, spec};
use pellucid_data::Relation;
use pellucid_device::{Device, Machine, Threads};
use std::num::NonZeroUsize;
use std::sync::Arc;

/// Attributes from the most frequent to the rarest; the other searches try them in the opposite
/// order.
fn relation() -> Relation {
    Relation::new(4, [vec![0, 1, 2], vec![0, 1], vec![0], vec![0, 3], vec![1, 3]]).unwrap()
}

fn by_specification(terms: &Terms<'_>) -> Vec<super::Concept> {
    let mut expected = Collector::default();
    spec::concepts(&relation(), terms, &mut expected);
    expected.0
}

#[test]
fn a_search_at_the_scalar_level_is_the_specification() {
    let terms = Terms { extents: true, ..Terms::default() };
    let expected = by_specification(&terms);
    let listed = |level| {
        let mut visitors = [Collector::default(), Collector::default()];
        search_with(&relation(), &terms, &mut visitors[..1], level, Tuning::default())
            .expect("a level");
        std::mem::take(&mut visitors[0].0)
    };
    assert_eq!(listed(Level::Scalar), expected);
    assert_ne!(
        listed(Level::Portable),
        expected,
        "the orders must differ for this test to be meaningful"
    );
}

#[test]
fn a_search_on_a_scalar_cpu_device_is_the_specification() {
    let threads = Arc::new(Threads::new(NonZeroUsize::new(2)).expect("threads"));
    let cpu_device = Device::with_level(Arc::clone(&threads), Level::Scalar).expect("always there");
    let machine = Machine::new(vec![cpu_device], threads);
    for most in [None, Some(3)] {
        let terms = Terms { extents: true, most, ..Terms::default() };
        let mut visitors = [Collector::default(), Collector::default()];
        open(&machine, &relation()).search(&terms, &mut visitors).expect("no device fails");
        assert_eq!(visitors[0].0, by_specification(&terms));
        assert!(visitors[1].0.is_empty());
    }
}
