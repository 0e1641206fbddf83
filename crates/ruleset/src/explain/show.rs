//! Explanations as text.

use super::{Cell, ClassTotal, Reason, RuleExplanation, RulesExplanation, TestedValue, Witness};
use crate::export::header::word;
use pellucid_data::visible_line;
use pellucid_export::wrap::paragraph;
use pellucid_learn::digits::{rounded, two_decimals};
use pellucid_program::{Expr, Value};
use std::fmt::{self, Display, Formatter};

/// With more rules than this, a sum names their number instead of each rule.
const MOST_TERMS: usize = 12;

impl Display for RulesExplanation {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let example = match &self.bag {
            Some(bag) => format!("bag '{bag}'"),
            None => row_name(self.example, self.id.as_deref()),
        };
        let why = self.decided.iter().map(|why| format!(", {why}")).collect::<String>();
        let line = format!("{example}: {}{why}", self.predicted);
        out.write_str(&paragraph("", 2, &visible_line(&line)))?;
        if self.ordered {
            return self.write_list(out);
        }
        if self.number.is_some() {
            out.write_str(&paragraph("  ", 4, &self.amounts()))?;
        } else if !self.any_rule_decides {
            out.write_str(&self.scores())?;
        }
        if self.is_full {
            return self.write_all_rules(out);
        }
        if self.rules.is_empty() {
            out.write_str("  no rule applies\n")?;
        }
        self.rules.iter().try_for_each(|rule| write!(out, "{rule}"))
    }
}

impl RulesExplanation {
    /// Writes the rules of a list up to the one that decides.
    fn write_list(&self, out: &mut Formatter<'_>) -> fmt::Result {
        self.rules.iter().try_for_each(|rule| write!(out, "{rule}"))?;
        if self.rules.iter().any(|rule| rule.holds) {
            return Ok(());
        }
        out.write_str("  no rule applies; the ELSE at the end of the list decides\n")
    }

    /// Writes the rules that apply, then those that do not.
    fn write_all_rules(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let title = |number: usize, holds: bool| match (number, holds) {
            (0, _) => "no rule applies".to_owned(),
            (1, true) => "1 rule applies:".to_owned(),
            (1, false) => "1 rule does not apply:".to_owned(),
            (number, true) => format!("{number} rules apply:"),
            (number, false) => format!("{number} rules do not apply:"),
        };
        for holds in [true, false] {
            let rules = || self.rules.iter().filter(|rule| rule.holds == holds);
            let number = rules().count();
            if holds || number > 0 {
                writeln!(out, "  {}", title(number, holds))?;
            }
            rules().try_for_each(|rule| write!(out, "{rule}"))?;
        }
        Ok(())
    }

    fn rules_that_apply(&self) -> impl Iterator<Item = &RuleExplanation> {
        self.rules.iter().filter(|rule| rule.holds)
    }

    /// Returns a predicted number as a sum.
    fn amounts(&self) -> String {
        let start = self.begin.first().map_or(0.0, |start| start.votes);
        let term = |rule: &RuleExplanation| {
            let sign = if rule.votes < 0.0 { "-" } else { "+" };
            format!(" {sign} {} (rule {})", rule.votes.abs(), rule.number)
        };
        let terms: String = self.rules_that_apply().map(term).collect();
        let name = visible_line(self.number.as_deref().unwrap_or_default());
        format!("{name} = {start} (starting value){terms}")
    }

    /// Returns the score as a sum for two classes, or else the scores of all classes.
    fn scores(&self) -> String {
        if let ([start_negative, start_positive], [negative, positive]) =
            (&self.begin[..], &self.votes[..])
        {
            let start = two_decimals(start_positive.votes - start_negative.votes);
            let score = two_decimals(positive.votes - negative.votes);
            let points = |rule: &RuleExplanation| {
                if rule.class == positive.class { rule.votes } else { -rule.votes }
            };
            let terms = match self.rules_that_apply().count() {
                many if many > MOST_TERMS => {
                    signed_term(self.rules_that_apply().map(points).sum(), &format!("{many} rules"))
                }
                _ => self
                    .rules_that_apply()
                    .map(|rule| signed_term(points(rule), &format!("rule {}", rule.number)))
                    .collect(),
            };
            let sum = format!("{score} = {start} (starting score){terms}");
            let meaning = match self.is_full {
                true => format!(
                    "positive: '{}'; negative or zero: '{}'",
                    visible_line(&positive.class),
                    visible_line(&negative.class)
                ),
                false => return paragraph("  score: ", 9, &sum),
            };
            return paragraph("  score: ", 9, &sum) + &paragraph("  ", 4, &meaning);
        }
        let scores = paragraph("  scores: ", 10, &listed(&self.votes));
        match self.is_full {
            true => paragraph("  starting scores: ", 19, &listed(&self.begin)) + &scores,
            false => scores,
        }
    }
}

/// Returns scores by class.
fn listed(totals: &[ClassTotal]) -> String {
    let one = |entry: &ClassTotal| {
        format!("{} for {}", two_decimals(entry.votes), word(&visible_line(&entry.class)))
    };
    totals.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// Returns a term of a sum after the first one.
fn signed_term(points: f64, source: &str) -> String {
    let sign = if points < 0.0 { "-" } else { "+" };
    format!(" {sign} {} ({source})", two_decimals(points.abs()))
}

/// Returns a row by its number, and by its identifier if it has one.
fn row_name(row: usize, id: Option<&str>) -> String {
    match id {
        Some(id) => format!("row {row} ('{}')", visible_line(id)),
        None => format!("row {row}"),
    }
}

impl Display for RuleExplanation {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let verdict = if self.holds { "applies" } else { "does not apply" };
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
                let question = visible_line(question);
                match (covered, of) {
                    (0, of) => format!("none of {of} rows has {question}"),
                    (1, 1) => format!("its only row has {question}"),
                    (covered, of) if covered == of => format!("all {of} rows have {question}"),
                    (1, of) => format!("1 of {of} rows has {question}"),
                    (covered, of) => format!("{covered} of {of} rows have {question}"),
                }
            }
            Reason::Mean { column, value, test } => {
                let column = visible_line(column);
                match value {
                    Some(value) => {
                        format!("the mean of {column} is {} ({test})", rounded(*value, 6))
                    }
                    None => format!(
                        "the mean of {column} is missing because all values are missing ({test})"
                    ),
                }
            }
            Reason::Size { rows: 1, test } => format!("the bag has 1 row ({test})"),
            Reason::Size { rows, test } => format!("the bag has {rows} rows ({test})"),
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
        out.write_str(&row_name(self.row, self.id.as_deref()))?;
        for (index, value) in self.values.iter().enumerate() {
            write!(out, "{}{value}", if index == 0 { ": " } else { ", " })?;
        }
        Ok(())
    }
}

impl Display for TestedValue {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        // Written as an expression, the column name gets quotes if it needs them.
        let column = visible_line(&Expr::Is(self.column.clone()).to_string()).into_owned();
        let is = match &self.value {
            Cell::Missing => "is missing".to_owned(),
            Cell::Truth(truth) => format!("= {truth}"),
            Cell::Number(number) => format!("= {number}"),
            Cell::Text(text) => {
                format!("= {}", visible_line(&Value::Text(text.clone()).to_string()))
            }
        };
        write!(out, "{column} {is}")?;
        // An interval names its column by a placeholder.
        let test = match self.test.contains("< x <") || self.test.contains("= x <") {
            true => self.test.replacen(" x ", &format!(" {column} "), 1),
            false => visible_line(&self.test).into_owned(),
        };
        // A test that only repeats the value is left out.
        if test.is_empty() || test == is { Ok(()) } else { write!(out, " ({test})") }
    }
}
