use clap::{Args, ValueEnum};
use pellucid::prepare::{Preparation, Task};

/// The preparation of a table before training.
#[derive(Debug, Args)]
pub struct PrepareArgs {
    /// Keep examples with the same value in this column in the same fold
    ///
    /// For example, keep all examples of one person together. 'identical' groups examples that are
    /// equal in all columns.
    #[arg(long, value_name = "COLUMN", help_heading = "Data")]
    pub groups: Option<String>,
    /// Column of training weights; metrics count each example once
    #[arg(long, value_name = "COLUMN", help_heading = "Data")]
    pub weight: Option<String>,
    /// Merge classes with fewer examples than this into one class 'other'
    #[arg(long, value_name = "N", help_heading = "Data")]
    pub merge_rare: Option<usize>,
    /// Maximum number of classes [default: 1000]
    ///
    /// A target column with more classes probably holds names and is rejected.
    #[arg(long, value_name = "N", help_heading = "Data")]
    pub most_classes: Option<usize>,
    /// Exclude the examples of these classes
    #[arg(long, value_name = "CLASS", value_delimiter = ',', help_heading = "Data")]
    pub drop_class: Vec<String>,
    /// Predict 'classes' or a 'number', or decide by the target column with 'auto'
    ///
    /// 'auto' predicts a number if the target has more than 12 distinct numbers, unless these are at
    /// most 50 whole numbers with ten examples each.
    #[arg(
        long,
        value_name = "TASK",
        default_value = "auto",
        hide_possible_values = true,
        help_heading = "Data"
    )]
    pub task: TaskArg,
}

/// The value of `--task`.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum TaskArg {
    Auto,
    Classes,
    Number,
}

impl PrepareArgs {
    /// Returns the preparation for a learner that may or may not predict numbers.
    pub fn preparation(&self, may_be_number: bool) -> Preparation {
        Preparation {
            groups: self.groups.clone(),
            weight: self.weight.clone(),
            merge_rare: self.merge_rare,
            drop_class: self.drop_class.clone(),
            task: match self.task {
                TaskArg::Auto => Task::Auto,
                TaskArg::Classes => Task::Classes,
                TaskArg::Number => Task::Number,
            },
            may_be_number,
        }
    }
}
