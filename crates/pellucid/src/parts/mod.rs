//! Training on rows in other processes, such as the workers of a cluster.
//!
//! The rows are split into parts. The [`Outline`] of a part has the distinct values of its columns
//! and the number of examples of each class. The outlines of all parts are [joined](Outline::join).
//! The joined outline provides the [head](Outline::head), which the coordinating process trains on,
//! and lets each process prepare its [part](Outline::part), which answers requests. The caller
//! transports requests and answers. A learner of the registry that supports it trains on the parts
//! ([`AnyLearner::fit_parts`](crate::registry::AnyLearner::fit_parts)).
//!
//! ```
//! use pellucid::io::{Column, GivenColumn, Values};
//! use pellucid::parts::{HeadNumbers, Outline};
//! let rows = |ages: Vec<f64>, ill: Vec<u32>| {
//!     let categories = vec!["no".to_owned(), "yes".to_owned()];
//!     let ill = Values::Nominal { codes: ill, categories };
//!     let values = [("age", Values::Numeric(ages.into())), ("ill", ill)];
//!     values.map(|(name, values)| GivenColumn::from(Column { name: name.to_owned(), values })).to_vec()
//! };
//! let first = rows(vec![34.0, 61.0], vec![0, 1]);
//! let second = rows(vec![58.0, 34.0, 71.0], vec![1, 0, 1]);
//! let outline = |rows: &[GivenColumn]| Outline::of(rows, "ill", None, HeadNumbers::All);
//! let whole = outline(&first)?.join(outline(&second)?)?;
//! assert_eq!(whole.examples()?, [2, 3]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod outline;

pub use crate::learn::parts::{HeadNumbers, Part, Parts, Request};
pub use outline::{Outline, OutlineError};
