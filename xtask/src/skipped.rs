//! Tests that were skipped: each adds a line to a list that the gate names, and the gate prints them at the
//! end.
//!
//! A line reads `skipped: BINARY::TEST needs FILE`; `crates/testdata` writes it.

use crate::tools::root;
use anyhow::{Context, Result, ensure};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The variable that names the list.
pub(crate) const VARIABLE: &str = "PELLUCID_SKIPPED";

/// The list of one run of the tests.
pub(crate) struct Skipped(PathBuf);

impl Skipped {
    /// Creates an empty list.
    pub(crate) fn begin() -> Result<Skipped> {
        let folder = std::path::absolute(root())?.join("target");
        std::fs::create_dir_all(&folder)?;
        let list = folder.join("skipped-tests.txt");
        std::fs::write(&list, "").with_context(|| list.display().to_string())?;
        Ok(Skipped(list))
    }

    /// Returns the path of the list.
    pub(crate) fn path(&self) -> Result<&str> {
        self.0.to_str().context("the project lies under a name that is not UTF-8")
    }

    /// Prints what was skipped. If the folder of real data exists, no test may be skipped.
    pub(crate) fn end(self) -> Result<()> {
        let text = std::fs::read_to_string(&self.0)?;
        let found = by_test(&text);
        eprintln!("\n{}", describe(&found));
        let complete = root().join("../shared/data").is_dir();
        ensure!(
            found.is_empty() || !complete,
            "../shared/data exists, so no test may be skipped; \
             a test may use a wrong name, or a file is missing there"
        );
        Ok(())
    }
}

/// Returns the files that each test lacked, each once.
fn by_test(list: &str) -> BTreeMap<&str, Vec<&str>> {
    let mut found: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for line in list.lines() {
        let parts = line.strip_prefix("skipped: ").and_then(|line| line.split_once(" needs "));
        if let Some((test, needed)) = parts {
            let all = found.entry(test).or_default();
            if !all.contains(&needed) {
                all.push(needed);
            }
        }
    }
    found
}

fn describe(found: &BTreeMap<&str, Vec<&str>>) -> String {
    if found.is_empty() {
        return "no test was skipped".to_owned();
    }
    let tests = if found.len() == 1 { "test was" } else { "tests were" };
    let mut text =
        format!("{} {tests} skipped in whole or in part, because data is missing:", found.len());
    for (test, needed) in found {
        let more = needed.len() - 1;
        text += &format!("\n  {test}: {}", needed[0]);
        if more > 0 {
            text += &format!(" and {more} more");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_counted_once() {
        let list = "skipped: close::files::graphs needs fca/mdg/dot\n\
                    skipped: close::files::graphs needs fca/mdg/rcs\n\
                    skipped: close::files::graphs needs fca/mdg/dot\n\
                    skipped: learning::noise needs dl/pos.txt\n";
        assert_eq!(
            describe(&by_test(list)),
            "2 tests were skipped in whole or in part, because data is missing:\n  \
             close::files::graphs: fca/mdg/dot and 1 more\n  learning::noise: dl/pos.txt"
        );
        assert_eq!(describe(&by_test("")), "no test was skipped");
    }
}
