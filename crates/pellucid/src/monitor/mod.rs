//! A model on new data: the drift of each column and of the predictions, and the quality if the new data has
//! actual values, compared with the training data.
//!
//! The reference is the [profile](crate::learn::profile) in the model file, or other data.

mod drifts;
mod json;
mod quality;
mod text;

pub use quality::QualityChange;

use crate::io::Dataset;
use crate::learn::learner::Predictions;
use crate::learn::params::ParamError;
use crate::learn::profile::{Distribution, Drift, Severity, TrainingProfile};
use crate::registry::AnyModel;
use std::borrow::Cow;

/// Data with the predictions of a model.
#[derive(Clone, Copy)]
pub struct MonitoredData<'a> {
    /// The name of the data, such as its file.
    pub name: &'a str,
    /// The data.
    pub data: &'a Dataset,
    /// The predictions for the data.
    pub predictions: &'a Predictions,
}

/// The drift of a column, of the target or of the predictions.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedDrift {
    /// The reference, whose name is that of the column.
    pub distribution: Distribution,
    /// The drift.
    pub drift: Drift,
    /// What has changed, such as `median 41 to 52`.
    pub change: String,
    /// Whether the model uses the column.
    pub is_used: bool,
}

impl NamedDrift {
    /// Returns how much the distributions differ.
    #[must_use]
    pub fn severity(&self) -> Severity {
        self.drift.severity()
    }
}

/// A model on new data, compared with a reference.
#[derive(Clone, Debug, PartialEq)]
pub struct Monitoring {
    /// The name of the model.
    pub model: String,
    /// The target.
    pub target: String,
    /// The name of the new data.
    pub data: String,
    /// The number of new rows.
    pub rows: usize,
    /// The name of the reference data; `None` for the training data in the model file.
    pub reference: Option<String>,
    /// The number of rows of the reference.
    pub reference_rows: u64,
    /// The columns, the largest drift first.
    pub columns: Vec<NamedDrift>,
    /// The columns that could not be compared.
    pub skipped: Vec<String>,
    /// The values that do not occur in the training data, in words.
    pub unseen: Vec<String>,
    /// The actual values, if the new data has them.
    pub actual: Option<NamedDrift>,
    /// The predictions.
    pub predictions: Option<NamedDrift>,
    /// The quality on the new data beside that of the reference.
    pub quality: Vec<QualityChange>,
    /// The number of new examples with actual values.
    pub evaluated: usize,
}

impl Monitoring {
    /// Compares new data with a reference, or with the profile of the training data in the model file. `used`
    /// are the names of the columns that the model uses.
    ///
    /// # Errors
    /// If there is no reference and the model file has no profile.
    pub fn new(
        (name, model): (&str, &dyn AnyModel),
        used: &[String],
        new: MonitoredData<'_>,
        reference: Option<MonitoredData<'_>>,
    ) -> Result<Monitoring, ParamError> {
        let profile = match reference {
            Some(reference) => Cow::Owned(drifts::profile_of(model, reference)),
            None => Cow::Borrowed(model.training().ok_or_else(no_profile)?),
        };
        let profile: &TrainingProfile = &profile;
        let (mut columns, skipped) = drifts::of_columns(model, profile, new.data, used);
        columns.sort_by(|one, other| {
            let key = |of: &NamedDrift| (of.severity(), of.drift.psi);
            let (one, other) = (key(one), key(other));
            other.0.cmp(&one.0).then(other.1.total_cmp(&one.1))
        });
        let data = crate::registry::Data::Table(new.data.clone());
        let unseen = model.unseen_values(&data).iter().map(ToString::to_string).collect();
        let (quality, evaluated) = quality::of(model, profile, new.predictions);
        Ok(Monitoring {
            model: name.to_owned(),
            target: model.schema().target.clone().unwrap_or_else(|| "class".to_owned()),
            data: new.name.to_owned(),
            rows: new.data.rows,
            reference: reference.map(|reference| reference.name.to_owned()),
            reference_rows: profile.rows,
            columns,
            skipped,
            unseen,
            actual: drifts::of_target(profile, new.data),
            predictions: drifts::of_predictions(model, profile, new.predictions),
            quality,
            evaluated,
        })
    }

    /// Returns the columns that drift.
    pub fn drifting(&self) -> impl Iterator<Item = &NamedDrift> {
        self.columns.iter().filter(|column| column.severity() > Severity::Stable)
    }
}

fn no_profile() -> ParamError {
    ParamError::with_problem(
        "reference",
        "the model file has no profile of its training data, because it was written by an older version or \
         on several machines; give the training data",
    )
}
