//! Tests the lattices of small contexts by exhaustive search.
#![expect(clippy::cast_possible_truncation, reason = "contexts of a few rows and columns")]

use pellucid_bits::words::{count, is_subset, members, words_for};
use pellucid_close::{Terms, spec};
use pellucid_concepts::lattice::{Lattice, LatticeError, dot, json};
use pellucid_data::Relation;
use pellucid_data::{Context, Names};
use proptest::prelude::*;

/// Contexts of all shapes: no objects, no attributes, equal rows, full rows, sparse wide tables.
fn relations() -> impl Strategy<Value = Relation> {
    let small =
        (0usize..8, prop::collection::vec(any::<u8>(), 0..10)).prop_map(|(attributes, rows)| {
            let row = |bits: &u8| {
                (0..attributes as u32).filter(|a| bits >> a & 1 == 1).collect::<Vec<_>>()
            };
            Relation::new(attributes, rows.iter().map(row)).unwrap()
        });
    let sparse = prop::collection::vec(prop::collection::vec(0u32..150, 0..5), 0..12)
        .prop_map(|rows| Relation::new(150, rows).unwrap());
    // More than 64 distinct rows.
    let many = prop::collection::vec(any::<u8>(), 70..110).prop_map(|rows| {
        let row = |bits: &u8| (0..8).filter(|a| bits >> a & 1 == 1).collect::<Vec<_>>();
        Relation::new(8, rows.iter().map(row)).unwrap()
    });
    prop_oneof![6 => small, 2 => sparse, 1 => many]
}

fn build(relation: &Relation, min_support: u64, threads: usize) -> Lattice {
    Lattice::build(relation, &Terms { min_support, ..Terms::default() }, threads).unwrap()
}

proptest! {
    #[test]
    fn covers_have_no_concept_between(relation in relations(), min_support in 0u64..4) {
        let lattice = build(&relation, min_support, 1);
        let below = |low, high| low != high && is_subset(lattice.intent(high), lattice.intent(low));
        for high in lattice.concepts() {
            let lower: Vec<u32> = lattice
                .concepts()
                .filter(|&low| below(low, high))
                .filter(|&low| !lattice.concepts().any(|between| below(low, between) && below(between, high)))
                .collect();
            prop_assert_eq!(lattice.lower(high), &lower[..]);
            let above = lattice.concepts().filter(|&other| lattice.lower(other).contains(&high));
            let upper: Vec<u32> = above.collect();
            prop_assert_eq!(lattice.upper(high), &upper[..]);
            let rank = upper.iter().map(|&other| lattice.rank(other) + 1).max().unwrap_or(0);
            prop_assert_eq!(lattice.rank(high), rank);
        }
        let edges: usize = lattice.concepts().map(|concept| lattice.lower(concept).len()).sum();
        prop_assert_eq!(lattice.edges(), edges);
    }

    #[test]
    fn concepts_are_those_listed(relation in relations(), min_support in 0u64..4) {
        let lattice = build(&relation, min_support, 1);
        let terms = Terms { min_support, ..Terms::default() };
        prop_assert_eq!(lattice.len() as u64, spec::concepts(&relation, &terms, &mut ()).concepts);
        for concept in lattice.concepts() {
            let extent = spec::extent_of(&relation, lattice.intent(concept));
            prop_assert_eq!(lattice.support(concept), count(&extent));
            prop_assert_eq!(u64::from(lattice.intent_size(concept)), count(lattice.intent(concept)));
            prop_assert!(lattice.extent(concept).into_iter().map(|o| o as usize).eq(members(&extent)));
            prop_assert_eq!(&spec::intent_of(&relation, &extent)[..], lattice.intent(concept));
        }
        prop_assert!(lattice.is_empty() || lattice.support(lattice.top()) == relation.objects() as u64);
        let full = |&concept: &u32| lattice.intent_size(concept) as usize == relation.attributes();
        prop_assert_eq!(lattice.bottom(), lattice.concepts().find(full));
    }

    #[test]
    fn meets_and_joins_are_the_nearest(relation in relations(), min_support in 0u64..3) {
        let lattice = build(&relation, min_support, 1);
        for a in lattice.concepts() {
            for b in lattice.concepts().filter(|b| (a + b) % 3 == 0) {
                // Numbers are in descending order of support: the meet comes first, the join last.
                let is_below = |&c: &u32| lattice.is_below(c, a) && lattice.is_below(c, b);
                let mut below = lattice.concepts().filter(is_below);
                prop_assert_eq!(lattice.meet(a, b), below.next());
                let above = lattice.concepts().filter(|&c| lattice.is_below(a, c) && lattice.is_below(b, c));
                prop_assert_eq!(Some(lattice.join(a, b)), above.last());
            }
        }
    }

    #[test]
    fn labels_are_object_and_attribute_concepts(relation in relations(), min_support in 0u64..3) {
        let lattice = build(&relation, min_support, 1);
        for attribute in 0..relation.attributes() as u32 {
            let first = lattice.concepts().find(|&c| lattice.attributes_of(c).any(|a| a == attribute));
            prop_assert_eq!(lattice.attribute_concept(attribute), first);
            let labels: Vec<u32> =
                lattice.concepts().filter(|&c| lattice.own_attributes(c).contains(&attribute)).collect();
            prop_assert_eq!(labels, Vec::from_iter(first));
        }
        for object in 0..relation.objects() as u32 {
            let own = relation.row_words(object as usize);
            let last = lattice.concepts().find(|&c| lattice.intent(c) == own);
            prop_assert_eq!(lattice.object_concept(object), last);
            prop_assert_eq!(lattice.concept_of_objects(&[object]), last);
            let labels: Vec<u32> =
                lattice.concepts().filter(|&c| lattice.own_objects(c).contains(&object)).collect();
            prop_assert_eq!(labels, Vec::from_iter(last));
        }
        let no_attributes = vec![0; words_for(relation.attributes())];
        let top = lattice.concept_of_attributes(&no_attributes);
        prop_assert_eq!(top.is_none(), lattice.is_empty());
    }

    #[test]
    fn json_and_dot_describe_the_same_lattice(relation in relations(), name in any::<String>()) {
        let lattice = build(&relation, 0, 1);
        let names = |count: usize| (0..count).map(|i| format!("{name}{i}")).collect::<Names>();
        let (objects, attributes) = (names(relation.objects()), names(relation.attributes()));
        let context = Context::new(name.clone(), objects, attributes, relation);
        let mut bytes = Vec::new();
        json::write(&context, &lattice, true, &mut bytes).unwrap();
        let value: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
        prop_assert_eq!(&value["name"], &name);
        prop_assert_eq!(value["concepts"].as_array().unwrap().len(), lattice.len());
        for concept in lattice.concepts() {
            let entry = &value["concepts"][concept as usize];
            prop_assert_eq!(&entry["lower"], &serde_json::json!(lattice.lower(concept)));
            prop_assert_eq!(&entry["extent"], &serde_json::json!(lattice.extent(concept)));
            prop_assert_eq!(&entry["own_objects"], &serde_json::json!(lattice.own_objects(concept)));
        }
        let mut text = Vec::new();
        dot::write(&context, &lattice, &mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        let is_edge = |line: &&str| line.starts_with("  c") && line.contains(" -- ");
        prop_assert_eq!(text.lines().filter(is_edge).count(), lattice.edges());
        // Quotes come in pairs on every line.
        for line in text.lines() {
            prop_assert_eq!(line.replace("\\\\", "").replace("\\\"", "").matches('"').count() % 2, 0);
        }
    }
}

/// A context with thousands of concepts: rows of pseudo-random bits.
fn large() -> Relation {
    let mut state = 1u64;
    let mut row = || {
        (0..24u32)
            .filter(|_| {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                state >> 62 != 0
            })
            .collect::<Vec<_>>()
    };
    Relation::new(24, (0..30).map(|_| row())).unwrap()
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let relation = large();
    let (one, three) = (build(&relation, 0, 1), build(&relation, 0, 3));
    assert!(one.len() > 3000, "{} concepts make several chunks", one.len());
    assert_eq!(one.len(), three.len());
    for concept in one.concepts() {
        assert_eq!(one.intent(concept), three.intent(concept));
        assert_eq!(one.lower(concept), three.lower(concept));
        assert_eq!(one.upper(concept), three.upper(concept));
    }
}

#[test]
fn an_incomplete_search_is_an_error() {
    let relation = large();
    let error =
        Lattice::build(&relation, &Terms { most: Some(10), ..Terms::default() }, 1).unwrap_err();
    assert_eq!(error, LatticeError::TooMany(10));
    assert_eq!(
        error.to_string(),
        "there are more than 10 concepts; raise the minimum support to reduce their number"
    );
    let terms = Terms { stop: Some(&|| true), ..Terms::default() };
    assert_eq!(Lattice::build(&relation, &terms, 1).unwrap_err(), LatticeError::Stopped);
}
