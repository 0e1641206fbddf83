//! The length of delta-encoded integers, which pages of texts use for lengths.
//!
//! A header has the block size, the number of parts per block, the count and the first value. Each
//! block has a minimum difference, a bit width for each part, and the parts.

/// Returns the end of the integers, or `None` if there are more than `most` or they extend beyond
/// the bytes.
pub(super) fn end(bytes: &[u8], most: usize) -> Option<usize> {
    let mut at = 0;
    let block = varint(bytes, &mut at)?;
    let parts = varint(bytes, &mut at)?;
    let count = varint(bytes, &mut at)?;
    varint(bytes, &mut at)?;
    if count > most {
        return None;
    }
    let each = block.checked_div(parts)?;
    let mut left = count.saturating_sub(1);
    while left > 0 {
        varint(bytes, &mut at)?;
        let widths = bytes.get(at..at.checked_add(parts)?)?;
        at += parts;
        for &width in widths {
            // ParsedTable after the last value may declare a width but have no bytes.
            if left == 0 {
                break;
            }
            at = at.checked_add(each.checked_mul(usize::from(width))? / 8)?;
            left = left.saturating_sub(each);
        }
    }
    (at <= bytes.len()).then_some(at)
}

/// Parses an integer with seven bits per byte, the lowest first.
fn varint(bytes: &[u8], at: &mut usize) -> Option<usize> {
    let mut value = 0u64;
    for shift in (0..64).step_by(7) {
        let byte = *bytes.get(*at)?;
        *at += 1;
        value |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return usize::try_from(value).ok();
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::end;

    #[test]
    fn extents() {
        // Blocks of 128 in 4 parts; one value, which is in the header.
        assert_eq!(end(&[0x80, 1, 4, 1, 6, 9], 1), Some(5));
        // Three values: the first part has two bits per value for all its 32 values.
        let mut three = vec![0x80, 1, 4, 3, 6, 0, 2, 7, 7, 7];
        three.resize(18, 0);
        assert_eq!(end(&three, 3), Some(18));
        assert_eq!(end(&three, 2), None);
        assert_eq!(end(&three[..17], 3), None);
        assert_eq!(end(&[0x80, 1, 0, 3, 6], 3), None);
        assert_eq!(end(&[], 3), None);
        assert_eq!(end(&[0xff; 20], usize::MAX), None);
    }
}
