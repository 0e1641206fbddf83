//! The parts of a file name.

/// Returns the file name without folders and extension, and the lower-case extension without `.gz`.
pub(crate) fn stem_and_extension(name: &str) -> (&str, String) {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let cut = file.len().saturating_sub(3);
    let plain = match file.get(cut..) {
        Some(end) if end.eq_ignore_ascii_case(".gz") => &file[..cut],
        _ => file,
    };
    match plain.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() => (stem, extension.to_ascii_lowercase()),
        _ => (plain, String::new()),
    }
}
