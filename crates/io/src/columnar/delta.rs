//! The extent of integers packed as differences, which is how pages of texts store lengths.
//!
//! A head of block size, parts a block, count and first value; then blocks of a least difference, a width in bits
//! for each part, and the parts.

/// Where the packed integers end, unless there are more than `most` or they go beyond the bytes.
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
            // Parts behind the last value may declare a width but have no bytes.
            if left == 0 {
                break;
            }
            at = at.checked_add(each.checked_mul(usize::from(width))? / 8)?;
            left = left.saturating_sub(each);
        }
    }
    (at <= bytes.len()).then_some(at)
}

/// An integer in seven bits a byte, the lowest first.
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
        // 128 a block in 4 parts; one value, which stands in the head.
        assert_eq!(end(&[0x80, 1, 4, 1, 6, 9], 1), Some(5));
        // Three values: the first part has two bits a value for all its 32.
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
