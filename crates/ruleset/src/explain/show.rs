//! Explanations as text.

use super::{Cell, ClassTotal, Compared, Reason, RuleExplained, RulesExplanation, Witness};
use crate::export::prose::visible;
use crate::export::text::rounded;
use crate::export::wrap::paragraph;
use pellucid_program::{Expr, Value};
use std::fmt::{self, Display, Formatter};

impl Display for RulesExplanation {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let example = match &self.bag {
            Some(bag) => format!("bag '{bag}'"),
            None => called(self.example, self.id.as_deref()),
        };
        let why = self.decided.iter().map(|why| format!(", {why}")).collect::<String>();
        let line = visible(&format!("{example}: {}{why}", self.predicted));
        out.write_str(&paragraph("", 2, &line))?;
        if self.ordered {
            return self.in_order(out);
        }
        if self.number.is_some() {
            return self.added_up(out);
        }
        if self.is_full {
            return self.in_full(out);
        }
        out.write_str(&paragraph("  votes: ", 9, &listed(&self.votes)))?;
        if self.rules.is_empty() {
            out.write_str("  no rule holds\n")?;
        }
        self.rules.iter().try_for_each(|rule| write!(out, "{rule}"))
    }
}

/// Votes by class.
fn listed(votes: &[ClassTotal]) -> String {
    let one =
        |entry: &ClassTotal| format!("{} for {}", rounded(entry.votes), visible(&entry.class));
    votes.iter().map(one).collect::<Vec<_>>().join(", ")
}

impl RulesExplanation {
    /// The rules of a list up to the one that decides.
    fn in_order(&self, out: &mut Formatter<'_>) -> fmt::Result {
        self.rules.iter().try_for_each(|rule| write!(out, "{rule}"))?;
        if self.rules.iter().any(|rule| rule.holds) {
            return Ok(());
        }
        out.write_str("  no rule holds, so what is said at the end of the list holds\n")
    }

    /// What a number is made of.
    fn added_up(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let begin: Vec<String> = self.begin.iter().map(|base| base.votes.to_string()).collect();
        let hold: Vec<&RuleExplained> = self.rules.iter().filter(|rule| rule.holds).collect();
        let amounts = hold.iter().map(|rule| {
            let sign = if rule.votes < 0.0 { "-" } else { "+" };
            format!(" {sign} {} (rule {})", rule.votes.abs(), rule.number)
        });
        let sum = format!("{} to begin with{}", begin.join(", "), amounts.collect::<String>());
        out.write_str(&paragraph("  ", 4, &sum))?;
        if hold.is_empty() {
            out.write_str("  no rule holds\n")?;
        }
        for rule in hold {
            write!(out, "{rule}")?;
        }
        self.rules.iter().filter(|rule| !rule.holds).try_for_each(|rule| write!(out, "{rule}"))
    }

    /// From the votes to begin with, over the rules, to the votes in the end.
    fn in_full(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let has = |entry: &ClassTotal| match rounded(entry.votes) {
            _ if entry.votes == 0.0 => format!("none for {}", visible(&entry.class)),
            votes => format!("{votes} for {}", visible(&entry.class)),
        };
        let begin: Vec<String> = self.begin.iter().map(has).collect();
        let begin = format!("votes before any rule speaks: {}", begin.join(", "));
        out.write_str(&paragraph("  ", 4, &begin))?;
        let count = |number: usize, holds: bool| match (number, holds) {
            (0, true) => "no rule holds".to_owned(),
            (0, false) => "every rule holds".to_owned(),
            (1, true) => "1 rule holds:".to_owned(),
            (1, false) => "1 rule does not hold:".to_owned(),
            (number, true) => format!("{number} rules hold:"),
            (number, false) => format!("{number} rules do not hold:"),
        };
        for holds in [true, false] {
            let rules = || self.rules.iter().filter(|rule| rule.holds == holds);
            if !self.rules.is_empty() {
                writeln!(out, "  {}", count(rules().count(), holds))?;
            }
            rules().try_for_each(|rule| write!(out, "{rule}"))?;
        }
        out.write_str(&paragraph("  votes in the end: ", 20, &listed(&self.votes)))
    }
}

/// A number that was calculated, with as many digits as tell something.
fn human(number: f64) -> f64 {
    format!("{number:.5e}").parse().unwrap_or(number)
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
        out.write_str(&paragraph(&first, 6, &format!("IF {} THEN {}", self.when, self.then)))?;
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
                    Some(value) => format!("the mean of {column} is {} ({test})", human(*value)),
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
        let is = match &self.value {
            Cell::Missing => "is missing".to_owned(),
            Cell::Truth(truth) => format!("= {truth}"),
            Cell::Number(number) => format!("= {number}"),
            Cell::Text(text) => format!("= {}", visible(&Value::Text(text.clone()).to_string())),
        };
        write!(out, "{column} {is}")?;
        // That it is what it should be is said already.
        let test = visible(&self.test);
        if test.is_empty() || test == is { Ok(()) } else { write!(out, " ({test})") }
    }
}
