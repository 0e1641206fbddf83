//! Checks of output files before a command starts, so that a long run does not fail at its end.

use anyhow::{Context, Result, bail};
use pellucid::files::{is_same, probe};
use std::path::Path;

/// The files that a command reads and writes.
#[derive(Debug, Default)]
pub struct Destinations<'a> {
    read: Vec<(&'static str, &'a Path)>,
    written: Vec<(&'static str, &'a Path)>,
}

impl<'a> Destinations<'a> {
    /// Adds a file that is read, with a description such as 'the data'.
    pub fn reads(mut self, what: &'static str, path: Option<&'a Path>) -> Self {
        self.read.extend(path.filter(|path| !is_standard(path)).map(|path| (what, path)));
        self
    }

    /// Adds a file that is written, with its flag; `-` is standard output.
    pub fn writes(mut self, flag: &'static str, path: Option<&'a Path>) -> Self {
        self.written.extend(path.map(|path| (flag, path)));
        self
    }

    /// Checks that all output files can be written and that none of them is an input file.
    pub fn check(&self) -> Result<()> {
        let standard = self.written.iter().filter(|(_, path)| is_standard(path));
        let flags: Vec<&str> = standard.map(|(flag, _)| *flag).collect();
        if let [others @ .., last] = &*flags
            && !others.is_empty()
        {
            bail!("only one of {} and {last} can write to standard output", others.join(", "));
        }
        let files = || self.written.iter().filter(|(_, path)| !is_standard(path));
        for (number, (flag, path)) in files().enumerate() {
            let shown = path.display();
            if let Some((what, _)) = self.read.iter().find(|(_, read)| is_same(read, path)) {
                bail!("{flag} {shown} would overwrite {what}; use another file");
            }
            if let Some((other, _)) = files().take(number).find(|(_, other)| is_same(other, path)) {
                bail!("{other} and {flag} both write to {shown}; use two files");
            }
            probe(path).with_context(|| format!("{flag}: cannot write {shown}"))?;
        }
        Ok(())
    }
}

/// Returns whether a path means standard input or output.
pub fn is_standard(path: &Path) -> bool {
    path == Path::new("-")
}
