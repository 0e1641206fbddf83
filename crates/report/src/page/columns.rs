//! The columns of a model in the JSON of a page, and how their cells are read.

use pellucid_data::MISSING_AMONG_NUMBERS;
use pellucid_export::missing::{missing_marks, thousands_marks};
use pellucid_export::spellings::merged_spellings;
use pellucid_learn::model::{Column, ColumnKind, Schema};
use serde_json::{Map, Value, json};

/// Returns the columns of a schema: names, types, ranges, categories, units and dates.
pub(crate) fn columns(schema: &Schema) -> Vec<Value> {
    schema.columns.iter().map(|column| encode(schema, column)).collect()
}

/// Returns how cells are read: the marks of missing values in all columns, those in columns of numbers and
/// dates, and the format of numbers.
pub(crate) fn reading(schema: &Schema) -> Value {
    json!({
        "missing": missing_marks(schema),
        "among_numbers": MISSING_AMONG_NUMBERS,
        "decimal": schema.reading.decimal.unwrap_or('.'),
        "thousands": thousands_marks(schema),
    })
}

fn encode(schema: &Schema, column: &Column) -> Value {
    let kind = match column.kind {
        ColumnKind::Numeric => "numeric",
        ColumnKind::Nominal => "nominal",
        ColumnKind::Boolean => "boolean",
    };
    let mut object = Map::new();
    object.insert("name".to_owned(), json!(column.name));
    object.insert("kind".to_owned(), json!(kind));
    if let Some((low, high)) = column.range {
        object.insert("range".to_owned(), json!([low, high]));
    }
    if !column.categories.is_empty() {
        object.insert("categories".to_owned(), json!(column.categories));
    }
    if let Some(unit) = schema.reading.units.get(&column.name) {
        object.insert("unit".to_owned(), json!(unit));
    }
    if let Some(format) = schema.reading.dates.get(&column.name) {
        // Numbers of dates are days since 1970, or seconds if the dates have a time of day.
        let unit = if format.has_time() { "seconds" } else { "days" };
        object.insert("date".to_owned(), json!(unit));
        object.insert("date_format".to_owned(), json!(format.pattern()));
    }
    let spellings = merged_spellings(schema, column);
    if !spellings.is_empty() {
        object.insert("spellings".to_owned(), json!(spellings));
    }
    Value::Object(object)
}
