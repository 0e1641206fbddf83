//! The size of the second-level cache.

use std::sync::OnceLock;

/// The minimum size on most recent CPUs.
const DEFAULT_BYTES: usize = 1 << 20;

/// Returns the size of the second-level cache per core in bytes, as reported by the system, or a default.
pub fn second_level_bytes() -> usize {
    static BYTES: OnceLock<usize> = OnceLock::new();
    *BYTES.get_or_init(|| reported_bytes().unwrap_or(DEFAULT_BYTES))
}

fn reported_bytes() -> Option<usize> {
    let text = std::fs::read_to_string("/sys/devices/system/cpu/cpu0/cache/index2/size").ok()?;
    let kibibytes: usize = text.trim().strip_suffix('K')?.parse().ok()?;
    (128..=65_536).contains(&kibibytes).then_some(kibibytes * 1024)
}
