//! Cells that do not fit the type of their column: how many there are, where the first ones stand, and what becomes of them.

use crate::error::{Place, shorten};
use serde::Serialize;

/// How many cells are shown.
const SHOWN: usize = 5;

/// The cells of a column that do not fit its type.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Misfits {
    /// How many there are.
    pub count: usize,
    /// The first of them.
    pub first: Vec<Misfit>,
}

/// A cell that does not fit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Misfit {
    /// Where it stands.
    #[serde(serialize_with = "Place::serialize_plain")]
    pub place: Place,
    /// What it holds.
    pub text: String,
}

impl Misfits {
    /// One more.
    #[cold]
    pub(crate) fn add(&mut self, place: Place, text: &str) {
        self.count += 1;
        if self.first.len() < SHOWN {
            self.first.push(Misfit { place, text: shorten(text) });
        }
    }

    /// Those of later rows.
    pub(crate) fn append(&mut self, more: Misfits) {
        self.count += more.count;
        let room = SHOWN - self.first.len();
        self.first.extend(more.first.into_iter().take(room));
    }

    /// Whether there are so few beside those that fit that the column is what most of its cells are: one in twenty at most, or a
    /// single one in a small table.
    pub(crate) fn are_strays(&self, fitting: usize) -> bool {
        self.count * 20 <= self.count + fitting || (self.count == 1 && fitting >= 4)
    }

    /// Whether most cells fit.
    pub(crate) fn are_fewer_than(&self, fitting: usize) -> bool {
        self.count < fitting
    }

    /// The first ones as they stand in a sentence: `'abc' (line 17), 'x' (line 20) and 3 more`.
    pub(crate) fn listed(&self) -> String {
        let shown: Vec<String> = self
            .first
            .iter()
            .map(|misfit| format!("'{}' ({})", misfit.text, misfit.place.plain()))
            .collect();
        let mut text = shown.join(", ");
        if self.count > shown.len() {
            text.push_str(&format!(" and {} more", self.count - shown.len()));
        }
        text
    }

    /// One text that all of the first ones share, which then is probably a mark of missing values.
    fn common(&self) -> Option<&str> {
        let first = self.first.first()?;
        let alike = self.first.iter().all(|misfit| misfit.text == first.text);
        alike.then_some(first.text.as_str())
    }

    /// What is said where the column was taken as what most of its cells are.
    pub(crate) fn taken_as_missing(
        &self,
        column: &str,
        kind: &str,
        fitting: usize,
        told: bool,
    ) -> String {
        let all = self.count + fitting;
        let fit = if self.count == 1 { "does not fit and was" } else { "do not fit and were" };
        let begin = format!(
            "column '{column}' holds {kind}; {} of {all} cells {fit} taken as missing: {}",
            self.count,
            self.listed()
        );
        if told {
            return begin;
        }
        match self.common() {
            Some(mark) => format!(
                "{begin}; `missing {mark}` says that this is meant, `nominal {column}` makes the column words"
            ),
            None => format!(
                "{begin}; `numeric {column}` says that this is meant, `nominal {column}` makes the column words"
            ),
        }
    }

    /// What is said where the column was taken as words because of them.
    pub(crate) fn made_words(&self, column: &str, kind: &str, fitting: usize) -> String {
        let all = self.count + fitting;
        let do_this = match self.common() {
            Some(mark) => {
                format!("`missing {mark}` or `numeric {column}` makes the column numbers")
            }
            None => {
                format!("`numeric {column}` makes the column numbers and takes them as missing")
            }
        };
        format!(
            "column '{column}' was taken as words, though {fitting} of {all} cells are {kind}; the others: {}; {do_this}",
            self.listed()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn misfits(texts: &[&str]) -> Misfits {
        let mut misfits = Misfits::default();
        for (line, text) in (2..).zip(texts) {
            misfits.add(Place::Line(line), text);
        }
        misfits
    }

    #[test]
    fn a_single_one_is_a_stray_and_many_are_not() {
        assert!(misfits(&["a"]).are_strays(4) && !misfits(&["a"]).are_strays(3));
        assert!(misfits(&["a", "b"]).are_strays(38) && !misfits(&["a", "b"]).are_strays(37));
    }

    #[test]
    fn sentences_say_where_and_what_to_do() {
        assert_eq!(
            misfits(&["abc"]).taken_as_missing("age", "numbers", 99, false),
            "column 'age' holds numbers; 1 of 100 cells does not fit and was taken as missing: 'abc' (line 2); `missing abc` says that this is meant, `nominal age` makes the column words"
        );
        let many = misfits(&["a", "b", "c", "d", "e", "f"]);
        assert_eq!(
            many.made_words("age", "numbers", 20),
            "column 'age' was taken as words, though 20 of 26 cells are numbers; the others: 'a' (line 2), 'b' (line 3), 'c' (line 4), 'd' (line 5), 'e' (line 6) and 1 more; `numeric age` makes the column numbers and takes them as missing"
        );
    }
}
