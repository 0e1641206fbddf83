//! Rows that lie elsewhere, in parts: what all learners need that ask others about them.
//!
//! Questions go out as [bytes](to_bytes) and answers come back as words. Those that are counts are [added up](sum), and as whole numbers add up to the
//! same in any order, what is learned does not depend on how the rows were dealt; others are [packed] and put one behind the other.
//! Everybody speaks of classes and categories by the codes of the whole ([`classes_of`], [`in_categories_of`]).

use crate::model::Schema;
use pellucid_data::{Dataset, MISSING, Target, Values};
use pellucid_device::DeviceError;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::HashMap;

/// The sum of answers that are equally long.
///
/// # Errors
/// When there are none, or they are not.
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

/// A question or a plan as bytes, for another process of this version.
///
/// # Errors
/// When memory runs out.
pub fn to_bytes(value: &impl Serialize) -> Result<Vec<u8>, DeviceError> {
    postcard::to_stdvec(value).map_err(|error| failure(error.to_string()))
}

/// A question or a plan from its bytes.
///
/// # Errors
/// When they are none.
pub fn from_bytes<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, DeviceError> {
    postcard::from_bytes(bytes).map_err(|_| nonsense())
}

/// Numbers side by side in words, each in as many bytes as the greatest takes (1, 2 or 4), after how many there are and how many bytes that is.
#[must_use]
pub fn packed(numbers: &[u32]) -> Vec<u64> {
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

/// The numbers of [`packed`] words; nothing where they are none.
#[must_use]
pub fn unpacked(words: &[u64]) -> Option<Vec<u32>> {
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

/// Something went wrong with a part.
pub fn failure(reason: impl Into<String>) -> DeviceError {
    DeviceError::new("parts", reason)
}

/// A question that cannot be answered.
#[must_use]
pub fn nonsense() -> DeviceError {
    failure("the question makes no sense")
}

/// An answer to something else.
#[must_use]
pub fn strange() -> DeviceError {
    failure("an answer makes no sense")
}

/// The labels of some data by the codes of the whole's classes.
///
/// # Errors
/// When there are none, or one is not known there.
pub fn classes_of(schema: &Schema, data: &Dataset) -> Result<Target, DeviceError> {
    let unfit = |problem: String| failure(format!("{}: {problem}", data.name));
    let target = data.target.as_ref();
    let target = target.ok_or_else(|| unfit("there is no target column".to_owned()))?;
    let place = |class: &String| {
        let place = schema.classes.iter().position(|other| other == class);
        let unknown = || unfit(format!("class '{class}' is not among those of the whole"));
        place.and_then(|place| u32::try_from(place).ok()).ok_or_else(unknown)
    };
    let places = target.classes.iter().map(place).collect::<Result<Vec<u32>, _>>()?;
    Ok(Target {
        name: target.name.clone(),
        classes: schema.classes.clone(),
        codes: target.codes.iter().map(|&code| places[code as usize]).collect(),
    })
}

/// Says what is in the columns by the codes of the whole's categories: a part meets some of them, in an order of its own.
pub fn in_categories_of(schema: &Schema, data: &mut Dataset) {
    for (column, known) in data.columns.iter_mut().zip(&schema.columns) {
        if let Values::Nominal { codes, categories } = &mut column.values {
            let places: HashMap<&String, u32> = known.categories.iter().zip(0_u32..).collect();
            let place = |category: &String| places.get(category).copied().unwrap_or(MISSING);
            let places: Vec<u32> = categories.iter().map(place).collect();
            let said = |code: &u32| places.get(*code as usize).copied().unwrap_or(MISSING);
            *codes = codes.iter().map(said).collect();
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
        fn packed_numbers_come_back(
            numbers in prop::collection::vec(any::<u32>(), 0..19),
            bits in prop::sample::select(vec![0, 1, 8, 9, 16, 17, 32]),
        ) {
            let numbers: Vec<u32> =
                numbers.iter().map(|number| number & (u32::MAX.checked_shr(32 - bits).unwrap_or(0))).collect();
            prop_assert_eq!(unpacked(&packed(&numbers)), Some(numbers));
        }

        #[test]
        fn any_words_are_taken(words in prop::collection::vec(0u64..9, 0..9)) {
            if let Some(numbers) = unpacked(&words) {
                prop_assert_eq!(numbers.len() as u64, words[0]);
            }
        }
    }
}
