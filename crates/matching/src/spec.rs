//! The specification: one condition and one example at a time. `PELLUCID_SIMD=scalar` runs it.

use crate::survey::{Ballot, Conditions};
use crate::{CodeDomain, MISSING, Test};

/// Returns whether a code satisfies a test. A missing value satisfies no test.
#[must_use]
pub fn satisfies(domain: CodeDomain, test: &Test, code: u32) -> bool {
    if code == MISSING {
        return false;
    }
    if domain.is_set { test.set() >> code & 1 == 1 } else { test.low <= code && code <= test.high }
}

/// Returns whether a condition matches an example, that is, whether every test is satisfied.
#[must_use]
pub fn matches(domains: &[CodeDomain], condition: &[Test], example: &[u32]) -> bool {
    condition.iter().all(|test| {
        let attribute = test.attribute as usize;
        satisfies(domains[attribute], test, example[attribute])
    })
}

/// Returns the label with the most votes among the conditions that match an example: the lowest one in a tie,
/// and [`MISSING`] if no condition matches.
#[must_use]
pub fn elected(
    domains: &[CodeDomain],
    conditions: &Conditions,
    ballots: &[Ballot],
    example: &[u32],
) -> u32 {
    let mut votes = std::collections::BTreeMap::new();
    for (number, ballot) in ballots.iter().enumerate() {
        if matches(domains, conditions.tests(number), example) {
            *votes.entry(ballot.label).or_insert(0_u64) += u64::from(ballot.votes);
        }
    }
    let best = votes.into_iter().filter(|&(_, votes)| votes > 0);
    let best = best.max_by_key(|&(label, votes)| (votes, std::cmp::Reverse(label)));
    best.map_or(MISSING, |(label, _)| label)
}
