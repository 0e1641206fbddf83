//! Individuals that are listed with the parts of an expression that they are instances of.

use super::LabeledIndividuals;
use crate::learn::Individuals;
use pellucid_bits::Bits;
use serde::Serialize;

/// The most individuals that are listed with all parts that they are instances of.
const MOST_LISTED: usize = 2000;

/// The individuals that are listed: the positive examples, the negative ones, then others, at most
/// `MOST_LISTED`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ListedIndividuals {
    /// Their names.
    pub names: Vec<String>,
    /// A letter for each: `+` for positive examples, `-` for negative ones, `.` for others.
    pub labels: String,
    /// The number of individuals in the knowledge base.
    pub all: usize,
    #[serde(skip)]
    places: Vec<u32>,
}

impl ListedIndividuals {
    pub(super) fn new(data: &Individuals, labels: &LabeledIndividuals) -> ListedIndividuals {
        let mut places: Vec<u32> = (0u32..).take(labels.0.len()).collect();
        places.sort_by_key(|&one| labels.0[one as usize]);
        places.truncate(MOST_LISTED);
        let letter = |&one: &u32| ['+', '-', '.'][usize::from(labels.0[one as usize].min(2))];
        ListedIndividuals {
            names: places.iter().map(|&one| data.kb.show_individual(one).to_owned()).collect(),
            labels: places.iter().map(letter).collect(),
            all: labels.0.len(),
            places,
        }
    }

    /// Returns which of them are instances, as hexadecimal digits.
    pub(super) fn members(&self, extent: &Bits) -> String {
        let bit = |&one: &u32| u32::from(extent.get(one as usize));
        let digit = |four: &[u32]| four.iter().rev().fold(0, |digit, one| 2 * digit + bit(one));
        let digits = self.places.chunks(4).map(digit);
        digits.filter_map(|digit| char::from_digit(digit, 16)).collect()
    }
}
