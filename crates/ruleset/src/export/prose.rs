//! Conditions in words: `min 3 row (x > 1)` becomes "at least 3 rows have x > 1".
//!
//! Conditions on a single row stay as they are, because `x > 1 and c = red` is readable. Conditions
//! on a bag become sentences, and so do their negations, as in "no row has x > 1".

use super::sets::SetText;
use crate::apply::ROLE;
use crate::summary::{ROWS, mean_of};
use pellucid_data::visible_line;
use pellucid_learn::model::Column;
use pellucid_program::{Expr, Interval, Op, Quantifier, Value};

/// Returns a rule's condition in words, given the columns of the model.
pub(crate) fn condition(expr: &Expr, known: &[Column], has_bags: bool) -> String {
    match expr {
        Expr::Constant(true) => "anything".to_owned(),
        Expr::Constant(false) => "never".to_owned(),
        _ if has_bags => Prose(known).clause(expr, false),
        _ => Prose(known).as_written(expr),
    }
}

/// A writer of conditions, with the columns of the model and their training categories.
#[derive(Clone, Copy)]
struct Prose<'a>(&'a [Column]);

impl Prose<'_> {
    /// Returns a condition as model files write it, with long sets abbreviated.
    fn as_written(self, expr: &Expr) -> String {
        let set = |part: &Expr| SetText::new(part, self.0).map(|set| set.text());
        visible_line(&expr.reworded(&set).to_string()).into_owned()
    }

    /// Returns a condition on a bag as a clause. Within other clauses, compound clauses get brackets.
    fn clause(self, expr: &Expr, within: bool) -> String {
        let bracketed = |text: String| if within { format!("({text})") } else { text };
        match expr {
            Expr::Related(quantifier, role, filler) if role.name == ROLE && !role.inverse => {
                rows(*quantifier, true, &self.question(filler, within))
            }
            Expr::Compare(name, op, Value::Number(number)) => match mean_of(name) {
                _ if name == ROWS => format!("the bag has {}", row_count(*op, *number)),
                Some(column) => {
                    format!("the mean of {} is {} {number}", visible_line(column), op_words(*op))
                }
                None => self.as_written(expr),
            },
            Expr::Within(name, interval) => match mean_of(name) {
                _ if name == ROWS => {
                    format!("the number of rows is {}", interval_words(interval))
                }
                Some(column) => {
                    format!("the mean of {} is {}", visible_line(column), interval_words(interval))
                }
                None => self.as_written(expr),
            },
            Expr::Not(operand) => self.negated(operand, within),
            Expr::And(operands) => {
                let parts = self.in_ranges(operands);
                // Two counts that became one range need no brackets.
                if parts.len() == 1 { parts.concat() } else { bracketed(parts.join(" and ")) }
            }
            Expr::Or(operands) => {
                let parts: Vec<String> =
                    operands.iter().map(|part| self.clause(part, true)).collect();
                bracketed(parts.join(" or "))
            }
            other => self.as_written(other),
        }
    }

    /// Returns the negation of a condition as a clause.
    fn negated(self, operand: &Expr, within: bool) -> String {
        match operand {
            Expr::Related(quantifier, role, filler) if role.name == ROLE && !role.inverse => {
                rows(*quantifier, false, &self.question(filler, within))
            }
            Expr::Compare(name, op, Value::Number(number)) => match mean_of(name) {
                _ if name == ROWS => format!("the bag does not have {}", row_count(*op, *number)),
                // The negation is also true for a missing mean, so "at most" would be wrong.
                Some(column) => {
                    format!(
                        "the mean of {} is not {} {number}",
                        visible_line(column),
                        op_words(*op)
                    )
                }
                None => format!("not {}", self.as_written(operand)),
            },
            Expr::Not(inner) => self.clause(inner, within),
            other => format!("not {}", self.clause(other, true)),
        }
    }

    /// Returns the parts of a conjunction; `min` and `max` of one question become one range.
    fn in_ranges(self, operands: &[Expr]) -> Vec<String> {
        let mut parts = Vec::with_capacity(operands.len());
        let mut is_done = vec![false; operands.len()];
        for (index, operand) in operands.iter().enumerate() {
            if is_done[index] {
                continue;
            }
            let mut later = (index + 1..operands.len()).filter(|&other| !is_done[other]);
            let partner = later.find_map(|other| Some((other, range(operand, &operands[other])?)));
            match partner {
                Some((other, (least, most, filler))) => {
                    is_done[other] = true;
                    // With two operands the range is the whole clause, so it needs no brackets.
                    let question = self.question(filler, operands.len() > 2);
                    parts.push(format!("{least} to {most} rows have {question}"));
                }
                None => parts.push(self.clause(operand, true)),
            }
        }
        parts
    }

    /// Returns a question about a row; within other clauses a compound question gets brackets.
    fn question(self, filler: &Expr, within: bool) -> String {
        let text = self.as_written(filler);
        if within && matches!(filler, Expr::And(_) | Expr::Or(_)) {
            format!("({text})")
        } else {
            text
        }
    }
}

/// Returns the least and most rows of a `min` and a `max`, in either order, that ask the same question.
fn range<'a>(left: &'a Expr, right: &'a Expr) -> Option<(u32, u32, &'a Expr)> {
    let ((left, filler), (right, other)) = (counted(left)?, counted(right)?);
    let (least, most) = match (left, right) {
        (Quantifier::Min(least), Quantifier::Max(most))
        | (Quantifier::Max(most), Quantifier::Min(least)) => (least, most),
        _ => return None,
    };
    (filler == other && least < most).then_some((least, most, filler))
}

fn counted(expr: &Expr) -> Option<(Quantifier, &Expr)> {
    match expr {
        Expr::Related(quantifier, role, filler) if role.name == ROLE && !role.inverse => {
            Some((*quantifier, filler))
        }
        _ => None,
    }
}

/// Returns a clause on how many rows satisfy a question, or its negation if `is_true` is not set.
fn rows(quantifier: Quantifier, is_true: bool, question: &str) -> String {
    let plural = |words: &str, number: u32| {
        let rows = if number == 1 { "row has" } else { "rows have" };
        format!("{words} {number} {rows} {question}")
    };
    match (quantifier, is_true) {
        (Quantifier::Some | Quantifier::Min(1), true) | (Quantifier::Max(0), false) => {
            format!("some row has {question}")
        }
        (Quantifier::Some | Quantifier::Min(1), false)
        | (Quantifier::Max(0) | Quantifier::Exactly(0), true) => format!("no row has {question}"),
        (Quantifier::Exactly(0), false) => format!("some row has {question}"),
        (Quantifier::Only, true) => format!("every row has {question}"),
        (Quantifier::Only, false) => format!("not every row has {question}"),
        (Quantifier::Min(number), true) => plural("at least", number),
        (Quantifier::Min(number), false) => plural("fewer than", number),
        (Quantifier::Max(number), true) => plural("at most", number),
        (Quantifier::Max(number), false) => plural("more than", number),
        (Quantifier::Exactly(number), true) => plural("exactly", number),
        (Quantifier::Exactly(number), false) => plural("not exactly", number),
    }
}

fn row_count(op: Op, number: f64) -> String {
    let words = match op {
        Op::Greater => "more than",
        Op::GreaterEqual => "at least",
        Op::Less => "fewer than",
        Op::LessEqual => "at most",
        Op::Equal => "exactly",
        Op::NotEqual => "not exactly",
    };
    format!("{words} {number} {}", if number == 1.0 { "row" } else { "rows" })
}

fn op_words(op: Op) -> &'static str {
    match op {
        Op::Greater => "above",
        Op::GreaterEqual => "at least",
        Op::Less => "below",
        Op::LessEqual => "at most",
        Op::Equal => "equal to",
        Op::NotEqual => "other than",
    }
}

fn interval_words(interval: &Interval) -> String {
    let Interval { low, high } = interval;
    let low_words = op_words(if low.closed { Op::GreaterEqual } else { Op::Greater });
    let high_words = op_words(if high.closed { Op::LessEqual } else { Op::Less });
    format!("{low_words} {} and {high_words} {}", low.value, high.value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_on_bags_become_sentences() {
        let pairs = [
            ("some row (x > 1 and c = red)", "some row has x > 1 and c = red"),
            ("not some row (x > 1)", "no row has x > 1"),
            ("max 0 row (x > 1)", "no row has x > 1"),
            ("only row (x > 1)", "every row has x > 1"),
            ("not only row (x > 1)", "not every row has x > 1"),
            ("min 1 row (b)", "some row has b"),
            ("min 3 row (x > 1)", "at least 3 rows have x > 1"),
            ("not min 3 row (x > 1)", "fewer than 3 rows have x > 1"),
            ("max 1 row (x > 1)", "at most 1 row has x > 1"),
            ("not max 1 row (x > 1)", "more than 1 row has x > 1"),
            ("exactly 2 row (x > 1)", "exactly 2 rows have x > 1"),
            ("min 2 row (x > 1 or b) and max 4 row (x > 1 or b)", "2 to 4 rows have x > 1 or b"),
            (
                "max 4 row (b) and rows > 1 and min 2 row (b)",
                "2 to 4 rows have b and the bag has more than 1 row",
            ),
            (
                "min 2 row (x > 1) and max 4 row (x > 2)",
                "at least 2 rows have x > 1 and at most 4 rows have x > 2",
            ),
            ("some row (x in (1, 2])", "some row has 1 < x <= 2"),
            ("mean(x) > 2", "the mean of x is above 2"),
            ("not mean(x) > 2", "the mean of x is not above 2"),
            ("mean(x) in [1, 2)", "the mean of x is at least 1 and below 2"),
            ("rows > 10", "the bag has more than 10 rows"),
            ("not rows <= 10", "the bag does not have at most 10 rows"),
            (
                "some row (x > 1 and b) and (mean(x) <= 2 or not some row (b or c = red))",
                "some row has (x > 1 and b) and \
                 (the mean of x is at most 2 or no row has (b or c = red))",
            ),
            (
                "not (rows > 3 or rows < 2)",
                "not (the bag has more than 3 rows or the bag has fewer than 2 rows)",
            ),
            ("true", "anything"),
        ];
        for (text, words) in pairs {
            assert_eq!(condition(&text.parse().unwrap(), &[], true), words, "{text}");
        }
    }

    #[test]
    fn conditions_on_rows_stay_as_they_are() {
        let pairs = [
            ("x in (0.31, 0.42]", "0.31 < x <= 0.42"),
            ("c = red and x in [-1, 2)", "c = red and -1 <= x < 2"),
            (
                "b or not x in (0, 1] and \"odd name\" > 1",
                "b or (not (0 < x <= 1) and \"odd name\" > 1)",
            ),
            ("not (b or x > 1) and c in {red, blue}", "not (b or x > 1) and c in {red, blue}"),
        ];
        for (text, words) in pairs {
            assert_eq!(condition(&text.parse().unwrap(), &[], false), words, "{text}");
        }
    }

    #[test]
    fn names_do_not_break_lines() {
        let expr: Expr = "\"odd\nname\" = 'x\ty'".parse().unwrap();
        assert_eq!(condition(&expr, &[], false), "\"odd\\nname\" = 'x\\ty'");
    }
}
