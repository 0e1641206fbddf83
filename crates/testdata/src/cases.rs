//! The number of cases of property tests.

/// Returns the given number, or twenty times as many if `PELLUCID_FULL` is set, as by `cargo xtask test
/// --full`.
///
/// `PROPTEST_CASES` cannot be used for this, because it replaces only the default of proptest and not
/// numbers in tests.
///
/// ```
/// # if std::env::var_os("PELLUCID_FULL").is_none() {
/// assert_eq!(pellucid_testdata::cases(48), 48);
/// # }
/// ```
#[must_use]
pub fn cases(usual: u32) -> u32 {
    scaled(usual, std::env::var_os("PELLUCID_FULL").is_some())
}

fn scaled(usual: u32, full: bool) -> u32 {
    if full { usual.saturating_mul(20) } else { usual }
}

#[cfg(test)]
mod tests {
    use super::scaled;

    #[test]
    fn the_full_gate_has_more_cases() {
        assert_eq!((scaled(48, false), scaled(48, true)), (48, 960));
    }
}
