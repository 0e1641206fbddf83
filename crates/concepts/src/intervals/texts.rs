//! The texts of all conditions of a table, encoded once: writing a pattern then only copies.

use super::table::{Domain, IntervalTable, Place};

/// How conditions are encoded in a format.
pub(super) trait ConditionFormat {
    /// What stands between two conditions.
    const BETWEEN: &'static [u8];
    /// What stands between the bounds of an interval.
    const MIDDLE: &'static [u8];

    /// What stands before the bounds of an interval.
    fn interval(column: &str) -> String;
    /// What stands before an interval with a single number, which is then written once. Nothing if
    /// there is no shorter form.
    fn point(column: &str) -> Option<String>;
    fn number(number: f64) -> String;
    /// The whole condition for a category.
    fn category(column: &str, category: &str) -> String;
}

/// The encoded conditions of all columns.
pub(super) struct ConditionTexts {
    columns: Vec<ColumnTexts>,
    between: &'static [u8],
    middle: &'static [u8],
}

enum ColumnTexts {
    Numbers { interval: Box<[u8]>, point: Option<Box<[u8]>>, uppers: Texts, lowers: Texts },
    Categories(Texts),
}

impl ConditionTexts {
    pub(super) fn new<F: ConditionFormat>(table: &IntervalTable) -> ConditionTexts {
        let column = |(name, domain): (&str, &Domain)| match domain {
            Domain::Numbers([uppers, lowers]) => ColumnTexts::Numbers {
                interval: F::interval(name).into_bytes().into(),
                point: F::point(name).map(|point| point.into_bytes().into()),
                uppers: uppers.iter().map(|&upper| F::number(upper)).collect(),
                lowers: lowers.iter().map(|&lower| F::number(lower)).collect(),
            },
            Domain::Categories(categories) => {
                let text = |category: &String| F::category(name, category);
                ColumnTexts::Categories(categories.iter().map(text).collect())
            }
        };
        let columns = table.domains().map(column).collect();
        ConditionTexts { columns, between: F::BETWEEN, middle: F::MIDDLE }
    }

    /// Appends the condition of a column; `is_first` if no other stands before it.
    pub(super) fn push(&self, column: usize, place: Place, is_first: bool, line: &mut Vec<u8>) {
        if !is_first {
            line.extend_from_slice(self.between);
        }
        match (&self.columns[column], place) {
            (
                ColumnTexts::Numbers { interval, point, uppers, lowers },
                Place::Interval { lower, upper, is_point },
            ) => match point {
                Some(point) if is_point => {
                    line.extend_from_slice(point);
                    line.extend_from_slice(lowers.get(lower));
                }
                _ => {
                    line.extend_from_slice(interval);
                    line.extend_from_slice(lowers.get(lower));
                    line.extend_from_slice(self.middle);
                    line.extend_from_slice(uppers.get(upper));
                    line.push(b']');
                }
            },
            (ColumnTexts::Categories(texts), Place::Category(category)) => {
                line.extend_from_slice(texts.get(category));
            }
            _ => unreachable!("a column keeps its type"),
        }
    }
}

/// Many texts, one after another.
#[derive(Default)]
struct Texts {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Texts {
    fn get(&self, index: usize) -> &[u8] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.bytes[start..self.ends[index]]
    }
}

impl FromIterator<String> for Texts {
    fn from_iter<I: IntoIterator<Item = String>>(texts: I) -> Texts {
        texts.into_iter().fold(Texts::default(), |mut all, text| {
            all.bytes.extend_from_slice(text.as_bytes());
            all.ends.push(all.bytes.len());
            all
        })
    }
}
