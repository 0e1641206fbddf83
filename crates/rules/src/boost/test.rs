//! Conditions on the steps of features, and conjunctions of them.

use super::stepped::UNKNOWN;
use serde::{Deserialize, Serialize};

/// A condition on the step of a feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Test {
    pub(super) feature: usize,
    #[serde(rename = "ask")]
    pub(super) set: StepSet,
}

/// A set of steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum StepSet {
    /// All steps after this one.
    Above(u8),
    /// All steps up to this one.
    UpTo(u8),
    /// The steps whose bits are set.
    Among([u64; 4]),
}

impl StepSet {
    #[inline]
    pub(super) fn contains(self, step: u8) -> bool {
        match self {
            _ if step == UNKNOWN => false,
            StepSet::Above(last) => step > last,
            StepSet::UpTo(last) => step <= last,
            StepSet::Among(set) => set[usize::from(step / 64)] >> (step % 64) & 1 == 1,
        }
    }
}

impl StepSet {
    /// Returns whether it contains every step of another set.
    fn follows_from(self, other: StepSet) -> bool {
        match (self, other) {
            (StepSet::Above(mine), StepSet::Above(other)) => mine <= other,
            (StepSet::UpTo(mine), StepSet::UpTo(other)) => mine >= other,
            (StepSet::Among(mine), StepSet::Among(other)) => {
                mine.iter().zip(other).all(|(mine, other)| other & !mine == 0)
            }
            _ => false,
        }
    }

    /// Returns the other steps, given the number of steps.
    pub(super) fn complement(self, count: usize) -> StepSet {
        match self {
            StepSet::Above(step) => StepSet::UpTo(step),
            StepSet::UpTo(step) => StepSet::Above(step),
            StepSet::Among(set) => {
                let is_step = |bit: usize| bit < count;
                let word = |word: usize| {
                    let bits = (0..64).filter(|bit| is_step(64 * word + bit));
                    bits.map(|bit| 1 << bit).sum::<u64>() & !set[word]
                };
                StepSet::Among(std::array::from_fn(word))
            }
        }
    }

    /// Returns whether the sets are disjoint.
    fn excludes(self, other: StepSet) -> bool {
        match (self, other) {
            (StepSet::Above(last), StepSet::UpTo(cut))
            | (StepSet::UpTo(cut), StepSet::Above(last)) => cut <= last,
            (StepSet::Among(mine), StepSet::Among(other)) => {
                mine.iter().zip(other).all(|(mine, other)| mine & other == 0)
            }
            _ => false,
        }
    }
}

/// A set of steps as masks: all bits for a step of the set, none for another one. A lookup is faster than
/// a comparison by kind of set, and needs no branch.
#[derive(Clone, Debug)]
pub(super) struct StepMask([i64; 256]);

impl StepMask {
    pub(super) fn new(set: StepSet) -> StepMask {
        let mut masks = [0; 256];
        for (mask, step) in masks.iter_mut().zip(0..=u8::MAX) {
            *mask = -i64::from(set.contains(step));
        }
        StepMask(masks)
    }

    /// Returns the mask of a step.
    #[inline(always)]
    pub(super) fn mask(&self, step: u8) -> i64 {
        self.0[usize::from(step)]
    }
}

/// Returns whether one conjunction is implied by another, judging by the conditions.
pub(super) fn follows(one: &[Test], from: &[Test]) -> bool {
    let is_met = |test: &Test| {
        from.iter().any(|other| other.feature == test.feature && test.set.follows_from(other.set))
    };
    one.iter().all(is_met)
}

/// Returns whether two conjunctions express the same idea: conditions on the same features, in the same
/// directions, or on sets with common categories. Their cut points may differ.
pub(super) fn is_same_idea(one: &[Test], other: &[Test]) -> bool {
    let is_alike = |mine: &Test, other: &Test| {
        let has_common = match (mine.set, other.set) {
            (StepSet::Among(mine), StepSet::Among(other)) => {
                mine.iter().zip(other).any(|(mine, other)| mine & other != 0)
            }
            (mine, other) => std::mem::discriminant(&mine) == std::mem::discriminant(&other),
        };
        mine.feature == other.feature && has_common
    };
    one.len() == other.len()
        && one.iter().all(|mine| other.iter().any(|other| is_alike(mine, other)))
}

/// Returns whether two conjunctions exclude each other, judging by the conditions.
pub(super) fn exclude(one: &[Test], other: &[Test]) -> bool {
    let excludes =
        |mine: &Test, other: &Test| mine.feature == other.feature && mine.set.excludes(other.set);
    one.iter().any(|mine| other.iter().any(|other| excludes(mine, other)))
}

/// Returns a conjunction with one more condition; one of the same kind on the same feature is
/// replaced.
pub(super) fn stronger(tests: &[Test], test: Test) -> Vec<Test> {
    let same = |other: &&Test| {
        other.feature == test.feature
            && std::mem::discriminant(&other.set) == std::mem::discriminant(&test.set)
    };
    let mut stronger: Vec<Test> = tests.iter().filter(|other| !same(other)).copied().collect();
    // Two sets on one feature are intersected.
    let set = match (tests.iter().find(same).map(|other| other.set), test.set) {
        (Some(StepSet::Among(one)), StepSet::Among(two)) => {
            StepSet::Among(std::array::from_fn(|word| one[word] & two[word]))
        }
        (_, set) => set,
    };
    stronger.push(Test { set, ..test });
    stronger
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_idea_is_its_columns_and_directions() {
        let test = |feature, set| Test { feature, set };
        let one = [test(0, StepSet::Above(3)), test(1, StepSet::Among([0b011, 0, 0, 0]))];
        let moved = [test(1, StepSet::Among([0b110, 0, 0, 0])), test(0, StepSet::Above(9))];
        assert!(is_same_idea(&one, &moved));
        let turned = [test(0, StepSet::UpTo(3)), one[1]];
        let disjoint = [one[0], test(1, StepSet::Among([0b100, 0, 0, 0]))];
        let shorter = [one[0]];
        for other in [&turned[..], &disjoint, &shorter] {
            assert!(!is_same_idea(&one, other), "{other:?}");
        }
    }
}
