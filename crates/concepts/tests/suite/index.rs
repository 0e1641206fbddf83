//! Tests the indices against their definitions by enumerating all subsets.
#![expect(clippy::cast_possible_truncation, reason = "contexts of a few rows and columns")]

use pellucid_bits::words::{contains, count, words_for};
use pellucid_close::{Terms, spec};
use pellucid_concepts::index::{delta, extensional_stability, separation, stability};
use pellucid_concepts::lattice::Lattice;
use pellucid_data::Relation;
use proptest::prelude::*;

fn relations() -> impl Strategy<Value = Relation> {
    (0usize..7, prop::collection::vec(any::<u8>(), 0..9)).prop_map(|(attributes, rows)| {
        let row =
            |bits: &u8| (0..attributes as u32).filter(|a| bits >> a & 1 == 1).collect::<Vec<_>>();
        Relation::new(attributes, rows.iter().map(row)).unwrap()
    })
}

fn build(relation: &Relation, min_support: u64) -> Lattice {
    Lattice::build(relation, &Terms { min_support, ..Terms::default() }, 1).unwrap()
}

/// The subsets of `of`, as `width` words.
fn subsets(of: &[u32], width: usize) -> impl Iterator<Item = Vec<u64>> + '_ {
    (0..1u32 << of.len()).map(move |chosen| {
        let mut words = vec![0; width];
        let kept = of.iter().enumerate().filter(|(bit, _)| chosen >> bit & 1 == 1);
        kept.for_each(|(_, &member)| words[member as usize / 64] |= 1 << (member % 64));
        words
    })
}

proptest! {
    #[test]
    fn stability_counts_subsets(relation in relations(), min_support in 0u64..3) {
        let lattice = build(&relation, 0);
        let (inner, outer) = (stability(&lattice).unwrap(), extensional_stability(&lattice));
        for concept in lattice.concepts() {
            let intent = lattice.intent(concept);
            let extent = lattice.extent(concept);
            let same = subsets(&extent, words_for(relation.objects()))
                .filter(|set| spec::intent_of(&relation, set) == intent)
                .count();
            let share = same as f64 / 2f64.powi(extent.len() as i32);
            prop_assert_eq!(inner[concept as usize].share, share);
            prop_assert!((1.0 - inner[concept as usize].log2_rest.exp2() - share).abs() < 1e-12);

            let attributes: Vec<u32> = lattice.attributes_of(concept).collect();
            let objects = spec::extent_of(&relation, intent);
            let same = subsets(&attributes, words_for(relation.attributes()))
                .filter(|set| spec::extent_of(&relation, set) == objects)
                .count();
            prop_assert_eq!(outer[concept as usize].share, same as f64 / 2f64.powi(attributes.len() as i32));
        }
        let iceberg = build(&relation, min_support);
        let same = |concept| lattice.concept_of_attributes(iceberg.intent(concept)).unwrap() as usize;
        for (concept, share) in iceberg.concepts().zip(extensional_stability(&iceberg)) {
            prop_assert_eq!(share, outer[same(concept)]);
        }
        let smallest = |object| spec::closure(&relation, &relation.row_words(object));
        let own = (0..relation.objects()).map(|object| count(&spec::extent_of(&relation, &smallest(object))));
        let is_whole = own.min().is_none_or(|own| own >= min_support);
        let part = stability(&iceberg);
        prop_assert_eq!(part.is_some(), is_whole);
        for (concept, share) in iceberg.concepts().zip(part.into_iter().flatten()) {
            prop_assert_eq!(share, inner[same(concept)]);
        }
    }

    #[test]
    fn delta_is_the_smallest_loss(relation in relations(), min_support in 0u64..4) {
        let lattice = build(&relation, min_support);
        for (concept, delta) in lattice.concepts().zip(delta(&lattice)) {
            let extent = spec::extent_of(&relation, lattice.intent(concept));
            let having = |attribute: usize| {
                let has = |&object: &u32| relation.has(object as usize, attribute as u32);
                let kept = lattice.extent(concept).into_iter().filter(has);
                kept.count() as u64
            };
            let outside = (0..relation.attributes()).filter(|&a| !contains(lattice.intent(concept), a));
            prop_assert_eq!(delta, count(&extent) - outside.map(having).max().unwrap_or(0));
        }
    }

    #[test]
    fn separation_is_a_share_of_crosses(relation in relations()) {
        let lattice = build(&relation, 0);
        for (concept, separation) in lattice.concepts().zip(separation(&lattice, 2)) {
            let extent = lattice.extent(concept);
            let in_intent = |a: u32| contains(lattice.intent(concept), a as usize);
            let (mut inside, mut around) = (0u32, 0u32);
            for object in 0..relation.objects() as u32 {
                for &attribute in relation.row(object as usize) {
                    let (row, column) = (extent.contains(&object), in_intent(attribute));
                    inside += u32::from(row && column);
                    around += u32::from(row || column);
                }
            }
            let expected = if inside == 0 { 0.0 } else { f64::from(inside) / f64::from(around) };
            prop_assert_eq!(separation, expected);
        }
    }
}
