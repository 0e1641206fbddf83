use std::fmt;

/// A digest of a set of concepts: equal sets have equal digests, in whatever order the concepts come.
///
/// Every attribute has a key, an intent the mixed sum of its attributes' keys, and the digest is the sum over
/// all intents. So it goes by the attributes' own numbers, not by any order a search puts them in, and can be
/// kept up to date while an intent grows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Digest(u64);

impl Digest {
    /// The digest so far from its number.
    #[must_use]
    pub const fn from_sum(sum: u64) -> Digest {
        Digest(sum)
    }

    /// The key of an attribute; keys of an intent are added up, wrapping.
    #[must_use]
    pub const fn key(attribute: u32) -> u64 {
        mix(attribute as u64 + 1)
    }

    /// Takes in a concept whose attributes' keys add up to `keys`.
    pub const fn add(&mut self, keys: u64) {
        self.0 = self.0.wrapping_add(mix(keys));
    }

    /// Takes in all concepts of another digest.
    pub const fn merge(&mut self, other: Digest) {
        self.0 = self.0.wrapping_add(other.0);
    }

    /// The number behind it.
    #[must_use]
    pub const fn sum(self) -> u64 {
        self.0
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// Spreads every bit over all others (the finaliser of `SplitMix64`, moved off its fixed point at zero).
const fn mix(number: u64) -> u64 {
    let mut x = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(intents: &[&[u32]]) -> Digest {
        intents.iter().fold(Digest::default(), |mut digest, intent| {
            digest.add(intent.iter().fold(0, |sum, &a| sum.wrapping_add(Digest::key(a))));
            digest
        })
    }

    #[test]
    fn goes_by_the_set_and_not_by_the_order() {
        assert_eq!(of(&[&[0, 5], &[2]]), of(&[&[2], &[5, 0]]));
        assert_ne!(of(&[&[0, 5], &[2]]), of(&[&[0], &[5, 2]]));
        assert_ne!(of(&[]), of(&[&[]]));
        assert_eq!(of(&[&[0]]).to_string().len(), 16);
    }
}
