//! Parquet: bag, features and target as typed columns, which load many times faster than text.

use std::io::Write;
use std::ops::Range;
use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::{Type, TypePtr};

use super::{FileColumns, WriteError};
use pellucid_data::Dataset;
use pellucid_data::{MISSING, Values};

const BATCH_ROWS: usize = 64 << 10;
const GROUP_ROWS: usize = 1 << 20;

/// Writes a data set as Parquet (Snappy): the bag first, the target last, missing values as nulls.
///
/// To read it back, name the bag column; categories are read back sorted.
///
/// # Errors
/// Fails if writing fails or the data set is inconsistent.
pub fn write_parquet(data: &Dataset, out: impl Write + Send) -> Result<(), WriteError> {
    let layout = FileColumns::new(data)?;
    let schema = schema(&layout).map_err(refused)?;
    if schema.get_fields().is_empty() && data.rows > 0 {
        return Err(WriteError::Parquet("found rows without columns".to_owned()));
    }
    let mut writer =
        SerializedFileWriter::new(out, schema, Arc::new(properties(&layout))).map_err(refused)?;
    let bags = layout.bags.map(|bags| bytes(&bags.names));
    let classes = layout.target.map(|target| bytes(&target.classes));
    let mut start = 0;
    while start < data.rows {
        let rows = start..data.rows.min(start + GROUP_ROWS);
        start = rows.end;
        let mut group = writer.next_row_group().map_err(refused)?;
        if let (Some(bags), Some(names)) = (layout.bags, &bags) {
            let name = |row: usize| Some(names[bags.of_row[row] as usize].clone());
            write_column::<ByteArrayType, _>(&mut group, rows.clone(), false, name)?;
        }
        for column in layout.columns {
            write_values(&mut group, &column.values, rows.clone())?;
        }
        if let (Some(target), Some(classes)) = (layout.target, &classes) {
            let class = |row| Some(classes[target.codes[layout.example(row)] as usize].clone());
            write_column::<ByteArrayType, _>(&mut group, rows, false, class)?;
        }
        group.close().map_err(refused)?;
    }
    writer.close().map_err(refused)?;
    Ok(())
}

fn refused(error: ParquetError) -> WriteError {
    WriteError::Parquet(error.to_string())
}

fn bytes(texts: &[String]) -> Vec<ByteArray> {
    texts.iter().map(|text| ByteArray::from(text.as_str())).collect()
}

/// Whether any value is missing; only then does the column store which rows have a value.
fn has_missing(values: &Values) -> bool {
    match values {
        Values::Numeric(values) => values.iter().any(|value| value.is_nan()),
        Values::Nominal { codes, .. } => codes.contains(&MISSING),
        Values::Boolean(values) => values.contains(&None),
    }
}

fn schema(layout: &FileColumns<'_>) -> Result<TypePtr, ParquetError> {
    let field = |name: &str, physical: Physical, optional: bool| {
        let repetition = if optional { Repetition::OPTIONAL } else { Repetition::REQUIRED };
        let text = (physical == Physical::BYTE_ARRAY).then_some(LogicalType::String);
        let builder = Type::primitive_type_builder(name, physical).with_repetition(repetition);
        builder.with_logical_type(text).build().map(Arc::new)
    };
    let mut fields = Vec::new();
    if let Some(bags) = layout.bags {
        fields.push(field(&bags.name, Physical::BYTE_ARRAY, false)?);
    }
    for column in layout.columns {
        let physical = match column.values {
            Values::Numeric(_) => Physical::DOUBLE,
            Values::Nominal { .. } => Physical::BYTE_ARRAY,
            Values::Boolean(_) => Physical::BOOLEAN,
        };
        fields.push(field(&column.name, physical, has_missing(&column.values))?);
    }
    if let Some(target) = layout.target {
        fields.push(field(&target.name, Physical::BYTE_ARRAY, false)?);
    }
    Type::group_type_builder("table").with_fields(fields).build().map(Arc::new)
}

fn properties(layout: &FileColumns<'_>) -> WriterProperties {
    let mut properties = WriterProperties::builder().set_compression(Compression::SNAPPY);
    for column in layout.columns.iter().filter(|column| matches!(column.values, Values::Numeric(_)))
    {
        // Plain doubles are read at memory speed; a dictionary of doubles is rarely faster.
        properties =
            properties.set_column_dictionary_enabled(vec![column.name.clone()].into(), false);
    }
    properties.build()
}

fn write_values<W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    values: &Values,
    rows: Range<usize>,
) -> Result<(), WriteError> {
    let optional = has_missing(values);
    match values {
        Values::Numeric(values) => write_column::<DoubleType, _>(group, rows, optional, |row| {
            Some(values[row]).filter(|value| !value.is_nan())
        }),
        Values::Nominal { codes, categories } => {
            let categories = bytes(categories);
            let text = |row: usize| categories.get(codes[row] as usize).cloned();
            write_column::<ByteArrayType, _>(group, rows, optional, text)
        }
        Values::Boolean(values) => {
            write_column::<BoolType, _>(group, rows, optional, |row| values[row])
        }
    }
}

/// Writes the next column of a row group in batches.
fn write_column<T: DataType, W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    rows: Range<usize>,
    optional: bool,
    value: impl Fn(usize) -> Option<T::T>,
) -> Result<(), WriteError> {
    let column = group.next_column().map_err(refused)?;
    let mut column =
        column.ok_or_else(|| WriteError::Parquet("the schema has too few columns".to_owned()))?;
    let (mut values, mut levels) = (Vec::new(), Vec::new());
    let mut start = rows.start;
    while start < rows.end {
        let end = rows.end.min(start + BATCH_ROWS);
        values.clear();
        levels.clear();
        for row in start..end {
            let value = value(row);
            levels.push(i16::from(value.is_some()));
            values.extend(value);
        }
        start = end;
        let levels = optional.then_some(levels.as_slice());
        column.typed::<T>().write_batch(&values, levels, None).map_err(refused)?;
    }
    column.close().map_err(refused)
}
