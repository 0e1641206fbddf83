use clap::{Args, ValueEnum};
use pellucid::prepare::{Preparation, Task};

/// What is done to a table before it is learned from.
#[derive(Debug, Args)]
pub struct PrepareArgs {
    /// Keep examples together that have the same value in this column, as those of one person: folds never judge some of them by others; 'identical' keeps those together that are the same in all columns
    #[arg(long, value_name = "COLUMN", help_heading = "Data")]
    pub groups: Option<String>,
    /// The column that says how much each example counts when learned from; scores count each once
    #[arg(long, value_name = "COLUMN", help_heading = "Data")]
    pub weight: Option<String>,
    /// Make one class, 'other', of all classes with fewer examples than this
    #[arg(long, value_name = "N", help_heading = "Data")]
    pub merge_rare: Option<usize>,
    /// The most classes that the target may have; more look like names and are refused [default: 1000]
    #[arg(long, value_name = "N", help_heading = "Data")]
    pub most_classes: Option<usize>,
    /// Leave out the examples of these classes
    #[arg(long, value_name = "CLASS", value_delimiter = ',', help_heading = "Data")]
    pub drop_class: Vec<String>,
    /// What the target is: 'number' to predict, or 'classes'; 'auto' takes more than 12 different numbers for one to predict, unless they are at most 50 whole ones with ten examples each
    #[arg(
        long,
        value_name = "TASK",
        default_value = "auto",
        hide_possible_values = true,
        help_heading = "Data"
    )]
    pub task: TaskArg,
}

/// What the target is taken for.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum TaskArg {
    Auto,
    Classes,
    Number,
}

impl PrepareArgs {
    /// What they mean to a learner that may predict numbers, or not.
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
