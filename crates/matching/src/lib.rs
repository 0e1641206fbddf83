//! Match sets: the conditions of a changing population that match an example.
//!
//! A population has numbered slots. Each slot can contain a condition, such as "the second value is between 3
//! and 7 and the fifth is red or blue". Conditions are replaced thousands of times per second. For an
//! example, the *match set* is the list of the slots whose conditions match it, in ascending order.
//!
//! [`Matching`] is the population. Examples consist of *codes* ([`CodedExamples`]): a number becomes its rank
//! among the distinct values of its column, a category its code, and a missing value [`MISSING`]. All
//! comparisons are exact comparisons of integers, and conditions that agree on all examples are the same
//! condition. A condition is a list of [`Test`]s. A column without a test can have any value, and a missing
//! value satisfies no test.
//!
//! ```
//! use pellucid_bits::Level;
//! use pellucid_matching::{CodeDomain, CodedExamples, MISSING, Matching, Test};
//! use std::sync::Arc;
//!
//! // Two columns: ranks of eight numbers, and three colors.
//! let domains = vec![CodeDomain::ordered(8), CodeDomain::nominal(3)];
//! let rows = vec![2, 0, /**/ 5, 1, /**/ 7, MISSING];
//! let examples = Arc::new(CodedExamples::new(domains, rows)?);
//! let mut matcher = Matching::over(Level::chosen()?, &examples, 512);
//! matcher.put(0, &[Test::between(0, 3, 7)]);
//! matcher.put(1, &[Test::between(0, 0, 5), Test::one_of(1, 0b011)]);
//! matcher.put(2, &[]);
//!
//! let mut matched = Vec::new();
//! matcher.matched(1, &mut matched);
//! assert_eq!(matched, [0, 1, 2]);
//! matcher.matched(2, &mut matched);
//! assert_eq!(matched, [0, 2]);
//! matcher.clear(0);
//! matcher.matched(2, &mut matched);
//! assert_eq!(matched, [2]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Several methods compute the same match set ([`Way`]). Which is fastest depends on the numbers of rows and
//! columns, on the number of tests per condition, and on how often conditions change. The matcher measures
//! all methods and keeps the fastest. The results are identical: the conformance suite compares every method
//! on every instruction set with [`spec`].
//!
//! Work with many conditions and many rows is shared between devices ([`Survey`]): to fill the next tile of a
//! matcher, or to let a whole population vote on the rows of a table.
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
pub use examples::{CodeDomain, CodedExamples, ExamplesError};
pub use list::TestList;
pub use matching::{Matching, Way};
pub use pellucid_data::MISSING;
pub use survey::{Ballot, Conditions, Residency, Rows, Survey, open};
