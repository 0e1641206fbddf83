//! A model taken elsewhere: as text and pictures for people, as a query, a Python module or an ONNX file for other programs.
//!
//! Whatever computes scores elsewhere has the preparation within, takes the values of the table as they are, and gives what
//! `predict` gives, to about six digits: SQL and Python compute in double precision, ONNX and the model itself in single.

mod onnx;
mod proto;
mod python;
mod sql;
mod svg;
mod text;

pub use onnx::onnx;
pub use python::python;
pub use sql::sql;
pub use svg::svg;
pub use text::text;

use crate::model::NetworkModel;
use pellucid_data::visible_line;

/// What is predicted from what, on one line.
fn header(model: &NetworkModel) -> String {
    let schema = &model.schema;
    let target = schema.target.as_deref().unwrap_or("class");
    let columns = match schema.columns.len() {
        1 => "1 column".to_owned(),
        number => format!("{number} columns"),
    };
    let line =
        format!("{target} of each row from {columns}; classes: {}", schema.classes.join(", "));
    visible_line(&line).into_owned()
}
