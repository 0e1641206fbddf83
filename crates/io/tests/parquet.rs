//! Parquet files written by the Arrow library: each type it may hold, and damaged ones.
#![cfg(feature = "parquet")]

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::types::Int32Type;
use arrow_array::{
    ArrayRef, BooleanArray, Date32Array, Decimal128Array, DictionaryArray, Float32Array,
    Float64Array, Int8Array, Int64Array, LargeStringArray, NullArray, RecordBatch, StringArray,
    UInt64Array,
};
use parquet::arrow::ArrowWriter;
use pellucid_io::{Choice, Dataset, Limits, MISSING, ReadOptions, Values, read};
use proptest::prelude::*;

fn write(folder: &Path, columns: Vec<(&str, ArrayRef)>) -> PathBuf {
    let path = folder.join("t.parquet");
    let batch = RecordBatch::try_from_iter_with_nullable(
        columns.into_iter().map(|(name, array)| (name, array, true)),
    )
    .expect("columns of one length");
    let mut writer = ArrowWriter::try_new(File::create(&path).expect("file"), batch.schema(), None)
        .expect("schema");
    writer.write(&batch).expect("written");
    writer.close().expect("closed");
    path
}

fn types() -> Vec<(&'static str, ArrayRef)> {
    let decimal = Decimal128Array::from(vec![Some(125), None, Some(-7)])
        .with_precision_and_scale(10, 2)
        .expect("fits");
    let dictionary: DictionaryArray<Int32Type> =
        vec![Some("z"), None, Some("a")].into_iter().collect();
    vec![
        ("bool", Arc::new(BooleanArray::from(vec![Some(true), None, Some(false)]))),
        ("i8", Arc::new(Int8Array::from(vec![Some(-1), None, Some(3)]))),
        ("i64", Arc::new(Int64Array::from(vec![1, -(1 << 53), (1 << 53) + 1]))),
        ("u64", Arc::new(UInt64Array::from(vec![1, 2, 3]))),
        ("f32", Arc::new(Float32Array::from(vec![0.5, f32::NAN, 2.0]))),
        ("f64", Arc::new(Float64Array::from(vec![Some(0.1), None, Some(0.3)]))),
        ("decimal", Arc::new(decimal)),
        ("text", Arc::new(StringArray::from(vec![Some("b"), Some("a"), None]))),
        ("large", Arc::new(LargeStringArray::from(vec!["q", "q", "p"]))),
        ("dictionary", Arc::new(dictionary)),
        ("null", Arc::new(NullArray::new(3))),
        ("class", Arc::new(BooleanArray::from(vec![true, false, true]))),
    ]
}

fn values<'a>(data: &'a Dataset, name: &str) -> &'a Values {
    &data.columns.iter().find(|column| column.name == name).expect("column").values
}

fn shown(data: &Dataset, name: &str) -> String {
    format!("{:?}", values(data, name))
}

#[test]
fn every_type_has_a_meaning() {
    let folder = tempfile::tempdir().expect("folder");
    let path = write(folder.path(), types());
    let data = read(&path, &ReadOptions::default()).unwrap_or_else(|error| panic!("{error}"));
    data.check().unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((data.name.as_str(), data.rows, data.columns.len()), ("t", 3, 11));
    assert_eq!(shown(&data, "bool"), "Boolean([Some(true), None, Some(false)])");
    assert_eq!(shown(&data, "i8"), "Numeric([-1.0, NaN, 3.0])");
    assert_eq!(shown(&data, "i64"), "Numeric([1.0, -9007199254740992.0, 9007199254740992.0])");
    assert_eq!(shown(&data, "u64"), "Numeric([1.0, 2.0, 3.0])");
    assert_eq!(shown(&data, "f32"), "Numeric([0.5, NaN, 2.0])");
    assert_eq!(shown(&data, "f64"), "Numeric([0.1, NaN, 0.3])");
    assert_eq!(shown(&data, "decimal"), "Numeric([1.25, NaN, -0.07])");
    assert_eq!(shown(&data, "null"), "Numeric([NaN, NaN, NaN])");
    let nominal = |codes: [u32; 3], categories: &[&str]| Values::Nominal {
        codes: codes.to_vec(),
        categories: categories.iter().map(|&category| category.to_owned()).collect(),
    };
    assert_eq!(values(&data, "text"), &nominal([1, 0, MISSING], &["a", "b"]));
    assert_eq!(values(&data, "large"), &nominal([1, 1, 0], &["p", "q"]));
    assert_eq!(values(&data, "dictionary"), &nominal([1, MISSING, 0], &["a", "z"]));
    let target = data.target.expect("target");
    assert_eq!((target.classes.join(" "), target.codes), ("false true".to_owned(), vec![1, 0, 1]));
    assert_eq!(
        data.notes,
        [
            "column 'class' was taken as the target",
            "column 'i64' has 1 numbers that a double cannot hold; they were rounded"
        ]
    );
}

#[test]
fn numbers_can_be_codes_bags_and_labels() {
    let folder = tempfile::tempdir().expect("folder");
    let path = write(folder.path(), types());
    let options =
        ReadOptions::default().bag("u64").target("f32").nominal(["i64"]).ignore(["class"]);
    let error = read(&path, &options).expect_err("a label is missing");
    assert!(
        error.to_string().ends_with(
            "row 2: the label in target column 'f32' is missing; every example needs one"
        )
    );
    let data = read(&path, &options.target("large")).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(data.bags.as_ref().expect("bags").names, ["1", "2", "3"]);
    let Values::Nominal { categories, .. } = values(&data, "i64") else {
        panic!("codes were expected")
    };
    assert_eq!(categories, &["-9007199254740992", "1", "9007199254740993"]);
}

#[test]
fn other_types_are_refused_unless_ignored() {
    let folder = tempfile::tempdir().expect("folder");
    let mut columns = types();
    columns.push(("day", Arc::new(Date32Array::from(vec![1, 2, 3]))));
    let path = write(folder.path(), columns);
    let error = read(&path, &ReadOptions::default()).expect_err("a date");
    let expected = "t.parquet: column 'day' has the type Date32, which is not supported; ignore the column to read the others";
    assert!(error.to_string().ends_with(expected), "{error}");
    let data = read(&path, &ReadOptions::default().ignore(["day"]))
        .unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(data.columns.len(), 11);
}

#[test]
fn limits_hold_before_anything_is_read() {
    let folder = tempfile::tempdir().expect("folder");
    let path = write(folder.path(), types());
    let options = ReadOptions::default().limits(Limits { max_bytes: 100, ..Limits::default() });
    let error = read(&path, &options).expect_err("too large");
    assert!(
        error.to_string().ends_with("holds more than the limit of 100 bytes (decompressed)"),
        "{error}"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn damaged_files_are_survived(
        changes in proptest::collection::vec((any::<proptest::sample::Index>(), any::<u8>()), 1..8),
        cut in proptest::option::weighted(0.2, any::<proptest::sample::Index>()),
    ) {
        let folder = tempfile::tempdir().expect("folder");
        let path = write(folder.path(), types());
        let mut bytes = std::fs::read(&path).expect("file");
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        std::fs::write(&path, &bytes).expect("written");
        if let Ok(data) = read(&path, &ReadOptions::default().target(Choice::None)) {
            prop_assert!(data.check().is_ok());
        }
    }
}
