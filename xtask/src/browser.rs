//! `cargo xtask browser`: the types of the pages' scripts, and pages in headless Chromium.

use crate::measure::need_python;
use crate::tools::{self, cargo, need_package, root};
use anyhow::{Context as _, Result};
use std::path::PathBuf;

/// The packages from npm: the type checker, and the accessibility rules.
const PACKAGES: [&str; 2] = ["typescript@7.0.2", "axe-core@4.14.0"];

/// Checks the types of the scripts, opens pages in Chromium, compares the predictions of reports with those
/// of the command, uses every control and checks the accessibility. It uses the build of the tests, so that
/// nothing is built again. `folder` receives screenshots.
pub(crate) fn run(folder: Option<&str>) -> Result<()> {
    let command = command()?;
    // A machine without npm still opens every page.
    let axe = match packages() {
        Ok(npm) => {
            let npm = npm.to_str().context("the target folder's name is not UTF-8")?;
            let compiler = format!("{npm}/node_modules/.bin/tsc");
            tools::run(&compiler, &["--project", "xtask/browser/tsconfig.json"], &[])?;
            format!("{npm}/node_modules/axe-core/axe.min.js")
        }
        Err(error) => {
            eprintln!("skipped the types of scripts and the accessibility of pages: {error:#}");
            "-".to_owned()
        }
    };
    let mut arguments = vec!["xtask/browser/reports.py", &command, &axe];
    arguments.extend(folder);
    tools::run("python3", &arguments, &[])
}

/// Makes the pictures of the documentation.
pub(crate) fn pictures() -> Result<()> {
    tools::run("python3", &["xtask/browser/pictures.py", &command()?], &[])
}

/// Builds the command and returns its path; installs what the browser needs.
fn command() -> Result<String> {
    need_python()?;
    need_package("chromium", "chromium")?;
    // With `--tests`, dependencies have the features that they have in the tests, and are not built again.
    cargo(&["build", "--quiet", "--workspace", "--all-features", "--bins", "--tests"])?;
    let target = std::env::var("CARGO_TARGET_DIR").unwrap_or_else(|_| "target".to_owned());
    Ok(format!("{target}/debug/pellucid"))
}

/// Installs the packages unless they are there, and returns their folder.
fn packages() -> Result<PathBuf> {
    let target = std::env::var("CARGO_TARGET_DIR").unwrap_or_else(|_| "target".to_owned());
    let folder = root().join(target).join("npm");
    let (stamp, wanted) = (folder.join("installed"), PACKAGES.join("\n"));
    if std::fs::read_to_string(&stamp).is_ok_and(|known| known == wanted) {
        return Ok(folder);
    }
    need_package("npm", "npm")?;
    std::fs::create_dir_all(&folder)?;
    let shown = folder.to_str().context("the target folder's name is not UTF-8")?;
    let install = ["install", "--silent", "--no-audit", "--no-fund", "--prefix", shown];
    tools::run("npm", &[&install[..], &PACKAGES].concat(), &[])?;
    std::fs::write(&stamp, wanted)?;
    Ok(folder)
}
