//! Searches on fewer threads than visitors, as in a container with a thread limit.

use super::{Collector, Concept, levels};
use pellucid_bits::Level;
use pellucid_close::{SearchOutcome, Terms, Tuning, search_with, spec};
use pellucid_data::Relation;
use pellucid_testdevices::Draw;

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

/// Returns rows that have most columns of one of 12 groups, and one column of another group.
fn rows_of_dense_groups() -> Relation {
    let mut draw = Draw::new(5);
    let mut row = || {
        let (group, other) = (draw.below(12) * 12, draw.below(144));
        let mut row: Vec<u32> = (group..group + 12).filter(|_| draw.below(100) < 60).collect();
        row.push(other);
        row.sort_unstable();
        row.dedup();
        row
    };
    let rows: Vec<Vec<u32>> = (0..3_000).map(|_| row()).collect();
    Relation::new(144, rows).expect("attributes are in range")
}

/// A worker that processed merged rows for another one continues with the rows of the whole context
/// when it takes over lists.
#[test]
fn threads_take_over_lists_after_merged_rows() {
    let relation = rows_of_dense_groups();
    let terms = Terms { min_support: 2, ..Terms::default() };
    let tuning = Tuning { merge: Some(true), ..Tuning::default() };
    let count = |threads| {
        search_with(&relation, &terms, &mut vec![(); threads], Level::best(), tuning)
            .expect("the level of this machine")
    };
    let alone = count(1);
    for _ in 0..20 {
        assert_eq!(count(6), alone);
    }
}
