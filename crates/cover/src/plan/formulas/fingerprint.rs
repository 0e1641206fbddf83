/// The identity of a formula: two independent hashes of its groups and literals.
///
/// Counts are remembered by fingerprint. Storing the formulas themselves would take ten times the
/// memory and twice the time. The probability that any two of a million formulas have the same
/// fingerprint is 1 in 10²⁶.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Fingerprint {
    one: u64,
    other: u64,
}

impl Fingerprint {
    /// Adds a number to the fingerprint.
    #[inline]
    pub(super) fn add(&mut self, number: u64) {
        self.one = mix(self.one, number);
        // The addition makes zeros count too.
        let other = self.other.wrapping_add(0xD1B5_4A32_D192_ED03) ^ number;
        let other = other.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.other = other ^ other >> 32;
    }

    /// Returns a hash whose highest bits depend on all numbers.
    #[inline]
    pub(crate) fn highest_bits(self) -> u64 {
        self.one
    }

    /// Returns a hash that is independent of the other one.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "the lower half")]
    pub(crate) fn tag(self) -> u32 {
        self.other as u32
    }

    /// Returns the fingerprint of some numbers.
    #[cfg(test)]
    pub(crate) fn of(numbers: &[u64]) -> Fingerprint {
        numbers.iter().fold(Fingerprint::default(), |mut print, &number| {
            print.add(number);
            print
        })
    }

    #[cfg(test)]
    pub(crate) fn from_halves(one: u64, other: u64) -> Fingerprint {
        Fingerprint { one, other }
    }
}

/// Adds a number to a hash. The multiplication spreads bits upwards, and the rotation brings them
/// down again.
#[inline]
pub(super) fn mix(hash: u64, number: u64) -> u64 {
    (hash.rotate_left(26) ^ number).wrapping_mul(0xF135_7AEA_2E62_A9C5)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn neighbouring_numbers_differ_in_both_halves() {
        // Like literals: the column in the upper half, the value in the lower half.
        let literal = |number: u64| ((number % 20) << 32) | (number / 20);
        let pairs = (0..600).flat_map(|one| (0..600).map(move |two| [literal(one), literal(two)]));
        let prints: Vec<Fingerprint> = pairs.map(|pair| Fingerprint::of(&pair)).collect();
        let ones: HashSet<u64> = prints.iter().map(|print| print.one).collect();
        let others: HashSet<u64> = prints.iter().map(|print| print.other).collect();
        assert_eq!((ones.len(), others.len()), (prints.len(), prints.len()));
        assert_ne!(Fingerprint::of(&[0, u64::MAX]), Fingerprint::of(&[u64::MAX]));
    }
}
