//! The length of run-length encoded integers, which pages use for definition levels and dictionary indices.
//!
//! Each run begins with a number. If it is even, half of it counts the copies of one value; if it
//! is odd, half of it counts groups of eight bit-packed values.

/// Whether the bytes contain `wanted` integers of the given width.
pub(super) fn fit(bytes: &[u8], bits: u8, wanted: usize) -> bool {
    let (mut at, mut left) = (0, wanted);
    while left > 0 {
        let Some((head, length)) = head(&bytes[at..]) else { return false };
        at += length;
        let half = usize::try_from(head >> 1).unwrap_or(usize::MAX);
        let (values, size) = if head & 1 == 0 {
            (half, usize::from(bits).div_ceil(8))
        } else {
            (half.saturating_mul(8), half.saturating_mul(usize::from(bits)))
        };
        if values == 0 {
            return false;
        }
        // The last group may be cut after its last value.
        let needed = if head & 1 == 0 || values <= left {
            size
        } else {
            left.saturating_mul(usize::from(bits)).div_ceil(8)
        };
        if needed > bytes.len() - at {
            return false;
        }
        at = at.saturating_add(size).min(bytes.len());
        left = left.saturating_sub(values);
    }
    true
}

/// Parses the number that begins a run; returns it and its length in bytes.
fn head(bytes: &[u8]) -> Option<(u64, usize)> {
    let mut value = 0;
    for (index, &byte) in bytes.iter().take(5).enumerate() {
        value |= u64::from(byte & 0x7f) << (7 * index);
        if byte < 0x80 {
            return Some((value, index + 1));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::fit;

    #[test]
    fn runs_are_checked() {
        // Six copies of a value of three bits; then eight values of three bits.
        assert!(fit(&[12, 5], 3, 6) && fit(&[12, 5, 3, 1, 2, 3], 3, 14));
        assert!(!fit(&[12], 3, 6) && !fit(&[12, 5], 3, 7) && !fit(&[12, 5, 3, 1, 2], 3, 14));
        // The last group is cut after its last value.
        assert!(fit(&[3, 0x88, 0xc6], 3, 5));
        assert!(fit(&[], 1, 0) && fit(&[2, 0], 0, 1) && !fit(&[0, 0], 1, 1));
        assert!(!fit(&[0xff; 20], 3, 1), "a number without an end");
    }
}
