//! Date columns of data frames and Parquet files: numbers that are shown as dates.

use crate::columns::parsed::ParsedColumn;
use crate::columns::roles::AssignedRole;
use pellucid_data::Values;

const DAY: f64 = 86_400.0;

/// The unit that the numbers of a date column count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DateUnit {
    /// Days since 1970.
    Days,
    /// Seconds since 1970.
    Seconds,
}

/// Makes a feature a date column, in the format that the caller gave or else in the shortest one
/// that shows every value exactly.
pub(crate) fn date(parsed: &mut ParsedColumn, counted: DateUnit) {
    let is_feature = matches!(parsed.role, AssignedRole::Feature | AssignedRole::Date);
    let Values::Numeric(numbers) = &mut parsed.column.values else { return };
    if !is_feature {
        return;
    }
    let are_days = counted == DateUnit::Days;
    let all = |unit: f64| {
        numbers.iter().filter(|number| !number.is_nan()).all(|number| number % unit == 0.0)
    };
    let pattern = match () {
        () if are_days || all(DAY) => "%Y-%m-%d",
        () if all(1.0) => "%Y-%m-%d %H:%M:%S",
        () => "%Y-%m-%d %H:%M:%S.%f",
    };
    let Some(format) = parsed.date.take().or_else(|| pattern.parse().ok()) else { return };
    match (are_days, format.has_time()) {
        (true, true) => numbers.to_mut().iter_mut().for_each(|number| *number *= DAY),
        (false, false) => {
            numbers.to_mut().iter_mut().for_each(|number| *number = (*number / DAY).floor());
        }
        _ => {}
    }
    parsed.date = Some(format);
}
