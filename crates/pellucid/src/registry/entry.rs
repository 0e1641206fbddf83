//! The implementation of the trait objects [`AnyLearner`] and [`AnyModel`] for each learner type.

use super::data::extract;
use super::never;
use super::{AnyLearned, AnyLearner, AnyModel, Data, Error, Form, FromData, Settings};
use crate::learn::calibrate::Calibration;
use crate::learn::learner::{
    Applied, CrossValidationSetup, DataKind, Export, ExportOptions, Inner, Learned, Learner,
    ModelOf, check_target_kind, plan_folds,
};
use crate::learn::model::{ModelError, Schema, StoredModel, Strange, save_text};
use crate::learn::params::{Chosen, Described, Parameters, Valid, described};
use crate::learn::run::{Driver, Observer};
use crate::learn::split::{CrossValidation, Folds};
use pellucid_device::Machine;
use serde_json::{Map, Value};
use std::path::Path;

/// The pages and drawings of a learner's models, which are not exports of the learner itself.
pub type Drawings<L> = &'static [Export<L>];

/// A learner in the registry, with the drawings of its models.
pub struct Entry<L: Learner>(Drawings<L>);

impl<L: Learner> Default for Entry<L> {
    fn default() -> Self {
        Self::new()
    }
}

impl<L: Learner> Entry<L> {
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
pub(crate) fn params<L: Learner>(settings: &Settings) -> Result<Valid<L::Params>, Error> {
    let mut chosen = Chosen::<L::Params>::new();
    for (name, value) in settings.iter() {
        chosen.set_json(name, value)?;
    }
    Ok(chosen.check()?)
}

fn forms<L: Learner>(drawings: Drawings<L>) -> Vec<Form> {
    let texts = L::exports().iter().chain(drawings);
    let texts = texts.map(|form| Form { name: form.name, help: form.help });
    let others = L::binary_exports().iter().map(|form| Form { name: form.name, help: form.help });
    texts.chain(others).collect()
}

impl<L: Learner<Data: FromData>> AnyLearner for Entry<L> {
    fn name(&self) -> &'static str {
        L::NAME
    }

    fn about(&self) -> &'static str {
        L::ABOUT
    }

    fn kind(&self) -> DataKind {
        L::KIND
    }

    fn numbers(&self) -> bool {
        L::NUMBERS
    }

    fn parameters(&self) -> Vec<Described> {
        described::<L::Params>()
    }

    fn mode(&self) -> Option<&'static str> {
        L::Params::MODE
    }

    fn forms(&self) -> Vec<Form> {
        forms::<L>(self.0)
    }

    fn check(&self, settings: &Settings) -> Result<(), Error> {
        params::<L>(settings).map(|_| ())
    }

    fn learns_on_gpus(&self, settings: &Settings) -> Result<bool, Error> {
        Ok(L::learns_on_gpus(&*params::<L>(settings)?))
    }

    fn fit(
        &self,
        data: &Data,
        settings: &Settings,
        inner: Inner<'_>,
        machine: &Machine,
        driver: &Driver,
        observer: &mut dyn Observer,
    ) -> Result<AnyLearned, Error> {
        let (data, params) = (extract::<L>(data)?, params::<L>(settings)?);
        let (learned, held_out) =
            L::learn_with_estimate(data, params, inner, machine, driver, observer)
                .map_err(Error::of_run::<L>)?;
        let Learned { mut model, run, train, notes, .. } = learned;
        never::find::<L>(&mut model, data, machine);
        Ok(AnyLearned { model: boxed_model::<L>(model, self.0), run, train, held_out, notes })
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
        L::check(data).map_err(Error::of::<L>)?;
        Ok(plan_folds::<L>(data, &params, folds, repeats)?)
    }

    fn cross_validate(
        &self,
        data: &Data,
        settings: &Settings,
        how: &CrossValidationSetup<'_>,
    ) -> Result<CrossValidation, Error> {
        let (data, params) = (extract::<L>(data)?, params::<L>(settings)?);
        L::cross_validate(data, &params, how).map_err(Error::of_run::<L>)
    }

    fn open(&self, stored: &StoredModel) -> Result<Box<dyn AnyModel>, Error> {
        let model = L::read_model(stored)?;
        L::check_model(&model).map_err(Error::of::<L>)?;
        Ok(boxed_model::<L>(model, self.0))
    }
}

/// Returns a model as a trait object.
pub(crate) fn boxed_model<L: Learner<Data: FromData>>(
    model: ModelOf<L>,
    drawings: Drawings<L>,
) -> Box<dyn AnyModel> {
    Box::new(TypedModel::<L>(model, drawings))
}

/// A model with the type of its learner, and its drawings.
struct TypedModel<L: Learner>(ModelOf<L>, Drawings<L>);

impl<L: Learner<Data: FromData>> AnyModel for TypedModel<L> {
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

    fn applies_on_gpus(&self) -> bool {
        L::APPLIES_ON_GPUS
    }

    fn parameters(&self) -> Map<String, Value> {
        let table = L::Params::table().iter();
        let value = |name: &'static str, value| (name.to_owned(), value);
        table.map(|row| value(row.described.name, row.json(&self.0.params))).collect()
    }

    fn with_rules(&self, rules: usize) -> Option<Box<dyn AnyModel>> {
        let mut model = L::with_rules(&self.0, rules)?;
        // The list was computed for the selected size.
        model.schema.never_predicted.clear();
        Some(boxed_model::<L>(model, self.1))
    }

    fn text(&self) -> String {
        L::text(&self.0) + &never::sentence(&self.0.schema.never_predicted)
    }

    fn to_json(&self) -> Result<String, ModelError> {
        L::model_to_json(&self.0)
    }

    fn save(&self, path: &Path) -> Result<(), ModelError> {
        save_text(path, &self.to_json()?)
    }

    fn summary(&self) -> Map<String, Value> {
        L::summary(&self.0)
    }

    fn write(&self, form: &str, options: &ExportOptions) -> Result<Vec<u8>, Error> {
        match form {
            "text" => return Ok(self.text().into_bytes()),
            "json" => return Ok(self.to_json()?.into_bytes()),
            _ => {}
        }
        if let Some(export) = L::binary_exports().iter().find(|export| export.name == form) {
            return (export.write)(&self.0, options).map_err(Error::of::<L>);
        }
        let mut texts = L::exports().iter().chain(self.1);
        let Some(export) = texts.find(|export| export.name == form) else {
            let own: Vec<&str> = forms::<L>(self.1).iter().map(|form| form.name).collect();
            let known = match own.split_last() {
                None => "text or json".to_owned(),
                Some((last, [])) => format!("text, json or {last}"),
                Some((last, others)) => format!("text, json, {} or {last}", others.join(", ")),
            };
            return Err(Error::Form { learner: L::NAME, name: form.to_owned(), known });
        };
        (export.write)(&self.0, options).map(String::into_bytes).map_err(Error::of::<L>)
    }

    fn strange(&self, data: &Data) -> Vec<Strange> {
        match data {
            Data::Table(table) => self.0.schema.strange(table),
            Data::Individuals(_) => Vec::new(),
        }
    }

    fn apply(&self, data: &Data, machine: &Machine) -> Result<Box<dyn Applied>, Error> {
        L::apply(&self.0, extract::<L>(data)?, machine).map_err(Error::of::<L>)
    }
}
