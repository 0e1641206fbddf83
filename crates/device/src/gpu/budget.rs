//! The memory that this process may hold on a GPU.
//!
//! Every GPU has one [`Budget`], which all sessions on it share. Each allocation is counted until
//! its memory is dropped. A request that does not fit fails with [`CardError::TooSmall`]. A session
//! that plans ahead makes a [`Reservation`], so that no other session can take the memory in
//! between.

use super::error::CardError;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The environment variable that limits the memory held on each GPU.
pub const MEMORY_VARIABLE: &str = "PELLUCID_GPU_MEMORY";

/// The bytes that this process may hold on one GPU, and the bytes that it holds.
#[derive(Debug)]
pub struct Budget {
    limit: usize,
    held: AtomicUsize,
}

impl Budget {
    /// Creates a budget of `limit` bytes, or without a limit.
    #[must_use]
    pub fn new(limit: Option<usize>) -> Arc<Budget> {
        Arc::new(Budget { limit: limit.unwrap_or(usize::MAX), held: AtomicUsize::new(0) })
    }

    /// Returns the number of bytes left.
    #[must_use]
    pub fn left(&self) -> usize {
        self.limit.saturating_sub(self.held.load(Ordering::Relaxed))
    }

    /// Reserves bytes; `what` names their use in the error.
    ///
    /// # Errors
    /// When fewer are left.
    pub fn reserve(self: &Arc<Self>, what: &str, bytes: usize) -> Result<Reservation, CardError> {
        let take = |held: usize| held.checked_add(bytes).filter(|&held| held <= self.limit);
        match self.held.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take) {
            Ok(_) => Ok(Reservation { budget: Arc::clone(self), bytes }),
            Err(held) => Err(CardError::TooSmall {
                what: what.to_owned(),
                needed: bytes,
                available: self.limit.saturating_sub(held),
            }),
        }
    }
}

/// Bytes reserved from a budget. Dropping the reservation returns them.
#[derive(Debug)]
pub struct Reservation {
    budget: Arc<Budget>,
    bytes: usize,
}

impl Reservation {
    /// Splits off a part of this reservation. Missing bytes are reserved from the budget.
    ///
    /// # Errors
    /// When the reservation and the budget together have too few bytes.
    pub fn split(&mut self, what: &str, bytes: usize) -> Result<Reservation, CardError> {
        if bytes > self.bytes {
            let more = self.budget.reserve(what, bytes - self.bytes)?;
            self.bytes += more.bytes;
            // The bytes belong to this reservation now.
            std::mem::forget(more);
        }
        self.bytes -= bytes;
        Ok(Reservation { budget: Arc::clone(&self.budget), bytes })
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.budget.held.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

/// Returns the limit that the user has set, in bytes.
///
/// # Errors
/// When the value of the variable is not a size.
pub(super) fn memory_limit() -> Result<Option<usize>, String> {
    match std::env::var(MEMORY_VARIABLE) {
        Err(std::env::VarError::NotPresent) => Ok(None),
        Err(std::env::VarError::NotUnicode(text)) => Err(invalid_size(&text.to_string_lossy())),
        Ok(text) => parse_size(&text).map(Some).ok_or_else(|| invalid_size(&text)),
    }
}

fn invalid_size(text: &str) -> String {
    format!(
        "{MEMORY_VARIABLE}: found '{text}'; expected a number of bytes, \
         or a size such as 512M or 8G"
    )
}

/// Parses a size: a number of bytes, or a number with K, M, G or T (powers of 1,024), optionally
/// followed by B or iB.
fn parse_size(text: &str) -> Option<usize> {
    let text = text.trim().to_ascii_lowercase();
    let digits = text.trim_end_matches(|letter: char| !letter.is_ascii_digit());
    let power = match text[digits.len()..].trim_start() {
        "" | "b" => 0,
        "k" | "kb" | "kib" => 1,
        "m" | "mb" | "mib" => 2,
        "g" | "gb" | "gib" => 3,
        "t" | "tb" | "tib" => 4,
        _ => return None,
    };
    digits.parse::<usize>().ok()?.checked_mul(1 << (10 * power))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units() {
        for (text, bytes) in [
            ("0", 0),
            ("200000", 200_000),
            (" 17 B ", 17),
            ("4k", 4096),
            ("512M", 512 << 20),
            ("512 MiB", 512 << 20),
            ("8G", 8 << 30),
            ("8gb", 8 << 30),
            ("1T", 1 << 40),
        ] {
            assert_eq!(parse_size(text), Some(bytes), "{text}");
        }
        for text in ["", "G", "8X", "-1", "1.5G", "8GG", "99999999999999999999", "20000000T"] {
            assert_eq!(parse_size(text), None, "{text}");
        }
    }

    #[test]
    fn sessions_share_a_budget_and_return_their_bytes() {
        let budget = Budget::new(Some(100));
        let mut first = budget.reserve("a table", 60).unwrap();
        let refused = budget.reserve("another table", 50).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "another table needs 50 bytes of GPU memory; 40 are available"
        );
        let part = first.split("its rows", 20).unwrap();
        assert_eq!(budget.left(), 40);
        drop(first);
        assert_eq!(budget.left(), 80);
        let mut second = budget.reserve("another table", 50).unwrap();
        assert!(second.split("more", 90).is_err());
        let more = second.split("more", 70).unwrap();
        assert_eq!(budget.left(), 10);
        drop((part, second, more));
        assert_eq!(budget.left(), 100);
        assert_eq!(Budget::new(None).left(), usize::MAX);
    }
}
