use std::fmt;

/// The digest of a set of concepts. Equal sets have equal digests, regardless of order.
///
/// Every attribute has a key. An intent contributes the mixed sum of its attribute keys, and the
/// digest is the sum over all intents. The digest therefore depends on the attribute numbers of the
/// relation, not on the order a search uses, and can be updated while an intent grows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Digest(u64);

impl Digest {
    /// Creates a digest from a sum returned by [`Digest::sum`].
    #[must_use]
    pub const fn from_sum(sum: u64) -> Digest {
        Digest(sum)
    }

    /// Returns the key of an attribute. The keys of an intent are added with wrapping.
    #[must_use]
    pub const fn key(attribute: u32) -> u64 {
        mix(attribute as u64 + 1)
    }

    /// Adds a concept whose attribute keys sum to `keys`.
    pub const fn add(&mut self, keys: u64) {
        self.0 = self.0.wrapping_add(mix(keys));
    }

    /// Adds all concepts of another digest.
    pub const fn merge(&mut self, other: Digest) {
        self.0 = self.0.wrapping_add(other.0);
    }

    /// Returns the digest as a number.
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

/// Mixes the bits of a number: the finalizer of `SplitMix64`, shifted so that zero is not a fixed
/// point.
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
    fn depends_on_the_set_and_not_on_the_order() {
        assert_eq!(of(&[&[0, 5], &[2]]), of(&[&[2], &[5, 0]]));
        assert_ne!(of(&[&[0, 5], &[2]]), of(&[&[0], &[5, 2]]));
        assert_ne!(of(&[]), of(&[&[]]));
        assert_eq!(of(&[&[0]]).to_string().len(), 16);
    }
}
