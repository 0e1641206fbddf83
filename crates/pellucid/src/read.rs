//! Reading data as a model needs it.

use crate::io::{Choice, ReadOptions, read_ontology};
use crate::learn::learner::BoxError;
use crate::learn::model::Schema;
use crate::logic::{Closure, KnowledgeBase};
use std::path::Path;

/// Options for reading data that a model is applied to: where nothing was chosen, the target, the bags and the names
/// of rows are the columns that were called so when the model was learned, if the data has them.
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
    if options.id == Choice::None {
        options.id = named(&schema.reading.id);
    }
    options
}

/// Reads an ontology and draws its conclusions.
///
/// # Errors
/// When the file cannot be read, or what it says cannot be laid out.
pub fn knowledge_base(path: &Path, closure: &Closure) -> Result<KnowledgeBase, BoxError> {
    let ontology = read_ontology(path)?;
    KnowledgeBase::new(ontology, closure)
        .map_err(|error| format!("{}: {error}", path.display()).into())
}
