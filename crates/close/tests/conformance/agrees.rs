//! Every backend lists the same concepts as the specification, with supports and extents.

use super::{Collector, Concept, backends, digest_of};
use pellucid_close::{SearchOutcome, Terms, spec};
use pellucid_data::Relation;
use pellucid_testdevices::{Draw, cases};
use proptest::prelude::*;

fn by_specification(relation: &Relation, terms: &Terms<'_>) -> (SearchOutcome, Vec<Concept>) {
    let mut all = Collector::default();
    let outcome = spec::concepts(relation, terms, &mut all);
    all.0.sort_unstable();
    (outcome, all.0)
}

fn check(relation: &Relation, min_support: u64, seed: usize) -> Result<(), TestCaseError> {
    let terms = Terms { min_support, extents: true, ..Terms::default() };
    let without_extents = Terms { extents: false, ..terms };
    let (outcome, expected) = by_specification(relation, &terms);
    for backend in backends(seed) {
        let (result, concepts) = backend.listed(relation, &terms);
        prop_assert_eq!(&concepts, &expected, "{:?}", backend);
        prop_assert_eq!(result, outcome, "{:?}", backend);
        prop_assert_eq!(digest_of(&concepts), result.digest);
        prop_assert_eq!(backend.counted(relation, &without_extents), outcome, "{:?}", backend);
    }
    Ok(())
}

/// Random contexts with a given density, in which rows are repeated, full or empty, and a column
/// may be repeated.
pub(super) fn relations(
    objects: std::ops::Range<usize>,
    attributes: std::ops::Range<usize>,
    percent: std::ops::Range<u32>,
) -> impl Strategy<Value = Relation> {
    let sizes = (objects, attributes, percent, any::<u64>());
    sizes.prop_map(|(objects, attributes, percent, seed)| {
        let mut draw = Draw::new(seed);
        let attributes = u32::try_from(attributes).unwrap();
        let mut rows: Vec<Vec<u32>> = Vec::new();
        for object in 0..objects {
            let row = match draw.below(16) {
                0 if object > 0 => rows[draw.index(object)].clone(),
                1 if draw.below(4) == 0 => (0..attributes).collect(),
                2 => Vec::new(),
                _ => (0..attributes).filter(|_| draw.below(100) < percent).collect(),
            };
            rows.push(row);
        }
        if attributes > 1 && draw.below(2) == 0 {
            // Make one column equal to another.
            let (from, to) = (0, attributes - 1);
            for row in &mut rows {
                row.retain(|&attribute| attribute != to);
                if row.contains(&from) {
                    row.push(to);
                }
            }
        }
        Relation::new(attributes as usize, &rows).unwrap()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(48)))]

    #[test]
    fn on_small_contexts(relation in relations(0..14, 0..11, 10..90), min in 0u64..4, seed in 0usize..12) {
        check(&relation, min, seed)?;
    }

    #[test]
    fn on_contexts_of_one_word_of_rows(
        relation in relations(30..66, 5..12, 20..70),
        min in 0u64..5,
        seed in 0usize..12,
    ) {
        check(&relation, min, seed)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(10)))]

    #[test]
    fn on_many_rows(relation in relations(120..300, 4..9, 20..70), min in 0u64..8, seed in 0usize..12) {
        check(&relation, min, seed)?;
    }

    #[test]
    fn on_many_columns(relation in relations(2..8, 60..140, 20..60), min in 0u64..3, seed in 0usize..12) {
        check(&relation, min, seed)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(3)))]

    #[test]
    fn on_more_rows_than_a_block(
        relation in relations(515..700, 5..8, 20..60),
        min in 0u64..20,
        seed in 0usize..12,
    ) {
        check(&relation, min, seed)?;
    }

    /// A lane of a warp stores one, two or eight words of an extent.
    #[test]
    fn on_more_rows_than_a_word_for_each_lane(
        relation in relations(1000..1100, 3..6, 20..60),
        min in 0u64..20,
        seed in 0usize..12,
    ) {
        check(&relation, min, seed)?;
    }

    #[test]
    fn on_more_rows_than_two_words_for_each_lane(
        relation in relations(2049..2100, 5..7, 20..60),
        min in 0u64..20,
        seed in 0usize..12,
    ) {
        check(&relation, min, seed)?;
    }

    #[test]
    fn on_more_columns_than_a_block(
        relation in relations(3..6, 510..530, 10..40),
        min in 0u64..2,
        seed in 0usize..12,
    ) {
        check(&relation, min, seed)?;
    }
}

#[test]
fn on_contexts_without_objects_or_attributes() {
    let none: [[u32; 0]; 0] = [];
    for (attributes, rows) in [(0, 0), (0, 3), (5, 0), (65, 0), (3, 2), (1, 1)] {
        let rows = vec![Vec::<u32>::new(); rows];
        let relation = Relation::new(attributes, &rows).unwrap();
        for min_support in 0..4 {
            check(&relation, min_support, 0).unwrap();
        }
    }
    check(&Relation::new(2, none).unwrap(), 0, 1).unwrap();
}

#[test]
fn on_full_and_repeated_rows_and_columns() {
    let rows: [&[u32]; 6] = [&[0, 1, 2, 3], &[0, 1, 2, 3], &[1, 2], &[1, 2], &[], &[3]];
    let relation = Relation::new(4, rows).unwrap();
    (0..7).for_each(|min_support| check(&relation, min_support, 2).unwrap());
    let edge: Vec<Vec<u32>> = (0..65).map(|object| vec![object, (object + 1) % 65]).collect();
    for attributes in [65, 129] {
        check(&Relation::new(attributes, &edge).unwrap(), 1, 3).unwrap();
    }
}

/// Objects and attributes are the same, so a GPU keeps one copy of both.
#[test]
fn on_graphs() {
    let edge = |a: u32, b: u32| (a * 7 + b * 13).is_multiple_of(29) && a % 3 != b % 5;
    let row = |a: u32| (0..132).filter(|&b| edge(a.min(b), a.max(b))).collect::<Vec<u32>>();
    let graph = Relation::new(132, (0..132).map(row)).unwrap();
    (0..3).for_each(|seed| check(&graph, 0, seed).unwrap());
}
