use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// A set of texts, numbered from 0 in order of insertion.
///
/// All texts are in one string, so a million of them take a few large allocations.
///
/// ```
/// use pellucid_data::Register;
/// let mut names = Register::default();
/// assert_eq!(names.add("anna"), 0);
/// assert_eq!(names.add("bert"), 1);
/// assert_eq!(names.add("anna"), 0);
/// assert_eq!(names.get(1), "bert");
/// assert_eq!(names.find("carl"), None);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Register {
    text: String,
    ends: Vec<usize>,
    index: HashTable<u32>,
}

impl Register {
    /// Returns the number of a text, and adds it if it is new.
    ///
    /// # Panics
    /// If there are more than 2^32 texts.
    pub fn add(&mut self, text: &str) -> u32 {
        let hash = hash(text);
        if let Some(&known) = self.index.find(hash, |&number| self.get(number) == text) {
            return known;
        }
        let number = u32::try_from(self.ends.len()).expect("fewer than 2^32 names");
        self.text.push_str(text);
        self.ends.push(self.text.len());
        let Register { text, ends, index } = self;
        index.insert_unique(hash, number, |&other| self::hash(slice(text, ends, other)));
        number
    }

    /// Returns the number of a text, if it is in the set.
    #[must_use]
    pub fn find(&self, text: &str) -> Option<u32> {
        self.index.find(hash(text), |&number| self.get(number) == text).copied()
    }

    /// Returns the text with a number.
    ///
    /// # Panics
    /// If there is no such text.
    #[must_use]
    pub fn get(&self, number: u32) -> &str {
        slice(&self.text, &self.ends, number)
    }

    /// Returns the number of texts.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no texts.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns all texts in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        // All numbers are u32.
        #[expect(clippy::cast_possible_truncation)]
        (0..self.len() as u32).map(|number| self.get(number))
    }
}

impl PartialEq for Register {
    fn eq(&self, other: &Register) -> bool {
        self.ends == other.ends && self.text == other.text
    }
}

impl<S: AsRef<str>> FromIterator<S> for Register {
    fn from_iter<I: IntoIterator<Item = S>>(texts: I) -> Register {
        let mut register = Register::default();
        for text in texts {
            register.add(text.as_ref());
        }
        register
    }
}

fn slice<'a>(text: &'a str, ends: &[usize], number: u32) -> &'a str {
    let number = number as usize;
    let start = number.checked_sub(1).map_or(0, |before| ends[before]);
    &text[start..ends[number]]
}

fn hash(text: &str) -> u64 {
    let mut state = FxHasher::default();
    text.hash(&mut state);
    state.finish()
}
