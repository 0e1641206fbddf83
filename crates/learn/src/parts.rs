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

/// Numbers of 32 bits two in a word, after how many there are.
pub fn packed(numbers: impl ExactSizeIterator<Item = u32>) -> Vec<u64> {
    let mut words = vec![numbers.len() as u64];
    words.reserve(numbers.len().div_ceil(2));
    for (place, number) in numbers.enumerate() {
        match words.last_mut() {
            Some(last) if place % 2 == 1 => *last |= u64::from(number) << 32,
            _ => words.push(u64::from(number)),
        }
    }
    words
}

/// The numbers of [`packed`] words; nothing where they are none.
#[must_use]
pub fn unpacked(words: &[u64]) -> Option<Vec<u32>> {
    let (&count, words) = words.split_first()?;
    let count = usize::try_from(count).ok()?;
    let half = |place: usize| (words[place / 2] >> (32 * (place % 2))) & u64::from(u32::MAX);
    let number = |place: usize| u32::try_from(half(place)).ok();
    (words.len() == count.div_ceil(2)).then(|| (0..count).map_while(number).collect())
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
        fn packed_numbers_come_back(numbers in prop::collection::vec(any::<u32>(), 0..9)) {
            prop_assert_eq!(unpacked(&packed(numbers.iter().copied())), Some(numbers));
        }

        #[test]
        fn any_words_are_taken(words in prop::collection::vec(0u64..9, 0..9)) {
            if let Some(numbers) = unpacked(&words) {
                prop_assert_eq!(numbers.len() as u64, words[0]);
            }
        }
    }
}
