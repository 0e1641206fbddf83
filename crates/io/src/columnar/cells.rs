//! Arrow arrays appended to columns: numbers widen to doubles, texts get codes, nulls are missing.

use std::fmt::Write;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Decimal32Type, Decimal64Type, Decimal128Type, Decimal256Type, DecimalType,
    Float16Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type,
    UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, PrimitiveArray};
use arrow_schema::DataType;

use super::plain;
use crate::dataset::Values;
use crate::error::Problem;
use crate::nominal::Collector;
use crate::number;

/// Integers up to here are doubles exactly.
const EXACT: u64 = 1 << 53;

/// A column while its batches come in.
pub(super) enum Cells {
    Numbers { values: Vec<f64>, rounded: usize },
    Booleans(Vec<Option<bool>>),
    Text(Collector),
}

/// Whether a column of this type can be a feature.
pub(super) fn supported(kind: &DataType) -> bool {
    is_number(kind) || is_text(plain(kind)) || *kind == DataType::Boolean
}

fn is_number(kind: &DataType) -> bool {
    use DataType as D;
    kind.is_integer() || kind.is_floating() || kind.is_decimal() || *kind == D::Null
}

fn is_text(kind: &DataType) -> bool {
    matches!(kind, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View)
}

impl Cells {
    /// An empty column of the fitting kind with room for so many rows; `coded` asks for categories whatever the type.
    pub(super) fn new(kind: &DataType, coded: bool, rows: usize) -> Result<Self, Problem> {
        Ok(if coded || is_text(plain(kind)) {
            Self::Text(Collector::default())
        } else if *kind == DataType::Boolean {
            Self::Booleans(Vec::new())
        } else {
            let mut values = Vec::new();
            values.try_reserve_exact(rows).map_err(|_| Problem::Memory)?;
            Self::Numbers { values, rounded: 0 }
        })
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Self::Numbers { values, .. } => values.len(),
            Self::Booleans(values) => values.len(),
            Self::Text(collector) => collector.len(),
        }
    }

    /// The finished column.
    pub(super) fn finish(self, name: &str, notes: &mut Vec<String>) -> Values {
        match self {
            Self::Numbers { values, rounded } => {
                if rounded > 0 {
                    notes.push(format!("column '{name}' has {rounded} numbers that a double cannot hold; they were rounded"));
                }
                Values::Numeric(values)
            }
            Self::Booleans(values) => Values::Boolean(values),
            Self::Text(collector) => collector.sorted(),
        }
    }

    /// Adds the values of a batch.
    pub(super) fn append(&mut self, array: &dyn Array) -> Result<(), Problem> {
        match self {
            Self::Booleans(values) => {
                let array = array.as_boolean_opt().ok_or_else(|| unexpected(array))?;
                values.extend(array.iter());
                Ok(())
            }
            Self::Numbers { values, rounded } => append_numbers(values, rounded, array),
            Self::Text(collector) => append_texts(collector, array),
        }
    }
}

/// A batch whose type differs from the file's schema.
fn unexpected(array: &dyn Array) -> Problem {
    Problem::Parquet(format!(
        "found values of the type {} where the schema says otherwise",
        array.data_type()
    ))
}

fn append_numbers(
    values: &mut Vec<f64>,
    rounded: &mut usize,
    array: &dyn Array,
) -> Result<(), Problem> {
    match array.data_type() {
        DataType::Null => values.extend(std::iter::repeat_n(f64::NAN, array.len())),
        DataType::Int8 => widen::<Int8Type>(values, array, f64::from),
        DataType::Int16 => widen::<Int16Type>(values, array, f64::from),
        DataType::Int32 => widen::<Int32Type>(values, array, f64::from),
        DataType::UInt8 => widen::<UInt8Type>(values, array, f64::from),
        DataType::UInt16 => widen::<UInt16Type>(values, array, f64::from),
        DataType::UInt32 => widen::<UInt32Type>(values, array, f64::from),
        DataType::Int64 => widen::<Int64Type>(values, array, |value| {
            *rounded += usize::from(value.unsigned_abs() > EXACT);
            value as f64
        }),
        DataType::UInt64 => widen::<UInt64Type>(values, array, |value| {
            *rounded += usize::from(value > EXACT);
            value as f64
        }),
        DataType::Float16 => widen::<Float16Type>(values, array, |value| value.to_f64()),
        DataType::Float32 => widen::<Float32Type>(values, array, f64::from),
        DataType::Float64 => widen::<Float64Type>(values, array, |value| value),
        DataType::Decimal32(..) => decimals::<Decimal32Type>(values, array),
        DataType::Decimal64(..) => decimals::<Decimal64Type>(values, array),
        DataType::Decimal128(..) => decimals::<Decimal128Type>(values, array),
        DataType::Decimal256(..) => decimals::<Decimal256Type>(values, array),
        _ => return Err(unexpected(array)),
    }
    Ok(())
}

fn widen<T: ArrowPrimitiveType>(
    values: &mut Vec<f64>,
    array: &dyn Array,
    mut number: impl FnMut(T::Native) -> f64,
) {
    let array: &PrimitiveArray<T> = array.as_primitive();
    if array.null_count() == 0 {
        values.extend(array.values().iter().map(|&value| number(value)));
    } else {
        values.extend(array.iter().map(|value| value.map_or(f64::NAN, &mut number)));
    }
}

/// Decimals through their text, which rounds once and to the nearest double.
fn decimals<T: DecimalType>(values: &mut Vec<f64>, array: &dyn Array) {
    let array: &PrimitiveArray<T> = array.as_primitive();
    let nearest = |row: usize| number::parse(&array.value_as_string(row)).unwrap_or(f64::NAN);
    values.extend(
        (0..array.len()).map(|row| if array.is_null(row) { f64::NAN } else { nearest(row) }),
    );
}

fn append_texts(collector: &mut Collector, array: &dyn Array) -> Result<(), Problem> {
    if let Some(dictionary) = array.as_any_dictionary_opt() {
        return append_dictionary(collector, array, dictionary.values().as_ref());
    }
    match array.data_type() {
        DataType::Utf8 => push_all(collector, array.as_string::<i32>().iter()),
        DataType::LargeUtf8 => push_all(collector, array.as_string::<i64>().iter()),
        DataType::Utf8View => push_all(collector, array.as_string_view().iter()),
        DataType::Boolean => push_shown(collector, array.as_boolean().iter()),
        DataType::Int64 => push_shown(collector, array.as_primitive::<Int64Type>().iter()),
        DataType::UInt64 => push_shown(collector, array.as_primitive::<UInt64Type>().iter()),
        _ => {
            let (mut values, mut rounded) = (Vec::new(), 0);
            append_numbers(&mut values, &mut rounded, array)?;
            let shown = |value: f64| (!value.is_nan()).then(|| number::print(value));
            push_shown(collector, values.into_iter().map(shown))
        }
    }
}

fn push_all<'a>(
    collector: &mut Collector,
    values: impl Iterator<Item = Option<&'a str>>,
) -> Result<(), Problem> {
    for value in values {
        match value {
            Some(text) => collector.push(text)?,
            None => collector.push_missing(),
        }
    }
    Ok(())
}

fn push_shown<T: std::fmt::Display>(
    collector: &mut Collector,
    values: impl Iterator<Item = Option<T>>,
) -> Result<(), Problem> {
    let mut text = String::new();
    for value in values {
        text.clear();
        match value {
            // Writing into a string cannot fail.
            Some(value) if write!(text, "{value}").is_ok() => collector.push(&text)?,
            _ => collector.push_missing(),
        }
    }
    Ok(())
}

/// Looks each distinct text up once; rows then only carry keys.
fn append_dictionary(
    collector: &mut Collector,
    array: &dyn Array,
    texts: &dyn Array,
) -> Result<(), Problem> {
    if texts.is_empty() {
        (0..array.len()).for_each(|_| collector.push_missing());
        return Ok(());
    }
    let text_of = |row: usize| match texts.data_type() {
        _ if texts.is_null(row) => Ok(None),
        DataType::Utf8 => Ok(Some(texts.as_string::<i32>().value(row))),
        DataType::LargeUtf8 => Ok(Some(texts.as_string::<i64>().value(row))),
        DataType::Utf8View => Ok(Some(texts.as_string_view().value(row))),
        _ => Err(unexpected(texts)),
    };
    let mut codes: Vec<Option<u32>> = vec![None; texts.len()];
    for (row, key) in array.as_any_dictionary().normalized_keys().into_iter().enumerate() {
        let text = if array.is_null(row) { None } else { text_of(key)? };
        let Some(text) = text else {
            collector.push_missing();
            continue;
        };
        let code = match codes[key] {
            Some(code) => code,
            None => collector.code_of(text)?,
        };
        codes[key] = Some(code);
        collector.push_code(code);
    }
    Ok(())
}
