//! Preparation of a table for training: groups, weights, classes and the kind of target.
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
//! assert_eq!(data.columns.len(), 1, "the column of groups is not a feature");
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

/// The steps of the preparation. Errors use the names of the fields.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Preparation {
    /// The column that identifies the group of each example, such as a person. A group is never split between
    /// training and test data. [`IDENTICAL`] groups examples that are equal in every column.
    pub groups: Option<String>,
    /// The column with the weight of each example in training.
    pub weight: Option<String>,
    /// Classes with fewer examples than this are merged into one.
    pub merge_rare: Option<usize>,
    /// Classes whose examples are left out.
    pub drop_class: Vec<String>,
    /// What to predict.
    pub task: Task,
    /// Whether the learner can predict numbers.
    pub may_be_number: bool,
}

/// The keyword for groups of identical examples. A column of that name takes precedence.
pub const IDENTICAL: &str = "identical";

/// The names of groups of examples.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupNames {
    /// The column that they come from.
    pub column: String,
    /// The name of each group.
    pub names: Vec<String>,
}

impl Preparation {
    /// Prepares the data. Notes for the user are added to the notes of the data.
    ///
    /// # Errors
    /// When a column or a class does not exist, or a column has unsuitable values.
    pub fn apply(&self, data: Dataset) -> Result<Dataset, ParamError> {
        Ok(self.apply_with_groups(data)?.0)
    }

    /// Prepares the data as [`apply`](Preparation::apply) does; also returns the names of its groups if they
    /// come from a column.
    ///
    /// # Errors
    /// As for [`apply`](Preparation::apply).
    pub fn apply_with_groups(
        &self,
        mut data: Dataset,
    ) -> Result<(Dataset, Option<GroupNames>), ParamError> {
        if !self.drop_class.is_empty() {
            data = target::without_classes(data, &self.drop_class)?;
        }
        if let Some(least) = self.merge_rare {
            target::merge_rare(&mut data, least)?;
        }
        // Options about classes imply that the target is classes.
        let of_classes = !self.drop_class.is_empty() || self.merge_rare.is_some();
        task::take_number(&mut data, self.task, self.may_be_number && !of_classes)?;
        if let Some(column) = &self.weight {
            columns::take_weights(&mut data, column)?;
        }
        let groups = match &self.groups {
            Some(column) => columns::take_groups(&mut data, column)?,
            None => None,
        };
        Ok((data, groups))
    }
}

/// Prepares the target of data to predict as for training: converts it to a number, or merges classes.
///
/// # Errors
/// When the model predicts a number and the target of the data is not a number.
pub fn as_learned(data: &mut Dataset, schema: &Schema) -> Result<(), ParamError> {
    if schema.number.is_some() {
        return task::to_number(data);
    }
    if let Some(merged) = &schema.reading.merged {
        target::merge(data, &merged.into, &merged.classes);
    }
    Ok(())
}
