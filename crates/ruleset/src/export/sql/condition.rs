//! Conditions in SQL.
//!
//! A question to the rows of a bag becomes a column of the one line that the bag has: how many of its rows answer it. So a
//! table is read once, whatever the number of rules.

use super::literal::{FALSE, TRUE, compare, identifier, string};
use crate::export::dates;
use crate::export::language::{Language, Subject};
use pellucid_data::DateFormat;
use pellucid_program::{Interval, Op, Quantifier};
use std::cell::RefCell;

/// What is counted and averaged for each bag, in the order in which it is first asked for.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    /// Conditions whose rows are counted.
    pub(super) counts: Vec<String>,
    /// Columns whose means are taken.
    pub(super) means: Vec<String>,
}

/// What the rows are called that conditions speak of, with their columns as the model reads them, and what bags are called.
pub(super) const ROW: &str = "c";
pub(super) const BAG: &str = "g";

/// Conditions on single rows and on bags.
#[derive(Debug, Default)]
pub(super) struct Sql {
    pub(super) gathered: RefCell<Gathered>,
}

/// What the number of a bag's rows is called.
pub(super) const ALL_ROWS: &str = "all_rows";

/// What the number of rows that answer a question is called, counted from 0.
pub(super) fn counted(place: usize) -> String {
    format!("rows_{}", place + 1)
}

/// What a mean is called, counted from 0.
pub(super) fn averaged(place: usize) -> String {
    format!("mean_{}", place + 1)
}

/// The place of a text in a list, to which it is added if it is new.
fn place(list: &mut Vec<String>, text: &str) -> usize {
    list.iter().position(|known| known == text).unwrap_or_else(|| {
        list.push(text.to_owned());
        list.len() - 1
    })
}

impl Sql {
    fn column(&self, name: &str) -> String {
        // Always with the row's name: SQLite takes an unknown "name" by itself for a text.
        format!("{ROW}.{}", identifier(name))
    }

    /// A test of a number, false where there is none.
    fn guarded(&self, subject: Subject<'_>, test: impl Fn(&str) -> String) -> String {
        let number = match subject {
            Subject::Column(name) => self.column(name),
            Subject::Mean(name) => {
                let place = place(&mut self.gathered.borrow_mut().means, &self.column(name));
                format!("{BAG}.{}", averaged(place))
            }
            Subject::Rows => format!("{BAG}.{ALL_ROWS}"),
        };
        format!("({number} IS NOT NULL AND {})", test(&number))
    }
}

impl Language for Sql {
    fn constant(&self, value: bool) -> String {
        if value { TRUE } else { FALSE }.to_owned()
    }

    fn not(&self, operand: &str) -> String {
        format!("NOT ({operand})")
    }

    fn all(&self, operands: &[String]) -> String {
        format!("({})", operands.join(" AND "))
    }

    fn any(&self, operands: &[String]) -> String {
        format!("({})", operands.join(" OR "))
    }

    fn is(&self, column: &str) -> String {
        let column = self.column(column);
        format!("({column} IS NOT NULL AND {column} = 1)")
    }

    fn compare(&self, subject: Subject<'_>, op: Op, number: f64) -> String {
        self.guarded(subject, |subject| compare(subject, op, number))
    }

    fn within(&self, subject: Subject<'_>, interval: Interval) -> String {
        let ((above, low), (below, high)) = dates::ends(&interval);
        self.guarded(subject, |subject| {
            format!("{} AND {}", compare(subject, above, low), compare(subject, below, high))
        })
    }

    fn compare_date(&self, column: &str, format: &DateFormat, op: Op, number: f64) -> String {
        match (dates::whole(format, op, number), op) {
            // Dates as texts are in order too, as long as they are written from the year to the second.
            (Some(number), _) => self.guarded(Subject::Column(column), |column| {
                let op = if op == Op::NotEqual { "<>" } else { op.symbol() };
                format!("{column} {op} {}", string(&format.show_iso(number)))
            }),
            // Nothing equals a number between two dates.
            (None, Op::Equal) => FALSE.to_owned(),
            (None, Op::NotEqual) => self.guarded(Subject::Column(column), |_| TRUE.to_owned()),
            (None, _) => self.guarded(Subject::Column(column), |_| {
                if op.holds(0.0, number) { TRUE } else { FALSE }.to_owned()
            }),
        }
    }

    fn one_of_numbers(&self, column: &str, numbers: &[f64]) -> String {
        self.guarded(Subject::Column(column), |column| {
            let tests: Vec<String> =
                numbers.iter().map(|&number| compare(column, Op::Equal, number)).collect();
            format!("({})", tests.join(" OR "))
        })
    }

    fn one_of_categories(&self, column: &str, categories: &[String], holds: bool) -> String {
        let texts: Vec<String> = categories.iter().map(|text| string(text)).collect();
        let test = match (&texts[..], holds) {
            ([text], true) => format!("= {text}"),
            ([text], false) => format!("<> {text}"),
            (texts, true) => format!("IN ({})", texts.join(", ")),
            (texts, false) => format!("NOT IN ({})", texts.join(", ")),
        };
        self.guarded(Subject::Column(column), |column| format!("{column} {test}"))
    }

    fn contains(&self, column: &str, text: &str) -> String {
        // Not LIKE, which some databases read without regard to case, and where % and _ mean something.
        self.guarded(Subject::Column(column), |column| {
            let without = format!("REPLACE({column}, {}, '')", string(text));
            if text.is_empty() { TRUE.to_owned() } else { format!("{without} <> {column}") }
        })
    }

    fn rows(&self, quantifier: Quantifier, condition: &str) -> String {
        let place = place(&mut self.gathered.borrow_mut().counts, condition);
        let rows = format!("{BAG}.{}", counted(place));
        match quantifier {
            Quantifier::Some => format!("{rows} > 0"),
            Quantifier::Only => format!("{rows} = {BAG}.{ALL_ROWS}"),
            Quantifier::Min(number) => format!("{rows} >= {number}"),
            Quantifier::Max(number) => format!("{rows} <= {number}"),
            Quantifier::Exactly(number) => format!("{rows} = {number}"),
        }
    }
}
