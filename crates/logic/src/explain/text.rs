//! Explanations as sentences.

use super::{Evidence, ExplanationNode, ExpressionExplanation, Fillers};
use std::fmt::{self, Display, Formatter};

/// The maximum number of names in a sentence.
const MAX_NAMED: usize = 3;

impl Display for ExpressionExplanation {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let verdict = if self.holds { "is covered" } else { "is not covered" };
        write!(out, "{} {verdict}: {}", self.individual, self.part)
    }
}

impl Display for ExplanationNode {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match (&self.evidence, self.holds, self.parts.first()) {
            (Evidence::And, true, Some(_)) => joined(out, &self.parts, " and "),
            // One operand decides; it comes first.
            (Evidence::And, false, Some(first)) | (Evidence::Or, true, Some(first)) => {
                first.fmt(out)
            }
            (Evidence::Or, false, Some(_)) => joined(out, &self.parts, ", and "),
            (Evidence::Not, holds, Some(inner)) => {
                verdict(out, &self.text, holds, reason(inner).as_deref())
            }
            (_, holds, _) => verdict(out, &self.text, holds, reason(self).as_deref()),
        }
    }
}

fn joined(out: &mut Formatter<'_>, parts: &[ExplanationNode], between: &str) -> fmt::Result {
    for (index, part) in parts.iter().enumerate() {
        write!(out, "{}{part}", if index > 0 { between } else { "" })?;
    }
    Ok(())
}

fn verdict(out: &mut Formatter<'_>, text: &str, holds: bool, why: Option<&str>) -> fmt::Result {
    match (holds, why) {
        (true, None) => write!(out, "{text} (true)"),
        (true, Some(why)) => write!(out, "{text} (true: {why})"),
        (false, None) => write!(out, "{text} is false"),
        (false, Some(why)) => write!(out, "{text} is false: {why}"),
    }
}

/// Returns the evidence for a truth value; `None` if the subexpression is self-explanatory.
fn reason(part: &ExplanationNode) -> Option<String> {
    match &part.evidence {
        Evidence::Constant | Evidence::Class | Evidence::Individual => None,
        Evidence::Not => part.parts.first().and_then(reason),
        Evidence::And | Evidence::Or => Some(part.to_string()),
        Evidence::Fillers(fillers) => Some(describe_fillers(fillers, part)),
    }
}

/// Describes the fillers of a restriction.
fn describe_fillers(fillers: &Fillers, part: &ExplanationNode) -> String {
    let Fillers { property, filler, total, satisfying, yes, no, .. } = fillers;
    let one = if fillers.values { "value" } else { "filler" };
    let many = if *total == 1 { one.to_owned() } else { format!("{one}s") };
    let Some(filler) = filler else {
        return match total {
            0 => format!("no {property} {one}"),
            _ => format!("{total} {many}: {}", names(yes, *total)),
        };
    };
    let some = fillers.quantifier == "some";
    let only = fillers.quantifier == "only";
    match (*total, *satisfying) {
        (0, _) => format!("no {property} {one}"),
        // A witness of `some` needs no further explanation.
        (_, 1..) if some => names(yes, *satisfying),
        (1, 0) => format!("the only {one}, {}, is not in {filler}", names(no, 1)) + &because(part),
        (_, 0) => format!("none of the {total} {many} ({}) is in {filler}", names(no, *total)),
        (1, _) => format!("the only {one} is {}", names(yes, 1)),
        (_, _) if only && !part.holds => {
            format!("{} is not in {filler}", names(&no[..1.min(no.len())], 1)) + &because(part)
        }
        (_, _) if satisfying == total => format!("all {total} {many}: {}", names(yes, *total)),
        (_, 1) => format!("1 of {total} {many} is in {filler}: {}", names(yes, 1)),
        _ => format!("{satisfying} of {total} {many} are in {filler}: {}", names(yes, *satisfying)),
    }
}

/// Explains why the deciding filler does not satisfy the restriction, if that is not obvious.
fn because(part: &ExplanationNode) -> String {
    match part.parts.first().filter(|inner| !inner.holds).and_then(reason) {
        Some(why) => format!(" ({why})"),
        None => String::new(),
    }
}

/// Lists some names and the number of further ones.
fn names(names: &[String], total: usize) -> String {
    let shown = &names[..names.len().min(MAX_NAMED)];
    match total - shown.len().min(total) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}
