//! `cargo xtask browser`: reports in headless Chromium.

use crate::measure::need_python;
use crate::tools::{self, cargo, need_package};
use anyhow::Result;

/// Opens reports of generated models in Chromium, compares their predictions with those of the command, and
/// uses every control. It uses the build of the tests, so that nothing is built again. `folder` receives
/// screenshots.
pub(crate) fn run(folder: Option<&str>) -> Result<()> {
    let command = command()?;
    let mut arguments = vec!["xtask/browser/reports.py", &command];
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
    cargo(&["build", "--quiet", "--workspace", "--all-features", "--bins"])?;
    let target = std::env::var("CARGO_TARGET_DIR").unwrap_or_else(|_| "target".to_owned());
    Ok(format!("{target}/debug/pellucid"))
}
