//! How large the second-level cache is.

use std::sync::OnceLock;

/// What most processors of the last years have at least.
const USUAL: usize = 1 << 20;

/// Bytes of second-level cache per core, as the system reports it, or what is usual.
pub fn second_level_bytes() -> usize {
    static BYTES: OnceLock<usize> = OnceLock::new();
    *BYTES.get_or_init(|| reported().unwrap_or(USUAL))
}

fn reported() -> Option<usize> {
    let text = std::fs::read_to_string("/sys/devices/system/cpu/cpu0/cache/index2/size").ok()?;
    let kibibytes: usize = text.trim().strip_suffix('K')?.parse().ok()?;
    (128..=65_536).contains(&kibibytes).then_some(kibibytes * 1024)
}
