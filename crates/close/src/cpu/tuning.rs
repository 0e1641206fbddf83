//! What the search chooses by; all choices list the same concepts.
//!
//! Each strategy stays because it gains: without it a search takes so many times as many instructions (AVX2).
//!
//! | without | contexts of `bench concepts` | others |
//! |---|---|---|
//! | `handful` | random1000x100 1.22, chung-lu955 1.14 | exim 1.13, lynx 1.11 |
//! | `few` | random300x20 1.37 | mushroom 1.69, lynx 1.45, exim 1.43 |
//! | `rows` | random100x1000 1.50 | |
//! | `lists` | random500 1.84, chung-lu955 1.41 | T10I4D100K 18.6, swing 1.73 |
//!
//! Thin levels gain no time: they keep memory bounded where a tree is as deep as there are attributes.

/// From where on one strategy is taken instead of another. Made for tests, which take each alone.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tuning {
    /// Up to so many rows, at most eight, need no tree.
    pub handful: usize,
    /// Up to so many candidates, at most four, need no tree.
    pub few: usize,
    /// From so many rivals on the rows of an extent of at most 64 bits are looked at, and not the rivals.
    pub rows: usize,
    /// Whether rows are lists rather than bits: as seems best, or always (above 64 rows), or never.
    pub lists: Option<bool>,
    /// How many bytes the rows may take as bits.
    pub most_bytes: usize,
    /// How many bytes the columns of all levels of a worker may take.
    pub level_bytes: usize,
    /// How many levels lie between two checks of that limit, at least 1.
    pub level_check: usize,
    /// How many threads the system creates besides the caller's own; for tests of a limit on threads.
    pub threads: usize,
    /// How many concepts listed by GPUs are remembered, at eight bytes each, in case that a GPU is lost.
    pub remembered: usize,
}

impl Default for Tuning {
    fn default() -> Tuning {
        Tuning {
            handful: 8,
            few: 3,
            rows: 128,
            lists: None,
            most_bytes: 1 << 28,
            level_bytes: 1 << 26,
            level_check: 8,
            threads: usize::MAX,
            remembered: 1 << 28,
        }
    }
}
