//! The plain truth: one condition and one example at a time. `PELLUCID_SIMD=scalar` runs it.

use crate::{Domain, MISSING, Test};

/// Whether a code satisfies a test. A missing one satisfies none.
#[must_use]
pub fn satisfies(domain: Domain, test: &Test, code: u32) -> bool {
    if code == MISSING {
        return false;
    }
    if domain.is_set { test.set() >> code & 1 == 1 } else { test.low <= code && code <= test.high }
}

/// Whether a condition matches an example: every test is satisfied. What no test names does not matter.
#[must_use]
pub fn matches(domains: &[Domain], condition: &[Test], example: &[u32]) -> bool {
    condition.iter().all(|test| {
        let attribute = test.attribute as usize;
        satisfies(domains[attribute], test, example[attribute])
    })
}
