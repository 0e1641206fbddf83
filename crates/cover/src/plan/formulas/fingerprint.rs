/// What a formula is known by: two hashes of its groups and literals that are made in different ways.
///
/// Counts are remembered by it. Formulas themselves would take ten times the memory and twice the time, and
/// that any two of a million formulas are taken for the same has a chance of one in 10²⁶.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Fingerprint {
    one: u64,
    other: u64,
}

impl Fingerprint {
    /// Goes on with a number.
    #[inline]
    pub(super) fn add(&mut self, number: u64) {
        self.one = mixed(self.one, number);
        // Added first, so that zeros count too.
        let other = self.other.wrapping_add(0xD1B5_4A32_D192_ED03) ^ number;
        let other = other.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.other = other ^ other >> 32;
    }

    /// A number by which to look it up.
    #[inline]
    pub(crate) fn hash(self) -> u64 {
        self.one
    }
}

/// Goes on with a hash; the multiplication spreads upwards, the rotation brings it down again.
#[inline]
pub(super) fn mixed(hash: u64, number: u64) -> u64 {
    (hash.rotate_left(26) ^ number).wrapping_mul(0xF135_7AEA_2E62_A9C5)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn of(numbers: &[u64]) -> Fingerprint {
        numbers.iter().fold(Fingerprint::default(), |mut print, &number| {
            print.add(number);
            print
        })
    }

    #[test]
    fn neighbouring_numbers_differ_in_both_halves() {
        // As literals are: a column above, a value below.
        let literal = |place: u64| ((place % 20) << 32) | (place / 20);
        let pairs = (0..600).flat_map(|one| (0..600).map(move |two| [literal(one), literal(two)]));
        let prints: Vec<Fingerprint> = pairs.map(|pair| of(&pair)).collect();
        let ones: HashSet<u64> = prints.iter().map(|print| print.one).collect();
        let others: HashSet<u64> = prints.iter().map(|print| print.other).collect();
        assert_eq!((ones.len(), others.len()), (prints.len(), prints.len()));
        assert_ne!(of(&[0, u64::MAX]), of(&[u64::MAX]));
    }
}
