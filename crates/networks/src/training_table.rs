//! The training rows, and what a model stores about them.

use crate::error::NetworkError;
use pellucid_data::{Dataset, MISSING, Values};
use pellucid_learn::fingerprint::Fingerprint;
use pellucid_learn::model::{Column, Schema};
use pellucid_learn::params::ParamError;

/// A table with two classes.
#[derive(Clone, Debug)]
pub(crate) struct TrainingTable<'a> {
    pub(crate) data: &'a Dataset,
    /// Whether each row is of the positive class, which is the second one.
    pub(crate) positive: Vec<bool>,
    pub(crate) codes: Vec<u32>,
}

impl<'a> TrainingTable<'a> {
    pub(crate) fn new(data: &'a Dataset) -> Result<TrainingTable<'a>, NetworkError> {
        let target = data.require_classes()?;
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
        if target.classes.len() != 2 {
            return Err(NetworkError::Classes {
                name: data.name.clone(),
                column: target.name.clone(),
                classes: target.classes.len(),
            });
        }
        let positive = target.codes.iter().map(|&code| code == 1).collect();
        Ok(TrainingTable { data, positive, codes: target.codes.clone() })
    }

    /// Returns the number of rows of the smaller class.
    pub(crate) fn smaller_class(&self) -> usize {
        let positives = self.positive.iter().filter(|&&positive| positive).count();
        positives.min(self.positive.len() - positives)
    }

    /// Returns the schema that a model stores.
    pub(crate) fn schema(&self) -> Schema {
        let target = self.data.target.as_ref();
        Schema {
            columns: self.data.columns.iter().map(Column::describe).collect(),
            target: target.map(|target| target.name.clone()),
            bag: None,
            number: None,
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
        codes.fold(print, |print, &code| print.with_number(u64::from(code)))
    }
}
