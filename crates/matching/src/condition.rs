//! The tests of a condition.

use serde::{Deserialize, Serialize};

/// One test of a condition: the code of a column is within two bounds, or is one of a set.
///
/// The column decides which of the two applies: for an [ordered](crate::CodeDomain::ordered) column the
/// numbers are the lowest and the highest code allowed; for a [nominal](crate::CodeDomain::nominal) column
/// they are the lower and the upper half of a set of codes. Every test takes twelve bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Test {
    /// The column.
    pub attribute: u32,
    /// The lowest code allowed, or the codes 0 to 31 of a set.
    pub low: u32,
    /// The highest code allowed, or the codes 32 to 63 of a set.
    pub high: u32,
}

impl Test {
    /// Returns the test that the code of an ordered column is between two codes, inclusive.
    #[must_use]
    pub fn between(attribute: u32, low: u32, high: u32) -> Test {
        Test { attribute, low, high }
    }

    /// Returns the test that the code of a nominal column is in a set of up to 64 codes: bit *c* stands for
    /// code *c*.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "splits the word into halves")]
    pub fn one_of(attribute: u32, set: u64) -> Test {
        Test { attribute, low: set as u32, high: (set >> 32) as u32 }
    }

    /// Returns the set of codes of a nominal test.
    #[must_use]
    pub fn set(&self) -> u64 {
        u64::from(self.high) << 32 | u64::from(self.low)
    }
}

/// Returns the tests of a ternary condition packed in words: where `care` has a bit, the code must equal the
/// bit of `value`.
pub fn ternary_tests<'a>(care: &'a [u64], value: &'a [u64]) -> impl Iterator<Item = Test> + 'a {
    pellucid_bits::words::members(care).map(|attribute| {
        let code = u32::from(pellucid_bits::words::contains(value, attribute));
        Test::between(pellucid_bits::as_u32(attribute), code, code)
    })
}
