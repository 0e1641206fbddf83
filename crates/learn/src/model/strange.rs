//! Values that a model has never been shown: it still answers, but nobody has seen whether it is right there.

use super::{Column, ColumnKind, Schema};
use pellucid_data::{Dataset, Values};
use std::collections::HashSet;
use std::fmt;

/// How many are told.
const TOLD: usize = 3;

/// The values of a column of some data that a model has never been shown.
#[derive(Clone, Debug, PartialEq)]
pub struct Strange {
    /// The column.
    pub column: String,
    /// How many rows have such a value.
    pub rows: usize,
    /// The first of them: the value, and where it stands.
    pub first: Vec<(String, String)>,
    /// The least and the greatest that were seen, as they are shown; nothing for words.
    pub seen: Option<(String, String)>,
}

impl fmt::Display for Strange {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = if self.rows == 1 { "row has" } else { "rows have" };
        write!(out, "column '{}': {} {rows} ", self.column, self.rows)?;
        match &self.seen {
            Some((low, high)) => write!(
                out,
                "a value outside of {low} to {high}, which the model was learned from: "
            )?,
            None => write!(out, "a word that the model has never seen: ")?,
        }
        let told: Vec<String> =
            self.first.iter().map(|(value, place)| format!("'{value}' ({place})")).collect();
        out.write_str(&told.join(", "))?;
        if self.rows > told.len() {
            write!(out, " and {} more", self.rows - told.len())
        } else {
            Ok(())
        }
    }
}

impl Schema {
    /// The values of some data that the model was never shown, column by column. Data that does not fit the model in other ways
    /// is none of this one's business.
    #[must_use]
    pub fn strange(&self, data: &Dataset) -> Vec<Strange> {
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
            rows.truncate(TOLD);
            let shown =
                |row: &usize| (self.shown(&found.values, &known.name, *row), place(data, *row));
            let seen = known
                .range
                .map(|(low, high)| (self.number(&known.name, low), self.number(&known.name, high)));
            let first = rows.iter().map(shown).collect();
            let told = Strange { column: known.name.clone(), rows: count, first, seen };
            (count > 0).then_some(told)
        };
        self.columns.iter().filter_map(column).collect()
    }

    fn shown(&self, values: &Values, column: &str, row: usize) -> String {
        match values {
            Values::Numeric(numbers) => self.number(column, numbers[row]),
            Values::Nominal { codes, categories } => {
                categories.get(codes[row] as usize).cloned().unwrap_or_default()
            }
            Values::Boolean(_) => String::new(),
        }
    }

    /// A number of a column as a person writes it.
    fn number(&self, column: &str, number: f64) -> String {
        self.reading.date(column).map_or_else(|| number.to_string(), |format| format.show(number))
    }
}

fn outside(numbers: &[f64], (low, high): (f64, f64)) -> Vec<usize> {
    // A comparison with NaN is false, so missing values lie nowhere.
    (0..numbers.len()).filter(|&row| numbers[row] < low || numbers[row] > high).collect()
}

fn unknown(codes: &[u32], categories: &[String], known: &[String]) -> Vec<usize> {
    let known: HashSet<&String> = known.iter().collect();
    let strange: Vec<bool> = categories.iter().map(|word| !known.contains(word)).collect();
    let is_strange = |code: u32| strange.get(code as usize).copied().unwrap_or(false);
    (0..codes.len()).filter(|&row| is_strange(codes[row])).collect()
}

fn place(data: &Dataset, row: usize) -> String {
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
    fn what_was_never_shown_is_told_with_its_place() {
        let seen =
            [numbers(&[18.0, 65.0, f64::NAN, 40.0]), words(&[0, 1, 0, MISSING], &["red", "blue"])];
        let schema =
            Schema { columns: seen.iter().map(Column::seen).collect(), ..Schema::default() };
        let mut data = Dataset { columns: seen.to_vec(), rows: 4, ..Dataset::default() };
        assert_eq!(schema.strange(&data), []);
        data.columns = vec![
            words(&[1, 0, 0, MISSING], &["pink", "red"]),
            numbers(&[70.0, f64::NAN, 17.5, 65.0]),
        ];
        data.origin.lines = vec![2, 3, 4, 5];
        let told: Vec<String> = schema.strange(&data).iter().map(ToString::to_string).collect();
        assert_eq!(
            told,
            [
                "column 'age': 2 rows have a value outside of 18 to 65, which the model was learned from: '70' (line 2), '17.5' (line 4)",
                "column 'colour': 2 rows have a word that the model has never seen: 'pink' (line 3), 'pink' (line 4)"
            ]
        );
    }
}
