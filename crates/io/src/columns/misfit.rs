//! Cells that do not have the type of their column: their number, the first few, and the notes about them.

use crate::source::error::{Position, shorten};
use pellucid_data::{Message, message, parameter};
use serde::Serialize;

/// The number of cells to show.
const SHOWN: usize = 5;

/// The cells of a column that do not have its type.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Misfits {
    /// The number of such cells.
    pub count: usize,
    /// The first few of them.
    pub first: Vec<Misfit>,
}

/// A cell that does not have the type of its column.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Misfit {
    /// Its position in the file.
    #[serde(rename = "place", serialize_with = "Position::serialize_phrase")]
    pub position: Position,
    /// Its text.
    pub text: String,
}

impl Misfits {
    /// Adds a cell.
    #[cold]
    pub(crate) fn add(&mut self, position: Position, text: &str) {
        self.count += 1;
        if self.first.len() < SHOWN {
            self.first.push(Misfit { position, text: shorten(text) });
        }
    }

    /// Adds the cells of later rows.
    pub(crate) fn append(&mut self, more: Misfits) {
        self.count += more.count;
        let room = SHOWN - self.first.len();
        self.first.extend(more.first.into_iter().take(room));
    }

    /// Whether there are so few that the column has the type of the other cells: at most one in
    /// twenty, or a single one in a small table.
    pub(crate) fn are_strays(&self, fitting: usize) -> bool {
        self.count * 20 <= self.count + fitting || (self.count == 1 && fitting >= 4)
    }

    /// Whether most cells have the type.
    pub(crate) fn are_fewer_than(&self, fitting: usize) -> bool {
        self.count < fitting
    }

    /// Returns the first few for a message: `'abc' (line 17), 'x' (line 20) and 3 more`.
    pub(crate) fn listed(&self) -> String {
        let shown: Vec<String> = self
            .first
            .iter()
            .map(|misfit| format!("'{}' ({})", misfit.text, misfit.position.phrase()))
            .collect();
        let mut text = shown.join(", ");
        if self.count > shown.len() {
            text.push_str(&format!(" and {} more", self.count - shown.len()));
        }
        text
    }

    /// Returns the text that the first few have in common; it is probably a mark of missing values.
    fn common(&self) -> Option<&str> {
        let first = self.first.first()?;
        let alike = self.first.iter().all(|misfit| misfit.text == first.text);
        alike.then_some(first.text.as_str())
    }

    /// Returns the note for a column that has the type of most of its cells.
    pub(crate) fn taken_as_missing(
        &self,
        column: &str,
        kind: &str,
        fitting: usize,
        is_given: bool,
    ) -> Message {
        let all = self.count + fitting;
        let begin = format!(
            "read column '{column}' as {kind}; treated {} of {all} cells as missing: {}",
            self.count,
            self.listed()
        );
        if is_given {
            return begin.into();
        }
        let confirm = match self.common() {
            Some(mark) => parameter("missing").with(mark),
            None => parameter("numeric").with(column),
        };
        message!(
            "{begin}; use `",
            confirm,
            "` to confirm, or `",
            parameter("nominal").with(column),
            "` to read the column as text"
        )
    }

    /// Returns the note for a column that is text because of these cells.
    pub(crate) fn made_words(&self, column: &str, kind: &str, fitting: usize) -> Message {
        let (all, others) = (self.count + fitting, self.listed());
        let numeric = parameter("numeric").with(column);
        let advice = match self.common() {
            Some(mark) => {
                let missing = parameter("missing").with(mark);
                message!("use `", missing, "` or `", numeric, "` to read the column as numbers")
            }
            None => message!(
                "use `",
                numeric,
                "` to read the column as numbers and treat the other cells as missing"
            ),
        };
        message!(
            "read column '{column}' as text, although {fitting} of {all} cells are {kind}; \
             the other cells: {others}; ",
            advice
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn misfits(texts: &[&str]) -> Misfits {
        let mut misfits = Misfits::default();
        for (line, text) in (2..).zip(texts) {
            misfits.add(Position::Line(line), text);
        }
        misfits
    }

    #[test]
    fn a_few_misfits_do_not_change_the_type() {
        assert!(misfits(&["a"]).are_strays(4) && !misfits(&["a"]).are_strays(3));
        assert!(misfits(&["a", "b"]).are_strays(38) && !misfits(&["a", "b"]).are_strays(37));
    }

    #[test]
    fn notes_give_positions_and_suggestions() {
        assert_eq!(
            misfits(&["abc"]).taken_as_missing("age", "numbers", 99, false),
            "read column 'age' as numbers; treated 1 of 100 cells as missing: 'abc' (line 2); \
             use `missing abc` to confirm, or `nominal age` to read the column as text"
        );
        let many = misfits(&["a", "b", "c", "d", "e", "f"]);
        assert_eq!(
            many.made_words("age", "numbers", 20),
            "read column 'age' as text, although 20 of 26 cells are numbers; the other cells: 'a' (line 2), \
             'b' (line 3), 'c' (line 4), 'd' (line 5), 'e' (line 6) and 1 more; use `numeric age` to read \
             the column as numbers and treat the other cells as missing"
        );
    }
}
