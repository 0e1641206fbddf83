//! Sets as plain words: bit *i* of word *w* is member `64 w + i`.

/// Returns the number of words of a set with `len` possible members.
#[must_use]
pub const fn words_for(len: usize) -> usize {
    len.div_ceil(64)
}

/// Returns the set of all `len` members.
#[must_use]
pub fn full(len: usize) -> Vec<u64> {
    let mut words = vec![u64::MAX; words_for(len)];
    if let (Some(last), used @ 1..) = (words.last_mut(), len % 64) {
        *last = (1 << used) - 1;
    }
    words
}

/// Adds a member.
pub fn insert(words: &mut [u64], member: usize) {
    words[member / 64] |= 1 << (member % 64);
}

/// Returns whether the set contains a member.
#[must_use]
pub fn contains(words: &[u64], member: usize) -> bool {
    words[member / 64] >> (member % 64) & 1 == 1
}

/// Returns the number of members.
#[must_use]
pub fn count(words: &[u64]) -> u64 {
    words.iter().map(|word| u64::from(word.count_ones())).sum()
}

/// Returns whether all members of the first set are in the second.
#[must_use]
pub fn is_subset(inner: &[u64], outer: &[u64]) -> bool {
    inner.iter().zip(outer).all(|(inner, outer)| inner & !outer == 0)
}

/// Returns the members, ascending.
pub fn members(words: &[u64]) -> impl Iterator<Item = usize> + '_ {
    words.iter().enumerate().flat_map(|(word, &bits)| {
        let mut left = bits;
        std::iter::from_fn(move || {
            (left != 0).then(|| {
                let bit = left.trailing_zeros() as usize;
                left &= left - 1;
                word * 64 + bit
            })
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_set_has_all_members_and_no_other() {
        for len in [0, 1, 63, 64, 65, 129] {
            let set = full(len);
            assert_eq!(set.len(), words_for(len));
            assert!(members(&set).eq(0..len), "{len}");
            assert_eq!(count(&set), len as u64);
        }
    }

    #[test]
    fn members_come_back_in_order() {
        let mut set = vec![0; words_for(200)];
        for member in [199, 0, 64, 63] {
            assert!(!contains(&set, member));
            insert(&mut set, member);
        }
        assert_eq!(members(&set).collect::<Vec<_>>(), [0, 63, 64, 199]);
        assert!(is_subset(&set, &full(200)) && !is_subset(&full(200), &set));
    }
}
