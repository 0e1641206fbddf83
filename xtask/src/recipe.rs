//! `cargo xtask recipe`: adds the learner of the tests to a copy of the project, by exactly the list under
//! "Add a learner" in CONTRIBUTING.md, and uses it from the command line.

use crate::tools::{root, run};
use anyhow::{Context, Result, ensure};
use std::fs;
use std::path::Path;
use std::process::Command;

/// The name of the learner.
const NAME: &str = "majority";
/// The source of the learner.
const SOURCE: &str = "crates/pellucid/tests/suite/own_learner/majority.rs";
/// The manifest of its crate.
const MANIFEST: &str = r#"[package]
name = "pellucid-majority"
version.workspace = true
edition.workspace = true

[dependencies]
pellucid-data.workspace = true
pellucid-device.workspace = true
pellucid-learn.workspace = true
serde.workspace = true
serde_json.workspace = true
"#;

/// A change of a file: the line after which another one comes.
struct Line {
    file: &'static str,
    after: &'static str,
    line: &'static str,
}

/// The changes of files. CONTRIBUTING.md names each of them.
const LINES: [Line; 4] = [
    Line {
        file: "Cargo.toml",
        after: "pellucid-logic = {",
        line: r#"pellucid-majority = { path = "crates/majority" }"#,
    },
    Line {
        file: "crates/pellucid/Cargo.toml",
        after: "pellucid-logic.workspace",
        line: "pellucid-majority.workspace = true",
    },
    Line {
        file: "crates/pellucid/src/registry/mod.rs",
        after: ".with::<crate::logic::Logic>()",
        line: "            .with::<pellucid_majority::Majority>()",
    },
    Line {
        file: "README.md",
        after: "| **[logic](docs/logic.md)**",
        line: "| **[majority](docs/majority.md)** | tables | the most common class |",
    },
];

/// Adds the learner to a copy of the last commit and uses it.
pub(crate) fn check() -> Result<()> {
    let folder = &root().join("target/recipe/project");
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    let [from, to] = [root(), folder].map(|path| path.display().to_string());
    run("git", &["clone", "--quiet", "--local", &from, &to], &[])?;
    let recipe = fs::read_to_string(folder.join("CONTRIBUTING.md"))?;
    let (_, recipe) = recipe.split_once("## Add a learner\n").context("no recipe")?;
    let recipe = recipe.split("\n## ").next().unwrap_or_default();
    for Line { file, .. } in &LINES {
        ensure!(recipe.contains(&format!("`{file}`")), "CONTRIBUTING.md: the recipe omits {file}");
    }
    add_crate(folder)?;
    LINES.iter().try_for_each(|line| line.add(folder))?;
    let guide = "# Majority\n\n<!-- parameters -->\n<!-- end of parameters -->\n";
    fs::write(folder.join("docs/majority.md"), guide)?;
    // Once to write the table of parameters, and once to check it.
    let guides = ["test", "--quiet", "--package", "pellucid", "--test", "suite", "guides"];
    cargo_in(folder, &guides, Some("1"))?;
    cargo_in(folder, &guides, None)?;
    let learn = ["run", "--quiet", "--package", "pellucid-cli", "--", "learn", NAME];
    let data = ["examples/letters.csv", "--most-examples", "10", "--out", "majority.json"];
    let text = cargo_in(folder, &[&learn[..], &data].concat(), None)?;
    ensure!(text.starts_with("always "), "the new learner printed: {text}");
    eprintln!("the recipe for a learner works: {}", text.trim_end());
    Ok(())
}

/// Runs cargo in the copy and returns what it printed.
fn cargo_in(folder: &Path, words: &[&str], update: Option<&str>) -> Result<String> {
    let mut command = Command::new("cargo");
    command.args(words).current_dir(folder);
    command.env("CARGO_TARGET_DIR", root().join("target/recipe"));
    command.env("PELLUCID_UPDATE", update.unwrap_or_default());
    let output = command.output()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "cargo {}: {text}{errors}", words.join(" "));
    Ok(text)
}

/// Adds the crate of the learner.
fn add_crate(folder: &Path) -> Result<()> {
    let own = folder.join("crates").join(NAME);
    fs::create_dir_all(own.join("src"))?;
    fs::write(own.join("Cargo.toml"), MANIFEST)?;
    let source = fs::read_to_string(folder.join(SOURCE))?;
    // The learner of the tests uses the facade; one in the workspace uses the crates below it.
    let source = source
        .replace("pellucid::learn::", "pellucid_learn::")
        .replace("pellucid::io::Dataset", "pellucid_data::Dataset")
        .replace("pellucid::device::", "pellucid_device::")
        .replace("pub(crate) ", "pub ");
    Ok(fs::write(own.join("src/lib.rs"), source)?)
}

impl Line {
    /// Adds the line to its file.
    fn add(&self, folder: &Path) -> Result<()> {
        let path = folder.join(self.file);
        let text = fs::read_to_string(&path)?;
        let missing = || format!("{}: no line has '{}'", self.file, self.after);
        let at = text.find(self.after).with_context(missing)?;
        let end = text[at..].find('\n').map_or(text.len(), |end| at + end);
        Ok(fs::write(&path, format!("{}\n{}{}", &text[..end], self.line, &text[end..]))?)
    }
}
