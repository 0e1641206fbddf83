//! The implementation of the trait objects [`AnyLearner`] and [`AnyModel`] for each learner type.

use super::data::extract;
use super::never;
use super::{AnyFitResult, AnyLearner, AnyModel, Data, Error, Form, FromData, Settings};
use crate::learn::calibrate::Calibration;
use crate::learn::learner::{
    Applied, CrossValidationSetup, DataKind, Export, ExportOptions, ExportWriter, Fit, FitResultOf,
    Inner, ModelOf, NoEstimate, Output, check_target_kind, plan_folds,
};
use crate::learn::model::{ModelError, Schema, StoredModel, UnseenValues, save_text};
use crate::learn::out_of_fold::OutOfFold;
use crate::learn::params::{Chosen, Described, Parameters, Valid, described};
use crate::learn::parts::{FitParts, HeadNumbers, Part, Parts};
use crate::learn::profile::TrainingProfile;
use crate::learn::run::{Driver, Observer};
use crate::learn::split::{CrossValidation, Folds};
use pellucid_device::Machine;
use pellucid_export::sql::in_dialect;
use serde_json::{Map, Value};
use std::path::Path;

/// The pages and drawings of a learner's models, which are not exports of the learner itself.
pub type Drawings<L> = &'static [Export<L>];

/// A learner in the registry, with the drawings of its models.
pub struct Entry<L: Fit>(Drawings<L>);

impl<L: Fit> Default for Entry<L> {
    fn default() -> Self {
        Self::new()
    }
}

impl<L: Fit> Entry<L> {
    /// Returns the entry of the learner `L`, without drawings.
    #[must_use]
    pub fn new() -> Self {
        Self(&[])
    }

    /// Returns the entry of the learner `L` with drawings.
    #[must_use]
    pub fn drawn(drawings: Drawings<L>) -> Self {
        Self(drawings)
    }
}

/// Converts settings to the parameters of a learner.
pub(crate) fn params<L: Fit>(settings: &Settings) -> Result<Valid<L::Params>, Error> {
    let mut chosen = Chosen::<L::Params>::new();
    for (name, value) in settings.iter() {
        chosen.set_json(name, value)?;
    }
    Ok(chosen.check()?)
}

/// Returns the export formats of a learner, those of text first.
fn exports<L: Fit>(drawings: Drawings<L>) -> Vec<&'static Export<L>> {
    let mut all: Vec<&Export<L>> = L::capabilities().exports.iter().chain(drawings).collect();
    all.sort_by_key(|export| matches!(export.write, ExportWriter::Binary(_)));
    all
}

/// Returns the capability of a learner to train on rows in other processes.
fn fit_parts<L: Fit>() -> Result<FitParts<L>, Error> {
    L::capabilities().fit_parts.ok_or(Error::NoParts { learner: L::NAME })
}

impl<L: Fit<Data: FromData>> AnyLearner for Entry<L> {
    fn name(&self) -> &'static str {
        L::NAME
    }

    fn about(&self) -> &'static str {
        L::ABOUT
    }

    fn details(&self) -> &'static str {
        L::DETAILS
    }

    fn kind(&self) -> DataKind {
        L::KIND
    }

    fn output(&self) -> Output {
        L::OUTPUT
    }

    fn parameters(&self) -> Vec<Described> {
        described::<L::Params>()
    }

    fn mode(&self) -> Option<&'static str> {
        L::Params::MODE
    }

    fn forms(&self) -> Vec<Form> {
        let exports = exports::<L>(self.0).into_iter();
        exports.map(|export| Form { name: export.name, help: export.help }).collect()
    }

    fn check(&self, settings: &Settings) -> Result<(), Error> {
        params::<L>(settings).map(|_| ())
    }

    fn learns_on_gpus(&self, settings: &Settings, examples: usize) -> Result<bool, Error> {
        Ok((L::capabilities().gpus.fits)(&*params::<L>(settings)?, examples))
    }

    fn fit(
        &self,
        data: &Data,
        settings: &Settings,
        inner: Inner<'_>,
        machine: &Machine,
        driver: &Driver,
        observer: &mut dyn Observer,
    ) -> Result<AnyFitResult, Error> {
        let (own, params) = (extract::<L>(data)?, params::<L>(settings)?);
        let fit = L::capabilities().common.fit_with_estimate;
        let (result, held_out) =
            fit(own, params, inner, machine, driver, observer).map_err(Error::of_run::<L>)?;
        let FitResultOf::<L> { mut model, run, train, notes, .. } = result;
        never::find::<L>(&mut model, own, machine);
        let model = boxed_model::<L>(model, self.0, profile(data, held_out.as_ref().ok()));
        Ok(AnyFitResult { model, run, train, held_out, notes })
    }

    fn folds(
        &self,
        data: &Data,
        settings: &Settings,
        folds: usize,
        repeats: usize,
    ) -> Result<Folds, Error> {
        let (data, params) = (extract::<L>(data)?, params::<L>(settings)?);
        check_target_kind::<L>(data)?;
        // Report problems of the whole data before problems of the folds.
        (L::capabilities().check_data)(data).map_err(Error::of::<L>)?;
        Ok(plan_folds::<L>(data, &params, folds, repeats)?)
    }

    fn cross_validate(
        &self,
        data: &Data,
        settings: &Settings,
        how: &CrossValidationSetup<'_>,
    ) -> Result<CrossValidation, Error> {
        let (data, params) = (extract::<L>(data)?, params::<L>(settings)?);
        let cross_validate = L::capabilities().common.cross_validate;
        cross_validate(data, &params, how).map_err(Error::of_run::<L>)
    }

    fn open(&self, stored: &StoredModel) -> Result<Box<dyn AnyModel>, Error> {
        let capabilities = L::capabilities();
        let model = (capabilities.common.read)(stored)?;
        (capabilities.check_model)(&model).map_err(Error::of::<L>)?;
        Ok(boxed_model::<L>(model, self.0, stored.training()))
    }

    fn head_numbers(&self) -> Option<HeadNumbers> {
        L::capabilities().fit_parts.map(|parts| parts.numbers)
    }

    fn part_schema(&self, head: &Data) -> Result<Schema, Error> {
        (fit_parts::<L>()?.schema)(extract::<L>(head)?).map_err(Error::of::<L>)
    }

    fn part(&self, head: &Data, rows: &Data, machine: Machine) -> Result<Box<dyn Part>, Error> {
        let (head, rows) = (extract::<L>(head)?, extract::<L>(rows)?);
        (fit_parts::<L>()?.part)(head, rows, machine).map_err(Error::of::<L>)
    }

    fn fit_parts(
        &self,
        head: &Data,
        parts: Parts,
        settings: &Settings,
        machine: &Machine,
        driver: &Driver,
        observer: &mut dyn Observer,
    ) -> Result<AnyFitResult, Error> {
        let (head, params) = (extract::<L>(head)?, params::<L>(settings)?);
        let result = (fit_parts::<L>()?.fit)(head, parts, params, machine, driver, observer);
        let result = result.map_err(Error::of_run::<L>)?;
        let FitResultOf::<L> { model, run, train, notes, out_of_fold } = result;
        let held_out = match out_of_fold {
            _ if run.summary.stop.is_pause() => Err(NoEstimate::CutShort),
            Some(scores) => Ok(scores),
            None => Err(NoEstimate::Elsewhere),
        };
        let model = boxed_model::<L>(model, self.0, None);
        Ok(AnyFitResult { model, run, train, held_out, notes })
    }
}

/// Returns the profile of the training data; `None` for individuals of an ontology.
fn profile(data: &Data, held_out: Option<&OutOfFold>) -> Option<TrainingProfile> {
    match data {
        Data::Table(table) => Some(TrainingProfile::of_table(table, held_out)),
        Data::Individuals(_) => None,
    }
}

/// Returns a model as a trait object.
fn boxed_model<L: Fit<Data: FromData>>(
    model: ModelOf<L>,
    drawings: Drawings<L>,
    training: Option<TrainingProfile>,
) -> Box<dyn AnyModel> {
    Box::new(TypedModel::<L>(model, drawings, training))
}

/// A model with the type of its learner, its drawings and the profile of its training data.
struct TypedModel<L: Fit>(ModelOf<L>, Drawings<L>, Option<TrainingProfile>);

impl<L: Fit<Data: FromData>> AnyModel for TypedModel<L> {
    fn learner(&self) -> &'static str {
        L::NAME
    }

    fn kind(&self) -> DataKind {
        L::KIND
    }

    fn schema(&self) -> &Schema {
        &self.0.schema
    }

    fn calibration(&self) -> Option<&Calibration> {
        self.0.calibration.as_ref()
    }

    fn training(&self) -> Option<&TrainingProfile> {
        self.2.as_ref()
    }

    fn applies_on_gpus(&self) -> bool {
        L::capabilities().gpus.applies
    }

    fn parameters(&self) -> Map<String, Value> {
        let table = L::Params::table().iter();
        let value = |name: &'static str, value| (name.to_owned(), value);
        table.map(|row| value(row.described.name, row.json(&self.0.params))).collect()
    }

    fn with_rules(&self, rules: usize) -> Option<Box<dyn AnyModel>> {
        let mut model = L::capabilities().resize?(&self.0, rules)?;
        // The list was computed for the selected size.
        model.schema.never_predicted.clear();
        Some(boxed_model::<L>(model, self.1, self.2.as_ref().map(TrainingProfile::of_another_size)))
    }

    fn miss_costs(&self) -> Option<Vec<f64>> {
        (L::capabilities().miss_costs)(&self.0.params, &self.0.schema.classes)
    }

    fn leading_column(&self) -> Option<String> {
        (L::capabilities().leading_column)(&self.0)
    }

    fn text(&self) -> String {
        L::text(&self.0) + &never::sentence(&self.0.schema.never_predicted)
    }

    fn to_json(&self) -> Result<String, ModelError> {
        (L::capabilities().common.to_json)(&self.0, self.2.as_ref())
    }

    fn save(&self, path: &Path) -> Result<(), ModelError> {
        save_text(path, &self.to_json()?)
    }

    fn summary(&self) -> Map<String, Value> {
        L::capabilities().summary(&self.0)
    }

    fn write(&self, form: &str, options: &ExportOptions) -> Result<Vec<u8>, Error> {
        match form {
            "text" => return Ok(self.text().into_bytes()),
            "json" => return Ok(self.to_json()?.into_bytes()),
            _ => {}
        }
        let exports = exports::<L>(self.1);
        let Some(export) = exports.iter().find(|export| export.name == form) else {
            let own: Vec<&str> = exports.iter().map(|export| export.name).collect();
            let known = match own.split_last() {
                None => "text or json".to_owned(),
                Some((last, [])) => format!("text, json or {last}"),
                Some((last, others)) => format!("text, json, {} or {last}", others.join(", ")),
            };
            return Err(Error::Form { learner: L::NAME, name: form.to_owned(), known });
        };
        let written = export.bytes(&self.0, options).map_err(Error::of::<L>)?;
        match String::from_utf8(written) {
            Ok(query) if form == "sql" => Ok(in_dialect(&query, options.dialect).into_bytes()),
            Ok(text) => Ok(text.into_bytes()),
            Err(binary) => Ok(binary.into_bytes()),
        }
    }

    fn unseen_values(&self, data: &Data) -> Vec<UnseenValues> {
        match data {
            Data::Table(table) => self.0.schema.unseen_values(table),
            Data::Individuals(_) => Vec::new(),
        }
    }

    fn apply(&self, data: &Data, machine: &Machine) -> Result<Box<dyn Applied>, Error> {
        L::apply(&self.0, extract::<L>(data)?, machine).map_err(Error::of::<L>)
    }
}
