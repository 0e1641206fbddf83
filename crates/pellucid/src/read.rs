//! Reading of data that a model is applied to.

use crate::io::{
    Choice, ExpectedColumn, ExpectedKind, Limits, ReadOptions, Reading, UnlabeledExamples,
    read_ontologies,
};
use crate::learn::learner::BoxError;
use crate::learn::model::{Column, ColumnKind, Schema};
use crate::logic::kb::KbError;
use crate::logic::{Closure, KnowledgeBase};
use std::path::Path;

/// Returns options for reading data that a model is applied to.
///
/// Unless chosen otherwise, the target, the bags and the row names are the columns with the same
/// names as in the training data, if present. All columns are read like those of the training data:
/// with the same markers of missing values, the same formats of numbers and dates, and the same
/// types. Known categories stay categories: if `NA` is a category of the model, `NA` is not a
/// missing value.
///
/// ```
/// use pellucid::io::{self, ReadOptions};
/// use pellucid::learn::model::{Column, Schema};
/// use pellucid::read::by_schema;
///
/// let schema = Schema {
///     columns: vec![Column::numeric("value")],
///     target: Some("ill".to_owned()),
///     bag: Some("patient".to_owned()),
///     classes: Vec::new(),
///     ..Schema::default()
/// };
/// let csv = "patient,value\na,1\na,2\nb,3\n";
/// let options = by_schema(ReadOptions::default(), &schema);
/// let data = io::read_from(csv.as_bytes(), "new.csv", &options)?;
/// assert_eq!((data.examples(), data.columns.len(), data.target), (2, 1, None));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn by_schema(mut options: ReadOptions, schema: &Schema) -> ReadOptions {
    let named = |name: &Option<String>| name.clone().map_or(Choice::None, Choice::IfPresent);
    if options.target == Choice::Auto && options.labels.is_none() {
        options.target = named(&schema.target);
    }
    if options.bag == Choice::Auto {
        options.bag = named(&schema.bag);
    }
    if let Some(table) = options.bags.as_mut().filter(|table| table.key.is_empty()) {
        table.key = schema.bag.clone().unwrap_or_default();
        table.other_key.clone_from(&schema.reading.key);
    }
    if options.id == Choice::None {
        options.id = named(&schema.reading.id);
    }
    let reading = &schema.reading;
    if options.missing.is_none() {
        options.missing.clone_from(&reading.missing);
    }
    if options.decimal.is_none() && options.thousands.is_none() {
        (options.decimal, options.thousands) = (reading.decimal, reading.thousands);
    }
    if options.encoding.is_none() {
        options.encoding = reading.encoding.as_ref().and_then(|name| name.parse().ok());
    }
    if options.merge_spellings.is_empty() {
        options.merge_spellings.clone_from(&reading.merged_spellings);
    }
    options.classes.clone_from(&schema.classes);
    // Data to predict may have no labels, or labels for some rows only.
    options.unlabeled = UnlabeledExamples::Keep;
    options.expected = schema.columns.iter().map(|column| expected(column, reading)).collect();
    options
}

/// Returns a column as the model expects it.
fn expected(column: &Column, reading: &Reading) -> ExpectedColumn {
    let kind = match (column.kind, reading.date(&column.name)) {
        (ColumnKind::Numeric, Some(format)) => ExpectedKind::Dates(format.clone()),
        (ColumnKind::Numeric, None) => match reading.units.get(&column.name) {
            Some(unit) => ExpectedKind::Measured(unit.clone()),
            None => ExpectedKind::Numbers,
        },
        (ColumnKind::Nominal, _) => ExpectedKind::Words(column.categories.clone()),
        (ColumnKind::Boolean, _) => ExpectedKind::Truths,
    };
    ExpectedColumn { name: column.name.clone(), kind }
}

/// Reads an ontology and infers the facts that follow from its axioms.
///
/// # Errors
/// When the file cannot be read, or the ontology is not supported.
pub fn knowledge_base(path: &Path, closure: &Closure) -> Result<KnowledgeBase, BoxError> {
    knowledge_base_with(path, closure, &Limits::default())
}

/// Reads an ontology like [`knowledge_base`], with limits on the size of the file.
///
/// # Errors
/// As [`knowledge_base`].
pub fn knowledge_base_with(
    path: &Path,
    closure: &Closure,
    limits: &Limits,
) -> Result<KnowledgeBase, BoxError> {
    knowledge_base_of(&[path], closure, limits)
}

/// Reads several files as one ontology, and infers the facts that follow from their axioms.
///
/// # Errors
/// As [`knowledge_base`].
pub fn knowledge_base_of(
    paths: &[&Path],
    closure: &Closure,
    limits: &Limits,
) -> Result<KnowledgeBase, BoxError> {
    let ontology = read_ontologies(paths, limits)?;
    let file = || paths.first().map(|path| path.display().to_string()).unwrap_or_default();
    KnowledgeBase::new(ontology, closure)
        .map_err(|error| OntologyError { file: file(), error }.into())
}

/// An error in an ontology, with the file.
#[derive(Debug, thiserror::Error)]
#[error("{file}: {error}")]
struct OntologyError {
    file: String,
    #[source]
    error: KbError,
}
