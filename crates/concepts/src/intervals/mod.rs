//! Closed interval patterns: concepts of a table of numbers, without scaling.
//!
//! The description of a set of objects is the smallest interval of each numeric column that contains
//! the values of all of them, and each category that they share. An *interval pattern* is closed if
//! no other object fits its description. The closed patterns are the concepts of the interval pattern
//! structure of the table ([Kaytoue and others 2011](https://doi.org/10.1016/j.ins.2010.07.007)).
//! They correspond to the concepts of the interordinally scaled table, whose number of attributes is
//! the number of all distinct values, twice.
//!
//! ```
//! use pellucid_concepts::intervals::{IntervalTable, collect};
//! use pellucid_close::Terms;
//! use pellucid_data::{Column, Dataset, Values};
//!
//! let column = |name: &str, values: [f64; 3]| {
//!     Column { name: name.into(), values: Values::Numeric(values.to_vec().into()) }
//! };
//! let columns = vec![column("age", [20.0, 30.0, 50.0]), column("size", [1.7, 1.6, 1.9])];
//! let data = Dataset { columns, rows: 3, ..Dataset::default() };
//! let table = IntervalTable::new(&data)?;
//! let terms = Terms { min_support: 2, ..Terms::default() };
//! assert_eq!(
//!     collect(&table, &terms),
//!     ["3\t{}", "2\tage [20, 30], size [1.6, 1.7]", "2\tage [30, 50]", "2\tsize [1.7, 1.9]"],
//! );
//! # Ok::<(), pellucid_data::DataError>(())
//! ```
//!
//! - `table`: every column as *chains* of ever stricter bounds. `search`: the tree of the patterns.
//! - `write`: patterns as text and as JSON; `texts`: their conditions, encoded once.

mod chain;
mod search;
mod table;
mod texts;
mod write;

pub use search::{PatternView, PatternVisitor, search};
pub use table::{Condition, IntervalTable};
pub use write::{PatternFormat, collect, list};
