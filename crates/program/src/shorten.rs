//! Names in sentences: whatever a file says, a message stays a sentence.

use std::borrow::Cow;

/// How many letters of a name are shown.
const LONGEST: usize = 200;

/// A name as it is shown in a message: at most 200 letters of it.
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
