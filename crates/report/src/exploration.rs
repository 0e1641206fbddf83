//! A page that asks the questions of an exploration in a browser.
//!
//! The page has the session of the exploration, as the command saves it: the context at the beginning and the
//! answers so far. Its script asks the same questions in the same order as
//! [`Exploration`], takes the same answers and refuses the same ones, and saves the same session, which the
//! command continues.
//!
//! ```
//! use pellucid_concepts::exploration::Exploration;
//! use pellucid_data::{Context, Relation};
//! use pellucid_report::exploration::{SessionSource, page};
//! use pellucid_report::page::Provenance;
//!
//! let objects = ["salmon"].into_iter().collect();
//! let attributes = ["swims", "flies"].into_iter().collect();
//! let context = Context::new("animals", objects, attributes, Relation::new(2, [[0]])?);
//! let exploration = Exploration::new(context, "ann");
//! let source = SessionSource {
//!     path: "animals.csv.session.json".into(),
//!     command: Some("pellucid explore animals.csv".to_owned()),
//! };
//! let page = page(&exploration, &source, "1.2.3", &Provenance::default())?;
//! assert!(page.starts_with("<!doctype html>"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::page::frame::{self, PageKind};
use crate::page::{Provenance, packed};
use pellucid_concepts::exploration::Exploration;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::PathBuf;
use thiserror::Error;

/// A page has at most this many bytes of compressed session.
const MOST_BYTES: usize = 5_000_000;

/// Where the command keeps the session of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SessionSource {
    /// The file of the session. The page saves the session under its name.
    pub path: PathBuf,
    /// The command that continues the session of this file, if there is one.
    pub command: Option<String>,
}

/// The reason why a page was not written.
#[derive(Debug, Error)]
pub enum ExplorationPageError {
    /// The context is too large.
    #[error("the context has {0} compressed bytes; a page has at most {MOST_BYTES}")]
    TooLarge(usize),
    /// Two attributes have the same name, so answers would be ambiguous.
    #[error("two attributes are named '{0}'; expected different names")]
    EqualNames(String),
}

/// Returns a page in which an exploration continues, written by this version of Pellucid.
///
/// # Errors
/// If the context is too large for a page, or two attributes have the same name.
pub fn page(
    exploration: &Exploration,
    source: &SessionSource,
    version: &str,
    from: &Provenance,
) -> Result<String, ExplorationPageError> {
    let mut seen = BTreeSet::new();
    if let Some(twice) = exploration.attributes().iter().find(|name| !seen.insert(name.clone())) {
        return Err(ExplorationPageError::EqualNames(twice.into_owned()));
    }
    let session = packed(exploration.to_json().as_bytes());
    if session.len() > MOST_BYTES {
        return Err(ExplorationPageError::TooLarge(session.len()));
    }
    let title = format!("{}: exploration", exploration.name());
    let content = content(&session, source, version, from);
    Ok(frame::page(PageKind::Exploration, &title, &content))
}

fn content(session: &str, source: &SessionSource, version: &str, from: &Provenance) -> Value {
    json!({
        "version": version,
        "provenance": from.json(),
        "session": session,
        "file": source.path.file_name().map_or("session.json".into(), |name| name.to_string_lossy()),
        "path": source.path.display().to_string(),
        "command": source.command,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::read::GzDecoder;
    use pellucid_data::{Context, Names, Relation};
    use proptest::prelude::*;
    use std::io::Read as _;

    /// Returns the bytes of base 64.
    fn decoded(text: &str) -> Vec<u8> {
        const LETTERS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let mut bytes = Vec::new();
        let (mut bits, mut count) = (0_u32, 0);
        for value in text.chars().filter_map(|letter| LETTERS.find(letter)) {
            bits = (bits << 6 | u32::try_from(value).expect("six bits")) & 0xffff;
            count += 6;
            if count >= 8 {
                count -= 8;
                bytes.push(u8::try_from(bits >> count & 0xff).expect("eight bits"));
            }
        }
        bytes
    }

    /// Returns the session of a page.
    fn session_of(page: &str) -> Exploration {
        let text =
            page.split("id=\"content\">").nth(1).and_then(|rest| rest.split("</script>").next());
        let content: Value = serde_json::from_str(text.expect("the content")).expect("JSON");
        let bytes = decoded(content["session"].as_str().expect("a session"));
        let mut session = String::new();
        GzDecoder::new(&*bytes).read_to_string(&mut session).expect("text");
        Exploration::from_json(&session).expect("a session")
    }

    #[test]
    fn attributes_have_different_names() {
        let names: Names = ["a", "b", "a"].into_iter().collect();
        let relation = Relation::new(3, [[0]]).expect("a relation");
        let context = Context::new("test", ["x"].into_iter().collect(), names, relation);
        let exploration = Exploration::new(context, "ann");
        let made = page(&exploration, &SessionSource::default(), "1.2.3", &Provenance::default());
        let problem = made.expect_err("equal names").to_string();
        assert_eq!(problem, "two attributes are named 'a'; expected different names");
    }

    proptest! {
        #[test]
        fn a_page_continues_where_the_exploration_is(
            rows in prop::collection::vec(prop::collection::btree_set(0u32..5, 0..5), 0..6),
            answers in prop::collection::vec((0..3, 0u64..32), 0..9),
            names in prop::collection::btree_set(".{0,6}", 5),
        ) {
            let rows: Vec<Vec<u32>> = rows.into_iter().map(|row| row.into_iter().collect()).collect();
            let relation = Relation::new(5, &rows).expect("a relation");
            let objects = Names::Numbered { first: 1, count: rows.len() };
            let context = Context::new("test", objects, names.into_iter().collect(), relation);
            let mut exploration = Exploration::new(context, "ann");
            for (number, (kind, attributes)) in answers.into_iter().enumerate() {
                // Answers that are refused change nothing.
                let _ = match kind {
                    0 => exploration.accept(),
                    1 => exploration.counterexample(format!("object {number}"), &[attributes]),
                    _ => exploration.unknown(),
                };
            }
            let source = SessionSource::default();
            let page = page(&exploration, &source, "1.2.3", &Provenance::default()).expect("a page");
            let read = session_of(&page);
            prop_assert_eq!(read.to_json(), exploration.to_json());
            prop_assert_eq!(read.question(), exploration.question());
            prop_assert_eq!(page.matches("</script>").count(), 2);
        }
    }
}
