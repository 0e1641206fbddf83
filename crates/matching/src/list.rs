//! Lists of tests in little room.

use crate::Test;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::sync::Arc;

/// From so many tests on a list is packed. Shorter ones are handed out as they are.
const LONG: usize = 256;

/// The tests of a condition, sorted by column. A condition that names thousands of columns takes three or five bytes a test instead
/// of twelve, where columns lie close together and codes are below 256 or 65,536, and clones of it share them: what is
/// never written need not be paged in.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<Test>", into = "Vec<Test>")]
pub struct TestList {
    /// The tests, unless they are packed.
    plain: Vec<Test>,
    packed: Option<Arc<Packed>>,
}

/// Tests in three or five bytes each.
#[derive(Debug, Default, PartialEq, Eq)]
struct Packed {
    /// From one column to the next.
    gaps: Vec<u8>,
    /// Both bounds of each, a byte for either; or sixteen bits for either.
    narrow: Vec<u16>,
    wide: Vec<u32>,
}

impl Packed {
    /// Packs tests, if they can be packed.
    #[expect(clippy::cast_possible_truncation, reason = "whether anything was lost is looked at")]
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

    /// The tests with narrow bounds, one after the other.
    fn narrow(&self) -> impl Iterator<Item = Test> + '_ {
        let mut attribute = 0;
        self.gaps.iter().zip(&self.narrow).map(move |(&gap, &bounds)| {
            attribute += u32::from(gap);
            Test { attribute, low: u32::from(bounds & 0xFF), high: u32::from(bounds >> 8) }
        })
    }

    /// Those with wide ones.
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
    /// Takes other tests.
    pub fn set(&mut self, tests: &[Test]) {
        self.plain.clear();
        self.packed = if tests.len() < LONG { None } else { Packed::new(tests).map(Arc::new) };
        if self.packed.is_none() {
            self.plain.extend_from_slice(tests);
        }
    }

    /// Takes the tests of another list; those that are packed are shared.
    pub(crate) fn share(&mut self, other: &TestList) {
        self.plain.clone_from(&other.plain);
        self.packed.clone_from(&other.packed);
    }

    /// How many tests there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.packed.as_ref().map_or(self.plain.len(), |packed| packed.gaps.len())
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether something holds of every test; those after the first of which it does not are not looked at.
    #[inline]
    pub fn all(&self, mut holds: impl FnMut(Test) -> bool) -> bool {
        match &self.packed {
            None => self.plain.iter().all(|&test| holds(test)),
            Some(packed) if packed.wide.is_empty() => packed.narrow().all(holds),
            Some(packed) => packed.wide().all(holds),
        }
    }

    /// Whether these are the tests.
    #[must_use]
    pub fn is(&self, tests: &[Test]) -> bool {
        let mut others = tests.iter();
        self.len() == tests.len() && self.all(|test| others.next() == Some(&test))
    }

    /// The tests side by side; unpacked where they are packed.
    #[must_use]
    pub fn tests(&self) -> Cow<'_, [Test]> {
        if self.packed.is_none() {
            return Cow::Borrowed(&self.plain);
        }
        let mut tests = Vec::new();
        self.copy_into(&mut tests);
        Cow::Owned(tests)
    }

    /// Writes the tests into some room.
    pub fn copy_into(&self, room: &mut Vec<Test>) {
        room.clear();
        match &self.packed {
            None => room.extend_from_slice(&self.plain),
            Some(packed) if packed.wide.is_empty() => room.extend(packed.narrow()),
            Some(packed) => room.extend(packed.wide()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_goes_in_comes_out(
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
            let mut room = vec![Test::between(1, 2, 3)];
            list.copy_into(&mut room);
            prop_assert_eq!(&room, &tests);
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
