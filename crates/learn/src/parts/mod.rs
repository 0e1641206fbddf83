//! Distributed rows: what learners need to query the parts of a table on other workers.
//!
//! Queries are sent as [bytes](to_bytes) and answers are words. Counts are [summed](sum); sums of
//! integers do not depend on the order, so the result does not depend on how the rows are split.
//! Other answers are [packed](pack) and concatenated. All workers use the class and category codes of the
//! whole table ([`classes_of`], [`in_categories_of`]).

mod contract;

pub use contract::{
    FitParts, FitPartsProcedure, HeadNumbers, Part, Parts, PreparePart, Request, SendRequest,
};

use crate::model::Schema;
use pellucid_data::{ClassTarget, Dataset, MISSING, Values};
use pellucid_device::DeviceError;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::HashMap;

/// Returns the sum of answers of equal length.
///
/// # Errors
/// If there are none, or their lengths differ.
pub fn sum(answers: &[Vec<u64>]) -> Result<Vec<u64>, DeviceError> {
    let uneven = || failure("the answers of parts differ in length");
    let (first, others) = answers.split_first().ok_or_else(uneven)?;
    let mut sum = first.clone();
    for answer in others {
        if answer.len() != sum.len() {
            return Err(uneven());
        }
        sum.iter_mut().zip(answer).for_each(|(sum, own)| *sum = sum.wrapping_add(*own));
    }
    Ok(sum)
}

/// Serializes a query or a plan for another process of the same version.
///
/// # Errors
/// If memory runs out.
pub fn to_bytes(value: &impl Serialize) -> Result<Vec<u8>, DeviceError> {
    postcard::to_stdvec(value).map_err(|error| failure(error.to_string()))
}

/// Deserializes a query or a plan.
///
/// # Errors
/// If the bytes are invalid.
pub fn from_bytes<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, DeviceError> {
    postcard::from_bytes(bytes).map_err(|_| invalid_query())
}

/// Packs numbers into words, each in as many bytes as the largest needs (1, 2 or 4). The first two
/// words are the count and the bytes per number.
#[must_use]
pub fn pack(numbers: &[u32]) -> Vec<u64> {
    let bytes = match numbers.iter().max() {
        None | Some(..=0xff) => 1,
        Some(..=0xffff) => 2,
        Some(_) => 4,
    };
    let word = |own: &[u32]| {
        own.iter().rev().fold(0, |word, &number| (word << (8 * bytes)) | u64::from(number))
    };
    let words = numbers.chunks(8 / bytes).map(word);
    [numbers.len() as u64, bytes as u64].into_iter().chain(words).collect()
}

/// Returns the numbers of [packed](pack) words; `None` if the words are invalid.
#[must_use]
pub fn unpack(words: &[u64]) -> Option<Vec<u32>> {
    let [count, bytes, words @ ..] = words else { return None };
    let count = usize::try_from(*count).ok()?;
    let (bytes, most) = match bytes {
        1 => (1, 0xff),
        2 => (2, 0xffff),
        4 => (4, u64::from(u32::MAX)),
        _ => return None,
    };
    if words.len() != count.div_ceil(8 / bytes) {
        return None;
    }
    let mut numbers = Vec::with_capacity(8 / bytes * words.len());
    for word in words {
        #[expect(clippy::cast_possible_truncation, reason = "at most 32 bits are left")]
        numbers.extend((0..8 / bytes).map(|place| ((word >> (8 * bytes * place)) & most) as u32));
    }
    numbers.truncate(count);
    Some(numbers)
}

/// Returns an error of a part.
pub fn failure(reason: impl Into<String>) -> DeviceError {
    DeviceError::new("parts", reason)
}

/// Returns the error for an invalid query.
#[must_use]
pub fn invalid_query() -> DeviceError {
    failure("invalid query")
}

/// Returns the error for an unexpected answer.
#[must_use]
pub fn invalid_answer() -> DeviceError {
    failure("invalid answer of a worker")
}

/// Returns the labels of a part with the class codes of the whole table.
///
/// # Errors
/// If there is no target, or a class is unknown.
pub fn classes_of(schema: &Schema, data: &Dataset) -> Result<ClassTarget, DeviceError> {
    let unfit = |problem: String| failure(format!("{}: {problem}", data.name));
    let target = data.target.as_ref();
    let target = target.ok_or_else(|| unfit("the data has no target column".to_owned()))?;
    let place = |class: &String| {
        let place = schema.classes.iter().position(|other| other == class);
        let unknown = || unfit(format!("unknown class '{class}'"));
        place.and_then(|place| u32::try_from(place).ok()).ok_or_else(unknown)
    };
    let places = target.classes.iter().map(place).collect::<Result<Vec<u32>, _>>()?;
    Ok(ClassTarget {
        name: target.name.clone(),
        classes: schema.classes.clone(),
        codes: target.codes.iter().map(|&code| places[code as usize]).collect(),
    })
}

/// Recodes columns with the category codes of the whole table. A part has only some of the categories,
/// in another order.
pub fn in_categories_of(schema: &Schema, data: &mut Dataset) {
    for (column, known) in data.columns.iter_mut().zip(&schema.columns) {
        if let Values::Nominal { codes, categories } = &mut column.values {
            let places: HashMap<&String, u32> = known.categories.iter().zip(0_u32..).collect();
            let place = |category: &String| places.get(category).copied().unwrap_or(MISSING);
            let places: Vec<u32> = categories.iter().map(place).collect();
            let recode = |code: &u32| places.get(*code as usize).copied().unwrap_or(MISSING);
            *codes = codes.iter().map(recode).collect();
            categories.clone_from(&known.categories);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn packed_numbers_round_trip(
            numbers in prop::collection::vec(any::<u32>(), 0..19),
            bits in prop::sample::select(vec![0, 1, 8, 9, 16, 17, 32]),
        ) {
            let mask = u32::MAX.checked_shr(32 - bits).unwrap_or(0);
            let numbers: Vec<u32> = numbers.iter().map(|number| number & mask).collect();
            prop_assert_eq!(unpack(&pack(&numbers)), Some(numbers));
        }

        #[test]
        fn invalid_words_do_not_panic(words in prop::collection::vec(0u64..9, 0..9)) {
            if let Some(numbers) = unpack(&words) {
                prop_assert_eq!(numbers.len() as u64, words[0]);
            }
        }
    }
}
