//! A fixed 64-bit hash for checksums and for identifying the inputs of a run.

use crate::rng::mix;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A 64-bit digest of all added bytes, the same on every machine and in every version.
///
/// It detects accidental differences of data and parameters; it is not cryptographic. Each word is
/// folded in by a bijection, so a change within one word is always detected.
///
/// ```
/// use pellucid_learn::fingerprint::Fingerprint;
///
/// let made_with = Fingerprint::new().with("seed=1").with([0_u8, 1, 2]);
/// assert_ne!(made_with, Fingerprint::new().with("seed=2").with([0_u8, 1, 2]));
/// assert_eq!(made_with.to_string().len(), 16);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Fingerprint(u64);

impl Default for Fingerprint {
    fn default() -> Self {
        Self::new()
    }
}

impl Fingerprint {
    /// Returns the digest of no bytes.
    #[must_use]
    pub const fn new() -> Self {
        Self(0x5045_4C4C_5543_4944)
    }

    /// Returns the digest with these bytes and their number added, so that other portions of the same
    /// bytes give another digest.
    #[must_use]
    pub fn with(self, bytes: impl AsRef<[u8]>) -> Self {
        let bytes = bytes.as_ref();
        let (words, rest) = bytes.as_chunks::<8>();
        let mut state =
            words.iter().fold(self.0, |state, word| fold(state, u64::from_le_bytes(*word)));
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        state = fold(state, u64::from_le_bytes(last));
        Self(fold(state, bytes.len() as u64))
    }

    /// Returns the digest with a number added.
    #[must_use]
    pub fn with_number(self, number: u64) -> Self {
        Self(fold(self.0, number))
    }

    /// Returns the digest as a number.
    #[must_use]
    pub fn value(self) -> u64 {
        self.0
    }
}

/// A bijection of the states for each word, and of the words for each state.
const fn fold(state: u64, word: u64) -> u64 {
    mix((state ^ word).wrapping_add(0x9E37_79B9_7F4A_7C15))
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn digests_are_stable() {
        assert_eq!(Fingerprint::new().with("").to_string(), "e8119237f673286c");
        assert_eq!(
            Fingerprint::new().with("pellucid").with_number(7).to_string(),
            "1c3b621889a145e4"
        );
    }

    proptest! {
        #[test]
        fn every_flipped_bit_is_detected(
            mut bytes in prop::collection::vec(any::<u8>(), 1..100),
            at: prop::sample::Index,
            bit in 0..8,
        ) {
            let before = Fingerprint::new().with(&bytes);
            let at = at.index(bytes.len());
            bytes[at] ^= 1_u8 << bit;
            prop_assert_ne!(before, Fingerprint::new().with(&bytes));
        }

        #[test]
        fn the_length_matters(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
            let mut longer = bytes.clone();
            longer.push(0);
            prop_assert_ne!(Fingerprint::new().with(bytes), Fingerprint::new().with(longer));
        }
    }
}
