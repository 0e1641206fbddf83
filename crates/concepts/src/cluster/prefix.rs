//! Prefixes that names share, such as folders and packages.

/// Returns the number of bytes of the longest common prefix that ends with one of the separators and leaves
/// something of every name. It is 0 for fewer than two names.
#[must_use]
pub fn common_prefix<'a>(names: impl IntoIterator<Item = &'a str>, separators: &[char]) -> usize {
    let mut names = names.into_iter();
    let Some(first) = names.next() else { return 0 };
    let mut common = first.len();
    let mut shortest = first.len();
    let mut several = false;
    for name in names {
        several = true;
        shortest = shortest.min(name.len());
        let pairs = first.bytes().zip(name.bytes()).take(common);
        common = pairs.take_while(|(one, other)| one == other).count();
    }
    if !several {
        return 0;
    }
    // A separator at the end of the shortest name would leave nothing of it.
    let most = common.min(shortest.saturating_sub(1));
    let fits = |end: usize| end > 0 && end <= most;
    let ends = first.char_indices().filter(|(_, letter)| separators.contains(letter));
    ends.map(|(start, letter)| start + letter.len_utf8())
        .filter(|&end| fits(end))
        .last()
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::common_prefix;

    #[test]
    fn prefixes_end_with_a_separator() {
        let length = |names: &[&str]| common_prefix(names.iter().copied(), &['.', '/']);
        assert_eq!(length(&["a.b.cat", "a.b.car"]), 4);
        assert_eq!(length(&["cat", "car"]), 0);
        assert_eq!(length(&["a.b.", "a.b.c"]), 2);
        assert_eq!(length(&["ä/ö", "ä/ü"]), 3);
        assert_eq!(length(&["a.b"]), 0);
        assert_eq!(length(&[]), 0);
    }
}
