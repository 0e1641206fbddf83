//! `cargo xtask guide`: the guide as a book.

use crate::tools::{self, has};
use anyhow::{Result, ensure};

/// Makes a book of `docs` with mdBook and writes it to `target/guide`.
pub(crate) fn run() -> Result<()> {
    ensure!(
        has("mdbook", &["--version"]),
        "mdBook is not installed; install it with: cargo install mdbook"
    );
    tools::run("mdbook", &["build", "docs"], &[])?;
    eprintln!("wrote target/guide/index.html");
    Ok(())
}
