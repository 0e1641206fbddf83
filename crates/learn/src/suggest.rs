//! Suggestions in errors about names: the nearest known name and a short list.

use pellucid_data::shorten;
use std::borrow::Cow;
use strsim::levenshtein;

/// The maximum length of a compared name; the edit distance takes quadratic time.
const LONGEST: usize = 120;

/// Returns the known name nearest to `name`, if at most a third of its letters differ.
///
/// Case is ignored. Of equally near names the first one is returned.
///
/// ```
/// use pellucid_learn::suggest::nearest;
///
/// assert_eq!(nearest("acuracy", ["precision", "accuracy"]), Some("accuracy"));
/// assert_eq!(nearest("zebra", ["precision", "accuracy"]), None);
/// ```
#[must_use]
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let folded = |text: &str| text.to_lowercase().chars().take(LONGEST).collect::<String>();
    let name = folded(name);
    let letters = name.chars().count();
    let mut best: Option<(usize, &str)> = None;
    for candidate in known {
        let other = folded(candidate);
        let others = other.chars().count();
        let allowed = letters.max(others) / 3;
        if letters.abs_diff(others) > allowed {
            continue;
        }
        let distance = levenshtein(&name, &other);
        if distance <= allowed && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// Returns the names as a list of at most `most` names: "a, b, c and 12 more".
#[must_use]
pub fn listed<'a>(names: impl IntoIterator<Item = &'a str>, most: usize) -> String {
    let mut names = names.into_iter();
    let shown: Vec<Cow<'_, str>> = names.by_ref().take(most).map(shorten).collect();
    match names.count() {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_and_one_letter_do_not_matter() {
        assert_eq!(nearest("Charge", ["colour", "charge"]), Some("charge"));
        assert_eq!(nearest("charg", ["charge"]), Some("charge"));
        assert_eq!(nearest("", ["charge"]), None);
        // Characters are counted, not bytes, and a third of them may differ.
        assert_eq!(nearest("größe", ["grösse"]), Some("grösse"));
        assert_eq!(nearest("sunday", ["saturday"]), None);
        assert_eq!(nearest("saturdax", ["sunday", "saturday"]), Some("saturday"));
    }

    #[test]
    fn long_lists_are_cut() {
        assert_eq!(listed(["a", "b"], 3), "a, b");
        assert_eq!(listed(["a", "b", "c", "d"], 2), "a, b and 2 more");
    }
}
