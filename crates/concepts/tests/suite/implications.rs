//! Tests the stem base against its definition on small contexts, and on real files.

use crate::support::{every_set, real, small};
use pellucid_bits::words::{count, is_subset};
use pellucid_close::{SearchStop, spec as close};
use pellucid_concepts::implications::{BaseOptions, CanonicalBase, base, spec};
use pellucid_data::Relation;
use proptest::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

fn of(relation: &Relation) -> CanonicalBase {
    base(relation, &BaseOptions::default())
}

/// The pseudo-intents by definition: not closed, and containing the closure of every smaller
/// pseudo-intent.
fn pseudo_intents(relation: &Relation) -> Vec<Vec<u64>> {
    let mut sets: Vec<_> = every_set(relation).collect();
    sets.sort_by_key(|set| count(set));
    let mut found: Vec<Vec<u64>> = Vec::new();
    for set in sets {
        let inside = |p: &Vec<u64>| *p != set && is_subset(p, &set);
        let holds_closure = |p: &Vec<u64>| is_subset(&close::closure(relation, p), &set);
        if close::closure(relation, &set) != set
            && found.iter().filter(|p| inside(p)).all(holds_closure)
        {
            found.push(set);
        }
    }
    found
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(pellucid_testdata::cases(400)))]

    #[test]
    fn premises_are_the_pseudo_intents(relation in small()) {
        let mut expected = pseudo_intents(&relation);
        let base = of(&relation);
        prop_assert_eq!(base.stop, SearchStop::Complete);
        let mut premises: Vec<_> = base.implications.iter().map(|i| i.premise.to_vec()).collect();
        for (implication, premise) in base.implications.iter().zip(&premises) {
            let extent = close::extent_of(&relation, premise);
            prop_assert_eq!(implication.support, count(&extent));
            let closed = close::intent_of(&relation, &extent);
            let united: Vec<u64> = premise.iter().zip(&implication.conclusion).map(|(p, c)| p | c).collect();
            prop_assert_eq!(united, closed);
            prop_assert!(premise.iter().zip(&implication.conclusion).all(|(p, c)| p & c == 0));
        }
        premises.sort();
        expected.sort();
        prop_assert_eq!(premises, expected);
    }

    #[test]
    fn is_sound_complete_and_irredundant(relation in small()) {
        let all = of(&relation);
        prop_assert!(all.is_valid_in(&relation));
        for set in every_set(&relation) {
            let closed = close::closure(&relation, &set);
            prop_assert_eq!(&all.closure(&set), &closed);
            prop_assert_eq!(&spec::closure(&all.implications, &set), &closed);
        }
        for left_out in 0..all.implications.len() {
            let mut fewer = all.clone();
            let gone = fewer.implications.remove(left_out);
            prop_assert!(!is_subset(&gone.conclusion, &fewer.closure(&gone.premise)));
        }
    }

    #[test]
    fn equals_the_reference_implementation(relation in small()) {
        prop_assert_eq!(of(&relation).implications, spec::base(&relation));
    }

    #[test]
    fn a_minimum_support_removes_implications_with_less(relation in small(), min_support in 0u64..5) {
        let options = BaseOptions { min_support, ..BaseOptions::default() };
        let mut expected = of(&relation);
        expected.implications.retain(|implication| implication.support >= min_support);
        prop_assert_eq!(base(&relation, &options), expected);
    }

    #[test]
    fn a_maximum_lists_exactly_that_many(relation in small(), most in 0u64..8) {
        let all = of(&relation);
        let progress = AtomicU64::new(0);
        let options = BaseOptions { most: Some(most), progress: Some(&progress), ..BaseOptions::default() };
        let some = base(&relation, &options);
        let listed = most.min(all.implications.len() as u64);
        prop_assert_eq!(some.implications.len() as u64, listed);
        prop_assert_eq!(progress.into_inner(), listed);
        prop_assert_eq!(some.stop == SearchStop::Complete, all.implications.len() as u64 <= most);
        prop_assert!(some.implications.iter().all(|implication| all.implications.contains(implication)));
    }
}

#[test]
fn contexts_wider_than_a_word_equal_the_reference_implementation() {
    // Attributes defined by remainders: regular enough to have long chains of inferences.
    for (attributes, objects) in [(65, 12), (70, 9), (130, 7)] {
        let row =
            |o: u32| (0..attributes).filter(move |a| (a * a + o * a) % 7 < 4).collect::<Vec<_>>();
        let relation = Relation::new(attributes as usize, (1..=objects).map(row)).unwrap();
        assert_eq!(of(&relation).implications, spec::base(&relation), "{attributes} x {objects}");
    }
}

#[test]
fn the_first_violated_implication_is_returned() {
    let base = of(&Relation::new(3, [[0, 1].as_slice(), &[1, 2]]).unwrap());
    let broken = Relation::new(3, [[0, 1].as_slice(), &[1, 2], &[2]]).unwrap();
    let index = base.first_violated(&broken).unwrap();
    assert!(!base.is_valid_in(&broken) && !base.implications[index].is_valid_in(&broken));
    assert!(base.implications[..index].iter().all(|implication| implication.is_valid_in(&broken)));
}

#[test]
fn stops_on_request() {
    // Irregular crosses, so that the search takes many steps.
    let row = |object: u32| {
        (0..40u32).filter(move |a| (object * 40 + a).wrapping_mul(0x9E37_79B1) >> 30 > 0)
    };
    let relation =
        Relation::new(40, (0..60).map(|object| row(object).collect::<Vec<_>>())).unwrap();
    let segments = real("cxt/segments.cxt").map(|context| context.relation);
    for relation in std::iter::once(relation).chain(segments) {
        let asked = AtomicU64::new(0);
        let stop = || asked.fetch_add(1, Ordering::Relaxed) == 3;
        let partial = base(&relation, &BaseOptions { stop: Some(&stop), ..BaseOptions::default() });
        assert_eq!((partial.stop, asked.into_inner()), (SearchStop::Requested, 4));
        assert!(partial.is_valid_in(&relation));
    }
}

#[test]
fn real_bases_have_their_known_sizes() {
    // Sizes from an independent script with Ganter's algorithm: all implications, and those with
    // support.
    for (name, all, supported) in [
        ("tests/data/contexts/tools.cxt", 9, 8),
        ("tests/data/contexts/cube.cxt", 0, 0),
        ("cxt/livingbeings_en.cxt", 10, 7),
        ("cxt/animals_en.cxt", 29, 20),
        ("cxt/driveconcepts_en.cxt", 31, 31),
        ("cxt/Booth.cxt", 71, 54),
        ("cxt/seasoningplanner_de.cxt", 553, 438),
    ] {
        let Some(context) = real(name) else { continue };
        let full = of(&context.relation);
        assert!(full.is_valid_in(&context.relation), "{name}");
        let seen = full.implications.iter().filter(|implication| implication.support > 0).count();
        assert_eq!((full.implications.len(), seen), (all, supported), "{name}");
    }
}

#[test]
fn the_base_of_mushroom_has_the_published_size() {
    let Some(context) = real("fimi/mushroom.dat.gz") else { return };
    assert_eq!(of(&context.relation).implications.len(), 2323);
}
