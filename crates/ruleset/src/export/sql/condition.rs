//! Conditions in SQL.
//!
//! A question about the rows of a bag becomes a column of the bag's line: the number of rows that
//! satisfy it. So the table is read once, whatever the number of rules.

use crate::export::language::{Language, Subject};
use pellucid_data::DateFormat;
use pellucid_export::dates;
use pellucid_export::sql::{FALSE, TRUE, compare, identifier, string};
use pellucid_program::{Interval, Op, Quantifier};
use std::cell::RefCell;

/// The counts and means of each bag, in the order of their first use.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    /// Conditions whose rows are counted.
    pub(super) counts: Vec<String>,
    /// Columns that are averaged.
    pub(super) means: Vec<String>,
}

/// The aliases of rows, whose columns are parsed as by the model, and of bags.
pub(super) const ROW: &str = "c";
pub(super) const BAG: &str = "g";

/// Conditions on single rows and on bags.
#[derive(Debug, Default)]
pub(super) struct Sql {
    pub(super) gathered: RefCell<Gathered>,
}

/// The name of the number of a bag's rows.
pub(super) const ALL_ROWS: &str = "all_rows";

/// Returns the name of the number of rows that satisfy a question, by its index.
pub(super) fn count_name(index: usize) -> String {
    format!("rows_{}", index + 1)
}

/// Returns the name of a mean, by its index.
pub(super) fn mean_name(index: usize) -> String {
    format!("mean_{}", index + 1)
}

/// Returns the index of a text in a list, and adds it if it is new.
fn index_of(list: &mut Vec<String>, text: &str) -> usize {
    list.iter().position(|known| known == text).unwrap_or_else(|| {
        list.push(text.to_owned());
        list.len() - 1
    })
}

impl Sql {
    fn column(&self, name: &str) -> String {
        // Always with the alias, because SQLite treats an unknown quoted name as text.
        format!("{ROW}.{}", identifier(name))
    }

    /// Returns a test of a number that is false if the number is missing.
    fn guarded(&self, subject: Subject<'_>, test: impl Fn(&str) -> String) -> String {
        let number = match subject {
            Subject::Column(name) => self.column(name),
            Subject::Mean(name) => {
                let index = index_of(&mut self.gathered.borrow_mut().means, &self.column(name));
                format!("{BAG}.{}", mean_name(index))
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
            // Dates as text sort correctly too, because they are written from the year to the second.
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

    fn one_of_categories(&self, column: &str, categories: &[String], is_in: bool) -> String {
        let texts: Vec<String> = categories.iter().map(|text| string(text)).collect();
        let test = match (&texts[..], is_in) {
            ([text], true) => format!("= {text}"),
            ([text], false) => format!("<> {text}"),
            (texts, true) => format!("IN ({})", texts.join(", ")),
            (texts, false) => format!("NOT IN ({})", texts.join(", ")),
        };
        self.guarded(Subject::Column(column), |column| format!("{column} {test}"))
    }

    fn contains(&self, column: &str, text: &str) -> String {
        // Not LIKE, which ignores case in some databases and in which % and _ are wildcards.
        self.guarded(Subject::Column(column), |column| {
            let without = format!("REPLACE({column}, {}, '')", string(text));
            if text.is_empty() { TRUE.to_owned() } else { format!("{without} <> {column}") }
        })
    }

    fn rows(&self, quantifier: Quantifier, condition: &str) -> String {
        let index = index_of(&mut self.gathered.borrow_mut().counts, condition);
        let rows = format!("{BAG}.{}", count_name(index));
        match quantifier {
            Quantifier::Some => format!("{rows} > 0"),
            Quantifier::Only => format!("{rows} = {BAG}.{ALL_ROWS}"),
            Quantifier::Min(number) => format!("{rows} >= {number}"),
            Quantifier::Max(number) => format!("{rows} <= {number}"),
            Quantifier::Exactly(number) => format!("{rows} = {number}"),
        }
    }
}
