//! CSV cells that spreadsheets treat as text.

use std::borrow::Cow;

/// Returns a CSV cell that spreadsheets do not evaluate as a formula: text that begins with `=`,
/// `+`, `-`, `@`, a tab or a carriage return gets a leading apostrophe.
///
/// ```
/// use pellucid_data::as_spreadsheet_text;
/// assert_eq!(as_spreadsheet_text("=1+1"), "'=1+1");
/// assert_eq!(as_spreadsheet_text("one = 1"), "one = 1");
/// ```
#[must_use]
pub fn as_spreadsheet_text(cell: &str) -> Cow<'_, str> {
    match cell.starts_with(['=', '+', '-', '@', '\t', '\r']) {
        true => Cow::Owned(format!("'{cell}")),
        false => Cow::Borrowed(cell),
    }
}
