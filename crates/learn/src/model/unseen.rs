//! Values that do not occur in the training data. The model still predicts, but it has not been tested
//! on such values.

use super::{Column, ColumnKind, Schema};
use pellucid_data::{Dataset, Values};
use std::collections::HashSet;
use std::fmt;

/// The number of values that are listed.
const MOST_LISTED: usize = 3;

/// The values of a column that do not occur in the training data.
#[derive(Clone, Debug, PartialEq)]
pub struct UnseenValues {
    /// The column.
    pub column: String,
    /// The number of rows with such a value.
    pub rows: usize,
    /// The first of them: the value and its position.
    pub first: Vec<(String, String)>,
    /// The minimum and maximum in the training data, as text; `None` for categories.
    pub seen: Option<(String, String)>,
}

impl fmt::Display for UnseenValues {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = if self.rows == 1 { "row has" } else { "rows have" };
        write!(out, "column '{}': {} {rows} ", self.column, self.rows)?;
        match &self.seen {
            Some((low, high)) => {
                write!(out, "a value outside the range of the training data ({low} to {high}): ")?
            }
            None => write!(out, "a value that is not in the training data: ")?,
        }
        let listed: Vec<String> =
            self.first.iter().map(|(value, place)| format!("'{value}' ({place})")).collect();
        out.write_str(&listed.join(", "))?;
        if self.rows > listed.len() {
            write!(out, " and {} more", self.rows - listed.len())
        } else {
            Ok(())
        }
    }
}

impl Schema {
    /// Returns the values of some data that do not occur in the training data, by column. Other
    /// mismatches between data and model are ignored.
    #[must_use]
    pub fn unseen_values(&self, data: &Dataset) -> Vec<UnseenValues> {
        let column = |known: &Column| {
            let found = data.columns.iter().find(|column| column.name == known.name)?;
            let mut rows = match (&found.values, known.kind) {
                (Values::Numeric(numbers), ColumnKind::Numeric) => outside(numbers, known.range?),
                (Values::Nominal { codes, categories }, ColumnKind::Nominal) => {
                    unknown(codes, categories, &known.categories)
                }
                _ => return None,
            };
            let count = rows.len();
            rows.truncate(MOST_LISTED);
            let shown =
                |row: &usize| (self.shown(&found.values, &known.name, *row), position(data, *row));
            let seen = known
                .range
                .map(|(low, high)| (self.number(&known.name, low), self.number(&known.name, high)));
            let first = rows.iter().map(shown).collect();
            let column = known.name.clone();
            (count > 0).then_some(UnseenValues { column, rows: count, first, seen })
        };
        self.columns.iter().filter_map(column).collect()
    }

    /// Returns a value of a column as text.
    fn shown(&self, values: &Values, column: &str, row: usize) -> String {
        match values {
            Values::Numeric(numbers) => self.number(column, numbers[row]),
            Values::Nominal { codes, categories } => {
                categories.get(codes[row] as usize).cloned().unwrap_or_default()
            }
            Values::Boolean(_) => String::new(),
        }
    }

    /// Returns a number of a column as text, in the date format of the column if it has one.
    fn number(&self, column: &str, number: f64) -> String {
        self.reading.date(column).map_or_else(|| number.to_string(), |format| format.show(number))
    }
}

fn outside(numbers: &[f64], (low, high): (f64, f64)) -> Vec<usize> {
    // Comparisons with NaN are false, so missing values are not outside.
    (0..numbers.len()).filter(|&row| numbers[row] < low || numbers[row] > high).collect()
}

fn unknown(codes: &[u32], categories: &[String], known: &[String]) -> Vec<usize> {
    let known: HashSet<&String> = known.iter().collect();
    let is_new: Vec<bool> = categories.iter().map(|word| !known.contains(word)).collect();
    let has_new_code = |code: u32| is_new.get(code as usize).copied().unwrap_or(false);
    (0..codes.len()).filter(|&row| has_new_code(codes[row])).collect()
}

/// Returns the position of a row in its file.
fn position(data: &Dataset, row: usize) -> String {
    match (data.line(row), data.row_id(row)) {
        (Some(line), Some(id)) => format!("line {line}, {id}"),
        (Some(line), None) => format!("line {line}"),
        (None, _) => format!("row {}", row + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pellucid_data::{Column as Read, MISSING};

    fn numbers(values: &[f64]) -> Read {
        Read { name: "age".into(), values: Values::Numeric(values.to_vec().into()) }
    }

    fn words(codes: &[u32], categories: &[&str]) -> Read {
        let categories = categories.iter().map(|&word| word.to_owned()).collect();
        Read {
            name: "colour".into(),
            values: Values::Nominal { codes: codes.to_vec(), categories },
        }
    }

    #[test]
    fn unseen_values_are_listed_with_their_positions() {
        let seen =
            [numbers(&[18.0, 65.0, f64::NAN, 40.0]), words(&[0, 1, 0, MISSING], &["red", "blue"])];
        let schema =
            Schema { columns: seen.iter().map(Column::describe).collect(), ..Schema::default() };
        let mut data = Dataset { columns: seen.to_vec(), rows: 4, ..Dataset::default() };
        assert_eq!(schema.unseen_values(&data), []);
        data.columns = vec![
            words(&[1, 0, 0, MISSING], &["pink", "red"]),
            numbers(&[70.0, f64::NAN, 17.5, 65.0]),
        ];
        data.origin.lines = vec![2, 3, 4, 5];
        let text: Vec<String> =
            schema.unseen_values(&data).iter().map(ToString::to_string).collect();
        assert_eq!(
            text,
            [
                "column 'age': 2 rows have a value outside the range of the training data (18 to 65): \
                 '70' (line 2), '17.5' (line 4)",
                "column 'colour': 2 rows have a value that is not in the training data: 'pink' (line \
                 3), 'pink' (line 4)"
            ]
        );
    }
}
