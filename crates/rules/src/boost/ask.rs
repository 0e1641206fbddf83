//! Conditions on the steps of columns, and conjunctions of them.

use super::stepped::UNKNOWN;
use serde::{Deserialize, Serialize};

/// A condition on the step of a feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Test {
    pub(super) feature: usize,
    pub(super) ask: Ask,
}

/// What is asked of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Ask {
    /// Beyond this one.
    Above(u8),
    /// This one at most.
    UpTo(u8),
    /// One of those whose bits are set.
    Among([u64; 4]),
}

impl Ask {
    #[inline]
    pub(super) fn holds(self, step: u8) -> bool {
        match self {
            _ if step == UNKNOWN => false,
            Ask::Above(last) => step > last,
            Ask::UpTo(last) => step <= last,
            Ask::Among(set) => set[usize::from(step / 64)] >> (step % 64) & 1 == 1,
        }
    }
}

/// A conjunction with one more condition; one of the same kind on the same feature is replaced by it.
pub(super) fn stronger(tests: &[Test], test: Test) -> Vec<Test> {
    let same = |other: &&Test| {
        other.feature == test.feature
            && std::mem::discriminant(&other.ask) == std::mem::discriminant(&test.ask)
    };
    let mut stronger: Vec<Test> = tests.iter().filter(|other| !same(other)).copied().collect();
    // Of two sets both count.
    let ask = match (tests.iter().find(same).map(|other| other.ask), test.ask) {
        (Some(Ask::Among(one)), Ask::Among(two)) => {
            Ask::Among(std::array::from_fn(|word| one[word] & two[word]))
        }
        (_, ask) => ask,
    };
    stronger.push(Test { ask, ..test });
    stronger
}
