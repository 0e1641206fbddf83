//! Where a command writes, looked at before it begins: better told at once than after hours of work.

use anyhow::{Context, Result, bail};
use pellucid::files::{is_same, probe};
use std::path::Path;

/// The files that a command reads and those that it writes.
#[derive(Debug, Default)]
pub struct Destinations<'a> {
    read: Vec<(&'static str, &'a Path)>,
    written: Vec<(&'static str, &'a Path)>,
}

impl<'a> Destinations<'a> {
    /// A file that is read, as people call it: 'the data'.
    pub fn reads(mut self, what: &'static str, path: Option<&'a Path>) -> Self {
        self.read.extend(path.filter(|path| !is_standard(path)).map(|path| (what, path)));
        self
    }

    /// A file that is written, by its flag; `-` is standard output.
    pub fn writes(mut self, flag: &'static str, path: Option<&'a Path>) -> Self {
        self.written.extend(path.map(|path| (flag, path)));
        self
    }

    /// Looks whether all can be written, and nothing is lost by it.
    pub fn check(&self) -> Result<()> {
        let standard = self.written.iter().filter(|(_, path)| is_standard(path));
        let flags: Vec<&str> = standard.map(|(flag, _)| *flag).collect();
        if let [others @ .., last] = &*flags
            && !others.is_empty()
        {
            bail!("only one of {} and {last} can go to standard output", others.join(", "));
        }
        let files = || self.written.iter().filter(|(_, path)| !is_standard(path));
        for (number, (flag, path)) in files().enumerate() {
            let shown = path.display();
            if let Some((what, _)) = self.read.iter().find(|(_, read)| is_same(read, path)) {
                bail!("{flag} {shown}: that is {what}, which would be lost; name another file");
            }
            if let Some((other, _)) = files().take(number).find(|(_, other)| is_same(other, path)) {
                bail!("{other} and {flag} both name {shown}; name two files");
            }
            probe(path).with_context(|| format!("{flag} {shown}: cannot be written"))?;
        }
        Ok(())
    }
}

/// Whether a path stands for standard input or output.
pub fn is_standard(path: &Path) -> bool {
    path == Path::new("-")
}
