//! Converts numbers of every width to doubles; nulls are missing.

use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::DataType;

use super::batch;
use super::kind::ParquetKind;
use crate::cells::number;
use crate::source::error::ReadProblem;

/// Integers up to this one are exact doubles.
const EXACT: u64 = 1 << 53;

/// The maximum width of a decimal in bytes.
const WIDEST: usize = 32;

/// A column of doubles that is filled from its chunks.
#[derive(Debug, Default)]
pub(super) struct NumberReader {
    pub(super) values: Vec<f64>,
    /// The number of integers that were rounded.
    pub(super) rounded: usize,
}

impl NumberReader {
    /// Adds the given number of rows of a column chunk.
    pub(super) fn append(
        &mut self,
        kind: ParquetKind,
        reader: ColumnReader,
        rows: usize,
    ) -> Result<(), ReadProblem> {
        use ColumnReader as C;
        let Self { values, rounded } = self;
        match (kind, reader) {
            (ParquetKind::Null, _) => {
                values.extend(std::iter::repeat_n(f64::NAN, rows));
                Ok(())
            }
            (ParquetKind::Double, C::DoubleColumnReader(reader)) => {
                batch::append_doubles(reader, rows, values)
            }
            (ParquetKind::Single, C::FloatColumnReader(reader)) => {
                widen(reader, rows, values, |&value| Some(f64::from(value)))
            }
            (ParquetKind::Half, C::FixedLenByteArrayColumnReader(reader)) => {
                widen(reader, rows, values, |value| half(value.data()))
            }
            (ParquetKind::Signed32 | ParquetKind::Days, C::Int32ColumnReader(reader)) => {
                widen(reader, rows, values, |&value| Some(f64::from(value)))
            }
            (ParquetKind::Unsigned32, C::Int32ColumnReader(reader)) => {
                widen(reader, rows, values, |value| Some(f64::from(value.cast_unsigned())))
            }
            (ParquetKind::Signed64, C::Int64ColumnReader(reader)) => {
                widen(reader, rows, values, |&value| {
                    *rounded += usize::from(value.unsigned_abs() > EXACT);
                    Some(value as f64)
                })
            }
            (ParquetKind::Timestamp(unit), C::Int64ColumnReader(reader)) => {
                widen(reader, rows, values, |&value| {
                    // Seconds and their fraction are converted separately: nanoseconds since 1970
                    // exceed a double's precision.
                    let (whole, rest) = (value.div_euclid(unit), value.rem_euclid(unit));
                    Some(whole as f64 + rest as f64 / unit as f64)
                })
            }
            (ParquetKind::Unsigned64, C::Int64ColumnReader(reader)) => {
                widen(reader, rows, values, |value| {
                    let value = value.cast_unsigned();
                    *rounded += usize::from(value > EXACT);
                    Some(value as f64)
                })
            }
            (ParquetKind::Decimal(scale), C::Int32ColumnReader(reader)) => {
                widen(reader, rows, values, |&value| number::decimal(value.into(), scale))
            }
            (ParquetKind::Decimal(scale), C::Int64ColumnReader(reader)) => {
                widen(reader, rows, values, |&value| number::decimal(value.into(), scale))
            }
            (ParquetKind::Decimal(scale), C::ByteArrayColumnReader(reader)) => {
                widen(reader, rows, values, |value| decimal(value.data(), scale))
            }
            (ParquetKind::Decimal(scale), C::FixedLenByteArrayColumnReader(reader)) => {
                widen(reader, rows, values, |value| decimal(value.data(), scale))
            }
            _ => Err(ReadProblem::Parquet(
                "the data does not have the type of the schema".to_owned(),
            )),
        }
    }
}

fn widen<T: DataType>(
    reader: ColumnReaderImpl<T>,
    rows: usize,
    values: &mut Vec<f64>,
    mut number: impl FnMut(&T::T) -> Option<f64>,
) -> Result<(), ReadProblem> {
    let wrong = || ReadProblem::Parquet("found bytes that are not a number".to_owned());
    batch::each(reader, rows, |batch| {
        for value in batch.rows() {
            values.push(match value {
                Some(value) => number(value).ok_or_else(wrong)?,
                None => f64::NAN,
            });
        }
        Ok(())
    })
}

/// Converts a 16-bit float: a sign bit, five bits of exponent, ten bits of fraction.
fn half(bytes: &[u8]) -> Option<f64> {
    let bits = u16::from_le_bytes(bytes.try_into().ok()?);
    let fraction = f64::from(bits & 0x3ff);
    let size = match i32::from(bits >> 10 & 0x1f) {
        0 => fraction * 2_f64.powi(-24),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        exponent => (1024.0 + fraction) * 2_f64.powi(exponent - 25),
    };
    Some(if bits >> 15 == 1 { -size } else { size })
}

/// Returns the double nearest to big-endian bytes in two's complement, divided by ten to the power `scale`.
fn decimal(bytes: &[u8], scale: i32) -> Option<f64> {
    let negative = *bytes.first()? >= 0x80;
    let sign = if negative { 0xff } else { 0 };
    let start = bytes.iter().position(|&byte| byte != sign).unwrap_or(bytes.len());
    let bytes = &bytes[start..];
    if bytes.len() < 16 {
        let number =
            bytes.iter().fold(-i128::from(negative), |high, &low| high << 8 | i128::from(low));
        return number::decimal(number, scale);
    }
    if bytes.len() > WIDEST {
        return None;
    }
    // The decimal digits of the number or its complement, the lowest first.
    let mut digits = vec![0];
    for &byte in bytes {
        multiply_add(&mut digits, 256, u32::from(byte ^ sign));
    }
    multiply_add(&mut digits, 1, u32::from(negative));
    let digits = digits.iter().rev().filter_map(|&digit| char::from_digit(digit, 10));
    let text: String = negative.then_some('-').into_iter().chain(digits).collect();
    number::parse(&format!("{text}e{}", -i64::from(scale)))
}

fn multiply_add(digits: &mut Vec<u32>, factor: u32, mut carry: u32) {
    for digit in digits.iter_mut() {
        carry += *digit * factor;
        *digit = carry % 10;
        carry /= 10;
    }
    while carry > 0 {
        digits.push(carry % 10);
        carry /= 10;
    }
}

#[cfg(test)]
mod tests {
    use super::{decimal, half};

    #[test]
    fn halves() {
        for (bits, value) in [
            (0x0000u16, 0.0),
            (0x0001, 5.960464477539063e-8),
            (0x3555, 0.333251953125),
            (0x3c00, 1.0),
            (0xc000, -2.0),
            (0x7bff, 65504.0),
            (0xfc00, f64::NEG_INFINITY),
        ] {
            assert_eq!(half(&bits.to_le_bytes()), Some(value), "{bits:#x}");
        }
        assert!(half(&0x7e00u16.to_le_bytes()).is_some_and(f64::is_nan));
        assert_eq!(half(&[1]), None);
    }

    #[test]
    fn decimals_of_any_width() {
        let extended = |number: i128, width: usize| {
            let sign = if number < 0 { 0xff } else { 0 };
            let mut bytes = vec![sign; width.saturating_sub(16)];
            bytes.extend(number.to_be_bytes());
            bytes
        };
        for number in [0, 1, -1, 125, -7, i128::from(i64::MAX), i128::MAX, i128::MIN] {
            let nearest = format!("{number}e-2").parse::<f64>().ok();
            for width in [16, 17, 32, 40] {
                assert_eq!(decimal(&extended(number, width), 2), nearest, "{number} in {width}");
            }
        }
        assert_eq!(decimal(&[0xff, 0x7f], 0), Some(-129.0));
        // 2^255 - 1 and -2^255.
        let mut widest = [0xff; 32];
        widest[0] = 0x7f;
        assert_eq!(decimal(&widest, 0), Some(255f64.exp2()));
        let mut lowest = [0; 32];
        lowest[0] = 0x80;
        assert_eq!(decimal(&lowest, 0), Some(-255f64.exp2()));
        assert_eq!(decimal(&[], 0), None);
        assert_eq!(decimal(&[1; 33], 0), None);
    }
}
