//! Parquet files of other programs: every type, and damaged files.
#![cfg(feature = "parquet")]

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::data_type::{
    BoolType, ByteArrayType, DataType, DoubleType, FixedLenByteArrayType, FloatType, Int32Type,
    Int64Type, Int96, Int96Type,
};
use parquet::file::properties::{WriterProperties, WriterPropertiesBuilder, WriterVersion};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use pellucid_io::{Choice, Dataset, Limits, MISSING, ReadOptions, Values, read};
use proptest::prelude::*;

/// The rows of one column, as the file stores them.
#[derive(Clone)]
enum Rows {
    Bool(Vec<Option<bool>>),
    I32(Vec<Option<i32>>),
    I64(Vec<Option<i64>>),
    I96(Vec<Option<Int96>>),
    F32(Vec<Option<f32>>),
    F64(Vec<Option<f64>>),
    Bytes(Vec<Option<Vec<u8>>>),
    Fixed(Vec<Option<Vec<u8>>>),
    /// Lists of integers: the values and their definition and repetition levels.
    Lists(Vec<i32>, Vec<i16>, Vec<i16>),
}

fn texts<const N: usize>(texts: [Option<&str>; N]) -> Rows {
    Rows::Bytes(texts.map(|text| text.map(|text| text.as_bytes().to_vec())).to_vec())
}

fn all<T: Clone>(values: &[T]) -> Vec<Option<T>> {
    values.iter().cloned().map(Some).collect()
}

type Columns = Vec<(&'static str, Rows)>;

fn put<T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, File>,
    values: &[T::T],
    levels: &[i16],
    repetitions: Option<&[i16]>,
) {
    let mut column = group.next_column().expect("writer").expect("column");
    let typed = column.typed::<T>();
    typed.write_batch(values, Some(levels), repetitions).expect("written");
    column.close().expect("closed");
}

fn put_rows<T: DataType>(group: &mut SerializedRowGroupWriter<'_, File>, rows: Vec<Option<T::T>>) {
    let levels: Vec<i16> = rows.iter().map(|row| i16::from(row.is_some())).collect();
    let values: Vec<T::T> = rows.into_iter().flatten().collect();
    put::<T>(group, &values, &levels, None);
}

/// Writes the same columns as one row group or several.
fn write_as(
    folder: &Path,
    columns: &Columns,
    groups: usize,
    properties: WriterPropertiesBuilder,
) -> PathBuf {
    let path = folder.join("t.parquet");
    let fields: String = columns.iter().map(|&(field, _)| format!("{field}\n")).collect();
    let schema = parse_message_type(&format!("message t {{ {fields} }}")).expect("schema");
    let file = File::create(&path).expect("file");
    let mut writer =
        SerializedFileWriter::new(file, Arc::new(schema), Arc::new(properties.build()))
            .expect("writer");
    for _ in 0..groups {
        let mut group = writer.next_row_group().expect("group");
        for (_, rows) in columns.clone() {
            let fixed = |row: Option<Vec<u8>>| row.map(Into::into);
            match rows {
                Rows::Bool(rows) => put_rows::<BoolType>(&mut group, rows),
                Rows::I32(rows) => put_rows::<Int32Type>(&mut group, rows),
                Rows::I64(rows) => put_rows::<Int64Type>(&mut group, rows),
                Rows::I96(rows) => put_rows::<Int96Type>(&mut group, rows),
                Rows::F32(rows) => put_rows::<FloatType>(&mut group, rows),
                Rows::F64(rows) => put_rows::<DoubleType>(&mut group, rows),
                Rows::Bytes(rows) => put_rows::<ByteArrayType>(
                    &mut group,
                    rows.into_iter().map(|row| row.map(Into::into)).collect(),
                ),
                Rows::Fixed(rows) => put_rows::<FixedLenByteArrayType>(
                    &mut group,
                    rows.into_iter().map(fixed).collect(),
                ),
                Rows::Lists(values, levels, repetitions) => {
                    put::<Int32Type>(&mut group, &values, &levels, Some(&repetitions));
                }
            }
        }
        group.close().expect("closed");
    }
    writer.close().expect("closed");
    path
}

fn write(folder: &Path, columns: &Columns) -> PathBuf {
    write_as(folder, columns, 1, WriterProperties::builder())
}

fn types() -> Columns {
    let wide = |number: i128, width: usize| {
        let mut bytes = vec![if number < 0 { 0xff } else { 0 }; width.saturating_sub(16)];
        bytes.extend_from_slice(&number.to_be_bytes()[16usize.saturating_sub(width)..]);
        Some(bytes)
    };
    let half = |bits: u16| Some(bits.to_le_bytes().to_vec());
    let fits = (1i64 << 53) + 1;
    vec![
        ("optional boolean bool;", Rows::Bool(vec![Some(true), None, Some(false)])),
        ("optional int32 i8 (INTEGER(8,true));", Rows::I32(vec![Some(-1), None, Some(3)])),
        ("optional int32 u8 (UINT_8);", Rows::I32(vec![Some(255), None, Some(0)])),
        ("required int32 i16 (INT_16);", Rows::I32(all(&[-300, 0, 300]))),
        ("required int32 u16 (INTEGER(16,false));", Rows::I32(all(&[65535, 0, 1]))),
        ("required int32 i32;", Rows::I32(all(&[i32::MIN, 0, i32::MAX]))),
        ("optional int32 u32 (INTEGER(32,false));", Rows::I32(vec![Some(-1), None, Some(1)])),
        ("required int64 i64;", Rows::I64(all(&[1, -(1 << 53), fits]))),
        ("required int64 u64 (UINT_64);", Rows::I64(all(&[1, 2, 3]))),
        (
            "optional int64 top (INTEGER(64,false));",
            Rows::I64(vec![Some(-1), None, Some(i64::MIN)]),
        ),
        (
            "optional fixed_len_byte_array (2) f16 (FLOAT16);",
            Rows::Fixed(vec![half(0x3800), None, half(0xc000)]),
        ),
        ("required float f32;", Rows::F32(all(&[0.5, f32::NAN, 2.0]))),
        ("optional double f64;", Rows::F64(vec![Some(0.1), None, Some(0.3)])),
        ("required double full;", Rows::F64(all(&[1.5, f64::INFINITY, -0.0]))),
        ("optional int32 d32 (DECIMAL(9,2));", Rows::I32(vec![Some(125), None, Some(-7)])),
        ("optional int64 d64 (DECIMAL(18,3));", Rows::I64(vec![Some(i64::MAX), None, Some(-7)])),
        (
            "optional fixed_len_byte_array (5) fixed (DECIMAL(10,2));",
            Rows::Fixed(vec![wide(125, 5), None, wide(-7, 5)]),
        ),
        (
            "optional fixed_len_byte_array (32) huge (DECIMAL(70,1));",
            Rows::Fixed(vec![wide(i128::MAX, 32), None, wide(i128::MIN, 32)]),
        ),
        (
            "optional binary bytes (DECIMAL(20,2));",
            Rows::Bytes(vec![wide(125, 1), None, wide(-7, 20)]),
        ),
        ("optional binary text (STRING);", texts([Some("b"), Some("a"), None])),
        ("required binary old (UTF8);", texts([Some("q"), Some("q"), Some("p")])),
        ("optional binary enum (ENUM);", texts([Some("z"), None, Some("a")])),
        ("optional binary json (JSON);", texts([Some("{}"), None, Some("{}")])),
        ("optional binary plain;", texts([Some(""), Some("é"), None])),
        ("optional int32 null (UNKNOWN);", Rows::I32(vec![None, None, None])),
        ("required boolean class;", Rows::Bool(all(&[true, false, true]))),
    ]
}

fn values<'a>(data: &'a Dataset, name: &str) -> &'a Values {
    &data.columns.iter().find(|column| column.name == name).expect("column").values
}

fn nominal<const N: usize>(codes: [u32; N], categories: &[&str]) -> Values {
    Values::Nominal {
        codes: codes.to_vec(),
        categories: categories.iter().map(|&category| category.to_owned()).collect(),
    }
}

fn check_every_type(path: &Path) {
    let data = read(path, &ReadOptions::default()).unwrap_or_else(|error| panic!("{error}"));
    data.check().unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((data.name.as_str(), data.rows, data.columns.len()), ("t", 3, 25));
    assert_eq!(values(&data, "bool"), &Values::Boolean(vec![Some(true), None, Some(false)]));
    let missing = f64::NAN;
    for (name, expected) in [
        ("i8", [-1.0, missing, 3.0]),
        ("u8", [255.0, missing, 0.0]),
        ("i16", [-300.0, 0.0, 300.0]),
        ("u16", [65535.0, 0.0, 1.0]),
        ("i32", [-2147483648.0, 0.0, 2147483647.0]),
        ("u32", [4294967295.0, missing, 1.0]),
        ("i64", [1.0, -9007199254740992.0, 9007199254740992.0]),
        ("u64", [1.0, 2.0, 3.0]),
        ("top", [18446744073709551615.0, missing, 9223372036854775808.0]),
        ("f16", [0.5, missing, -2.0]),
        ("f32", [0.5, missing, 2.0]),
        ("f64", [0.1, missing, 0.3]),
        ("full", [1.5, f64::INFINITY, -0.0]),
        ("d32", [1.25, missing, -0.07]),
        ("d64", [9223372036854775.807, missing, -0.007]),
        ("fixed", [1.25, missing, -0.07]),
        ("huge", [1.7014118346046923e37, missing, -1.7014118346046923e37]),
        ("bytes", [1.25, missing, -0.07]),
        ("null", [missing, missing, missing]),
    ] {
        let shown = format!("{:?}", values(&data, name));
        assert_eq!(shown, format!("Numeric({expected:?})"), "{name}");
    }
    assert_eq!(values(&data, "text"), &nominal([1, 0, MISSING], &["a", "b"]));
    assert_eq!(values(&data, "old"), &nominal([1, 1, 0], &["p", "q"]));
    assert_eq!(values(&data, "enum"), &nominal([1, MISSING, 0], &["a", "z"]));
    assert_eq!(values(&data, "json"), &nominal([0, MISSING, 0], &["{}"]));
    assert_eq!(values(&data, "plain"), &nominal([0, 1, MISSING], &["", "é"]));
    let target = data.target.expect("target");
    assert_eq!((target.classes.join(" "), target.codes), ("false true".to_owned(), vec![1, 0, 1]));
    assert_eq!(
        data.notes,
        [
            "assumed column 'class' is the target; use `target` to change it",
            "rounded 1 number of column 'i64' that a double cannot represent",
            "rounded 2 numbers of column 'top' that a double cannot represent"
        ]
    );
}

#[test]
fn every_type_is_read() {
    let folder = tempfile::tempdir().expect("folder");
    check_every_type(&write(folder.path(), &types()));
}

#[test]
fn every_encoding_and_compression_reads_the_same() {
    let folder = tempfile::tempdir().expect("folder");
    let builder = WriterProperties::builder;
    let delta = |column: &str, encoding| {
        let properties = builder().set_writer_version(WriterVersion::PARQUET_2_0);
        properties
            .set_dictionary_enabled(false)
            .set_column_encoding(vec![column.to_owned()].into(), encoding)
    };
    for properties in [
        builder().set_dictionary_enabled(false),
        builder().set_writer_version(WriterVersion::PARQUET_2_0),
        builder().set_compression(Compression::SNAPPY),
        builder().set_compression(Compression::LZ4_RAW),
        builder().set_compression(Compression::GZIP(Default::default())),
        builder().set_compression(Compression::ZSTD(ZstdLevel::try_new(1).expect("level"))),
        delta("i64", Encoding::DELTA_BINARY_PACKED),
        delta("text", Encoding::DELTA_LENGTH_BYTE_ARRAY),
        delta("text", Encoding::DELTA_BYTE_ARRAY),
        delta("full", Encoding::BYTE_STREAM_SPLIT),
    ] {
        check_every_type(&write_as(folder.path(), &types(), 1, properties));
    }
}

#[test]
fn row_groups_are_joined_in_order() {
    let folder = tempfile::tempdir().expect("folder");
    let columns = vec![
        ("optional double x;", Rows::F64(vec![Some(1.0), None, Some(3.0)])),
        ("required binary t (STRING);", texts([Some("b"), Some("a"), Some("b")])),
    ];
    let path = write_as(folder.path(), &columns, 2, WriterProperties::builder());
    let data = read(&path, &ReadOptions::default().target(Choice::None))
        .unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(format!("{:?}", values(&data, "x")), "Numeric([1.0, NaN, 3.0, 1.0, NaN, 3.0])");
    assert_eq!(values(&data, "t"), &nominal([1, 0, 1, 1, 0, 1], &["a", "b"]));
    let empty = write_as(folder.path(), &columns, 0, WriterProperties::builder());
    let data = read(&empty, &ReadOptions::default().target(Choice::None));
    assert!(
        data.map_or_else(|error| !error.to_string().contains("invalid"), |data| data.rows == 0)
    );
}

/// More rows than a batch and a page hold, some missing, with and without dictionaries.
#[test]
fn long_columns_stay_in_order() {
    let folder = tempfile::tempdir().expect("folder");
    let rows = 50_000;
    let number = |row: i32| (row % 7 != 0).then(|| f64::from(row));
    let text = |row: i32| (row % 5 != 0).then(|| format!("t{}", row % 3000).into_bytes());
    let columns: Columns = vec![
        ("optional double x;", Rows::F64((0..rows).map(number).collect())),
        (
            "optional int32 i;",
            Rows::I32((0..rows).map(|row| (row % 3 != 0).then_some(row)).collect()),
        ),
        ("optional binary t (STRING);", Rows::Bytes((0..rows).map(text).collect())),
    ];
    let plain = || WriterProperties::builder().set_dictionary_enabled(false);
    let second = || plain().set_writer_version(WriterVersion::PARQUET_2_0);
    let lengths = Encoding::DELTA_LENGTH_BYTE_ARRAY;
    for properties in [
        WriterProperties::builder(),
        plain(),
        plain().set_column_encoding(vec!["t".to_owned()].into(), lengths),
        plain().set_column_encoding(vec!["t".to_owned()].into(), Encoding::DELTA_BYTE_ARRAY),
        second(),
        second().set_column_encoding(vec!["t".to_owned()].into(), lengths),
    ] {
        let path = write_as(folder.path(), &columns, 1, properties);
        let data = read(&path, &ReadOptions::default().target(Choice::None))
            .unwrap_or_else(|error| panic!("{error}"));
        let (Values::Numeric(x), Values::Numeric(i)) = (values(&data, "x"), values(&data, "i"))
        else {
            panic!("expected numbers")
        };
        let Values::Nominal { codes, categories } = values(&data, "t") else {
            panic!("expected codes")
        };
        for (row, place) in (0..rows).zip(0..) {
            assert_eq!(x[place].to_bits(), number(row).unwrap_or(f64::NAN).to_bits());
            assert_eq!(i[place].is_nan(), row % 3 == 0);
            assert!(i[place].is_nan() || i[place] == f64::from(row));
            let found = categories.get(codes[place] as usize).map(|text| text.as_bytes().to_vec());
            assert_eq!(found, text(row));
        }
    }
}

#[test]
fn numbers_can_be_codes_bags_and_labels() {
    let folder = tempfile::tempdir().expect("folder");
    let path = write(folder.path(), &types());
    let options = ReadOptions::default()
        .bag("u64")
        .target("f32")
        .nominal(["i64", "top", "d32", "null"])
        .ignore(["class"]);
    let data = read(&path, &options).expect("a row without a label is skipped");
    let is_skipped = |note: &pellucid_data::Message| {
        note.contains("skipped 1 ") && note.contains("without a label in target column 'f32'")
    };
    assert!(data.notes.iter().any(is_skipped), "{:?}", data.notes);
    let data = read(&path, &options.target("old")).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(data.bags.as_ref().expect("bags").names, ["1", "2", "3"]);
    let exact = nominal([1, 0, 2], &["-9007199254740992", "1", "9007199254740993"]);
    assert_eq!(values(&data, "i64"), &exact);
    let unsigned = nominal([1, MISSING, 0], &["9223372036854775808", "18446744073709551615"]);
    assert_eq!(values(&data, "top"), &unsigned);
    assert_eq!(values(&data, "d32"), &nominal([1, MISSING, 0], &["-0.07", "1.25"]));
    assert_eq!(values(&data, "null"), &nominal([MISSING; 3], &[]));
}

#[test]
fn dates_and_timestamps_are_dates() {
    let folder = tempfile::tempdir().expect("folder");
    let nanos = 1_000_000_000;
    for (field, rows, numbers, shown) in [
        ("required int32 odd (DATE);", Rows::I32(all(&[1, 2, -3])), [1.0, 2.0, -3.0], "1970-01-02"),
        (
            "required int64 odd (TIMESTAMP(NANOS,false));",
            Rows::I64(all(&[nanos, 2 * nanos, -3 * nanos])),
            [1.0, 2.0, -3.0],
            "1970-01-01 00:00:01",
        ),
        (
            "required int64 odd (TIMESTAMP_MILLIS);",
            Rows::I64(all(&[250, 2000, 0])),
            [0.25, 2.0, 0.0],
            "1970-01-01 00:00:00.250000",
        ),
        (
            "required int64 odd (TIMESTAMP(MICROS,true));",
            Rows::I64(all(&[86_400_000_000, 0, -86_400_000_000])),
            [1.0, 0.0, -1.0],
            "1970-01-02",
        ),
    ] {
        let mut columns = types();
        columns.insert(2, (field, rows));
        let path = write(folder.path(), &columns);
        let data = read(&path, &ReadOptions::default()).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(values(&data, "odd"), &Values::Numeric(numbers.to_vec().into()), "{field}");
        let format = data.origin.reading.date("odd").expect("dates");
        assert_eq!(format.show(numbers[0]), shown, "{field}");
    }
}

#[test]
fn other_types_are_errors_unless_ignored() {
    let folder = tempfile::tempdir().expect("folder");
    let three = || Rows::I64(all(&[1, 2, 3]));
    let lists = || Rows::Lists(vec![1, 2, 3, 4], vec![1, 1, 1, 1], vec![0, 1, 0, 0]);
    let fixed = |width| Rows::Fixed(all(&[vec![0; width], vec![1; width], vec![2; width]]));
    for (field, rows, kind) in [
        ("required int32 odd (TIME(MILLIS,true));", Rows::I32(all(&[1, 2, 3])), "Time32(ms)"),
        ("required int64 odd (TIME_MICROS);", three(), "Time64(µs)"),
        ("required int96 odd;", Rows::I96(all(&[Int96::new(); 3])), "Timestamp(ns)"),
        ("required fixed_len_byte_array (16) odd (UUID);", fixed(16), "FixedSizeBinary(16)"),
        ("required fixed_len_byte_array (12) odd (INTERVAL);", fixed(12), "Interval(DayTime)"),
        ("required fixed_len_byte_array (3) odd;", fixed(3), "FixedSizeBinary(3)"),
        ("required binary odd (BSON);", texts([Some("a"), Some("b"), Some("c")]), "Binary"),
        ("required binary odd;", Rows::Bytes(all(&[vec![b'a'], vec![0xff], vec![]])), "Binary"),
        ("repeated int32 odd;", lists(), "List"),
        (
            "required group odd (LIST) { repeated group list { required int32 element; } }",
            lists(),
            "List",
        ),
        ("required group odd { required int64 part; }", three(), "Struct"),
    ] {
        let mut columns = types();
        columns.insert(2, (field, rows));
        let path = write(folder.path(), &columns);
        let error = read(&path, &ReadOptions::default()).expect_err(field);
        let expected = format!(
            "t.parquet: column 'odd' has the type {kind}, which is not supported; \
             use `ignore` to skip the column"
        );
        assert!(error.to_string().ends_with(&expected), "{field}: {error}");
        let data = read(&path, &ReadOptions::default().ignore(["odd"]))
            .unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(data.columns.len(), 25);
        assert_eq!(values(&data, "old"), &nominal([1, 1, 0], &["p", "q"]));
    }
}

#[test]
fn invalid_text_names_its_column() {
    let folder = tempfile::tempdir().expect("folder");
    let rows = Rows::Bytes(all(&[b"a".to_vec(), vec![0xc3, 0x28], b"c".to_vec()]));
    let path = write(folder.path(), &vec![("required binary odd (STRING);", rows)]);
    let error = read(&path, &ReadOptions::default()).expect_err("no text");
    let expected = "invalid Parquet file: column 'odd': found bytes that are not valid UTF-8";
    assert!(error.to_string().ends_with(expected), "{error}");
}

#[test]
fn limits_are_checked_before_reading() {
    let folder = tempfile::tempdir().expect("folder");
    let path = write(folder.path(), &types());
    let options = ReadOptions::default().limits(Limits { max_bytes: 100, ..Limits::default() });
    let error = read(&path, &options).expect_err("too large");
    assert!(
        error.to_string().ends_with(
            "the decompressed data is larger than 100 bytes; raise max_bytes to read it"
        ),
        "{error}"
    );
}

/// Changes the number of columns that the outermost group of a file declares.
fn with_declared_columns(file: &[u8], declared: u32) -> Vec<u8> {
    // The element of the schema that is named 't': a text of one letter, then the number of children.
    let name = file.windows(3).position(|bytes| bytes == [1, b't', 0x15]).expect("the schema");
    let (at, footer) = (name + 3, file.len() - 8);
    let mut number = vec![];
    let mut rest = u64::from(declared) << 1;
    while rest >= 0x80 {
        number.push(u8::try_from(rest & 0x7f).unwrap() | 0x80);
        rest >>= 7;
    }
    number.push(u8::try_from(rest).unwrap());
    let mut forged = [&file[..at], &number, &file[at + 1..footer]].concat();
    let old = u32::from_le_bytes(file[footer..footer + 4].try_into().unwrap());
    let length = old + u32::try_from(number.len()).unwrap() - 1;
    forged.extend(length.to_le_bytes());
    forged.extend(b"PAR1");
    forged
}

#[test]
fn declared_sizes_are_checked_against_the_file() {
    let folder = tempfile::tempdir().expect("folder");
    let path = write(folder.path(), &types());
    let sound = std::fs::read(&path).expect("bytes");
    let refused = |bytes: &[u8]| {
        std::fs::write(&path, bytes).expect("written");
        read(&path, &ReadOptions::default()).expect_err("forged").to_string()
    };
    // 2^31 columns would be 16 GiB before the first of them is read.
    for declared in [1, 1000, u32::MAX >> 1] {
        let error = refused(&with_declared_columns(&sound, declared));
        assert!(error.ends_with("the footer is inconsistent"), "{error}");
    }
    let mut long = sound.clone();
    let footer = long.len() - 8;
    long[footer..footer + 4].copy_from_slice(&u32::MAX.to_le_bytes());
    assert!(refused(&long).ends_with("the footer is longer than the file"));
    assert!(refused(&sound[..sound.len() - 1]).contains("does not end with PAR1"));
    assert!(refused(b"PAR1").ends_with("the file is too short"));
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let folder = tempfile::tempdir().expect("folder");
    let path = write(folder.path(), &types());
    let on = |threads| {
        let threads = std::num::NonZeroUsize::new(threads).expect("at least one");
        read(&path, &ReadOptions::default().target(Choice::None).threads(threads)).expect("sound")
    };
    // NaN is not equal to itself, so the texts are compared.
    assert_eq!(format!("{:?}", on(1)), format!("{:?}", on(3)));
}

#[test]
fn every_truncation_is_an_error() {
    let folder = tempfile::tempdir().expect("folder");
    let path = write(folder.path(), &types());
    let bytes = std::fs::read(&path).expect("file");
    for length in (0..bytes.len()).step_by(13).chain(bytes.len() - 12..bytes.len()) {
        std::fs::write(&path, &bytes[..length]).expect("written");
        assert!(read(&path, &ReadOptions::default()).is_err(), "{length} bytes");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(pellucid_testdata::cases(400)))]

    #[test]
    fn damaged_files_do_not_panic(
        changes in proptest::collection::vec((any::<proptest::sample::Index>(), any::<u8>()), 1..8),
        cut in proptest::option::weighted(0.2, any::<proptest::sample::Index>()),
        second in any::<bool>(),
        dictionary in any::<bool>(),
    ) {
        let folder = tempfile::tempdir().expect("folder");
        let version = if second { WriterVersion::PARQUET_2_0 } else { WriterVersion::PARQUET_1_0 };
        // Version 2 without dictionaries stores texts as differences.
        let properties = WriterProperties::builder()
            .set_writer_version(version)
            .set_dictionary_enabled(dictionary);
        let path = write_as(folder.path(), &types(), 1, properties);
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
