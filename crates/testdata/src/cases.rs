//! How many cases property tests try.

/// As many as usual; twenty times as many where `PELLUCID_FULL` is set, as `cargo xtask test --full` does.
///
/// A number written into a test is not raised by `PROPTEST_CASES`, which only replaces proptest's
/// own default.
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
    fn the_full_gate_tries_more() {
        assert_eq!((scaled(48, false), scaled(48, true)), (48, 960));
    }
}
