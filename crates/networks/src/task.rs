//! What networks predict: one of two classes, one of several classes, or a number.

use pellucid_learn::model::Schema;

/// The kind of prediction. It decides the number of outputs of a network and the loss of gradient
/// descent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NetworkTask {
    /// One of two classes: one output, the log odds of the second class.
    TwoClasses,
    /// One of this number of classes, more than two: one output for each.
    Classes(usize),
    /// A number: one output.
    Number,
}

impl NetworkTask {
    /// Returns the task of a model.
    #[must_use]
    pub fn of_schema(schema: &Schema) -> NetworkTask {
        match schema.classes.len() {
            _ if schema.number.is_some() => NetworkTask::Number,
            0..=2 => NetworkTask::TwoClasses,
            classes => NetworkTask::Classes(classes),
        }
    }

    /// Returns the number of outputs of a network.
    #[must_use]
    pub fn outputs(self) -> usize {
        match self {
            NetworkTask::TwoClasses | NetworkTask::Number => 1,
            NetworkTask::Classes(classes) => classes,
        }
    }
}
