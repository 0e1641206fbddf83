//! Searches on fewer threads than visitors, as in a container with a thread limit.

use super::{Collector, Concept, levels};
use pellucid_close::{SearchOutcome, Terms, Tuning, search_with, spec};
use pellucid_data::Relation;

#[test]
fn a_search_continues_with_the_threads_that_could_be_created() {
    let rows = (0..12).map(|object| (0..12).filter(|&a| a != object).collect::<Vec<u32>>());
    let relation = Relation::new(12, rows).expect("attributes are in range");
    let terms = Terms { extents: true, ..Terms::default() };
    let mut expected = Collector::default();
    let whole: SearchOutcome = spec::concepts(&relation, &terms, &mut expected);
    expected.0.sort_unstable();
    for level in levels() {
        for threads in 0..4 {
            let tuning = Tuning { threads, ..Tuning::default() };
            let mut visitors: Vec<Collector> = (0..4).map(|_| Collector::default()).collect();
            let outcome =
                search_with(&relation, &terms, &mut visitors, level, tuning).expect("a level");
            assert_eq!(outcome, whole, "{level}, {threads} threads");
            let unused = visitors.iter().skip(1 + threads);
            assert!(unused.map(|visitor| visitor.0.len()).all(|seen| seen == 0));
            let mut listed: Vec<Concept> =
                visitors.into_iter().flat_map(|visitor| visitor.0).collect();
            listed.sort_unstable();
            assert_eq!(listed, expected.0, "{level}, {threads} threads");
        }
    }
}
