//! The report of a model: one HTML file that works offline.
//!
//! A [`Report`] collects what is known of a model: the model itself, its evaluation, the data and the
//! exports. [`Report::html`] writes them as one compact JSON text into a page, and the scripts beside this
//! file draw the page from it. The page predicts with the same additions in the same order as the
//! library, so its scores and probabilities are the same bits.
//!
//! The page loads nothing: a content security policy allows only its own script and style, by their
//! hashes. All names and texts are inserted as text, never as markup.
//!
//! ```
//! use pellucid_learn::model::{Column, Schema, StoredModel};
//! use pellucid_report::page::Report;
//! use pellucid_ruleset::model::{Rule, RuleModel, RuleSet};
//!
//! let rule = Rule { covered: vec![3, 9], ..Rule::new("age > 40".parse()?, 1, 1.0) };
//! let set = RuleSet { base: vec![0.5, 0.0], rules: vec![rule], ..RuleSet::default() };
//! let schema = Schema {
//!     columns: vec![Column::numeric("age")],
//!     classes: vec!["no".into(), "yes".into()],
//!     ..Schema::default()
//! };
//! let params = pellucid_rules::params::Params::default();
//! let model = RuleModel { learner: "rules".into(), params, schema, calibration: None, body: set };
//! let stored = StoredModel::parse("model.json".as_ref(), model.to_json()?.into_bytes())?;
//! let page = Report::new("0.2.0").with_model(&stored, &model.schema, "")?.html();
//! assert!(page.starts_with("<!doctype html>") && page.contains("Content-Security-Policy"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub(crate) mod columns;
mod data;
mod evaluation;
pub(crate) mod expression;
pub(crate) mod frame;
mod model;
pub(crate) mod network;
pub(crate) mod rules;
mod sha256;

pub use evaluation::EvaluationSource;
pub use sha256::short_digest;

use flate2::Compression;
use flate2::write::GzEncoder;
use frame::PageKind;
use model::PageModel;
use pellucid_data::Dataset;
use pellucid_learn::metrics::{Decisions, NumberDecisions, NumberSummary, Summary};
use pellucid_learn::model::{ModelError, Schema, StoredModel};
use serde_json::{Map, Value, json};
use sha256::base64;
use std::io::Write as _;

/// Returns the page of a comparison of two models, drawn from its JSON.
#[must_use]
pub fn comparison_page(title: &str, content: &Value) -> String {
    frame::page(PageKind::Comparison, title, content)
}

/// Returns the page of a model on new data, drawn from its JSON.
#[must_use]
pub fn monitoring_page(title: &str, content: &Value) -> String {
    frame::page(PageKind::Monitoring, title, content)
}

/// Returns the page of a table. `content` has the JSON of its description; `data` is the table itself, if it
/// could be read.
#[must_use]
pub fn description_page(
    title: &str,
    mut content: Map<String, Value>,
    data: Option<&Dataset>,
    notes: &[String],
) -> String {
    content.insert("data".to_owned(), json!(data.map(|data| data::describe(data, &[], notes))));
    frame::page(PageKind::Description, title, &Value::Object(content))
}

/// Returns the examples of each class, or of the positive one of two, by probability: what the curves of a
/// page are drawn from.
#[must_use]
pub fn curves(decisions: &Decisions) -> Value {
    json!(evaluation::curves(decisions, decisions.classes.len()))
}

/// The most compressed bytes of an export in a page.
const MOST_EXPORT: usize = 50_000;

/// The most compressed bytes of the model file in a page, so that a page has at most about 5 MB.
const MOST_DOWNLOAD: usize = 2_000_000;

/// Returns bytes compressed with gzip, in base 64.
pub(crate) fn packed(bytes: &[u8]) -> String {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    // Writing to memory does not fail.
    let _ = encoder.write_all(bytes);
    base64(&encoder.finish().unwrap_or_default())
}

/// The content of a page.
#[derive(Clone, Debug)]
pub struct Report {
    title: String,
    /// The names of the columns of the model.
    used: Vec<String>,
    content: Map<String, Value>,
    downloads: Vec<Value>,
    /// The files that are too large for a page.
    too_large: Vec<String>,
}

/// Where a report comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Provenance {
    /// The date of the report, as `2026-11-30`.
    pub date: Option<String>,
    /// The command that wrote the report.
    pub command: Option<String>,
    /// The name of the model file and the start of its SHA-256 digest.
    pub model: Option<(String, String)>,
    /// The name of the data file and the start of its SHA-256 digest, which is empty if it is unknown.
    pub data: Option<(String, String)>,
}

impl Provenance {
    pub(crate) fn json(&self) -> Value {
        let Provenance { date, command, model, data } = self;
        json!({ "date": date, "command": command, "model": model, "data": data })
    }
}

impl Report {
    /// Returns an empty report, written by this version of Pellucid.
    #[must_use]
    pub fn new(version: &str) -> Report {
        let content = Map::from_iter([("version".to_owned(), json!(version))]);
        Report {
            title: "Report".to_owned(),
            used: Vec::new(),
            content,
            downloads: Vec::new(),
            too_large: Vec::new(),
        }
    }

    fn put(&mut self, name: &str, value: Value) {
        self.content.insert(name.to_owned(), value);
    }

    /// Adds where the report comes from.
    #[must_use]
    pub fn with_provenance(mut self, from: &Provenance) -> Report {
        self.put("provenance", from.json());
        self
    }

    /// Adds a model with its schema and its text.
    ///
    /// # Errors
    /// If a field of the model is missing or invalid.
    pub fn with_model(
        mut self,
        stored: &StoredModel,
        schema: &Schema,
        text: &str,
    ) -> Result<Report, ModelError> {
        let model = PageModel::read(stored, schema, text)?;
        self.title = model.schema.target.clone().unwrap_or_else(|| "class".to_owned());
        self.put("learner", json!(stored.learner()));
        self.put("engine", json!(stored.engine()));
        self.put("columns", json!(columns::columns(&model.schema)));
        self.put("reading", columns::reading(&model.schema));
        self.put(
            "task",
            json!({
                "target": self.title,
                "classes": model.schema.classes,
                "number": model.schema.number.map(|seen| [seen.low, seen.high]),
                "examples": model.examples,
                "bag": model.schema.bag,
                "answer": model.answer,
                "never": model.schema.never_predicted,
                "used": model.used.len(),
            }),
        );
        self.put("model", model.json);
        self.used = model.used;
        Ok(self)
    }

    /// Returns the names of the columns that the model uses.
    #[must_use]
    pub fn used_columns(&self) -> &[String] {
        &self.used
    }

    /// Returns whether the model was trained on this number of examples of each class.
    #[must_use]
    pub fn has_examples(&self, counts: &[u64]) -> bool {
        self.content.get("task").is_some_and(|task| task["examples"] == json!(counts))
    }

    /// Adds what is predicted, for a report without a model.
    #[must_use]
    pub fn with_task(mut self, learner: &str, target: &str, classes: &[String]) -> Report {
        target.clone_into(&mut self.title);
        self.put("learner", json!(learner));
        self.put("task", json!({ "target": target, "classes": classes, "examples": [] }));
        self
    }

    /// Adds the parameters of the training, by name.
    #[must_use]
    pub fn with_parameters(mut self, parameters: Map<String, Value>) -> Report {
        self.put("parameters", Value::Object(parameters));
        self
    }

    /// Adds the evaluation of predicted classes. `decisions` has each example once.
    #[must_use]
    pub fn with_classes(
        mut self,
        source: &EvaluationSource,
        summary: &Summary,
        decisions: &Decisions,
    ) -> Report {
        self.put("evaluation", evaluation::classes(source, summary, decisions));
        self
    }

    /// Adds the evaluation of predicted numbers.
    #[must_use]
    pub fn with_numbers(
        mut self,
        source: &EvaluationSource,
        summary: &NumberSummary,
        decisions: &NumberDecisions,
    ) -> Report {
        self.put("evaluation", evaluation::numbers(source, summary, decisions));
        self
    }

    /// Returns the number of rules of each stored size of the model, and the place of the selected one; empty
    /// for a model without sizes.
    #[must_use]
    pub fn sizes(&self) -> (Vec<usize>, usize) {
        let rules = self.content.get("model").map(|model| &model["rules"]);
        let sizes = rules.and_then(|rules| rules["sizes"].as_array());
        let count = |size: &Value| size["rules"].as_array().map_or(0, Vec::len);
        let selected = rules.and_then(|rules| rules["selected"].as_u64()).unwrap_or(0);
        let counts: Vec<usize> = sizes.into_iter().flatten().map(count).collect();
        (counts, usize::try_from(selected).unwrap_or(0))
    }

    /// Adds the evaluations of other sizes of the model than the selected one. Each is a report to which the
    /// evaluation of that size was added; `None` if it is unknown.
    #[must_use]
    pub fn with_sizes(mut self, sizes: Vec<Option<Report>>) -> Report {
        let of = |mut report: Report| report.content.remove("evaluation").map(evaluation::coarse);
        let all: Vec<Value> = sizes.into_iter().map(|size| json!(size.and_then(of))).collect();
        if all.iter().any(|one| !one.is_null()) {
            self.put("evaluation_by_size", Value::Array(all));
        }
        self
    }

    /// Adds a description of the data, with notes on how it was read.
    #[must_use]
    pub fn with_data(mut self, data: &Dataset, notes: &[String]) -> Report {
        let used: Vec<&str> = self.used.iter().map(String::as_str).collect();
        let described = data::describe(data, &used, notes);
        self.put("data", described);
        self
    }

    /// Adds the columns that "What would change the answer" leaves as they are.
    #[must_use]
    pub fn with_fixed(mut self, columns: &[String]) -> Report {
        self.put("fixed", json!(columns));
        self
    }

    /// Adds the effects of columns, what rules cover, or figures by group, under their name in the content.
    #[must_use]
    pub fn with_part(mut self, name: &'static str, value: Option<Value>) -> Report {
        if let Some(value) = value {
            self.put(name, value);
        }
        self
    }

    /// Adds a file that the reader of the page can save, unless it is too large for a page. It is compressed.
    #[must_use]
    pub fn with_export(self, label: &str, file: &str, content: &[u8]) -> Report {
        self.with_file((label, file), content, MOST_EXPORT)
    }

    /// Adds the model file or its text, which may be larger than other files. It is compressed.
    #[must_use]
    pub fn with_download(self, label: &str, file: &str, text: &str) -> Report {
        self.with_file((label, file), text.as_bytes(), MOST_DOWNLOAD)
    }

    fn with_file(mut self, (label, file): (&str, &str), content: &[u8], most: usize) -> Report {
        let packed = packed(content);
        if packed.len() > most {
            return self.without_file(label, file);
        }
        self.downloads.push(json!({ "label": label, "file": file, "packed": packed }));
        self
    }

    /// Says that a file is too large for the page.
    #[must_use]
    pub fn without_file(mut self, label: &str, file: &str) -> Report {
        self.too_large.push(format!("{label} ({file})"));
        self
    }

    /// Returns the page.
    #[must_use]
    pub fn html(&self) -> String {
        let mut content = self.content.clone();
        content.insert("downloads".to_owned(), json!(self.downloads));
        if !self.too_large.is_empty() {
            content.insert("too_large".to_owned(), json!(self.too_large));
        }
        frame::page(
            PageKind::Report,
            &format!("{}: Pellucid report", self.title),
            &Value::Object(content),
        )
    }
}
