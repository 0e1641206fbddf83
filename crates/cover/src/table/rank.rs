//! From values to ranks.

use pellucid_bits::as_u32;
use pellucid_data::{MISSING, Values};
use pellucid_program::Domain;
use rustc_hash::FxHashMap;

/// A column's domain and the rank of every row, [`MISSING`] where there is no value.
pub(super) struct Ranked {
    pub(super) domain: Domain,
    pub(super) ranks: Vec<u32>,
}

/// Ranks a column; the error says what is wrong with its codes.
pub(super) fn rank(values: Values) -> Result<Ranked, String> {
    match values {
        Values::Numeric(values) => {
            let (distinct, ranks) = rank_numbers(&values);
            Ok(Ranked { domain: Domain::Numeric(distinct), ranks })
        }
        Values::Nominal { codes, categories } => {
            check_codes(&codes, categories.len())?;
            Ok(Ranked { domain: Domain::Nominal(categories), ranks: codes })
        }
        Values::Boolean(values) => {
            let ranks = values.iter().map(|value| value.map_or(MISSING, u32::from)).collect();
            Ok(Ranked { domain: Domain::Boolean, ranks })
        }
    }
}

/// Checks that every code is missing or names a category.
fn check_codes(codes: &[u32], categories: usize) -> Result<(), String> {
    let is_wrong = |&code: &u32| code != MISSING && code as usize >= categories;
    let Some(row) = codes.iter().position(is_wrong) else { return Ok(()) };
    let found = format!("row {row}: found code {}", codes[row]);
    Err(match categories.checked_sub(1) {
        Some(last) => format!("{found}; expected 0 to {last} or missing"),
        None => format!("{found}; expected missing, as the column has no categories"),
    })
}

/// Ranks a column by the values of another that has all of its own; the error says which one it lacks.
pub(super) fn rank_within(values: &Values, domain: &Domain) -> Result<Ranked, String> {
    let unknown = |value: &dyn std::fmt::Display| Err(format!("{value} is not among the values"));
    let ranks = match (values, domain) {
        (Values::Numeric(numbers), Domain::Numeric(known)) => {
            let rank = |&number: &f64| {
                if number.is_nan() {
                    return Ok(MISSING);
                }
                let place = known.partition_point(|&other| key(other) < key(number));
                match known.get(place) {
                    Some(&other) if key(other) == key(number) => Ok(as_u32(place)),
                    _ => unknown(&number),
                }
            };
            numbers.iter().map(rank).collect::<Result<_, String>>()?
        }
        (Values::Nominal { codes, categories }, Domain::Nominal(known)) => {
            check_codes(codes, categories.len())?;
            let mut place_of: FxHashMap<&str, usize> = FxHashMap::default();
            for (place, text) in known.iter().enumerate() {
                place_of.entry(text).or_insert(place);
            }
            let place = |text: &String| place_of.get(text.as_str()).copied();
            let places: Vec<Option<usize>> = categories.iter().map(place).collect();
            let rank = |&code: &u32| match places.get(code as usize) {
                None => Ok(MISSING),
                Some(Some(place)) => Ok(as_u32(*place)),
                Some(None) => unknown(&categories[code as usize]),
            };
            codes.iter().map(rank).collect::<Result<_, String>>()?
        }
        (Values::Boolean(_), Domain::Boolean) => return rank(values.clone()),
        _ => return Err("it is of another kind than in the whole table".to_owned()),
    };
    Ok(Ranked { domain: domain.clone(), ranks })
}

/// The distinct numbers of a column, ascending, and for every row the place of its own among them,
/// [`MISSING`] where there is none. The two zeros are one number.
#[must_use]
pub fn rank_numbers(values: &[f64]) -> (Vec<f64>, Vec<u32>) {
    let distinct = distinct_keys(values);
    // To sort rows along with their values was measured to take three times as long as to look places up.
    let places = Places::new(&distinct);
    let rank = |&value: &f64| if value.is_nan() { MISSING } else { places.of(key(value)) };
    let ranks = values.iter().map(rank).collect();
    (distinct.into_iter().map(value_of).collect(), ranks)
}

/// So many keys are sorted at a time, at least.
const SORTED: usize = 1 << 15;
/// They are sorted out when there are so many times as many as distinct ones.
const REPEATED: usize = 8;

/// The distinct keys of numbers, ascending. Keys are sorted out now and then, so that a column of few values
/// takes no memory to speak of, however many rows it has.
fn distinct_keys(values: &[f64]) -> Vec<u64> {
    let mut keys: Vec<u64> = Vec::new();
    let mut most = SORTED;
    for &value in values.iter().filter(|value| !value.is_nan()) {
        if keys.len() == most {
            keys.sort_unstable();
            keys.dedup();
            most = SORTED.max(REPEATED * keys.len());
        }
        keys.push(key(value));
    }
    keys.sort_unstable();
    keys.dedup();
    // The numbers are made in the same place, and stay as long as the table.
    keys.shrink_to_fit();
    keys
}

/// Finds places among sorted keys: their leading bits say between which two to look.
struct Places<'a> {
    keys: &'a [u64],
    lowest: u64,
    /// How many bits a key is shifted by to say where to look.
    shift: u32,
    /// By leading bits where their keys begin, and last where they end.
    starts: Vec<u32>,
}

impl<'a> Places<'a> {
    fn new(keys: &'a [u64]) -> Places<'a> {
        let (lowest, highest) =
            (keys.first().copied().unwrap_or(0), keys.last().copied().unwrap_or(0));
        let wide = u64::BITS - (highest - lowest).leading_zeros();
        // About as many stretches as there are keys.
        let shift = wide.saturating_sub(usize::BITS - keys.len().leading_zeros());
        let lead = |key: u64| lead(key - lowest, shift);
        let mut starts = vec![0; lead(highest) + 2];
        keys.iter().for_each(|&key| starts[lead(key) + 1] += 1);
        let mut end = 0;
        for start in &mut starts {
            end += *start;
            *start = end;
        }
        Places { keys, lowest, shift, starts }
    }

    /// The place of a key that is there.
    #[inline]
    fn of(&self, key: u64) -> u32 {
        let lead = lead(key - self.lowest, self.shift);
        let (start, end) = (self.starts[lead], self.starts[lead + 1]);
        let near = &self.keys[start as usize..end as usize];
        start + as_u32(near.partition_point(|&other| other < key))
    }
}

/// The leading bits of how far a key is from the lowest.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "less than twice the number of keys")]
fn lead(far: u64, shift: u32) -> usize {
    (far >> shift) as usize
}

/// An integer that orders as the number does: both zeros are one key, negative numbers count down from the
/// middle.
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
            1 => prop::sample::select(vec![0.0, -0.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MIN_POSITIVE / 2.0]),
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
        assert_eq!(within(&[0], &["c"]), Err("c is not among the values".to_owned()));
    }

    /// Comparing every category with every other one would take minutes.
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
            (0..5 * SORTED).map(|row| (row * 7 % (2 * SORTED + 6)) as f64).collect();
        let distinct: Vec<f64> = (0..2 * SORTED + 6).map(|value| value as f64).collect();
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
