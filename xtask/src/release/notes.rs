//! The version, and the section of the changelog for it.

use super::Outcome;
use crate::tools::root;
use anyhow::{Context as _, Result, ensure};
use std::path::Path;

/// Returns the version of the workspace.
pub(super) fn version() -> Result<String> {
    let manifest = std::fs::read_to_string(root().join("Cargo.toml"))?;
    let found =
        manifest.lines().find_map(|line| line.strip_prefix("version = \"")?.strip_suffix('"'));
    found.map(str::to_owned).context("Cargo.toml has no version")
}

/// Writes the changes of this version.
pub(super) fn write(out: &Path) -> Result<Outcome<()>> {
    let version = version()?;
    let changelog = std::fs::read_to_string(root().join("CHANGELOG.md"))?;
    let (date, text) = section(&changelog, &version)?;
    std::fs::write(out.join("CHANGES.md"), format!("# Pellucid {version}, {date}\n\n{text}\n"))?;
    let changes = text.lines().filter(|line| line.starts_with("- ")).count();
    Ok(Outcome::done(format!("{changes} changes in version {version}")))
}

/// Returns the date and the text of the section of a version.
fn section<'a>(changelog: &'a str, version: &str) -> Result<(&'a str, &'a str)> {
    let title = format!("## {version}, ");
    let found = changelog.split_once(&title);
    let (_, rest) =
        found.with_context(|| format!("CHANGELOG.md has no section '{}'", title.trim()))?;
    let (date, rest) = rest.split_once('\n').unwrap_or((rest, ""));
    ensure!(
        is_date(date),
        "CHANGELOG.md: version {version} has the date '{date}'; expected YYYY-MM-DD"
    );
    let text = rest.split_once("\n## ").map_or(rest, |(text, _)| text).trim();
    ensure!(!text.is_empty(), "CHANGELOG.md: the section of version {version} is empty");
    Ok((date, text))
}

fn is_date(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let digits =
        |part: &&str, count| part.len() == count && part.bytes().all(|b| b.is_ascii_digit());
    matches!(&parts[..], [year, month, day] if digits(year, 4) && digits(month, 2) && digits(day, 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_has_a_section_with_a_date() {
        let changelog =
            std::fs::read_to_string(root().join("CHANGELOG.md")).expect("the changelog");
        let version = version().expect("a version");
        section(&changelog, &version).expect("a section");
        assert!(changelog.contains("\n## Unreleased\n"), "new changes need a section");
    }

    #[test]
    fn a_section_ends_at_the_next_one() {
        let text = "# Changelog\n\n## Unreleased\n\n## 1.2.0, 2026-01-31\n\nRules\n- a\n\n\
                    ## 1.1.0, 2025-01-01\n- b\n";
        assert_eq!(section(text, "1.2.0").expect("a section"), ("2026-01-31", "Rules\n- a"));
        assert_eq!(section(text, "1.1.0").expect("a section"), ("2025-01-01", "- b"));
        let error = |text: &str, version| section(text, version).expect_err("wrong").to_string();
        assert!(error(text, "1.3.0").contains("no section '## 1.3.0,'"));
        assert!(error("## 1.0.0, unreleased\n- a", "1.0.0").contains("expected YYYY-MM-DD"));
        assert!(error("## 1.0.0, 2025-01-01\n", "1.0.0").contains("is empty"));
    }

    #[test]
    fn all_crates_have_one_version() {
        let manifest = std::fs::read_to_string(root().join("Cargo.toml")).expect("the manifest");
        let version = version().expect("a version");
        let ours = manifest
            .lines()
            .filter(|line| line.starts_with("pellucid") && line.contains("version"));
        for line in ours {
            assert!(line.contains(&format!("version = \"{version}\"")), "{line}");
        }
        let conda =
            std::fs::read_to_string(root().join("packaging/conda/recipe.yaml")).expect("conda");
        assert!(conda.contains(&format!("version: \"{version}\"")), "conda has another version");
        let guided = std::fs::read_to_string(root().join("crates/torture/guided/Cargo.toml"));
        assert!(guided.expect("a manifest").contains(&format!("version = \"{version}\"")));
    }
}
