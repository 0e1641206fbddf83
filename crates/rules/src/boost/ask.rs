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

impl Ask {
    /// Whether it holds for every step that another one holds for.
    fn follows_from(self, other: Ask) -> bool {
        match (self, other) {
            (Ask::Above(mine), Ask::Above(other)) => mine <= other,
            (Ask::UpTo(mine), Ask::UpTo(other)) => mine >= other,
            (Ask::Among(mine), Ask::Among(other)) => {
                mine.iter().zip(other).all(|(mine, other)| other & !mine == 0)
            }
            _ => false,
        }
    }

    /// Whether no step meets both.
    fn excludes(self, other: Ask) -> bool {
        match (self, other) {
            (Ask::Above(last), Ask::UpTo(cut)) | (Ask::UpTo(cut), Ask::Above(last)) => cut <= last,
            (Ask::Among(mine), Ask::Among(other)) => {
                mine.iter().zip(other).all(|(mine, other)| mine & other == 0)
            }
            _ => false,
        }
    }
}

/// Whether one conjunction holds wherever another does, as their conditions say.
pub(super) fn follows(one: &[Test], from: &[Test]) -> bool {
    let is_met = |test: &Test| {
        from.iter().any(|other| other.feature == test.feature && test.ask.follows_from(other.ask))
    };
    one.iter().all(is_met)
}

/// Whether two conjunctions never hold both, as their conditions say.
pub(super) fn exclude(one: &[Test], other: &[Test]) -> bool {
    let excludes =
        |mine: &Test, other: &Test| mine.feature == other.feature && mine.ask.excludes(other.ask);
    one.iter().any(|mine| other.iter().any(|other| excludes(mine, other)))
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
