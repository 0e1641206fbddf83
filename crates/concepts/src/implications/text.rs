//! Implications as text, JSON and CSV, one per line:
//!
//! ```text
//! milk, "legs, four" -> hair   (support 12)
//! {"premise":["milk","legs, four"],"conclusion":["hair"],"support":12}
//! "milk, ""legs, four""",hair,12
//! ```
//!
//! The empty premise is `{}` in text. Names with a comma or an arrow are quoted.

use super::Implication;
use crate::names::{names_of, write_field, write_set};
use pellucid_data::Names;
use serde::Serialize;
use std::borrow::Cow;
use std::io::{self, Write};

/// Writes implications as text, one per line.
///
/// If writing fails.
/// When writing fails.
pub fn write_text<'a>(
    out: &mut impl Write,
    implications: impl IntoIterator<Item = &'a Implication>,
    attributes: &Names,
) -> io::Result<()> {
    for implication in implications {
        write_set(out, &implication.premise, attributes)?;
        out.write_all(b" -> ")?;
        write_set(out, &implication.conclusion, attributes)?;
        writeln!(out, "   (support {})", implication.support)?;
    }
    Ok(())
}

#[derive(Serialize)]
struct NamedImplication<'a> {
    premise: Vec<Cow<'a, str>>,
    conclusion: Vec<Cow<'a, str>>,
    support: u64,
}

/// Writes implications as JSON, one object per line.
///
/// # Errors
/// If writing fails.
pub fn write_json<'a>(
    out: &mut impl Write,
    implications: impl IntoIterator<Item = &'a Implication>,
    attributes: &Names,
) -> io::Result<()> {
    for implication in implications {
        let premise = names_of(&implication.premise, attributes);
        let conclusion = names_of(&implication.conclusion, attributes);
        serde_json::to_writer(
            &mut *out,
            &NamedImplication { premise, conclusion, support: implication.support },
        )?;
        out.write_all(b"\n")?;
    }
    Ok(())
}

/// Writes implications as CSV with a header. Sets of names are written as in text.
///
/// # Errors
/// If writing fails.
pub fn write_csv<'a>(
    out: &mut impl Write,
    implications: impl IntoIterator<Item = &'a Implication>,
    attributes: &Names,
) -> io::Result<()> {
    writeln!(out, "premise,conclusion,support")?;
    for implication in implications {
        write_field(out, &implication.premise, attributes)?;
        out.write_all(b",")?;
        write_field(out, &implication.conclusion, attributes)?;
        writeln!(out, ",{}", implication.support)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(write: impl Fn(&mut Vec<u8>, &[Implication], &Names) -> io::Result<()>) -> String {
        let set = |bits| vec![bits].into_boxed_slice();
        let all = [
            Implication { premise: set(0), conclusion: set(0b100), support: 20 },
            Implication { premise: set(0b011), conclusion: set(0b100), support: 12 },
        ];
        let names: Names = ["milk", "legs, four", "hair"].into_iter().collect();
        let mut out = Vec::new();
        write(&mut out, &all, &names).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn lines_are_as_documented() {
        assert_eq!(
            written(|out, all, names| write_text(out, all, names)),
            "{} -> hair   (support 20)\nmilk, \"legs, four\" -> hair   (support 12)\n"
        );
        let json = written(|out, all, names| write_json(out, all, names));
        let last = json.lines().last().unwrap();
        assert_eq!(last, r#"{"premise":["milk","legs, four"],"conclusion":["hair"],"support":12}"#);
        let csv = written(|out, all, names| write_csv(out, all, names));
        assert_eq!(
            csv,
            "premise,conclusion,support\n{},hair,20\n\"milk, \"\"legs, four\"\"\",hair,12\n"
        );
    }
}
