//! Explanations as sentences.

use super::{Evidence, ExpressionExplanation, Fillers, Part};
use std::fmt::{self, Display, Formatter};

/// How many names a sentence lists.
const NAMED: usize = 3;

impl Display for ExpressionExplanation {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let verdict = if self.holds { "is covered" } else { "is not covered" };
        write!(out, "{} {verdict}: {}", self.individual, self.part)
    }
}

impl Display for Part {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match (&self.evidence, self.holds, self.parts.first()) {
            (Evidence::And, true, Some(_)) => joined(out, &self.parts, " and "),
            // One part decides; it comes first.
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

fn joined(out: &mut Formatter<'_>, parts: &[Part], between: &str) -> fmt::Result {
    for (index, part) in parts.iter().enumerate() {
        write!(out, "{}{part}", if index > 0 { between } else { "" })?;
    }
    Ok(())
}

fn verdict(out: &mut Formatter<'_>, text: &str, holds: bool, why: Option<&str>) -> fmt::Result {
    match (holds, why) {
        (true, None) => write!(out, "{text} (yes)"),
        (true, Some(why)) => write!(out, "{text} (yes: {why})"),
        (false, None) => write!(out, "{text} fails"),
        (false, Some(why)) => write!(out, "{text} fails: {why}"),
    }
}

/// What decides a part, beyond that it holds or not; nothing where the part says it all.
fn reason(part: &Part) -> Option<String> {
    match &part.evidence {
        Evidence::Constant | Evidence::Class | Evidence::Individual => None,
        Evidence::Not => part.parts.first().and_then(reason),
        Evidence::And | Evidence::Or => Some(part.to_string()),
        Evidence::Fillers(fillers) => Some(counted(fillers, part)),
    }
}

/// What is said of the fillers of a restriction.
fn counted(fillers: &Fillers, part: &Part) -> String {
    let Fillers { property, filler, total, satisfying, yes, no, .. } = fillers;
    let noun = match (fillers.values, *total) {
        (true, 1) => " value",
        (true, _) => " values",
        (false, _) => "",
    };
    let Some(filler) = filler else {
        return match total {
            0 => format!("it has no {property}"),
            _ => format!("it has {total}{noun}: {}", names(yes, *total)),
        };
    };
    let some = fillers.quantifier == "some";
    let only = fillers.quantifier == "only";
    match (*total, *satisfying) {
        (0, _) => format!("it has no {property}"),
        // Of one witness there is no more to say than who it is.
        (_, 1..) if some => names(yes, *satisfying),
        (1, 0) => format!("{}, the only one, is not {filler}", names(no, 1)) + &because(part),
        (_, 0) => format!("none of {total}{noun} ({}) is {filler}", names(no, *total)),
        (1, _) => format!("{}, the only one", names(yes, 1)),
        (_, _) if only && !part.holds => {
            format!("{} is not {filler}", names(&no[..1.min(no.len())], 1)) + &because(part)
        }
        (_, _) if satisfying == total => format!("all {total}{noun}: {}", names(yes, *total)),
        (_, 1) => format!("1 of {total}{noun} is {filler}: {}", names(yes, 1)),
        _ => format!("{satisfying} of {total}{noun} are {filler}: {}", names(yes, *satisfying)),
    }
}

/// Why the one filler that decides does not satisfy what is asked, where that is not plain.
fn because(part: &Part) -> String {
    match part.parts.first().filter(|inner| !inner.holds).and_then(reason) {
        Some(why) => format!(" ({why})"),
        None => String::new(),
    }
}

/// Some names, and how many more there are.
fn names(names: &[String], total: usize) -> String {
    let shown = &names[..names.len().min(NAMED)];
    match total - shown.len().min(total) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}
