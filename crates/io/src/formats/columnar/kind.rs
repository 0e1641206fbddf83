//! The type of a Parquet column: one that is supported, or the name of one that is not.

use crate::columns::date_unit::DateUnit;
use parquet::basic::{ConvertedType, LogicalType, Repetition, TimeUnit, Type as Physical};
use parquet::schema::types::{BasicTypeInfo, Type};

/// The supported types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ParquetKind {
    /// Only missing values.
    Null,
    Boolean,
    Signed32,
    Unsigned32,
    Signed64,
    Unsigned64,
    Half,
    Single,
    Double,
    /// Integers or big-endian bytes, divided by ten to this power.
    Decimal(i32),
    /// Days since 1970.
    Days,
    /// Time since 1970, with this number of units per second.
    Timestamp(i64),
    /// Text, declared as such or assumed because the bytes have no annotation.
    Text {
        declared: bool,
    },
}

impl ParquetKind {
    /// Returns the unit of its numbers, if they are dates.
    pub(super) fn counts(self) -> Option<DateUnit> {
        match self {
            Self::Days => Some(DateUnit::Days),
            Self::Timestamp(_) => Some(DateUnit::Seconds),
            _ => None,
        }
    }
}

/// The annotation of a column, logical or converted type.
enum Annotation {
    Plain,
    Null,
    Integer { bits: i8, signed: bool },
    Decimal(i32),
    Half,
    Text,
    Days,
    Timestamp(i64),
    Other(String),
}

/// Returns the kind of a column, or the name of its type if it is not supported.
pub(super) fn of(field: &Type) -> Result<ParquetKind, String> {
    let info = field.get_basic_info();
    let Type::PrimitiveType { physical_type, type_length, scale, .. } = field else {
        return Err(nested(info));
    };
    if info.has_repetition() && info.repetition() == Repetition::REPEATED {
        return Err("List".to_owned());
    }
    let mark = match info.logical_type_ref() {
        Some(logical) => logical_annotation(logical),
        None => converted_annotation(info.converted_type(), *scale),
    };
    match (physical_type, mark) {
        (_, Annotation::Null) => Ok(ParquetKind::Null),
        (Physical::BOOLEAN, _) => Ok(ParquetKind::Boolean),
        (Physical::FLOAT, _) => Ok(ParquetKind::Single),
        (Physical::DOUBLE, _) => Ok(ParquetKind::Double),
        (Physical::INT96, _) => Err("Timestamp(ns)".to_owned()),
        (_, Annotation::Other(name)) => Err(name),
        (_, Annotation::Decimal(scale)) => Ok(ParquetKind::Decimal(scale)),
        (Physical::INT32, Annotation::Days) => Ok(ParquetKind::Days),
        (Physical::INT64, Annotation::Timestamp(unit)) => Ok(ParquetKind::Timestamp(unit)),
        (Physical::INT32, Annotation::Plain) => Ok(ParquetKind::Signed32),
        (Physical::INT64, Annotation::Plain) => Ok(ParquetKind::Signed64),
        (Physical::INT32, Annotation::Integer { bits: 8 | 16 | 32, signed }) => {
            Ok(if signed { ParquetKind::Signed32 } else { ParquetKind::Unsigned32 })
        }
        (Physical::INT64, Annotation::Integer { bits: 64, signed }) => {
            Ok(if signed { ParquetKind::Signed64 } else { ParquetKind::Unsigned64 })
        }
        (Physical::BYTE_ARRAY, Annotation::Text) => Ok(ParquetKind::Text { declared: true }),
        (Physical::BYTE_ARRAY, Annotation::Plain) => Ok(ParquetKind::Text { declared: false }),
        (Physical::FIXED_LEN_BYTE_ARRAY, Annotation::Half) if *type_length == 2 => {
            Ok(ParquetKind::Half)
        }
        (Physical::FIXED_LEN_BYTE_ARRAY, _) => Err(format!("FixedSizeBinary({type_length})")),
        (physical, _) => Err(format!("{physical} with an invalid annotation")),
    }
}

fn nested(info: &BasicTypeInfo) -> String {
    match (info.logical_type_ref(), info.converted_type()) {
        (Some(LogicalType::List), _) | (None, ConvertedType::LIST) => "List",
        (Some(LogicalType::Map), _) | (None, ConvertedType::MAP | ConvertedType::MAP_KEY_VALUE) => {
            "Map"
        }
        _ if info.has_repetition() && info.repetition() == Repetition::REPEATED => "List",
        _ => "Struct",
    }
    .to_owned()
}

fn logical_annotation(logical: &LogicalType) -> Annotation {
    match logical {
        LogicalType::Unknown => Annotation::Null,
        LogicalType::Integer(integer) => {
            Annotation::Integer { bits: integer.bit_width, signed: integer.is_signed }
        }
        LogicalType::Decimal(decimal) => Annotation::Decimal(decimal.scale),
        LogicalType::Float16 => Annotation::Half,
        LogicalType::String | LogicalType::Json | LogicalType::Enum => Annotation::Text,
        LogicalType::Date => Annotation::Days,
        LogicalType::Time(time) => {
            let width = if matches!(time.unit, TimeUnit::MILLIS) { 32 } else { 64 };
            Annotation::Other(format!("Time{width}({})", unit(&time.unit)))
        }
        LogicalType::Timestamp(stamp) => {
            // The time zone does not change the order of values.
            Annotation::Timestamp(match stamp.unit {
                TimeUnit::MILLIS => 1_000,
                TimeUnit::MICROS => 1_000_000,
                TimeUnit::NANOS => 1_000_000_000,
            })
        }
        LogicalType::Uuid => Annotation::Other("FixedSizeBinary(16)".to_owned()),
        _ => Annotation::Other("Binary".to_owned()),
    }
}

fn unit(unit: &TimeUnit) -> &'static str {
    match unit {
        TimeUnit::MILLIS => "ms",
        TimeUnit::MICROS => "µs",
        TimeUnit::NANOS => "ns",
    }
}

fn converted_annotation(converted: ConvertedType, scale: i32) -> Annotation {
    use ConvertedType as C;
    let integer = |bits, signed| Annotation::Integer { bits, signed };
    let other = |name: &str| Annotation::Other(name.to_owned());
    match converted {
        C::NONE => Annotation::Plain,
        C::UTF8 | C::ENUM | C::JSON => Annotation::Text,
        C::DECIMAL => Annotation::Decimal(scale),
        C::INT_8 => integer(8, true),
        C::INT_16 => integer(16, true),
        C::INT_32 => integer(32, true),
        C::INT_64 => integer(64, true),
        C::UINT_8 => integer(8, false),
        C::UINT_16 => integer(16, false),
        C::UINT_32 => integer(32, false),
        C::UINT_64 => integer(64, false),
        C::DATE => Annotation::Days,
        C::TIME_MILLIS => other("Time32(ms)"),
        C::TIME_MICROS => other("Time64(µs)"),
        C::TIMESTAMP_MILLIS => Annotation::Timestamp(1_000),
        C::TIMESTAMP_MICROS => Annotation::Timestamp(1_000_000),
        C::INTERVAL => other("Interval(DayTime)"),
        C::BSON => other("Binary"),
        C::MAP | C::MAP_KEY_VALUE => other("Map"),
        C::LIST => other("List"),
    }
}
