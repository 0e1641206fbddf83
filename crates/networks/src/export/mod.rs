//! Exports of a model: text and formulas for reading; SQL, Python and ONNX for other programs.
//!
//! Exports that compute scores include the preparation of the inputs and take the values of the
//! table unchanged. Their scores agree with `predict` to about six digits: SQL and Python compute
//! in double precision, ONNX and the model itself in single precision.

mod formula;
mod onnx;
mod python;
mod sql;
mod text;

pub use formula::{formula, latex};
pub use onnx::onnx;
pub use python::python;
pub use sql::sql;
pub use text::{format_value, text};

use crate::model::NetworkModel;
use crate::task::NetworkTask;
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
    let (rows, known) = (&model.body.rows, schema.classes.len());
    if NetworkTask::of_schema(schema) == NetworkTask::Number {
        let line = format!("Predicts {target} (a number) from {columns}. {} rows.", rows.all);
        return visible_line(&line).into_owned();
    }
    let counts: Vec<String> = schema
        .classes
        .iter()
        .zip(rows.by_class(known))
        .map(|(class, count)| format!("{count} {class}"))
        .collect();
    let names = match schema.classes.split_last() {
        Some((last, [first, others @ ..])) if !others.is_empty() => {
            format!("{first}, {} or {last}", others.join(", "))
        }
        _ => schema.classes.join(" or "),
    };
    let line = format!(
        "Predicts {target} ({names}) from {columns}. {} rows: {}.",
        rows.all,
        counts.join(", ")
    );
    visible_line(&line).into_owned()
}
