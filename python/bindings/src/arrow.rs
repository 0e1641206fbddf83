//! Columns from Arrow's C stream interface, which Polars, `PyArrow`, `DuckDB` and others speak (`__arrow_c_stream__`). Doubles that come
//! in one batch are not copied: Arrow's specification makes the memory of a stream immutable. All others are
//! copied.

use crate::columns::is_rounded;
use crate::words::Words;
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
use pellucid::io::{Column, GivenColumn, Moments};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use std::sync::Arc;

/// The columns of a frame.
pub(crate) struct ReadFrame {
    pub(crate) columns: Vec<GivenColumn>,
    /// Columns with whole numbers that a double cannot hold, and the first such number of each.
    pub(crate) rounded: Vec<(String, String)>,
}

/// All columns of an object with `__arrow_c_stream__`.
pub(crate) fn columns(object: &Bound<'_, PyAny>) -> PyResult<ReadFrame> {
    let capsule = object.call_method0("__arrow_c_stream__")?;
    let capsule = capsule.cast::<PyCapsule>()?;
    let stream =
        capsule.pointer_checked(Some(c"arrow_array_stream"))?.cast::<FFI_ArrowArrayStream>();
    // SAFETY: a capsule of this name holds a pointer to a valid stream, and the interpreter is attached, so nobody else takes
    // from it meanwhile. The stream is moved out; the capsule is left with one that is already released, as the interface asks.
    let reader = unsafe { RecordBatchStreamReader::from_raw(stream.as_ptr()) };
    let reader = reader.map_err(unreadable)?;
    let mut columns: Vec<(String, Cells)> = Vec::new();
    for field in reader.schema().fields() {
        let cells = Cells::new(field.data_type()).ok_or_else(|| {
            let (name, kind) = (field.name(), field.data_type());
            PyTypeError::new_err(format!(
                "column '{name}' is of type {kind}; numbers, truth values, dates and texts can be used"
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
    Ok(ReadFrame { columns: given.collect(), rounded })
}

fn unreadable(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(format!("the Arrow stream cannot be read: {error}"))
}

/// A column while its batches come in.
enum Cells {
    /// The doubles of one batch, where they lie.
    Lent(ScalarBuffer<f64>),
    Numbers(Vec<f64>),
    Dates(Vec<f64>, Moments),
    Truths(Vec<Option<bool>>),
    Texts(Words),
    /// Texts of a dictionary, which are categories whatever they look like.
    Categories(Words),
}

impl Cells {
    /// An empty column for a type, if it has a meaning here.
    fn new(kind: &DataType) -> Option<Cells> {
        Some(match kind {
            DataType::Boolean => Cells::Truths(Vec::new()),
            DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => {
                Cells::Texts(Words::default())
            }
            DataType::Dictionary(_, value) if value.is_string() => {
                Cells::Categories(Words::default())
            }
            DataType::Date32 => Cells::Dates(Vec::new(), Moments::Days),
            DataType::Date64 | DataType::Timestamp(..) => {
                Cells::Dates(Vec::new(), Moments::Seconds)
            }
            DataType::Null | DataType::Decimal128(..) => Cells::Numbers(Vec::new()),
            number if number.is_numeric() && !matches!(number, DataType::Decimal256(..)) => {
                Cells::Numbers(Vec::new())
            }
            _ => return None,
        })
    }

    fn append(&mut self, array: &ArrayRef) {
        if let Cells::Lent(first) = self {
            *self = Cells::Numbers(first.to_vec());
        }
        match self {
            Cells::Lent(_) => {}
            Cells::Numbers(numbers) if numbers.is_empty() && are_doubles(array) => {
                *self = Cells::Lent(array.as_primitive::<Float64Type>().values().clone());
            }
            Cells::Numbers(numbers) | Cells::Dates(numbers, _) => append_numbers(array, numbers),
            Cells::Truths(truths) => {
                let array = array.as_boolean();
                let (values, nulls) = (array.values(), array.nulls());
                let is_there = |row: &usize| nulls.is_none_or(|nulls| nulls.is_valid(*row));
                let truth = |row: usize| Some(row).filter(is_there).map(|row| values.value(row));
                truths.extend((0..array.len()).map(truth));
            }
            Cells::Texts(words) | Cells::Categories(words) => append_texts(array, words),
        }
    }

    fn finish(self, name: String) -> GivenColumn {
        let declared = matches!(self, Cells::Categories(_));
        let (values, moments) = match self {
            Cells::Lent(numbers) => (Values::Numeric(Numbers::lent(Arc::new(numbers))), None),
            Cells::Numbers(numbers) => (Values::Numeric(numbers.into()), None),
            Cells::Dates(numbers, counted) => (Values::Numeric(numbers.into()), Some(counted)),
            Cells::Truths(truths) => (Values::Boolean(truths), None),
            Cells::Texts(words) | Cells::Categories(words) => (words.finish(), None),
        };
        GivenColumn { column: Column { name, values }, moments, declared }
    }
}

/// Whether an array is what a column is made of: doubles, all of them there.
fn are_doubles(array: &ArrayRef) -> bool {
    *array.data_type() == DataType::Float64 && array.null_count() == 0
}

/// The first whole number of an array that a double cannot hold.
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

/// Adds the numbers of an array; what is missing is NaN.
#[expect(clippy::cast_precision_loss, reason = "columns are doubles")]
fn append_numbers(array: &ArrayRef, numbers: &mut Vec<f64>) {
    use DataType as D;
    // Whole seconds and the rest apart, as billionths since 1970 are more than a double holds.
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

fn append_texts(array: &ArrayRef, words: &mut Words) {
    match array.data_type() {
        DataType::Utf8 => array.as_string::<i32>().iter().for_each(|text| words.push(text)),
        DataType::LargeUtf8 => array.as_string::<i64>().iter().for_each(|text| words.push(text)),
        DataType::Utf8View => array.as_string_view().iter().for_each(|text| words.push(text)),
        DataType::Dictionary(key, _) => match **key {
            DataType::Int8 => append_codes::<Int8Type>(array, words),
            DataType::Int16 => append_codes::<Int16Type>(array, words),
            DataType::Int32 => append_codes::<Int32Type>(array, words),
            DataType::Int64 => append_codes::<Int64Type>(array, words),
            DataType::UInt8 => append_codes::<UInt8Type>(array, words),
            DataType::UInt16 => append_codes::<UInt16Type>(array, words),
            DataType::UInt32 => append_codes::<UInt32Type>(array, words),
            _ => append_codes::<UInt64Type>(array, words),
        },
        _ => (0..array.len()).for_each(|_| words.push(None)),
    }
}

/// Adds rows that are numbers of texts: each text is looked up once.
fn append_codes<K: ArrowDictionaryKeyType>(array: &ArrayRef, words: &mut Words) {
    let array = array.as_dictionary::<K>();
    let mut known = Vec::with_capacity(array.values().len());
    let mut texts = Words::default();
    append_texts(array.values(), &mut texts);
    if let Values::Nominal { codes, categories } = texts.finish() {
        let code = |code: u32| categories.get(code as usize).map(|text| words.code(text));
        known.extend(codes.into_iter().map(code));
    }
    for key in array.keys_iter() {
        words.push_code(key.and_then(|key| known.get(key).copied().flatten()).unwrap_or(MISSING));
    }
}
