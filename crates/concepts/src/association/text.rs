//! Association rules as text, JSON and CSV, one per line:
//!
//! ```text
//! bread, jam -> butter   (support 12 = 24.0 %, confidence 0.857, lift 1.23)
//! {"premise":["bread","jam"],"conclusion":["butter"],"support":12,"share":0.24,…}
//! ```

use super::AssociationRule;
use crate::names::{names_of, write_field, write_set};
use pellucid_data::Names;
use serde::Serialize;
use std::borrow::Cow;
use std::io::{self, Write};

/// Writes rules as text, one per line.
///
/// # Errors
/// If writing fails.
pub fn write_text<'a>(
    out: &mut impl Write,
    rules: impl IntoIterator<Item = &'a AssociationRule>,
    attributes: &Names,
) -> io::Result<()> {
    for rule in rules {
        write_set(out, &rule.premise, attributes)?;
        out.write_all(b" -> ")?;
        write_set(out, &rule.conclusion, attributes)?;
        let AssociationRule { support, share, confidence, lift, .. } = rule;
        let percent = 100.0 * share;
        writeln!(
            out,
            "   (support {support} = {percent:.1} %, confidence {confidence:.3}, lift {lift:.2})"
        )?;
    }
    Ok(())
}

#[derive(Serialize)]
struct NamedRule<'a> {
    premise: Vec<Cow<'a, str>>,
    conclusion: Vec<Cow<'a, str>>,
    support: u64,
    share: f64,
    confidence: f64,
    lift: f64,
}

/// Writes rules as JSON, one object per line.
///
/// # Errors
/// If writing fails.
pub fn write_json<'a>(
    out: &mut impl Write,
    rules: impl IntoIterator<Item = &'a AssociationRule>,
    attributes: &Names,
) -> io::Result<()> {
    for rule in rules {
        let &AssociationRule { support, share, confidence, lift, .. } = rule;
        let premise = names_of(&rule.premise, attributes);
        let conclusion = names_of(&rule.conclusion, attributes);
        let named = NamedRule { premise, conclusion, support, share, confidence, lift };
        serde_json::to_writer(&mut *out, &named)?;
        out.write_all(b"\n")?;
    }
    Ok(())
}

/// Writes rules as CSV with a header. Sets of names are written as in text.
///
/// # Errors
/// If writing fails.
pub fn write_csv<'a>(
    out: &mut impl Write,
    rules: impl IntoIterator<Item = &'a AssociationRule>,
    attributes: &Names,
) -> io::Result<()> {
    writeln!(out, "premise,conclusion,support,share,confidence,lift")?;
    for rule in rules {
        write_field(out, &rule.premise, attributes)?;
        out.write_all(b",")?;
        write_field(out, &rule.conclusion, attributes)?;
        let AssociationRule { support, share, confidence, lift, .. } = rule;
        writeln!(out, ",{support},{share},{confidence},{lift}")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_as_documented() {
        let set = |bits| vec![bits].into_boxed_slice();
        let (share, confidence, lift) = (0.24, 0.857, 1.23);
        let rule = AssociationRule {
            premise: set(0b11),
            conclusion: set(0b100),
            support: 12,
            share,
            confidence,
            lift,
        };
        let names: Names = ["bread", "jam", "butter"].into_iter().collect();
        let mut out = Vec::new();
        write_text(&mut out, [&rule], &names).unwrap();
        write_json(&mut out, [&rule], &names).unwrap();
        write_csv(&mut out, [&rule], &names).unwrap();
        let expected = [
            "bread, jam -> butter   (support 12 = 24.0 %, confidence 0.857, lift 1.23)",
            concat!(
                r#"{"premise":["bread","jam"],"conclusion":["butter"],"support":12,"#,
                r#""share":0.24,"confidence":0.857,"lift":1.23}"#
            ),
            "premise,conclusion,support,share,confidence,lift",
            "\"bread, jam\",butter,12,0.24,0.857,1.23",
        ];
        assert_eq!(String::from_utf8(out).unwrap().lines().collect::<Vec<_>>(), expected);
    }
}
