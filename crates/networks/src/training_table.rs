//! The training rows, and what a model stores about them.

use crate::error::NetworkError;
use crate::task::NetworkTask;
use pellucid_data::{Dataset, MISSING, TargetKind, Values};
use pellucid_learn::fingerprint::Fingerprint;
use pellucid_learn::learner::Examples as _;
use pellucid_learn::model::{Column, NumberTargetSummary, Schema};
use pellucid_learn::params::ParamError;

/// A table with classes or a number to predict.
#[derive(Clone, Debug)]
pub(crate) struct TrainingTable<'a> {
    pub(crate) data: &'a Dataset,
    pub(crate) task: NetworkTask,
    /// Whether each row is of the positive class, which is the second of two.
    pub(crate) positive: Vec<bool>,
    /// The class of each row by code, or the stratum of its number.
    pub(crate) codes: Vec<u32>,
}

impl<'a> TrainingTable<'a> {
    pub(crate) fn new(data: &'a Dataset) -> Result<TrainingTable<'a>, NetworkError> {
        if let Some(bags) = &data.bags {
            let problem = format!(
                "networks learn from single rows, but {} groups its rows into bags by column '{}'; \
                 read it without bags, or use the rules learner",
                data.name, bags.name
            );
            return Err(NetworkError::Param(ParamError::with_problem("bag", problem)));
        }
        if data.weights.is_some() {
            let problem = "networks do not support row weights";
            return Err(NetworkError::Param(ParamError::with_problem("weight", problem)));
        }
        let (task, codes) = match data.target_kind() {
            TargetKind::Number(_) => {
                data.require_number()?;
                (NetworkTask::Number, data.strata())
            }
            _ => {
                let target = data.require_classes()?;
                let task = match target.classes.len() {
                    0..=2 => NetworkTask::TwoClasses,
                    classes => NetworkTask::Classes(classes),
                };
                (task, target.codes.clone())
            }
        };
        let positive = codes.iter().map(|&code| code == 1).collect();
        Ok(TrainingTable { data, task, positive, codes })
    }

    /// Returns the numbers to predict; empty if classes are predicted.
    pub(crate) fn numbers(&self) -> &'a [f64] {
        self.data.number.as_ref().map_or(&[], |number| &number.values)
    }

    /// Returns the number of rows of the smaller class.
    pub(crate) fn smaller_class(&self) -> usize {
        let positives = self.positive.iter().filter(|&&positive| positive).count();
        positives.min(self.positive.len() - positives)
    }

    /// Returns the schema that a model stores.
    pub(crate) fn schema(&self) -> Schema {
        let target = self.data.target.as_ref();
        let number = self.data.number.as_ref().filter(|_| self.task == NetworkTask::Number);
        Schema {
            columns: self.data.columns.iter().map(Column::describe).collect(),
            target: self.data.target_name().map(str::to_owned),
            bag: None,
            number: number.and_then(|number| NumberTargetSummary::of(&number.values)),
            classes: target.map_or_else(Vec::new, |target| target.classes.clone()),
            reading: self.data.origin.reading.clone(),
            never_predicted: Vec::new(),
        }
    }

    /// Returns a digest of the data.
    pub(crate) fn fingerprint(&self) -> Fingerprint {
        let mut print = Fingerprint::new();
        for column in &self.data.columns {
            print = print.with(&column.name);
            print = match &column.values {
                Values::Numeric(numbers) => {
                    numbers.iter().fold(print, |print, number| print.with_number(number.to_bits()))
                }
                Values::Nominal { codes, categories } => {
                    let print = categories.iter().fold(print, Fingerprint::with);
                    codes.iter().fold(print, |print, &code| print.with_number(u64::from(code)))
                }
                Values::Boolean(truths) => truths.iter().fold(print, |print, truth| {
                    print.with_number(truth.map_or(u64::from(MISSING), u64::from))
                }),
            };
        }
        let codes = self.codes.iter().chain(self.data.groups.iter().flatten());
        let print = codes.fold(print, |print, &code| print.with_number(u64::from(code)));
        self.numbers().iter().fold(print, |print, number| print.with_number(number.to_bits()))
    }
}
