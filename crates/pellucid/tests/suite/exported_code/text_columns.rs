//! A CSV file imported without types: every column is text, and missing values are empty.

use crate::exported_code::table::{Named, check};

#[test]
fn columns_of_text_are_read_as_the_model_reads_them() {
    check(&[Named::with("plain"), Named { word: "17".into(), ..Named::with("whole") }], true);
}
