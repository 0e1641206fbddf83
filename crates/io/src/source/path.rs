//! The parts of a file name.

use crate::source::compression::Compression;

/// Returns the file name without folders and extension, and the lower-case extension without `.gz`
/// or `.zst`.
pub(crate) fn stem_and_extension(name: &str) -> (&str, String) {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let without = |end: &str| {
        let cut = file.len().saturating_sub(end.len());
        file.get(cut..).filter(|found| found.eq_ignore_ascii_case(end)).map(|_| &file[..cut])
    };
    let plain = Compression::EXTENSIONS.into_iter().find_map(without).unwrap_or(file);
    match plain.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() => (stem, extension.to_ascii_lowercase()),
        _ => (plain, String::new()),
    }
}
