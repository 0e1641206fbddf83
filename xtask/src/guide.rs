//! `cargo xtask guide`: the guide as a book.

use crate::python;
use crate::tools::{self, cargo, has, root};
use anyhow::{Context as _, Result, bail, ensure};
use std::path::Path;

/// Where the book is written.
const BOOK: &str = "target/guide";
/// The folder in the book with the documentation of the Rust crates, whose links rustdoc checks.
const RUST: &str = "rust";

/// Makes a book of `docs` with mdBook and writes it to `target/guide`. The references of Python and Rust are
/// made from the sources, so they are not part of `docs`.
pub(crate) fn run() -> Result<()> {
    ensure!(
        has("mdbook", &["--version"]),
        "mdBook is not installed; install it with: cargo install mdbook"
    );
    let pages = root().join("target/guide-pages");
    if pages.exists() {
        std::fs::remove_dir_all(&pages)?;
    }
    copy(&root().join("docs"), &pages)?;
    keep_inner_links(&pages, 0)?;
    python::reference(&pages.join("reference.md"))?;
    let summary = std::fs::read_to_string(pages.join("SUMMARY.md"))?;
    let summary = with_reference(&summary)? + &decisions(&pages.join("decisions"))?;
    std::fs::write(pages.join("SUMMARY.md"), summary)?;
    cargo(&["doc", "--workspace", "--all-features", "--no-deps", "--quiet"])?;
    let book = std::path::absolute(root())?.join(BOOK);
    let shown = book.to_str().context("the project's folder is not UTF-8")?;
    tools::run("mdbook", &["build", "target/guide-pages", "--dest-dir", shown], &[])?;
    copy(&root().join("target/doc"), &book.join(RUST))?;
    let pages = check_links(&book)?;
    eprintln!("wrote {BOOK}/index.html: {pages} pages, and {BOOK}/{RUST}/pellucid/index.html");
    Ok(())
}

/// Adds the reference of Python to the list of pages, before the pages for developers.
fn with_reference(summary: &str) -> Result<String> {
    let title = "# For developers";
    ensure!(summary.contains(title), "docs/SUMMARY.md has no part '{title}'");
    let entry = format!("# Reference\n\n- [Python reference](reference.md)\n\n{title}");
    Ok(summary.replacen(title, &entry, 1))
}

/// Replaces links of pages to files outside of the book by their text.
fn keep_inner_links(folder: &Path, depth: usize) -> Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            keep_inner_links(&path, depth + 1)?;
        } else if path.extension().is_some_and(|extension| extension == "md") {
            let text = std::fs::read_to_string(&path)?;
            std::fs::write(&path, inner_links(&text, depth))?;
        }
    }
    Ok(())
}

/// Returns a page, `depth` folders below the book, without the links that lead out of the book.
fn inner_links(text: &str, depth: usize) -> String {
    let outside = format!("]({}", "../".repeat(depth + 1));
    let (mut kept, mut rest) = (String::new(), text);
    while let Some(at) = rest.find(&outside) {
        let (before, link) = rest.split_at(at);
        let (Some(open), Some(end)) = (before.rfind('['), link.find(')')) else { break };
        kept += &before[..open];
        kept += &before[open + 1..];
        rest = &link[end + 1..];
    }
    kept + rest
}

/// Returns the entries of the decisions, which follow the entry of their list: mdBook leaves out pages that
/// the summary does not name.
fn decisions(folder: &Path) -> Result<String> {
    let entries = std::fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    let mut names = Vec::new();
    for entry in entries {
        names.push(entry?.file_name().to_string_lossy().into_owned());
    }
    names.retain(|name| name.ends_with(".md") && name != "README.md");
    names.sort();
    let mut list = String::new();
    for name in names {
        let page = std::fs::read_to_string(folder.join(&name))?;
        let title = page.lines().find_map(|line| line.strip_prefix("# "));
        let title = title.with_context(|| format!("docs/decisions/{name} has no title"))?;
        list += &format!("  - [{title}](decisions/{name})\n");
    }
    Ok(list)
}

/// Copies a folder with everything in it.
fn copy(from: &Path, to: &Path) -> Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let place = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &place)?;
        } else {
            std::fs::copy(entry.path(), place)?;
        }
    }
    Ok(())
}

/// Makes the book and checks its links; installs mdBook where it is missing, which takes minutes.
pub(crate) fn check() -> Result<()> {
    if !has("mdbook", &["--version"])
        && tools::run("cargo", &["install", "--locked", "--quiet", "mdbook"], &[]).is_err()
    {
        eprintln!("skipped the guide as a book: mdBook cannot be installed here");
        return Ok(());
    }
    run()
}

/// Checks that links between the pages of a book lead to a page and a heading, and returns the number of
/// pages. Links to files outside of the book are those of the repository; `links.rs` checks them.
fn check_links(book: &Path) -> Result<usize> {
    let mut pages = Vec::new();
    collect(book, &mut pages)?;
    let mut wrong = Vec::new();
    for (path, text) in &pages {
        for link in text.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next()) {
            let (file, heading) = link.split_once('#').unwrap_or((link, ""));
            if file.contains(':') || !(file.is_empty() || file.ends_with(".html")) {
                continue;
            }
            let target = match file {
                "" => path.clone(),
                file => path.parent().unwrap_or(book).join(file),
            };
            let target = target.canonicalize().unwrap_or(target);
            let found = pages.iter().find(|(other, _)| *other == target).map(|(_, text)| text);
            let is_there = |text: &String| text.contains(&format!("id=\"{heading}\""));
            if !found.is_some_and(|text| heading.is_empty() || is_there(text)) {
                wrong
                    .push(format!("{}: {link}", path.strip_prefix(book).unwrap_or(path).display()));
            }
        }
    }
    if !wrong.is_empty() {
        bail!("links of the book that lead nowhere:\n{}", wrong.join("\n"));
    }
    Ok(pages.len())
}

fn collect(folder: &Path, pages: &mut Vec<(std::path::PathBuf, String)>) -> Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            if !path.ends_with(RUST) {
                collect(&path, pages)?;
            }
        } else if path.extension().is_some_and(|extension| extension == "html") {
            let text = std::fs::read_to_string(&path)?;
            pages.push((path.canonicalize()?, text));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{check_links, decisions, inner_links, root, with_reference};

    #[test]
    fn the_reference_is_listed_once() {
        let summary =
            std::fs::read_to_string(root().join("docs/SUMMARY.md")).expect("the list of pages");
        let all = with_reference(&summary).expect("a place for the reference");
        assert_eq!(all.matches("(reference.md)").count(), 1, "{all}");
        assert!(with_reference("# Other").is_err());
    }

    #[test]
    fn links_out_of_the_book_become_text() {
        let page = "See [a](b.md), [the code](../../crates/x.rs) and [up](../c.md).";
        assert_eq!(inner_links(page, 1), "See [a](b.md), the code and [up](../c.md).");
        assert_eq!(inner_links("[one](../x) [two](y.md)", 0), "one [two](y.md)");
        assert_eq!(inner_links("no link](../", 0), "no link](../");
    }

    #[test]
    fn every_decision_is_a_page_below_their_list() {
        let folder = root().join("docs/decisions");
        let list = decisions(&folder).expect("pages with titles");
        let files = std::fs::read_dir(&folder).expect("a folder").count();
        assert_eq!(list.lines().count(), files - 1, "all but the list of decisions:\n{list}");
        let summary = std::fs::read_to_string(root().join("docs/SUMMARY.md")).expect("the pages");
        assert!(summary.trim_end().ends_with("(decisions/README.md)"), "decisions come last");
    }

    #[test]
    fn a_link_of_the_book_that_leads_nowhere_is_found() {
        let book = tempfile::tempdir().expect("a folder");
        let write = |name: &str, text: &str| {
            std::fs::write(book.path().join(name), text).expect("a page");
        };
        write(
            "a.html",
            "<a href=\"b.html#two\"> <a href=\"https://x/y.html\"> <a href=\"#one\" id=\"one\">",
        );
        write("b.html", "<h2 id=\"two\">");
        assert_eq!(check_links(book.path()).expect("sound links"), 2);
        write("b.html", "<h2 id=\"other\"><a href=\"c.html\">");
        let error = check_links(book.path()).expect_err("two wrong links").to_string();
        assert!(
            error.contains("a.html: b.html#two") && error.contains("b.html: c.html"),
            "{error}"
        );
    }
}
