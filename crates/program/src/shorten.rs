//! Shortening of names, so that messages stay readable even for very long names.

use std::borrow::Cow;

/// The number of characters of a name that are shown.
const LONGEST: usize = 200;

/// Shortens a name for use in a message to at most 200 characters and an ellipsis.
///
/// ```
/// use pellucid_program::shorten;
/// assert_eq!(shorten("colour"), "colour");
/// assert_eq!(shorten(&"ä".repeat(1_000_000)).chars().count(), 201);
/// ```
#[must_use]
pub fn shorten(name: &str) -> Cow<'_, str> {
    match name.char_indices().nth(LONGEST) {
        Some((end, _)) => Cow::Owned(format!("{}…", &name[..end])),
        None => Cow::Borrowed(name),
    }
}
