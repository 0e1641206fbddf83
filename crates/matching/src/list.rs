//! Compact lists of tests.

use crate::Test;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::sync::Arc;

/// The minimum number of tests of a packed list. Shorter lists are not packed.
const MIN_PACKED: usize = 256;

/// The tests of a condition, sorted by column. A condition on thousands of columns takes three or five bytes
/// per test instead of twelve, if the columns are close together and the codes are below 256 or 65,536.
/// Clones share packed tests, because memory that is never written need not be paged in.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<Test>", into = "Vec<Test>")]
pub struct TestList {
    /// The tests, unless they are packed.
    plain: Vec<Test>,
    packed: Option<Arc<Packed>>,
}

/// Tests that take three or five bytes each.
#[derive(Debug, Default, PartialEq, Eq)]
struct Packed {
    /// The difference of each column from the previous one.
    gaps: Vec<u8>,
    /// Both bounds of each test, with eight or sixteen bits per bound.
    narrow: Vec<u16>,
    wide: Vec<u32>,
}

impl Packed {
    /// Packs tests, if possible.
    #[expect(clippy::cast_possible_truncation, reason = "the result is checked for losses")]
    fn new(tests: &[Test]) -> Option<Packed> {
        let mut packed = Packed::default();
        let (mut before, mut gaps, mut bounds) = (0, 0, 0);
        packed.gaps.extend(tests.iter().map(|test| {
            let gap = test.attribute.wrapping_sub(before);
            before = test.attribute;
            gaps |= gap;
            bounds |= test.low | test.high;
            gap as u8
        }));
        if gaps > u32::from(u8::MAX) || bounds > u32::from(u16::MAX) {
            return None;
        }
        if bounds <= u32::from(u8::MAX) {
            packed.narrow.extend(tests.iter().map(|test| (test.high << 8 | test.low) as u16));
        } else {
            packed.wide.extend(tests.iter().map(|test| test.high << 16 | test.low));
        }
        Some(packed)
    }

    /// Returns the tests that have 8-bit bounds.
    fn narrow(&self) -> impl Iterator<Item = Test> + '_ {
        let mut attribute = 0;
        self.gaps.iter().zip(&self.narrow).map(move |(&gap, &bounds)| {
            attribute += u32::from(gap);
            Test { attribute, low: u32::from(bounds & 0xFF), high: u32::from(bounds >> 8) }
        })
    }

    /// Returns the tests that have 16-bit bounds.
    fn wide(&self) -> impl Iterator<Item = Test> + '_ {
        let mut attribute = 0;
        self.gaps.iter().zip(&self.wide).map(move |(&gap, &bounds)| {
            attribute += u32::from(gap);
            Test { attribute, low: bounds & 0xFFFF, high: bounds >> 16 }
        })
    }
}

impl From<Vec<Test>> for TestList {
    fn from(tests: Vec<Test>) -> TestList {
        let mut list = TestList::default();
        list.set(&tests);
        list
    }
}

impl From<TestList> for Vec<Test> {
    fn from(list: TestList) -> Vec<Test> {
        list.tests().into_owned()
    }
}

impl TestList {
    /// Replaces the tests.
    pub fn set(&mut self, tests: &[Test]) {
        self.plain.clear();
        self.packed =
            if tests.len() < MIN_PACKED { None } else { Packed::new(tests).map(Arc::new) };
        if self.packed.is_none() {
            self.plain.extend_from_slice(tests);
        }
    }

    /// Replaces the tests by those of another list. Packed tests are shared.
    pub(crate) fn share(&mut self, other: &TestList) {
        self.plain.clone_from(&other.plain);
        self.packed.clone_from(&other.packed);
    }

    /// Returns the number of tests.
    #[must_use]
    pub fn len(&self) -> usize {
        self.packed.as_ref().map_or(self.plain.len(), |packed| packed.gaps.len())
    }

    /// Returns whether there are no tests.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns whether a predicate is true for every test. It stops at the first test for which it is false.
    #[inline]
    pub fn all(&self, mut predicate: impl FnMut(Test) -> bool) -> bool {
        match &self.packed {
            None => self.plain.iter().all(|&test| predicate(test)),
            Some(packed) if packed.wide.is_empty() => packed.narrow().all(predicate),
            Some(packed) => packed.wide().all(predicate),
        }
    }

    /// Returns whether the list consists of these tests.
    #[must_use]
    pub fn is(&self, tests: &[Test]) -> bool {
        let mut others = tests.iter();
        self.len() == tests.len() && self.all(|test| others.next() == Some(&test))
    }

    /// Returns the tests as a slice, unpacked if they are packed.
    #[must_use]
    pub fn tests(&self) -> Cow<'_, [Test]> {
        if self.packed.is_none() {
            return Cow::Borrowed(&self.plain);
        }
        let mut tests = Vec::new();
        self.copy_into(&mut tests);
        Cow::Owned(tests)
    }

    /// Replaces the content of a vector by the tests.
    pub fn copy_into(&self, target: &mut Vec<Test>) {
        target.clear();
        match &self.packed {
            None => target.extend_from_slice(&self.plain),
            Some(packed) if packed.wide.is_empty() => target.extend(packed.narrow()),
            Some(packed) => target.extend(packed.wide()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn packed_tests_are_unpacked_unchanged(
            steps in prop::collection::vec((1u32..300, 0u32..70_000, 0u32..70_000), 0..400),
            most in prop::sample::select(vec![(250, 255), (250, 65_535), (250, 70_000), (300, 255)]),
        ) {
            let mut attribute = 0;
            let tests: Vec<Test> = steps
                .into_iter()
                .map(|(gap, low, high)| {
                    attribute += gap.min(most.0);
                    Test::between(attribute, low.min(most.1), high.min(most.1))
                })
                .collect();
            let mut list = TestList::from(vec![Test::between(3, 1, 2); 300]);
            list.set(&tests);
            prop_assert_eq!(list.len(), tests.len());
            prop_assert_eq!(&*list.tests(), &tests[..]);
            let mut target = vec![Test::between(1, 2, 3)];
            list.copy_into(&mut target);
            prop_assert_eq!(&target, &tests);
            prop_assert!(list.is(&tests));
            let mut shared = TestList::from(vec![Test::between(7, 1, 2)]);
            shared.share(&list);
            prop_assert_eq!(&shared, &list);
            if let Some(last) = tests.len().checked_sub(1) {
                prop_assert!(!list.is(&tests[..last]));
                let mut other = tests.clone();
                other[last].high ^= 1;
                prop_assert!(!list.is(&other));
                let (mut seen, middle) = (0, tests.len() / 2);
                let stopped = !list.all(|test| { seen += 1; test != tests[middle] });
                prop_assert!(stopped);
                prop_assert_eq!(seen, middle + 1);
            }
            prop_assert_eq!(Vec::from(list), tests);
        }
    }
}
