//! Estimates of the number of concepts of real contexts, compared with the numbers.

use crate::support::real;
use pellucid_concepts::estimate::estimate;
use pellucid_device::Threads;

#[test]
fn intervals_hold_the_number_of_concepts_of_real_contexts() {
    let known = [("fimi/mushroom.dat.gz", 0, 238_710), ("mdg/lynx", 0, 324_036)];
    let threads = Threads::up_to(2).unwrap();
    for (name, min_support, concepts) in known {
        let Some(context) = real(name) else { continue };
        let mut held = 0;
        for seed in 0..6 {
            let found = estimate(&context.relation, min_support, seed, &threads, &|| false);
            let found = found.unwrap().expect("an estimate");
            assert!(!found.exact && found.low > 0, "{found:?}");
            let width = (found.high - found.low) as f64 / found.concepts as f64;
            assert!(width < 0.6, "{name}: {found:?}");
            held += u32::from((found.low..=found.high).contains(&concepts));
        }
        assert!(held >= 4, "{name}: {held} of 6");
    }
}
