//! Exports of a model: text for reading; SQL, Python and ONNX for other programs.
//!
//! Exports that compute scores include the preparation of the inputs and take the values of the
//! table unchanged. Their scores agree with `predict` to about six digits: SQL and Python compute
//! in double precision, ONNX and the model itself in single precision.

mod onnx;
mod python;
mod sql;
mod text;

pub use onnx::onnx;
pub use python::python;
pub use sql::sql;
pub use text::{format_value, text};

use crate::model::NetworkModel;
use pellucid_data::visible_line;

/// Returns one line that says what the model predicts, from how many columns, and from which rows
/// it was trained.
fn header(model: &NetworkModel) -> String {
    let schema = &model.schema;
    let target = schema.target.as_deref().unwrap_or("class");
    let columns = match schema.columns.len() {
        1 => "1 column".to_owned(),
        number => format!("{number} columns"),
    };
    let rows = &model.body.rows;
    let counts = [rows.all.saturating_sub(rows.positive), rows.positive];
    let counts: Vec<String> = schema
        .classes
        .iter()
        .zip(counts)
        .map(|(class, count)| format!("{count} {class}"))
        .collect();
    let line = format!(
        "Predicts {target} ({}) from {columns}. {} rows: {}.",
        schema.classes.join(" or "),
        rows.all,
        counts.join(", ")
    );
    visible_line(&line).into_owned()
}
