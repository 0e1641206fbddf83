//! The thresholds by which the search chooses a strategy. Every choice lists the same concepts.
//!
//! Every strategy pays off. The table shows the factor by which the number of instructions grows
//! without it (AVX2).
//!
//! | without | contexts of `bench concepts` | others |
//! |---|---|---|
//! | `handful` | random1000x100 1.22, chung-lu955 1.14 | exim 1.13, lynx 1.11 |
//! | `few` | random300x20 1.37 | mushroom 1.69, lynx 1.45, exim 1.43 |
//! | `rows` | random100x1000 1.50 | |
//! | `merge` | | chess above 1,500 objects, see `docs/decisions` |
//! | `lists` | random500 1.84, chung-lu955 1.41 | T10I4D100K 18.6, swing 1.73 |
//!
//! Thin levels do not save time. They bound the memory if the tree is as deep as the number of
//! attributes.

/// The thresholds between the strategies. Tests change them to run each strategy alone.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tuning {
    /// The maximum number of rows, at most 8, for which the subtree is listed without a tree.
    pub handful: usize,
    /// The maximum number of candidates, at most 4, for which the subtree is listed without a tree.
    pub few: usize,
    /// The number of rivals above which the rows of an extent of at most 64 bits are tested instead
    /// of the rivals.
    pub rows: usize,
    /// Whether rows are stored as lists rather than bits: `None` chooses the faster form,
    /// `Some(true)` always uses lists (above 64 rows), `Some(false)` never.
    pub lists: Option<bool>,
    /// Whether equal rows are merged on every level (`Some(true)`) or on none; `None` merges them
    /// where it pays off.
    pub merge: Option<bool>,
    /// The maximum number of bytes of the rows as bits.
    pub most_bytes: usize,
    /// The maximum number of bytes of the columns of all levels of a worker.
    pub level_bytes: usize,
    /// The number of levels between two checks of `level_bytes`, at least 1.
    pub level_check: usize,
    /// Whether work is handed over at every step, even if no thread waits for it. Only for tests.
    pub always_shares: bool,
    /// The maximum number of threads besides the first one. Tests use it to simulate a thread
    /// limit.
    pub threads: usize,
    /// The number of concepts listed by GPUs that are remembered, at eight bytes each, in case a
    /// GPU is lost.
    pub remembered: usize,
}

impl Default for Tuning {
    fn default() -> Tuning {
        Tuning {
            handful: 8,
            few: 3,
            rows: 128,
            lists: None,
            merge: None,
            most_bytes: 1 << 28,
            level_bytes: 1 << 26,
            level_check: 8,
            always_shares: false,
            threads: usize::MAX,
            remembered: 1 << 28,
        }
    }
}
