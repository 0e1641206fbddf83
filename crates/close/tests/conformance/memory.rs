//! Levels that release their columns to save memory, while other threads ask for work.

use super::levels;
use pellucid_close::{SearchOutcome, Terms, Tuning, search_with};
use pellucid_data::Relation;
use pellucid_testdevices::Draw;

/// The number of attributes that only the first branch has, and of those that the others have.
const RARE: u32 = 2_000;
const COMMON: u32 = 16;

/// Uses only the tree of levels of bits, with `level_bytes` for the columns of all levels.
fn tree(level_bytes: usize) -> Tuning {
    let all = Tuning { level_check: 1, level_bytes, ..Tuning::default() };
    Tuning { handful: 0, few: 0, rows: usize::MAX, lists: Some(false), ..all }
}

/// Returns a context whose first branch is small and whose other branches need more rows.
///
/// The rare attributes are equal and make up nearly all of the root level, so the limit is exceeded
/// there and nowhere else. Their three objects lie in one word, those of the other attributes in
/// several words.
fn widening(objects: u32, seed: u64) -> Relation {
    let rare = |others: &[u32]| (0..RARE).chain(others.iter().copied()).collect::<Vec<u32>>();
    let mut draw = Draw::new(seed);
    let last = RARE + COMMON;
    let common = (0..objects).map(|_| {
        let some = (RARE..last).filter(|_| draw.below(100) < 70);
        some.chain([last]).collect::<Vec<u32>>()
    });
    let rows = [rare(&[]), rare(&[RARE]), rare(&[RARE + 1])].into_iter().chain(common);
    Relation::new(last as usize + 1, rows).expect("attributes are in range")
}

#[test]
fn levels_without_columns_are_handed_over_to_idle_threads() {
    for seed in 1..3 {
        let relation = widening(400, seed);
        let search = |threads, level, tuning| -> SearchOutcome {
            search_with(&relation, &Terms::default(), &mut vec![(); threads], level, tuning)
                .expect("a level")
        };
        for level in levels() {
            let expected = search(1, level, tree(usize::MAX));
            for limit in [1 << 15, 100_000] {
                for threads in [2, 3, 5] {
                    assert_eq!(search(threads, level, tree(limit)), expected, "{level}, {limit}");
                }
            }
        }
    }
}
