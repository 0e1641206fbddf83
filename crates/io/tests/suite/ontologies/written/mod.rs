//! Random ontologies, written in every syntax: all give the same ontology.

mod axioms;
mod manchester;
mod tree;
mod turtle;

use proptest::prelude::*;

use super::{sound, statements};
use axioms::axioms;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(pellucid_testdata::cases(300)))]

    #[test]
    fn every_syntax_gives_the_same_ontology(axioms in proptest::collection::vec(axioms(), 1..12)) {
        let expected = statements(&sound("a.ttl", &turtle::document(&axioms)));
        let functional = tree::functional(&axioms);
        prop_assert_eq!(&statements(&sound("a.ofn", &functional)), &expected, "{}", functional);
        let xml = tree::xml(&axioms);
        prop_assert_eq!(&statements(&sound("a.owx", &xml)), &expected, "{}", xml);
        let manchester = manchester::document(&axioms);
        prop_assert_eq!(&statements(&sound("a.omn", &manchester)), &expected, "{}", manchester);
    }
}
