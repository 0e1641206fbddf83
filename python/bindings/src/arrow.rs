//! Columns from Arrow's C stream interface (`__arrow_c_stream__`), which Polars, `PyArrow`,
//! `DuckDB` and others implement.
//!
//! A column of 64-bit floats in a single batch is not copied, because Arrow's specification makes
//! the memory of a stream immutable. All other columns are copied.

use crate::columns::is_rounded;
use crate::text_encoder::TextEncoder;
use arrow_array::cast::AsArray as _;
use arrow_array::ffi_stream::{FFI_ArrowArrayStream, RecordBatchStreamReader};
use arrow_array::types::{
    ArrowDictionaryKeyType, ArrowPrimitiveType, Date32Type, Date64Type, Decimal128Type,
    Float16Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
    TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType,
    TimestampSecondType, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef, RecordBatchReader as _};
use arrow_buffer::ScalarBuffer;
use arrow_schema::{DataType, TimeUnit};
use pellucid::data::{MISSING, Numbers, Values};
use pellucid::io::{Column, DateUnit, GivenColumn};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use std::sync::Arc;

/// The columns of an Arrow stream.
pub(crate) struct ArrowColumns {
    pub(crate) columns: Vec<GivenColumn>,
    /// The columns with whole numbers that an `f64` cannot represent, and the first such number of each.
    pub(crate) rounded: Vec<(String, String)>,
}

/// Reads all columns of an object with `__arrow_c_stream__`.
pub(crate) fn columns(object: &Bound<'_, PyAny>) -> PyResult<ArrowColumns> {
    let capsule = object.call_method0("__arrow_c_stream__")?;
    let capsule = capsule.cast::<PyCapsule>()?;
    let stream =
        capsule.pointer_checked(Some(c"arrow_array_stream"))?.cast::<FFI_ArrowArrayStream>();
    // SAFETY: a capsule of this name contains a pointer to a valid stream. The interpreter is
    // attached, so no other thread reads from it. `from_raw` moves the stream out and leaves a
    // released one in the capsule, as the interface requires.
    let reader = unsafe { RecordBatchStreamReader::from_raw(stream.as_ptr()) };
    let reader = reader.map_err(unreadable)?;
    let mut columns: Vec<(String, Cells)> = Vec::new();
    for field in reader.schema().fields() {
        let cells = Cells::new(field.data_type()).ok_or_else(|| {
            let (name, kind) = (field.name(), field.data_type());
            PyTypeError::new_err(format!(
                "column '{name}' has type {kind}; expected numbers, booleans, dates or text"
            ))
        })?;
        columns.push((field.name().clone(), cells));
    }
    let mut rounded: Vec<(String, String)> = Vec::new();
    for batch in reader {
        let batch = batch.map_err(unreadable)?;
        for ((name, cells), array) in columns.iter_mut().zip(batch.columns()) {
            cells.append(array);
            if let Some(number) = first_rounded(array)
                && rounded.iter().all(|(known, _)| known != name)
            {
                rounded.push((name.clone(), number));
            }
        }
    }
    let given = columns.into_iter().map(|(name, cells)| cells.finish(name));
    Ok(ArrowColumns { columns: given.collect(), rounded })
}

fn unreadable(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(format!("cannot read the Arrow stream: {error}"))
}

/// A column under construction, batch by batch.
enum Cells {
    /// The numbers of a single batch, in Arrow's memory.
    Borrowed(ScalarBuffer<f64>),
    Numbers(Vec<f64>),
    Dates(Vec<f64>, DateUnit),
    Booleans(Vec<Option<bool>>),
    Text(TextEncoder),
    /// Text in a dictionary, which is not converted to numbers or dates.
    Categories(TextEncoder),
}

impl Cells {
    /// Returns an empty column for a type, or nothing if the type is not supported.
    fn new(kind: &DataType) -> Option<Cells> {
        Some(match kind {
            DataType::Boolean => Cells::Booleans(Vec::new()),
            DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => {
                Cells::Text(TextEncoder::default())
            }
            DataType::Dictionary(_, value) if value.is_string() => {
                Cells::Categories(TextEncoder::default())
            }
            DataType::Date32 => Cells::Dates(Vec::new(), DateUnit::Days),
            DataType::Date64 | DataType::Timestamp(..) => {
                Cells::Dates(Vec::new(), DateUnit::Seconds)
            }
            DataType::Null | DataType::Decimal128(..) => Cells::Numbers(Vec::new()),
            number if number.is_numeric() && !matches!(number, DataType::Decimal256(..)) => {
                Cells::Numbers(Vec::new())
            }
            _ => return None,
        })
    }

    fn append(&mut self, array: &ArrayRef) {
        if let Cells::Borrowed(first) = self {
            *self = Cells::Numbers(first.to_vec());
        }
        match self {
            Cells::Borrowed(_) => {}
            Cells::Numbers(numbers) if numbers.is_empty() && are_doubles(array) => {
                *self = Cells::Borrowed(array.as_primitive::<Float64Type>().values().clone());
            }
            Cells::Numbers(numbers) | Cells::Dates(numbers, _) => append_numbers(array, numbers),
            Cells::Booleans(booleans) => {
                let array = array.as_boolean();
                let (values, nulls) = (array.values(), array.nulls());
                let is_valid = |row: &usize| nulls.is_none_or(|nulls| nulls.is_valid(*row));
                let boolean = |row: usize| Some(row).filter(is_valid).map(|row| values.value(row));
                booleans.extend((0..array.len()).map(boolean));
            }
            Cells::Text(encoder) | Cells::Categories(encoder) => append_texts(array, encoder),
        }
    }

    fn finish(self, name: String) -> GivenColumn {
        let declared = matches!(self, Cells::Categories(_));
        let (values, date_unit) = match self {
            Cells::Borrowed(numbers) => (Values::Numeric(Numbers::shared(Arc::new(numbers))), None),
            Cells::Numbers(numbers) => (Values::Numeric(numbers.into()), None),
            Cells::Dates(numbers, counted) => (Values::Numeric(numbers.into()), Some(counted)),
            Cells::Booleans(booleans) => (Values::Boolean(booleans), None),
            Cells::Text(encoder) | Cells::Categories(encoder) => (encoder.finish(), None),
        };
        GivenColumn { column: Column { name, values }, date_unit, declared }
    }
}

/// Whether an array consists of 64-bit floats without missing values.
fn are_doubles(array: &ArrayRef) -> bool {
    *array.data_type() == DataType::Float64 && array.null_count() == 0
}

/// Returns the first whole number of an array that an `f64` cannot represent.
fn first_rounded(array: &ArrayRef) -> Option<String> {
    match array.data_type() {
        DataType::Int64 => {
            let mut known = array.as_primitive::<Int64Type>().iter().flatten();
            known.find(|&number| is_rounded(number.into())).map(|number| number.to_string())
        }
        DataType::UInt64 => {
            let mut known = array.as_primitive::<UInt64Type>().iter().flatten();
            known.find(|&number| is_rounded(number.into())).map(|number| number.to_string())
        }
        _ => None,
    }
}

/// Appends the numbers of an array. Missing values become NaN.
#[expect(clippy::cast_precision_loss, reason = "columns are doubles")]
fn append_numbers(array: &ArrayRef, numbers: &mut Vec<f64>) {
    use DataType as D;
    // Convert seconds and fractions separately: an f64 cannot represent nanoseconds since 1970 exactly.
    let seconds = |value: i64, unit: i64| {
        value.div_euclid(unit) as f64 + value.rem_euclid(unit) as f64 / unit as f64
    };
    match array.data_type() {
        D::Float64 => widen::<Float64Type>(array, numbers, |value| value),
        D::Float32 => widen::<Float32Type>(array, numbers, f64::from),
        D::Float16 => widen::<Float16Type>(array, numbers, f64::from),
        D::Int64 => widen::<Int64Type>(array, numbers, |value| value as f64),
        D::Int32 => widen::<Int32Type>(array, numbers, f64::from),
        D::Int16 => widen::<Int16Type>(array, numbers, f64::from),
        D::Int8 => widen::<Int8Type>(array, numbers, f64::from),
        D::UInt64 => widen::<UInt64Type>(array, numbers, |value| value as f64),
        D::UInt32 => widen::<UInt32Type>(array, numbers, f64::from),
        D::UInt16 => widen::<UInt16Type>(array, numbers, f64::from),
        D::UInt8 => widen::<UInt8Type>(array, numbers, f64::from),
        D::Decimal128(_, scale) => {
            let power = 10_f64.powi(i32::from(*scale));
            widen::<Decimal128Type>(array, numbers, |value| value as f64 / power);
        }
        D::Date32 => widen::<Date32Type>(array, numbers, f64::from),
        D::Date64 => widen::<Date64Type>(array, numbers, |value| seconds(value, 1_000)),
        D::Timestamp(TimeUnit::Second, _) => {
            widen::<TimestampSecondType>(array, numbers, |value| value as f64);
        }
        D::Timestamp(TimeUnit::Millisecond, _) => {
            widen::<TimestampMillisecondType>(array, numbers, |value| seconds(value, 1_000));
        }
        D::Timestamp(TimeUnit::Microsecond, _) => {
            widen::<TimestampMicrosecondType>(array, numbers, |value| seconds(value, 1_000_000));
        }
        D::Timestamp(TimeUnit::Nanosecond, _) => {
            widen::<TimestampNanosecondType>(array, numbers, |value| seconds(value, 1_000_000_000));
        }
        _ => numbers.extend(std::iter::repeat_n(f64::NAN, array.len())),
    }
}

fn widen<T: ArrowPrimitiveType>(
    array: &ArrayRef,
    numbers: &mut Vec<f64>,
    number: impl Fn(T::Native) -> f64,
) {
    let array = array.as_primitive::<T>();
    if array.null_count() == 0 {
        numbers.extend(array.values().iter().map(|&value| number(value)));
    } else {
        numbers.extend(array.iter().map(|value| value.map_or(f64::NAN, &number)));
    }
}

fn append_texts(array: &ArrayRef, encoder: &mut TextEncoder) {
    match array.data_type() {
        DataType::Utf8 => array.as_string::<i32>().iter().for_each(|text| encoder.push(text)),
        DataType::LargeUtf8 => array.as_string::<i64>().iter().for_each(|text| encoder.push(text)),
        DataType::Utf8View => array.as_string_view().iter().for_each(|text| encoder.push(text)),
        DataType::Dictionary(key, _) => match **key {
            DataType::Int8 => append_codes::<Int8Type>(array, encoder),
            DataType::Int16 => append_codes::<Int16Type>(array, encoder),
            DataType::Int32 => append_codes::<Int32Type>(array, encoder),
            DataType::Int64 => append_codes::<Int64Type>(array, encoder),
            DataType::UInt8 => append_codes::<UInt8Type>(array, encoder),
            DataType::UInt16 => append_codes::<UInt16Type>(array, encoder),
            DataType::UInt32 => append_codes::<UInt32Type>(array, encoder),
            _ => append_codes::<UInt64Type>(array, encoder),
        },
        _ => (0..array.len()).for_each(|_| encoder.push(None)),
    }
}

/// Appends a dictionary array. Each text of the dictionary is looked up once.
fn append_codes<K: ArrowDictionaryKeyType>(array: &ArrayRef, encoder: &mut TextEncoder) {
    let array = array.as_dictionary::<K>();
    let mut known = Vec::with_capacity(array.values().len());
    let mut texts = TextEncoder::default();
    append_texts(array.values(), &mut texts);
    if let Values::Nominal { codes, categories } = texts.finish() {
        let code = |code: u32| categories.get(code as usize).map(|text| encoder.code(text));
        known.extend(codes.into_iter().map(code));
    }
    for key in array.keys_iter() {
        encoder.push_code(key.and_then(|key| known.get(key).copied().flatten()).unwrap_or(MISSING));
    }
}
