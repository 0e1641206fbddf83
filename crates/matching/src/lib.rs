//! A changing population of conditions held against examples: the fourth shape of work.
//!
//! Picture a board with numbered hooks. On each hook hangs a condition, such as "the second value lies between 3 and 7 and the
//! fifth is red or blue"; hooks are emptied and filled again thousands of times a second. Now and then somebody holds up an
//! example and asks: which hooks match? The numbers of those hooks, ascending, are the *match set*, and nothing else is ever
//! asked here.
//!
//! [`Matching`] is the board. Examples come as *codes* ([`Examples`]): a number is its rank among the distinct values of its
//! column, a category its code, and what is missing is [`MISSING`]. So every comparison is one of whole numbers, exact, and
//! conditions that agree about all examples are the same condition. A condition is a list of [`Test`]s; a column
//! that no test names may hold anything, and a missing value satisfies no test.
//!
//! ```
//! use pellucid_matching::{Domain, Examples, MISSING, Matching, Test};
//! use std::sync::Arc;
//!
//! // Two columns: ranks of eight numbers, and three colours.
//! let domains = vec![Domain::ordered(8), Domain::nominal(3)];
//! let rows = vec![2, 0, /**/ 5, 1, /**/ 7, MISSING];
//! let examples = Arc::new(Examples::new(domains, rows)?);
//! let mut board = Matching::over(&examples, 512);
//! board.put(0, &[Test::between(0, 3, 7)]);
//! board.put(1, &[Test::between(0, 0, 5), Test::one_of(1, 0b011)]);
//! board.put(2, &[]);
//!
//! let mut matched = Vec::new();
//! board.matched(1, &mut matched);
//! assert_eq!(matched, [0, 1, 2]);
//! board.matched(2, &mut matched);
//! assert_eq!(matched, [0, 2]);
//! board.clear(0);
//! board.matched(2, &mut matched);
//! assert_eq!(matched, [2]);
//! # Ok::<(), pellucid_matching::ExamplesError>(())
//! ```
//!
//! There are several ways to the same match set ([`Way`]), and which is fastest depends on how many rows and columns there are,
//! how many of them a condition names, and how often conditions change. So the board tries them, by the clock, and stays with
//! the fastest; the answers are the same, and the conformance suite holds every way, on every instruction set, against
//! [`spec`].
//!
//! Where many conditions meet many rows at once, devices share them ([`Survey`]): to fill a board's next tile, or to let a whole
//! population vote on the rows of a table.
#![deny(unsafe_code)]

mod choose;
mod condition;
mod coverage;
mod cpu;
mod examples;
mod gpu;
mod list;
mod matching;
pub mod spec;
mod survey;

pub use condition::{Test, ternary_tests};
pub use coverage::Coverage;
pub use examples::{Domain, Examples, ExamplesError};
pub use list::TestList;
pub use matching::{Matching, Way};
pub use pellucid_data::MISSING;
pub use survey::{Ballot, Conditions, Residency, Rows, Survey, open};
