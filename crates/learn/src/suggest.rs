//! Help in errors about names: the nearest known name, and a list short enough to read.

/// The longest name that is compared; edit distance takes time with the square of the length.
const LONGEST: usize = 120;

/// The known name that is most likely meant, if any is close: at most a third of its letters
/// differ.
///
/// Case is ignored, and the first of equally near names wins.
///
/// ```
/// use pellucid_learn::suggest::nearest;
///
/// assert_eq!(nearest("acuracy", ["precision", "accuracy"]), Some("accuracy"));
/// assert_eq!(nearest("zebra", ["precision", "accuracy"]), None);
/// ```
#[must_use]
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let letters = |text: &str| text.to_lowercase().chars().take(LONGEST).collect::<Vec<char>>();
    let name = letters(name);
    let mut best: Option<(usize, &str)> = None;
    for candidate in known {
        let other = letters(candidate);
        let allowed = name.len().max(other.len()) / 3;
        if name.len().abs_diff(other.len()) > allowed {
            continue;
        }
        let distance = edits(&name, &other);
        if distance <= allowed && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// The names as a list for people, cut after `most` of them: "a, b, c and 12 more".
#[must_use]
pub fn listed<'a>(names: impl IntoIterator<Item = &'a str>, most: usize) -> String {
    let mut names = names.into_iter();
    let shown: Vec<&str> = names.by_ref().take(most).collect();
    match names.count() {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// Levenshtein distance: the fewest letters to insert, delete or replace.
fn edits(a: &[char], b: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_right() {
        let distance = |a: &str, b: &str| {
            edits(&a.chars().collect::<Vec<_>>(), &b.chars().collect::<Vec<_>>())
        };
        assert_eq!(distance("saturday", "sunday"), 3);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("same", "same"), 0);
    }

    #[test]
    fn case_and_one_letter_do_not_matter() {
        assert_eq!(nearest("Charge", ["colour", "charge"]), Some("charge"));
        assert_eq!(nearest("charg", ["charge"]), Some("charge"));
        assert_eq!(nearest("", ["charge"]), None);
    }

    #[test]
    fn long_lists_are_cut() {
        assert_eq!(listed(["a", "b"], 3), "a, b");
        assert_eq!(listed(["a", "b", "c", "d"], 2), "a, b and 2 more");
    }
}
