//! Links in the documentation must lead to files and headings that exist, and every page of the guide must
//! be in its table of contents.

use crate::files::{SourceFile, with_extensions};
use crate::tools::root;
use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

/// Returns the targets of the links on a page with their lines, without code blocks.
fn links(page: &str) -> Vec<(usize, &str)> {
    let mut block = false;
    let mut found = Vec::new();
    for (line, text) in (1..).zip(page.lines()) {
        if text.trim_start().starts_with("```") {
            block = !block;
        } else if !block {
            let starts = text.match_indices("](").map(|(at, _)| &text[at + 2..]);
            found.extend(starts.filter_map(|rest| Some((line, rest.split_once(')')?.0))));
        }
    }
    found
}

/// Returns the names of the headings of a page, as they are in links.
fn headings(page: &str) -> BTreeSet<String> {
    let mut block = false;
    let mut found = BTreeSet::new();
    for line in page.lines() {
        block ^= line.starts_with("```");
        if let Some(title) = line.strip_prefix('#').filter(|_| !block) {
            let title = title.trim_start_matches('#').trim().to_lowercase();
            let kept =
                title.chars().filter(|letter| letter.is_alphanumeric() || " -_".contains(*letter));
            found.insert(kept.collect::<String>().replace(' ', "-"));
        }
    }
    found
}

/// Returns a path without `..`.
fn normal(path: &Path) -> PathBuf {
    let mut parts = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(parts.pop()),
            Component::CurDir => {}
            other => parts.push(other),
        }
    }
    parts
}

/// Returns what is wrong with a link on a page, if anything.
fn trouble(page: &SourceFile, target: &str, pages: &[SourceFile]) -> Option<String> {
    if target.contains("://") || target.starts_with("mailto:") {
        return None;
    }
    let (file, heading) = target.split_once('#').unwrap_or((target, ""));
    let folder = Path::new(&page.path).parent().unwrap_or(Path::new(""));
    let path = match file {
        "" => PathBuf::from(&page.path),
        file => normal(&folder.join(file)),
    };
    if !root().join(&path).exists() {
        return Some(format!("{} does not exist", path.display()));
    }
    let linked = pages.iter().find(|page| Path::new(&page.path) == path);
    let has_heading =
        heading.is_empty() || linked.is_none_or(|page| headings(&page.text).contains(heading));
    (!has_heading).then(|| format!("{} has no heading #{heading}", path.display()))
}

#[test]
fn links_lead_somewhere() {
    let pages = with_extensions(&["md"]).expect("pages");
    let mut troubles = Vec::new();
    let mut checked = 0;
    for page in &pages {
        for (line, target) in links(&page.text) {
            checked += 1;
            let found = trouble(page, target, &pages);
            troubles.extend(found.map(|found| format!("{}:{line}: {found}", page.path)));
        }
    }
    assert!(troubles.is_empty(), "{}", troubles.join("\n"));
    assert!(checked > 100, "only {checked} links were found");
}

#[test]
fn the_guide_lists_its_pages() {
    let summary = std::fs::read_to_string(root().join("docs/SUMMARY.md")).expect("the contents");
    let listed: BTreeSet<&str> = links(&summary).into_iter().map(|(_, target)| target).collect();
    let pages = with_extensions(&["md"]).expect("pages");
    let own = pages.iter().filter_map(|page| page.path.strip_prefix("docs/"));
    let missing: Vec<&str> = own
        .filter(|page| *page != "SUMMARY.md" && !page.starts_with("decisions/20"))
        .filter(|page| !listed.contains(page))
        .collect();
    assert!(missing.is_empty(), "docs/SUMMARY.md: missing {missing:?}");
}

#[test]
fn a_broken_link_is_found() {
    let page = |path: &str, text: &str| SourceFile { path: path.into(), text: text.into() };
    let pages = [page("docs/rules.md", "# Rules\n## Two words, here\n"), page("README.md", "")];
    let found = |target: &str| trouble(&pages[0], target, &pages);
    assert_eq!(found("#two-words-here"), None);
    assert_eq!(found("../README.md"), None);
    assert_eq!(found("https://example.org/x"), None);
    assert_eq!(found("nowhere.md").as_deref(), Some("docs/nowhere.md does not exist"));
    assert_eq!(found("#three").as_deref(), Some("docs/rules.md has no heading #three"));
    assert_eq!(links("[a](b.md#c) and\n```\n[d](e)\n```\n"), [(1, "b.md#c")]);
}
