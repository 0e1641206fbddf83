//! The shares of a search together list every concept once.

use super::agrees::relations;
use super::{Collector, Concept, backends};
use pellucid_close::{Digest, SearchStop, Share, Terms, spec};
use pellucid_testdevices::cases;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(32)))]

    #[test]
    fn shares_add_up_to_the_whole(
        relation in prop_oneof![relations(0..90, 0..20, 5..60), relations(60..300, 1..40, 2..12)],
        (of, min_support, seed) in (1usize..6, 0u64..4, any::<usize>()),
    ) {
        let terms = Terms { min_support, extents: true, ..Terms::default() };
        let mut all = Collector::default();
        let whole = spec::concepts(&relation, &terms, &mut all);
        all.0.sort_unstable();
        for backend in backends(seed) {
            let (mut digest, mut listed, mut counted) = (Digest::default(), Vec::<Concept>::new(), 0);
            for number in 0..of {
                let terms = Terms { share: Some(Share { number, of }), ..terms };
                let (outcome, concepts) = backend.listed(&relation, &terms);
                prop_assert_eq!(outcome.stop, SearchStop::Complete);
                digest.merge(outcome.digest);
                listed.extend(concepts);
                counted += backend.counted(&relation, &Terms { extents: false, ..terms }).concepts;
            }
            listed.sort_unstable();
            prop_assert_eq!(&listed, &all.0, "{:?}", backend);
            prop_assert_eq!((digest, counted), (whole.digest, whole.concepts), "{:?}", backend);
        }
    }
}
