//! Lists of tests in little room.

use crate::Test;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// From so many tests on a list is packed. Shorter ones are handed out as they are.
const LONG: usize = 256;

/// The tests of a condition, sorted by column. A condition that names thousands of columns takes five bytes a test instead of
/// twelve, where codes are below 65,536 and columns lie close together: what is never written need not be paged in.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<Test>", into = "Vec<Test>")]
pub struct TestList {
    /// The tests, unless they are packed.
    plain: Vec<Test>,
    /// From one column to the next.
    gaps: Vec<u8>,
    /// Both bounds of each, sixteen bits for either.
    bounds: Vec<u32>,
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
        self.gaps.clear();
        self.bounds.clear();
        if tests.len() < LONG || !self.packs(tests) {
            self.gaps.clear();
            self.bounds.clear();
            self.plain.extend_from_slice(tests);
        }
    }

    /// Packs tests, if they can be packed.
    fn packs(&mut self, tests: &[Test]) -> bool {
        self.gaps.reserve(tests.len());
        self.bounds.reserve(tests.len());
        let mut before = 0;
        for test in tests {
            let gap = test.attribute.checked_sub(before).and_then(|gap| u8::try_from(gap).ok());
            let (Some(gap), Ok(low), Ok(high)) =
                (gap, u16::try_from(test.low), u16::try_from(test.high))
            else {
                return false;
            };
            self.gaps.push(gap);
            self.bounds.push(u32::from(high) << 16 | u32::from(low));
            before = test.attribute;
        }
        true
    }

    /// How many tests there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.plain.len() + self.gaps.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The tests, one after the other.
    pub fn iter(&self) -> impl Iterator<Item = Test> + '_ {
        let mut attribute = 0;
        let packed = self.gaps.iter().zip(&self.bounds).map(move |(&gap, &bounds)| {
            attribute += u32::from(gap);
            Test { attribute, low: bounds & 0xFFFF, high: bounds >> 16 }
        });
        self.plain.iter().copied().chain(packed)
    }

    /// The tests side by side; unpacked where they are packed.
    #[must_use]
    pub fn tests(&self) -> Cow<'_, [Test]> {
        if self.gaps.is_empty() { Cow::Borrowed(&self.plain) } else { self.iter().collect() }
    }

    /// Writes the tests into some room.
    pub fn copy_into(&self, room: &mut Vec<Test>) {
        room.clear();
        if self.gaps.is_empty() {
            room.extend_from_slice(&self.plain);
        } else {
            room.reserve(self.len());
            self.iter().for_each(|test| room.push(test));
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
            narrow: bool,
        ) {
            let most = if narrow { (250, 65_535) } else { (300, 70_000) };
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
            prop_assert_eq!(Vec::from(list), tests);
        }
    }
}
