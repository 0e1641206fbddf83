//! Explanations as text.

use super::{Cell, Compared, Reason, RuleExplained, RulesExplanation, Witness};
use crate::export::prose::visible;
use crate::export::text::{rounded, voted};
use crate::export::wrap::paragraph;
use pellucid_program::{Expr, Value};
use std::fmt::{self, Display, Formatter};

impl Display for RulesExplanation {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let example = match &self.bag {
            Some(bag) => format!("bag '{bag}'"),
            None => called(self.example, self.id.as_deref()),
        };
        let line = visible(&format!("{example}: {}", self.predicted));
        out.write_str(&paragraph("", 2, &line))?;
        let votes: Vec<String> = self
            .votes
            .iter()
            .map(|entry| format!("{} for {}", rounded(entry.votes), visible(&entry.class)))
            .collect();
        out.write_str(&paragraph("  votes: ", 9, &votes.join(", ")))?;
        if self.rules.is_empty() {
            out.write_str("  no rule holds\n")?;
        }
        self.rules.iter().try_for_each(|rule| write!(out, "{rule}"))
    }
}

/// A row by its number, and by its name where it has one.
fn called(row: usize, id: Option<&str>) -> String {
    match id {
        Some(id) => format!("row {row} ('{}')", visible(id)),
        None => format!("row {row}"),
    }
}

impl Display for RuleExplained {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let verdict = if self.holds { "holds" } else { "does not hold" };
        let first = format!("  rule {} {verdict}: ", self.number);
        let class = voted(&visible(&self.class), self.votes);
        out.write_str(&paragraph(&first, 6, &format!("IF {} THEN {class}", self.when)))?;
        self.reasons.iter().try_for_each(|reason| write!(out, "{reason}"))
    }
}

impl Display for Reason {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let line = match self {
            Reason::Row(witness) => {
                return out.write_str(&paragraph("    ", 6, &witness.to_string()));
            }
            Reason::Rows { question, covered, of, .. } => {
                let question = visible(question);
                match (covered, of) {
                    (0, of) => format!("no row of {of} has {question}"),
                    (1, 1) => format!("its only row has {question}"),
                    (covered, of) if covered == of => format!("all {of} rows have {question}"),
                    (1, of) => format!("1 of {of} rows has {question}"),
                    (covered, of) => format!("{covered} of {of} rows have {question}"),
                }
            }
            Reason::Mean { column, value, test } => {
                let column = visible(column);
                match value {
                    Some(value) => format!("the mean of {column} is {value} ({test})"),
                    None => format!(
                        "the mean of {column} is not known, all values are missing ({test})"
                    ),
                }
            }
            Reason::Size { rows: 1, test } => format!("it has 1 row ({test})"),
            Reason::Size { rows, test } => format!("it has {rows} rows ({test})"),
        };
        out.write_str(&paragraph("    ", 6, &line))?;
        if let Reason::Rows { witnesses, .. } = self {
            for witness in witnesses {
                let not = if witness.satisfies { "" } else { "not " };
                out.write_str(&paragraph("      ", 8, &format!("{not}{witness}")))?;
            }
        }
        Ok(())
    }
}

impl Display for Witness {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        out.write_str(&called(self.row, self.id.as_deref()))?;
        for (index, value) in self.values.iter().enumerate() {
            write!(out, "{}{value}", if index == 0 { ": " } else { ", " })?;
        }
        Ok(())
    }
}

impl Display for Compared {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        // A column by itself is an expression, so it gets quotes where an expression needs them.
        let column = visible(&Expr::Is(self.column.clone()).to_string());
        match &self.value {
            Cell::Missing => write!(out, "{column} is missing")?,
            Cell::Truth(truth) => write!(out, "{column} = {truth}")?,
            Cell::Number(number) => write!(out, "{column} = {number}")?,
            Cell::Text(text) => {
                write!(out, "{column} = {}", visible(&Value::Text(text.clone()).to_string()))?;
            }
        }
        if self.test.is_empty() { Ok(()) } else { write!(out, " ({})", visible(&self.test)) }
    }
}
