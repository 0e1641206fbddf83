//! Tests the inferences of files: those of this repository, and external ones.

use crate::support::{members, pairs};
use pellucid_io::read_ontology;
use pellucid_logic::kb::{Closure, KnowledgeBase};
use pellucid_testdata::file_in;

/// Returns the knowledge base of a file: one of this repository by its whole path, an external one by
/// its path among the ontologies.
fn kb(name: &str) -> Option<KnowledgeBase> {
    let ontology = read_ontology(&file_in("dl", name)?).unwrap_or_else(|error| panic!("{error}"));
    let kb = KnowledgeBase::new(ontology, &Closure::default());
    Some(kb.unwrap_or_else(|error| panic!("{error}")))
}

fn size(kb: &KnowledgeBase, class: &str) -> usize {
    members(kb, class).len()
}

fn edges(kb: &KnowledgeBase, role: &str) -> usize {
    pairs(kb, role).len()
}

/// The counts come from the script that generated the family.
#[test]
fn kin() {
    let kb = kb("tests/data/ontologies/kin.owl").expect("our own");
    assert_eq!(kb.world.len(), 48);
    let sizes = [
        ("Person", 48),
        ("Male", 24),
        ("Parent", 31),
        ("Child", 29),
        ("Mother", 16),
        ("Father", 15),
    ];
    for (class, expected) in sizes {
        assert_eq!(size(&kb, class), expected, "{class}");
    }
    // The file has one direction, the other is inferred.
    assert_eq!((edges(&kb, "hasChild"), edges(&kb, "hasParent")), (57, 57));
    assert_eq!((edges(&kb, "hasSibling"), edges(&kb, "married")), (32, 36));
    let born = &kb.world.properties()[kb.find_property("born").unwrap() as usize];
    assert_eq!((born.edges.len(), born.edges.object_count()), (48, 48));
    assert_eq!(kb.disjoint.len(), 1, "no male is female");
}

#[test]
fn father() {
    let Some(kb) = kb("father/father.owl") else { return };
    assert_eq!(size(&kb, "person"), 6);
    // The file defines women as the complement of men.
    assert_eq!((size(&kb, "male"), size(&kb, "female")), (4, 2));
    let number = |class| kb.find_class(class).unwrap();
    assert_eq!(kb.classes.leaves().collect::<Vec<_>>().len(), 2);
    assert_eq!(kb.classes.roots().collect::<Vec<_>>(), [number("person")]);
}

#[test]
fn family_benchmark() {
    let Some(kb) = kb("family-benchmark/family-benchmark_rich_background.owl") else { return };
    assert_eq!(kb.world.len(), 202);
    let sizes = [
        ("Person", 202),
        ("Parent", 120),
        ("Child", 104),
        ("Male", 104),
        ("Female", 98),
        ("Mother", 60),
        ("Father", 60),
        ("Grandparent", 70),
        ("Grandchild", 80),
    ];
    for (class, expected) in sizes {
        assert_eq!(size(&kb, class), expected, "{class}");
    }
    // The file has both directions, so nothing is inferred.
    assert_eq!((edges(&kb, "hasChild"), edges(&kb, "hasParent")), (208, 208));
    assert_eq!(kb.asserted.roles.iter().sum::<u64>(), 728);
}

#[test]
fn arch_has_defined_classes() {
    let Some(kb) = kb("arch/arch.owl") else { return };
    // No individual is asserted to be a parallelpipe; bricks and wedges are.
    let mut parts = members(&kb, "brick");
    parts.extend(members(&kb, "wedge"));
    parts.sort_unstable();
    let mut found = members(&kb, "parallelpipe");
    found.sort_unstable();
    assert_eq!(found, parts);
    assert_eq!(found.len(), 5);
}

#[test]
fn uncle_and_forte_are_symmetric_and_disjoint() {
    for name in ["uncle/uncle.owl", "forte/forte_family.owl"] {
        let Some(kb) = kb(name) else { return };
        let married = &kb.world.roles()[kb.find_role("married").unwrap() as usize];
        assert_eq!(married.forward, married.inverse, "{name}");
        assert_eq!(kb.disjoint.len(), 1, "{name}: no male is female");
    }
}

#[test]
fn the_semantic_bible_uses_most_inferences() {
    let Some(kb) = kb("semantic_bible/NTNcombined.owl") else { return };
    assert_eq!(kb.world.len(), 724);
    assert_eq!((size(&kb, "Human"), size(&kb, "Agent"), size(&kb, "Object")), (379, 443, 609));
    // Inverse, symmetric, and a sub-property.
    assert_eq!(pairs(&kb, "visitedPlace").len(), pairs(&kb, "visitedPlaceOf").len());
    assert_eq!((edges(&kb, "parentOf"), edges(&kb, "childOf")), (153, 153));
    let siblings = &kb.world.roles()[kb.find_role("siblingOf").unwrap() as usize];
    assert_eq!(siblings.forward, siblings.inverse);
    let relatives = pairs(&kb, "relativeOf");
    for below in ["parentOf", "childOf", "siblingOf"] {
        for pair in pairs(&kb, below) {
            assert!(relatives.binary_search(&pair).is_ok(), "{below} {pair}");
        }
    }
    assert_eq!(relatives.len(), 533);
}

#[test]
fn carcinogenesis_has_its_columns() {
    let Some(kb) = kb("carcinogenesis/carcinogenesis.owl.gz") else { return };
    assert_eq!((kb.world.len(), kb.world.classes().len()), (22_372, 142));
    assert_eq!((size(&kb, "Atom"), size(&kb, "Bond"), size(&kb, "Carbon")), (9_189, 9_317, 3_471));
    let charge = &kb.world.properties()[kb.find_property("charge").unwrap() as usize];
    assert_eq!((charge.edges.len(), charge.edges.object_count()), (9_189, 1_102));
    assert_eq!(kb.notes, [""; 0]);
}

#[test]
fn mutually_negated_definitions_agree_with_the_assertions_of_the_moral_file() {
    let Some(kb) = kb("moral/moral_43instances.owl") else { return };
    let about = |words: &str| kb.notes.iter().filter(|note| note.contains(words)).count();
    assert_eq!(about("depend on each other's negation"), 1);
    assert_eq!(about("disjoint classes"), 0);
    let states = ["intend", "reckless", "negligent", "neither"];
    let all: usize = states.iter().map(|state| size(&kb, &format!("{state}_mental_state"))).sum();
    assert_eq!(all, kb.world.len(), "every individual has one state of mind");
}
