//! Drops instances that repeat another instance of the same bag, which does not change the meaning
//! of the bag.

use crate::source::error::counted;
use std::collections::HashSet;

use pellucid_data::Dataset;
use pellucid_data::Values;

/// Drops every row that repeats an earlier row of its bag, and notes how many there were.
pub(crate) fn drop_repeats(data: &mut Dataset) {
    let Some(bags) = &data.bags else {
        data.notes.push("kept repeated rows, because there are no bags".into());
        return;
    };
    let mut seen = HashSet::new();
    let keep: Vec<bool> = (0..data.rows)
        .map(|row| seen.insert((bags.of_row[row], fingerprint(&data.columns, row))))
        .collect();
    let kept = seen.len();
    if kept == data.rows {
        return;
    }
    data.notes.push(
        format!(
            "dropped {} that repeat another row of their bag",
            counted(data.rows - kept, "row")
        )
        .into(),
    );
    for column in &mut data.columns {
        match &mut column.values {
            Values::Numeric(values) => retain(values.to_mut(), &keep),
            Values::Nominal { codes, .. } => retain(codes, &keep),
            Values::Boolean(values) => retain(values, &keep),
        }
    }
    if let Some(bags) = &mut data.bags {
        retain(&mut bags.of_row, &keep);
    }
    if let Some(ids) = &mut data.origin.ids {
        retain(&mut ids.of_row, &keep);
    }
    if !data.origin.lines.is_empty() {
        retain(&mut data.origin.lines, &keep);
    }
    data.rows = kept;
}

fn retain<T>(values: &mut Vec<T>, keep: &[bool]) {
    let mut keep = keep.iter();
    values.retain(|_| keep.next().is_some_and(|&keep| keep));
}

/// Returns the values of a row as integers that are equal exactly if the values are. Both zeros are
/// one value, and so are all missing values.
fn fingerprint(columns: &[pellucid_data::Column], row: usize) -> Vec<u64> {
    let value = |values: &Values| match values {
        Values::Numeric(values) if values[row].is_nan() => u64::MAX,
        Values::Numeric(values) => (values[row] + 0.0).to_bits(),
        Values::Nominal { codes, .. } => u64::from(codes[row]),
        Values::Boolean(values) => values[row].map_or(2, u64::from),
    };
    columns.iter().map(|column| value(&column.values)).collect()
}
