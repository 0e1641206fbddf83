//! Valid Parquet files with the encodings and codecs that other programs write.

use parquet::basic::{Compression, Encoding};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::{WriterProperties, WriterPropertiesBuilder, WriterVersion};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use std::sync::Arc;

const SCHEMA: &str = "message t { required int64 n; optional double x; optional binary colour (STRING); \
                      optional boolean b; required binary class (STRING); }";

/// Returns files with and without dictionaries, of both versions, and with each codec.
pub(crate) fn all() -> Vec<Vec<u8>> {
    let plain = || WriterProperties::builder();
    let second = || plain().set_writer_version(WriterVersion::PARQUET_2_0);
    let delta = second().set_dictionary_enabled(false);
    let forms = [
        plain(),
        plain().set_dictionary_enabled(false),
        second().set_compression(Compression::SNAPPY),
        delta.set_compression(Compression::UNCOMPRESSED),
        plain().set_compression(Compression::GZIP(Default::default())),
        second().set_compression(Compression::ZSTD(Default::default())),
        plain().set_compression(Compression::LZ4_RAW),
        plain()
            .set_dictionary_enabled(false)
            .set_column_encoding("x".into(), Encoding::BYTE_STREAM_SPLIT),
    ];
    forms.into_iter().map(|form| file(form).expect("a valid file")).collect()
}

fn file(form: WriterPropertiesBuilder) -> Result<Vec<u8>, ParquetError> {
    let (mut bytes, rows) = (Vec::new(), 24_i32);
    let schema = Arc::new(parse_message_type(SCHEMA)?);
    let mut writer = SerializedFileWriter::new(&mut bytes, schema, Arc::new(form.build()))?;
    for _ in 0..2 {
        let mut group = writer.next_row_group()?;
        let some = |row: i32| row % 5 > 0;
        let present: Vec<i32> = (0..rows).filter(|&row| some(row)).collect();
        let levels: Vec<i16> = (0..rows).map(|row| i16::from(some(row))).collect();
        let text = |row: i32| ByteArray::from(["red", "dark blue", ""][row as usize % 3]);
        let numbers: Vec<i64> = (0..rows).map(|row| i64::from(row * row)).collect();
        put::<Int64Type>(&mut group, &numbers, None)?;
        let reals: Vec<f64> = present.iter().map(|&row| f64::from(row) / 7.0).collect();
        put::<DoubleType>(&mut group, &reals, Some(&levels))?;
        let texts: Vec<ByteArray> = present.iter().map(|&row| text(row)).collect();
        put::<ByteArrayType>(&mut group, &texts, Some(&levels))?;
        let booleans: Vec<bool> = present.iter().map(|&row| row % 2 == 0).collect();
        put::<BoolType>(&mut group, &booleans, Some(&levels))?;
        let classes: Vec<ByteArray> =
            (0..rows).map(|row| ByteArray::from(["no", "yes"][row as usize % 2])).collect();
        put::<ByteArrayType>(&mut group, &classes, None)?;
        group.close()?;
    }
    writer.close()?;
    Ok(bytes)
}

fn put<T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, &mut Vec<u8>>,
    values: &[T::T],
    levels: Option<&[i16]>,
) -> Result<(), ParquetError> {
    let Some(mut column) = group.next_column()? else { return Ok(()) };
    column.typed::<T>().write_batch(values, levels, None)?;
    column.close()
}
