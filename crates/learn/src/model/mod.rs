//! Model files: versioned, human-readable JSON. Opening an untrusted file is safe.
//!
//! A [`Model`] is the model of a learner with its parameters and its [`Schema`]. The file is
//!
//! ```json
//! {
//!   "format": "pellucid-model",
//!   "version": 1,
//!   "learner": "rules",
//!   "engine": "0.2.0",
//!   "params": {},
//!   "schema": {},
//!   "calibration": {},
//!   "model": {},
//!   "training": {}
//! }
//! ```
//!
//! `calibration` converts scores to probabilities. It is absent for learners without scores, for
//! models trained without inner folds and for models of version 0.1.0: these predict classes only.
//! `training` is a [profile](crate::profile) of the training data, with which new data is compared. It is
//! optional.
//!
//! The file has no date, so one seed gives the same bytes. Numbers round-trip exactly.
//! [`StoredModel`] opens a file before its learner is known.
//!
//! ```
//! use pellucid_learn::model::{Model, Schema, StoredModel};
//!
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("model.json");
//! let (schema, model) = (Schema::default(), "a > 1".to_owned());
//! Model::new("rules", 50_u32, schema, model).save(&path)?;
//!
//! let stored = StoredModel::open(&path)?;
//! assert_eq!(stored.learner(), "rules");
//! let model: Model<u32, String> = stored.read("rules")?;
//! assert_eq!(model.body, "a > 1");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
mod schema;
mod unseen;

pub use error::ModelError;
pub use schema::{Column, ColumnKind, NumberTargetSummary, Schema, SchemaError};
pub use unseen::UnseenValues;

use crate::calibrate::Calibration;
use crate::profile::TrainingProfile;
use error::parser_message;
use pellucid_data::shorten;
use pellucid_files::Content;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::ops::Deref;
use std::path::{Path, PathBuf};

/// The value of the field `format` in every model file.
pub const FORMAT: &str = "pellucid-model";

/// The version that is written, and the newest version that is read.
pub const VERSION: u32 = 1;

/// The largest number of a calibration: its product with the largest score of a model is finite.
pub const MOST_IN_CALIBRATION: f64 = 1e100;

/// The maximum size of a model file, in bytes: 1 GiB.
pub const MAX_BYTES: u64 = 1 << 30;

/// The model of a learner (`M`) with its parameters (`P`) and what is needed to apply it to other data.
#[derive(Clone, Debug, PartialEq)]
pub struct Model<P, M> {
    /// The learner, such as `rules`.
    pub learner: Cow<'static, str>,
    /// The parameters of the training.
    pub params: P,
    /// The schema of the training data.
    pub schema: Schema,
    /// The calibration of the scores, if there is one.
    pub calibration: Option<Calibration>,
    /// The model itself.
    pub body: M,
}

/// A model is read like its body: `model.rules[0]`.
impl<P, M> Deref for Model<P, M> {
    type Target = M;

    fn deref(&self) -> &M {
        &self.body
    }
}

impl<P, M> Model<P, M> {
    /// Returns a model without a calibration.
    pub fn new(learner: &'static str, params: P, schema: Schema, body: M) -> Self {
        Self { learner: learner.into(), params, schema, calibration: None, body }
    }
}

/// The fields of the file, in order.
#[derive(Serialize)]
struct ModelFile<'a, P, M> {
    format: &'static str,
    version: u32,
    learner: &'a str,
    engine: &'static str,
    params: &'a P,
    schema: &'a Schema,
    #[serde(skip_serializing_if = "Option::is_none")]
    calibration: Option<&'a Calibration>,
    model: &'a M,
    #[serde(skip_serializing_if = "Option::is_none")]
    training: Option<&'a TrainingProfile>,
}

/// The fields that identify a model file. Each may be missing in other files.
#[derive(Deserialize)]
struct Head {
    format: Option<String>,
    version: Option<u32>,
    learner: Option<String>,
    #[serde(default)]
    engine: String,
}

/// The fields that all learners share.
#[derive(Deserialize)]
struct Common {
    schema: Schema,
    #[serde(default)]
    calibration: Option<Calibration>,
}

impl Common {
    /// Reads the common fields. A separate function, so that it is compiled once and not per learner.
    #[inline(never)]
    fn read(text: &[u8]) -> Result<Common, serde_json::Error> {
        serde_json::from_slice(text)
    }
}

/// The fields that depend on the learner.
#[derive(Deserialize)]
struct Body<P, M> {
    params: P,
    model: M,
}

/// Reads all fields of a model file. Always from bytes, so that only one parser is compiled.
fn read<P: DeserializeOwned, M: DeserializeOwned>(
    text: &[u8],
) -> Result<(Common, Body<P, M>), serde_json::Error> {
    Ok((Common::read(text)?, serde_json::from_slice(text)?))
}

impl<P, M> Model<P, M>
where
    P: Serialize + DeserializeOwned,
    M: Serialize + DeserializeOwned,
{
    /// Returns the text of the file: indented, with keys in a fixed order and a final newline.
    ///
    /// The text is parsed again before it is returned, so that every written model can be opened.
    ///
    /// # Errors
    /// If the model has a value that JSON cannot represent.
    pub fn to_json(&self) -> Result<String, ModelError> {
        self.to_json_with(None)
    }

    /// Returns the text of the file with a profile of the training data.
    ///
    /// # Errors
    /// As [`Model::to_json`].
    pub fn to_json_with(&self, training: Option<&TrainingProfile>) -> Result<String, ModelError> {
        let file = ModelFile {
            format: FORMAT,
            version: VERSION,
            learner: &self.learner,
            engine: env!("CARGO_PKG_VERSION"),
            params: &self.params,
            schema: &self.schema,
            calibration: self.calibration.as_ref(),
            model: &self.body,
            training,
        };
        let mut text = serde_json::to_string_pretty(&file).map_err(ModelError::Unstorable)?;
        read::<P, M>(text.as_bytes()).map_err(ModelError::Unstorable)?;
        text.push('\n');
        Ok(text)
    }

    /// Writes the model to `path`, replacing the file atomically.
    ///
    /// # Errors
    /// If the model has a value that JSON cannot represent, or the file cannot be written. An existing
    /// file is then unchanged.
    pub fn save(&self, path: &Path) -> Result<(), ModelError> {
        save_text(path, &self.to_json()?)
    }

    /// Reads a model of the given learner.
    ///
    /// # Errors
    /// As [`StoredModel::open`] and [`StoredModel::read`].
    pub fn load(path: &Path, learner: &'static str) -> Result<Self, ModelError> {
        StoredModel::open(path)?.read(learner)
    }
}

/// Writes the text of a model to `path`, replacing the file atomically.
///
/// # Errors
/// If the file cannot be written. An existing file is then unchanged.
pub fn save_text(path: &Path, text: &str) -> Result<(), ModelError> {
    pellucid_files::write(path, text.as_bytes()).map_err(|error| {
        let is_new = !path.exists();
        ModelError::Write { path: path.to_owned(), is_new, error }
    })
}

/// A model file of a readable version, whose part for the learner is not parsed yet.
#[derive(Clone, Debug)]
pub struct StoredModel {
    path: PathBuf,
    text: Vec<u8>,
    learner: String,
    engine: String,
}

impl StoredModel {
    /// Opens a model file.
    ///
    /// # Errors
    /// If the file cannot be read, is too large, is not JSON, not a model, or of a newer version.
    pub fn open(path: &Path) -> Result<Self, ModelError> {
        // The first byte decides whether the file is read, so that a huge file is not.
        let starts_as_object =
            |first: &[u8]| first.trim_ascii_start().first().is_none_or(|&letter| letter == b'{');
        match pellucid_files::read(path, MAX_BYTES, starts_as_object) {
            Ok(Content::Whole(text) | Content::Foreign(text)) => Self::parse(path, text),
            Ok(Content::TooLarge) => Err(ModelError::TooLarge(path.to_owned())),
            Err(error) => Err(ModelError::Read { path: path.to_owned(), error }),
        }
    }

    /// Parses the text of a model file; `path` is used in errors.
    ///
    /// # Errors
    /// If the text is not JSON, not a model, or of a newer version.
    pub fn parse(path: &Path, text: Vec<u8>) -> Result<Self, ModelError> {
        let path = path.to_owned();
        let head: Head = match serde_json::from_slice(&text) {
            Ok(head) => head,
            Err(error) if error.is_data() => {
                return Err(ModelError::Foreign { path, found: parser_message(&error) });
            }
            Err(error) => return Err(ModelError::NotJson { path, error }),
        };
        let found = match (&head.format, head.version, head.learner) {
            (Some(format), Some(version), _) if format == FORMAT && version > VERSION => {
                return Err(ModelError::Newer { path, found: version });
            }
            (Some(format), Some(1..), Some(learner)) if format == FORMAT => {
                return Ok(Self { path, text, learner, engine: head.engine });
            }
            (Some(format), ..) if format != FORMAT => format!("format \"{}\"", shorten(format)),
            (None, ..) => "no format".to_owned(),
            (_, None | Some(0), _) => "no version".to_owned(),
            _ => "no learner".to_owned(),
        };
        Err(ModelError::Foreign { path, found })
    }

    /// Returns the learner of the model.
    #[must_use]
    pub fn learner(&self) -> &str {
        &self.learner
    }

    /// Returns the version of Pellucid that wrote the file; empty if unknown.
    #[must_use]
    pub fn engine(&self) -> &str {
        &self.engine
    }

    /// Returns the profile of the training data. `None` if the file has none or it is damaged: it is not
    /// needed to predict.
    #[must_use]
    pub fn training(&self) -> Option<TrainingProfile> {
        #[derive(Deserialize)]
        struct Part {
            #[serde(default)]
            training: Option<TrainingProfile>,
        }
        let part: Part = serde_json::from_slice(&self.text).ok()?;
        part.training.filter(TrainingProfile::is_sound)
    }

    /// Parses the whole model. Unknown fields are ignored.
    ///
    /// # Errors
    /// If the model belongs to another learner, or a field is missing or invalid.
    pub fn read<P, M>(&self, learner: &'static str) -> Result<Model<P, M>, ModelError>
    where
        P: DeserializeOwned,
        M: DeserializeOwned,
    {
        let path = || self.path.clone();
        if self.learner != learner {
            let (found, expected) = (self.learner.clone(), learner.to_owned());
            return Err(ModelError::Learner { path: path(), found, expected });
        }
        let (Common { schema, calibration }, Body { params, model }) =
            read(&self.text).map_err(|error| ModelError::Content {
                path: path(),
                learner: learner.to_owned(),
                error,
            })?;
        schema.check().map_err(|problem| ModelError::Unsound { path: path(), problem })?;
        let is_usable = |found: &Calibration| {
            let numbers = found.offsets.iter().chain([&found.slope]);
            found.is_sound(schema.classes.len())
                && numbers.copied().all(|number| number.abs() <= MOST_IN_CALIBRATION)
        };
        if !calibration.as_ref().is_none_or(is_usable) {
            return Err(ModelError::Calibration { path: path(), classes: schema.classes.len() });
        }
        Ok(Model { learner: learner.into(), params, schema, calibration, body: model })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    type Toy = Model<u32, Vec<f64>>;

    fn toy(numbers: Vec<f64>) -> Toy {
        let schema = Schema { columns: vec![Column::numeric("x")], ..Schema::default() };
        Model::new("toy", 7, schema, numbers)
    }

    fn read(text: &str) -> Result<Toy, ModelError> {
        StoredModel::parse(Path::new("m.json"), text.into())?.read("toy")
    }

    fn error(text: &str) -> String {
        read(text).expect_err("not a model").to_string()
    }

    #[test]
    fn the_file_has_the_documented_form() {
        let text = toy(vec![0.1]).to_json().expect("plain data");
        let start = concat!(
            "{\n  \"format\": \"pellucid-model\",\n  \"version\": 1,\n  \"learner\": \"toy\",\n",
            "  \"engine\": \"",
            env!("CARGO_PKG_VERSION"),
            "\",\n  \"params\": 7,\n  \"schema\": {"
        );
        assert!(text.starts_with(start) && text.ends_with("\n}\n"), "{text}");
        assert_eq!(read(&text).expect("what was written"), toy(vec![0.1]));
    }

    #[test]
    fn a_profile_is_optional_and_a_damaged_one_is_ignored() {
        let profile = TrainingProfile { rows: 7, examples: 7, ..TrainingProfile::default() };
        let text = toy(vec![0.1]).to_json_with(Some(&profile)).expect("plain data");
        let stored = |text: String| StoredModel::parse(Path::new("m.json"), text.into_bytes());
        let training = |text: &str| stored(text.to_owned()).expect("a model").training();
        assert_eq!(training(&text), Some(profile));
        assert_eq!(read(&text).expect("what was written"), toy(vec![0.1]));
        assert_eq!(training(&toy(vec![0.1]).to_json().expect("plain data")), None);
        let damaged = text.replace("\"rows\": 7", "\"rows\": \"seven\"");
        assert_eq!((training(&damaged), read(&damaged).is_ok()), (None, true));
    }

    #[test]
    fn invalid_values_leave_the_existing_file_unchanged() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("m.json");
        toy(vec![1.0]).save(&path).expect("written");
        assert!(matches!(toy(vec![f64::NAN]).save(&path), Err(ModelError::Unstorable(_))));
        assert_eq!(Toy::load(&path, "toy").expect("the old one"), toy(vec![1.0]));
    }

    #[test]
    fn each_error_has_a_message() {
        assert_eq!(
            error("{\n oops"),
            "m.json, line 2, column 2: invalid JSON (key must be a string); expected a model file"
        );
        assert!(error("").contains("invalid JSON"));
        assert!(error("[1]").contains("is not a Pellucid model"));
        assert!(error("{}").contains("found no format; expected"));
        assert!(error(r#"{"format":"onnx"}"#).contains("found format \"onnx\""));
        assert!(error(r#"{"format":"pellucid-model","learner":"toy"}"#).contains("no version"));
        assert_eq!(
            error(r#"{"format":"pellucid-model","version":3,"news":{}}"#),
            "m.json was written by a newer version of Pellucid (found format 3; expected at most 1)"
        );
        assert_eq!(
            error(r#"{"format":"pellucid-model","version":1,"learner":"xcs"}"#),
            "m.json: found a model of learner 'xcs'; expected 'toy'"
        );
        assert_eq!(
            error(r#"{"format":"pellucid-model","version":1,"learner":"toy","params":1}"#),
            "m.json, line 1, column 66: invalid toy model: missing field `schema`"
        );
    }

    #[cfg(unix)]
    #[test]
    fn a_large_file_is_rejected_by_its_first_bytes() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("huge.json");
        let file = std::fs::File::create(&path).expect("a file");
        // A sparse file of nine gigabytes.
        file.set_len(9 << 30).expect("a hole");
        let error = StoredModel::open(&path).expect_err("no model").to_string();
        assert!(error.contains("invalid JSON"), "{error}");
        std::os::unix::fs::FileExt::write_all_at(&file, b"  {", 0).expect("written");
        let error = StoredModel::open(&path).expect_err("too large").to_string();
        assert!(error.contains("is larger than 1073741824 bytes"), "{error}");
    }

    #[test]
    fn an_inconsistent_schema_is_rejected() {
        let with = |schema: &str| {
            let head = r#""format":"pellucid-model","version":1,"learner":"toy","params":1"#;
            error(&format!(r#"{{{head},"schema":{schema},"model":[]}}"#))
        };
        assert_eq!(
            with(r#"{"columns":[],"classes":["east","west","east"]}"#),
            "m.json is not a valid model: it lists class 'east' twice"
        );
        let long = "x".repeat(1_000_000);
        let message = with(&format!(r#"{{"columns":[],"classes":["{long}","{long}"]}}"#));
        assert!(message.len() < 500, "{}", message.len());
        assert_eq!(
            with(r#"{"columns":[{"name":"a","kind":"numeric"},{"name":"a","kind":"boolean"}]}"#),
            "m.json is not a valid model: it lists column 'a' twice"
        );
        assert_eq!(
            with(r#"{"columns":[{"name":"a","kind":"nominal","categories":["r","r"]}]}"#),
            "m.json is not a valid model: it lists category 'r' of column 'a' twice"
        );
    }

    #[test]
    fn deep_nesting_is_an_error_and_not_an_overflow() {
        for text in ["[".repeat(1_000_000), "{\"model\":".repeat(1_000_000)] {
            assert!(read(&text).is_err());
        }
        let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        let head = r#""format":"pellucid-model","version":1,"learner":"toy","params":1"#;
        let text = format!(r#"{{{head},"schema":{{"columns":[]}},"model":{deep}}}"#);
        assert!(read(&text).is_err());
    }

    #[test]
    fn unknown_fields_are_ignored() {
        let text = toy(vec![2.5]).to_json().expect("plain data");
        let later = text.replacen("\"params\"", "\"added_later\": {\"x\": [1]},\n  \"params\"", 1);
        assert_eq!(read(&later).expect("still a model"), toy(vec![2.5]));
    }

    proptest! {
        #[test]
        fn numbers_round_trip_exactly(
            numbers in prop::collection::vec(
                prop::num::f64::NORMAL | prop::num::f64::SUBNORMAL | prop::num::f64::ZERO,
                0..20,
            ),
        ) {
            let text = toy(numbers.clone()).to_json().expect("finite numbers");
            let back = read(&text).expect("what was written").body;
            let bits = |numbers: &[f64]| numbers.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
            prop_assert_eq!(bits(&back), bits(&numbers));
        }

        #[test]
        fn single_precision_round_trips_exactly(bits in prop::collection::vec(any::<u32>(), 0..20)) {
            let numbers = bits.into_iter().map(f32::from_bits).filter(|x| x.is_finite());
            let model: Vec<f32> = numbers.collect();
            let written = Model::new("toy", (), Schema::default(), model);
            let text = written.to_json().expect("finite numbers").into_bytes();
            let stored = StoredModel::parse(Path::new("m.json"), text).expect("a model");
            prop_assert_eq!(stored.read::<(), Vec<f32>>("toy").expect("what was written"), written);
        }

        #[test]
        fn damaged_text_never_panics(at: prop::sample::Index, byte: u8, cut: prop::sample::Index) {
            let mut text = toy(vec![0.5, 1e300]).to_json().expect("finite numbers").into_bytes();
            let at = at.index(text.len());
            text[at] = byte;
            text.truncate(cut.index(text.len()) + 1);
            if let Ok(stored) = StoredModel::parse(Path::new("m.json"), text) {
                let _ = stored.read::<u32, Vec<f64>>("toy");
            }
        }
    }
}
