//! Converts values to ranks.

use pellucid_bits::as_u32;
use pellucid_data::{MISSING, Values};
use pellucid_program::Domain;
use rustc_hash::FxHashMap;

/// The domain of a column and the rank of every row, [`MISSING`] for missing values.
pub(super) struct RankedColumn {
    pub(super) domain: Domain,
    pub(super) ranks: Vec<u32>,
}

/// Ranks a column. The error describes an invalid code.
pub(super) fn rank(values: Values) -> Result<RankedColumn, String> {
    match values {
        Values::Numeric(values) => {
            let (distinct, ranks) = rank_numbers(&values);
            Ok(RankedColumn { domain: Domain::Numeric(distinct), ranks })
        }
        Values::Nominal { codes, categories } => {
            check_codes(&codes, categories.len())?;
            Ok(RankedColumn { domain: Domain::Nominal(categories), ranks: codes })
        }
        Values::Boolean(values) => {
            let ranks = values.iter().map(|value| value.map_or(MISSING, u32::from)).collect();
            Ok(RankedColumn { domain: Domain::Boolean, ranks })
        }
    }
}

/// Checks that every code is missing or belongs to a category.
fn check_codes(codes: &[u32], categories: usize) -> Result<(), String> {
    let is_wrong = |&code: &u32| code != MISSING && code as usize >= categories;
    let Some(row) = codes.iter().position(is_wrong) else { return Ok(()) };
    let found = format!("row {row}: found code {}", codes[row]);
    Err(match categories.checked_sub(1) {
        Some(last) => format!("{found}; expected 0 to {last} or missing"),
        None => format!("{found}; expected missing, as the column has no categories"),
    })
}

/// Ranks a column by the values of another column, which must contain all of its values. The error
/// names a value that is not there.
pub(super) fn rank_within(values: &Values, domain: &Domain) -> Result<RankedColumn, String> {
    let unknown =
        |value: &dyn std::fmt::Display| Err(format!("the whole table has no value {value}"));
    let ranks = match (values, domain) {
        (Values::Numeric(numbers), Domain::Numeric(known)) => {
            let rank = |&number: &f64| {
                if number.is_nan() {
                    return Ok(MISSING);
                }
                let position = known.partition_point(|&other| key(other) < key(number));
                match known.get(position) {
                    Some(&other) if key(other) == key(number) => Ok(as_u32(position)),
                    _ => unknown(&number),
                }
            };
            numbers.iter().map(rank).collect::<Result<_, String>>()?
        }
        (Values::Nominal { codes, categories }, Domain::Nominal(known)) => {
            check_codes(codes, categories.len())?;
            let mut rank_of: FxHashMap<&str, usize> = FxHashMap::default();
            for (rank, text) in known.iter().enumerate() {
                rank_of.entry(text).or_insert(rank);
            }
            let find = |text: &String| rank_of.get(text.as_str()).copied();
            let ranks: Vec<Option<usize>> = categories.iter().map(find).collect();
            let rank = |&code: &u32| match ranks.get(code as usize) {
                None => Ok(MISSING),
                Some(Some(rank)) => Ok(as_u32(*rank)),
                Some(None) => unknown(&categories[code as usize]),
            };
            codes.iter().map(rank).collect::<Result<_, String>>()?
        }
        (Values::Boolean(_), Domain::Boolean) => return rank(values.clone()),
        _ => return Err("its type differs from the column in the whole table".to_owned()),
    };
    Ok(RankedColumn { domain: domain.clone(), ranks })
}

/// Returns the distinct numbers of a column in ascending order, and for every row the index of its
/// number, [`MISSING`] for NaN. Both zeros are the same number.
#[must_use]
pub fn rank_numbers(values: &[f64]) -> (Vec<f64>, Vec<u32>) {
    let distinct = distinct_keys(values);
    // Looking ranks up is three times as fast as sorting rows along with their values (measured).
    let index = KeyIndex::new(&distinct);
    let rank = |&value: &f64| if value.is_nan() { MISSING } else { index.of(key(value)) };
    let ranks = values.iter().map(rank).collect();
    (distinct.into_iter().map(value_of).collect(), ranks)
}

/// The minimum number of keys between two removals of duplicates.
const MIN_BATCH: usize = 1 << 15;
/// Duplicates are removed when the keys exceed the distinct keys by this factor.
const REPEAT_FACTOR: usize = 8;

/// Returns the distinct keys of numbers in ascending order. Duplicates are removed from time to
/// time, so a column of few values takes little memory, however many rows it has.
fn distinct_keys(values: &[f64]) -> Vec<u64> {
    let mut keys: Vec<u64> = Vec::new();
    let mut most = MIN_BATCH;
    for &value in values.iter().filter(|value| !value.is_nan()) {
        if keys.len() == most {
            keys.sort_unstable();
            keys.dedup();
            most = MIN_BATCH.max(REPEAT_FACTOR * keys.len());
        }
        keys.push(key(value));
    }
    keys.sort_unstable();
    keys.dedup();
    // The conversion to numbers reuses this memory, which lives as long as the table.
    keys.shrink_to_fit();
    keys
}

/// Finds the index of a key in a sorted list. The leading bits of a key select the range to search.
struct KeyIndex<'a> {
    keys: &'a [u64],
    lowest: u64,
    /// The number of low bits to drop to get the leading bits.
    shift: u32,
    /// By leading bits: the start of their keys. The last entry is the end.
    starts: Vec<u32>,
}

impl<'a> KeyIndex<'a> {
    fn new(keys: &'a [u64]) -> KeyIndex<'a> {
        let (lowest, highest) =
            (keys.first().copied().unwrap_or(0), keys.last().copied().unwrap_or(0));
        let wide = u64::BITS - (highest - lowest).leading_zeros();
        // About as many ranges as there are keys.
        let shift = wide.saturating_sub(usize::BITS - keys.len().leading_zeros());
        let lead = |key: u64| lead(key - lowest, shift);
        let mut starts = vec![0; lead(highest) + 2];
        keys.iter().for_each(|&key| starts[lead(key) + 1] += 1);
        let mut end = 0;
        for start in &mut starts {
            end += *start;
            *start = end;
        }
        KeyIndex { keys, lowest, shift, starts }
    }

    /// Returns the index of a key, which must be in the list.
    #[inline]
    fn of(&self, key: u64) -> u32 {
        let lead = lead(key - self.lowest, self.shift);
        let (start, end) = (self.starts[lead], self.starts[lead + 1]);
        let near = &self.keys[start as usize..end as usize];
        start + as_u32(near.partition_point(|&other| other < key))
    }
}

/// Returns the leading bits of the distance of a key from the lowest key.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "less than twice the number of keys")]
fn lead(distance: u64, shift: u32) -> usize {
    (distance >> shift) as usize
}

/// Returns an integer with the same order as the number. Both zeros have the same key, and negative
/// numbers count down from the middle.
fn key(value: f64) -> u64 {
    let bits = (value + 0.0).to_bits();
    if bits >> 63 == 1 { !bits } else { bits | 1 << 63 }
}

fn value_of(key: u64) -> f64 {
    f64::from_bits(if key >> 63 == 1 { key & !(1 << 63) } else { !key })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn numbers() -> impl Strategy<Value = f64> {
        prop_oneof![
            4 => (-5i8..5).prop_map(f64::from),
            2 => any::<f64>(),
            1 => prop::sample::select(vec![
                0.0,
                -0.0,
                f64::NAN,
                f64::INFINITY,
                f64::NEG_INFINITY,
                f64::MIN_POSITIVE / 2.0,
            ]),
        ]
    }

    fn nominal(codes: &[u32], categories: &[&str]) -> Values {
        let categories = categories.iter().map(|&text| text.to_owned()).collect();
        Values::Nominal { codes: codes.into(), categories }
    }

    #[test]
    fn codes_without_a_category_are_errors() {
        let domain = Domain::Nominal(vec!["b".to_owned(), "a".to_owned(), "b".to_owned()]);
        let within = |codes: &[u32], categories| {
            rank_within(&nominal(codes, categories), &domain).map(|ranked| ranked.ranks)
        };
        assert_eq!(within(&[1, MISSING, 0], &["a", "b"]), Ok(vec![0, MISSING, 1]));
        let beyond = "row 1: found code 2; expected 0 to 1 or missing".to_owned();
        assert_eq!(within(&[1, 2], &["a", "b"]), Err(beyond.clone()));
        assert_eq!(rank(nominal(&[1, 2], &["a", "b"])).err(), Some(beyond));
        let none = "row 0: found code 0; expected missing, as the column has no categories";
        assert_eq!(within(&[0], &[]), Err(none.to_owned()));
        assert_eq!(within(&[0], &["c"]), Err("the whole table has no value c".to_owned()));
    }

    /// A quadratic search would take minutes.
    #[test]
    fn many_categories_are_looked_up() {
        let count = 200_000;
        let text = |number: u32| format!("category {number}");
        let domain = Domain::Nominal((0..count).map(text).collect());
        let categories = (0..count).rev().map(text).collect();
        let values = Values::Nominal { codes: (0..count).collect(), categories };
        let ranked = rank_within(&values, &domain).expect("the same categories");
        assert!(ranked.ranks.into_iter().eq((0..count).rev()));
    }

    #[test]
    fn distinct_values_of_many_rows() {
        let values: Vec<f64> =
            (0..5 * MIN_BATCH).map(|row| (row * 7 % (2 * MIN_BATCH + 6)) as f64).collect();
        let distinct: Vec<f64> = (0..2 * MIN_BATCH + 6).map(|value| value as f64).collect();
        assert_eq!(rank_numbers(&values).0, distinct);
        let few: Vec<f64> = values.iter().map(|value| value % 10.0).collect();
        assert_eq!(rank_numbers(&few).0, (0..10).map(f64::from).collect::<Vec<_>>());
    }

    proptest! {
        #[test]
        fn ranks_order_as_values_do(values in prop::collection::vec(numbers(), 0..200)) {
            let (distinct, ranks) = rank_numbers(&values);
            prop_assert!(distinct.is_sorted_by(|a, b| a < b));
            prop_assert!(distinct.iter().all(|number| values.contains(number)));
            for (value, &rank) in values.iter().zip(&ranks) {
                if value.is_nan() {
                    prop_assert_eq!(rank, MISSING);
                } else {
                    prop_assert_eq!(distinct[rank as usize], *value);
                }
            }
        }
    }
}
