//! What is done to a table after it was read and before it is learned from: who belongs together, how much each example counts,
//! and whether there are classes, which, or a number.
//!
//! ```
//! use pellucid::io::{self, ReadOptions};
//! use pellucid::prepare::Preparation;
//!
//! let csv = "age,person,ill\n34,a,no\n35,a,no\n61,b,yes\n58,c,yes\n59,c,yes\n47,d,no\n71,e,perhaps\n";
//! let data = io::read_from(csv.as_bytes(), "visits.csv", &ReadOptions::default())?;
//! let how = Preparation {
//!     groups: Some("person".to_owned()),
//!     drop_class: vec!["perhaps".to_owned()],
//!     ..Preparation::default()
//! };
//! let data = how.apply(data)?;
//! assert_eq!(data.groups, Some(vec![0, 0, 1, 2, 2, 3]));
//! assert_eq!(data.columns.len(), 1, "who it is predicts nothing");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod columns;
mod target;
mod task;

pub use target::{MOST_CLASSES, TargetError, check_target, check_target_within};
pub use task::Task;

use crate::io::Dataset;
use crate::learn::model::Schema;
use crate::learn::params::ParamError;

/// What is to be done. Errors call each by its name here.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Preparation {
    /// The column that says which examples belong together, as those of one person: they are never cut in two to judge one part
    /// by the other. [`IDENTICAL`] puts those together that are the same in every column.
    pub groups: Option<String>,
    /// The column that says how much each example counts when learned from.
    pub weight: Option<String>,
    /// Classes with fewer examples than this become one.
    pub merge_rare: Option<usize>,
    /// Classes whose examples are left out.
    pub drop_class: Vec<String>,
    /// What the target is taken for.
    pub task: Task,
    /// Whether the learner predicts numbers, so that one that looks like it may be taken for one.
    pub may_be_number: bool,
}

/// The word for groups of examples that are the same in every column; a column of that name comes first.
pub const IDENTICAL: &str = "identical";

impl Preparation {
    /// Does it. What a person should know is added to the notes of the data.
    ///
    /// # Errors
    /// When a column or a class is not there, or does not hold what is needed.
    pub fn apply(&self, mut data: Dataset) -> Result<Dataset, ParamError> {
        if !self.drop_class.is_empty() {
            data = target::without_classes(data, &self.drop_class)?;
        }
        if let Some(least) = self.merge_rare {
            target::merge_rare(&mut data, least)?;
        }
        // Who speaks of classes wants classes.
        let of_classes = !self.drop_class.is_empty() || self.merge_rare.is_some();
        task::take_number(&mut data, self.task, self.may_be_number && !of_classes)?;
        if let Some(column) = &self.weight {
            columns::take_weights(&mut data, column)?;
        }
        if let Some(column) = &self.groups {
            columns::take_groups(&mut data, column)?;
        }
        Ok(data)
    }
}

/// Data to predict in the words of a model: a number is a number here too, and classes that were made one when it was learned are
/// one.
///
/// # Errors
/// When the model predicts a number and the data has a target that is none.
pub fn as_learned(data: &mut Dataset, schema: &Schema) -> Result<(), ParamError> {
    if schema.number.is_some() {
        return task::to_number(data);
    }
    if let Some(merged) = &schema.reading.merged {
        target::merge(data, &merged.into, &merged.classes);
    }
    Ok(())
}
