//! Prefixes that names share, such as folders and packages.

/// The ends of prefixes that all modules of a graph share, such as the name of a package.
const SEPARATORS: &[char] = &['.', '/', '\\', ':', '-', '_'];

/// Returns the longest prefix of all modules that ends with a separator and leaves something of every name.
/// One module may be the prefix without its separator, such as a package among its modules.
#[must_use]
pub fn shared_prefix(modules: &[String]) -> &str {
    let Some(shortest) = modules.iter().min_by_key(|name| name.len()) else { return "" };
    let others = || modules.iter().map(String::as_str).filter(|name| name != shortest);
    let prefix = |end: usize| others().next().map_or("", |name| &name[..end]);
    let within = prefix(common_prefix(others(), SEPARATORS));
    if within.trim_end_matches(SEPARATORS) == shortest {
        return within;
    }
    let all = common_prefix(modules.iter().map(String::as_str), SEPARATORS);
    modules.first().map_or("", |name| &name[..all])
}

/// Returns the number of bytes of the longest common prefix that ends with one of the separators and leaves
/// something of every name. It is 0 for fewer than two names.
pub(super) fn common_prefix<'a>(
    names: impl IntoIterator<Item = &'a str>,
    separators: &[char],
) -> usize {
    let mut names = names.into_iter();
    let Some(first) = names.next() else { return 0 };
    let (mut common, mut shortest, mut has_several) = (first.len(), first.len(), false);
    for name in names {
        has_several = true;
        shortest = shortest.min(name.len());
        let pairs = first.bytes().zip(name.bytes()).take(common);
        common = pairs.take_while(|(one, other)| one == other).count();
    }
    if !has_several {
        return 0;
    }
    // A separator at the end of the shortest name would leave nothing of it.
    let most = common.min(shortest.saturating_sub(1));
    let ends = first.char_indices().filter(|(_, letter)| separators.contains(letter));
    let ends = ends.map(|(start, letter)| start + letter.len_utf8());
    ends.take_while(|&end| end <= most).last().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::{common_prefix, shared_prefix};

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

    #[test]
    fn a_package_is_among_its_modules() {
        let prefix = |names: &[&str]| {
            let names: Vec<String> = names.iter().map(ToString::to_string).collect();
            shared_prefix(&names).to_owned()
        };
        assert_eq!(prefix(&["pkg", "pkg.a", "pkg.b"]), "pkg.");
        assert_eq!(prefix(&["main", "pkg.a", "pkg.b"]), "");
        assert_eq!(prefix(&["my-io", "my-core"]), "my-");
        assert_eq!(prefix(&["pkg", "pkg.a"]), "");
        assert_eq!(prefix(&[]), "");
    }
}
