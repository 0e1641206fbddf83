//! Tests that clarified and reduced contexts have the same concepts and are minimal.

use crate::support::{real, small};
use pellucid_bits::words::{full, insert, members, words_for};
use pellucid_close::{ConceptView, Terms, spec};
use pellucid_concepts::clarify::clarify;
use pellucid_concepts::reduce::{ReducedContext, reduce};
use pellucid_data::Relation;
use pellucid_data::{Context, Names};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// The intents of a relation.
fn intents(relation: &Relation) -> BTreeSet<Vec<u64>> {
    let mut intents = BTreeSet::new();
    spec::concepts(relation, &Terms::default(), &mut |found: &ConceptView<'_>| {
        intents.insert(found.intent.to_vec());
    });
    intents
}

/// Restricts a set of attributes to those that are kept, and renumbers them.
fn kept_of(set: &[u64], kept: &[Vec<u32>]) -> Vec<u64> {
    let mut left = vec![0; words_for(kept.len())];
    let all: BTreeSet<usize> = members(set).collect();
    for (new, group) in kept.iter().enumerate() {
        let inside = group.iter().filter(|&&old| all.contains(&(old as usize))).count();
        assert!(
            inside == 0 || inside == group.len(),
            "an intent splits a group of equal attributes"
        );
        if inside > 0 {
            insert(&mut left, new);
        }
    }
    left
}

/// Whether a row is the intersection of the other rows that contain it.
fn is_intersection(relation: &Relation, object: usize) -> bool {
    let row: BTreeSet<u32> = relation.row(object).iter().copied().collect();
    let mut shared: BTreeSet<u32> = (0u32..).take(relation.attributes()).collect();
    for other in (0..relation.objects()).filter(|&other| other != object) {
        let others: BTreeSet<u32> = relation.row(other).iter().copied().collect();
        if row.is_subset(&others) {
            shared = shared.intersection(&others).copied().collect();
        }
    }
    shared == row
}

fn check_groups(relation: &Relation, groups: &[Vec<u32>]) {
    let mut all: Vec<u32> = groups.concat();
    all.sort_unstable();
    assert!(all.iter().copied().eq((0u32..).take(relation.objects())), "each object once");
    for group in groups {
        assert!(group.is_sorted());
        assert!(group.iter().all(|&o| relation.row(o as usize) == relation.row(group[0] as usize)));
    }
}

fn all_groups(reduced: &ReducedContext) -> (Vec<Vec<u32>>, Vec<Vec<u32>>) {
    let both = |kept: &[Vec<u32>], gone: &[Vec<u32>]| [kept, gone].concat();
    (
        both(&reduced.objects.kept, &reduced.objects.reducible),
        both(&reduced.attributes.kept, &reduced.attributes.reducible),
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(pellucid_testdata::cases(400)))]

    #[test]
    fn clarified_contexts_have_the_same_concepts_and_no_duplicates(relation in small()) {
        let clear = clarify(&relation);
        check_groups(&relation, &clear.objects);
        check_groups(&relation.transposed(), &clear.attributes);
        for side in [&clear.relation, &clear.relation.transposed()] {
            let rows: BTreeSet<&[u32]> = side.rows().collect();
            prop_assert_eq!(rows.len(), side.objects());
        }
        let left: BTreeSet<_> = intents(&relation).iter().map(|i| kept_of(i, &clear.attributes)).collect();
        prop_assert_eq!(left.len(), intents(&relation).len());
        prop_assert_eq!(left, intents(&clear.relation));
    }

    #[test]
    fn reduced_contexts_have_the_same_concepts_and_only_irreducibles(relation in small()) {
        let reduced = reduce(&relation);
        let (objects, attributes) = all_groups(&reduced);
        check_groups(&relation, &objects);
        check_groups(&relation.transposed(), &attributes);
        for side in [&reduced.relation, &reduced.relation.transposed()] {
            prop_assert!((0..side.objects()).all(|object| !is_intersection(side, object)));
        }
        let left: BTreeSet<_> =
            intents(&relation).iter().map(|i| kept_of(i, &reduced.attributes.kept)).collect();
        prop_assert_eq!(left.len(), intents(&relation).len());
        prop_assert_eq!(left, intents(&reduced.relation));
        prop_assert_eq!(reduce(&reduced.relation).relation, reduced.relation);
    }

    #[test]
    fn removed_rows_are_intersections_of_kept_ones(relation in small()) {
        let reduced = reduce(&relation);
        let transposed = relation.transposed();
        let shared = |side: &Relation, generators: &[u32], kept: &[Vec<u32>]| {
            generators.iter().fold(full(side.attributes()), |mut shared, &index| {
                let row = side.row_words(kept[index as usize][0] as usize);
                shared.iter_mut().zip(row).for_each(|(word, row)| *word &= row);
                shared
            })
        };
        for object in 0..relation.objects() {
            let generators = reduced.generators_of_object(&relation, object);
            let row = shared(&relation, &generators, &reduced.objects.kept);
            prop_assert_eq!(row, relation.row_words(object));
        }
        for attribute in 0..relation.attributes() {
            let generators = reduced.generators_of_attribute(&transposed, attribute);
            let column = shared(&transposed, &generators, &reduced.attributes.kept);
            prop_assert_eq!(column, transposed.row_words(attribute));
        }
    }
}

#[test]
fn names_follow_the_first_of_each_group() {
    // Ann and Bob have equal rows, Cid has all attributes, 'sings' and 'dances' have equal columns.
    let relation = Relation::new(3, [[0, 1].as_slice(), &[0, 1], &[0, 1, 2], &[2]]).unwrap();
    let objects: Names = ["Ann", "Bob", "Cid", "Dot"].into_iter().collect();
    let attributes: Names = ["sings", "dances", "paints"].into_iter().collect();
    let context = Context::new("club", objects, attributes, relation);
    let clear = clarify(&context.relation).context(&context);
    assert_eq!(clear.objects.iter().collect::<Vec<_>>(), ["Ann", "Cid", "Dot"]);
    assert_eq!(clear.attributes.iter().collect::<Vec<_>>(), ["sings", "paints"]);
    let reduced = reduce(&context.relation);
    assert_eq!(reduced.context(&context).objects.iter().collect::<Vec<_>>(), ["Ann", "Dot"]);
    assert_eq!(reduced.generators_of_object(&context.relation, 2), [] as [u32; 0]);
}

#[test]
fn real_contexts_shrink_as_known() {
    // Sizes from an independent script.
    for (name, clear, irreducible) in [
        ("tests/data/contexts/tools.cxt", (11, 7), (8, 7)),
        ("tests/data/contexts/cube.cxt", (6, 6), (6, 6)),
        ("cxt/livingbeings_en.cxt", (8, 9), (8, 8)),
        ("cxt/tealady.cxt", (17, 13), (15, 13)),
        ("cxt/music_en.cxt", (31, 10), (20, 10)),
        ("cxt/digits.cxt", (10, 7), (7, 7)),
        ("cxt/par10.cxt", (42, 42), (21, 21)),
        ("cxt/Booth.cxt", (67, 26), (58, 21)),
        ("cxt/ReegWeiss.cxt", (84, 37), (79, 27)),
        ("cxt/BoothSim.cxt", (200, 34), (159, 29)),
        ("cxt/bob-ross.cxt", (372, 65), (288, 54)),
        ("cxt/segments.cxt", (142, 54), (142, 46)),
        ("cxt/seasoningplanner_de.cxt", (54, 37), (52, 36)),
        ("cxt/mushroom.cxt.gz", (8124, 113), (8124, 100)),
    ] {
        let Some(context) = real(name) else { continue };
        let clarified = clarify(&context.relation).relation;
        let reduced = reduce(&context.relation).relation;
        let size = |relation: &Relation| (relation.objects(), relation.attributes());
        assert_eq!((size(&clarified), size(&reduced)), (clear, irreducible), "{name}");
        if context.relation.objects() > 100 {
            continue; // The simple search takes too long.
        }
        let count = |relation| spec::concepts(relation, &Terms::default(), &mut ()).concepts;
        assert_eq!(count(&reduced), count(&context.relation), "{name}");
    }
}
