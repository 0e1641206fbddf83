//! The sets of the multiple-instance paper: generated, or real ones in a folder.

use anyhow::{Context, Result, bail, ensure};
use pellucid::generate::ARTIFICIAL_SETS;
use pellucid::io::{self, Choice, Dataset, ReadOptions};
use std::path::{Path, PathBuf};

/// The largest artificial set that is run unasked.
const UNASKED: u8 = 5;

/// The real sets by file name, from the smallest up.
const FILES: [&str; 7] = [
    "eastWest.dat",
    "musk1.dat",
    "tiger.dat",
    "elephant.dat",
    "mutagenesis-atoms.dat",
    "mutagenesis-chains.dat",
    "musk2.csv",
];

/// A set, not read yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Set {
    /// What it is called.
    pub(super) name: String,
    origin: Origin,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Origin {
    Artificial(u8),
    File(PathBuf),
}

impl Set {
    /// Generates or reads it.
    pub(super) fn load(&self, seed: u64) -> Result<Dataset> {
        match &self.origin {
            Origin::Artificial(number) => Ok(pellucid::generate::artificial(*number, seed)?.data),
            Origin::File(path) => Ok(io::read(path, &options(&self.name))?),
        }
    }
}

/// KEEL's files say what their columns are; the others do not.
fn options(name: &str) -> ReadOptions {
    let column = |number: &str| Choice::Column(number.to_owned());
    match name {
        "musk2" => ReadOptions::default().target(column("1")).bag(column("2")),
        _ => ReadOptions::default(),
    }
}

/// The sets asked for, in that order; if none, the artificial ones that do not take long and all in the
/// folder.
pub(super) fn chosen(names: &[String], folder: Option<&Path>) -> Result<Vec<Set>> {
    let real = folder.map(found).transpose()?;
    if names.is_empty() {
        let artificial = (1..=UNASKED).map(artificial);
        return Ok(artificial.chain(real.unwrap_or_default()).collect());
    }
    let generated: Vec<Set> = (1..=ARTIFICIAL_SETS).map(artificial).collect();
    let there: Vec<&Set> = generated.iter().chain(real.iter().flatten()).collect();
    let mut sets = Vec::new();
    for name in names {
        let Some(&set) = there.iter().find(|set| set.name == *name) else {
            let allowed: Vec<&str> = there.iter().map(|set| set.name.as_str()).collect();
            let is_real = FILES.iter().any(|file| name_of(file) == name);
            let hint = match folder {
                None if is_real => "; give --data FOLDER, where its file lies".to_owned(),
                Some(folder) if is_real => format!("; {} lacks its file", folder.display()),
                _ => String::new(),
            };
            bail!("--sets: found '{name}', allowed are {}{hint}", allowed.join(", "))
        };
        sets.push(set.clone());
    }
    Ok(sets)
}

fn artificial(number: u8) -> Set {
    Set { name: format!("artificial{number}"), origin: Origin::Artificial(number) }
}

/// The real sets in a folder; there must be one.
fn found(folder: &Path) -> Result<Vec<Set>> {
    std::fs::read_dir(folder).with_context(|| format!("--data: {}", folder.display()))?;
    let mut sets = Vec::new();
    for file in FILES {
        let paths = [folder.join(file), folder.join(format!("{file}.gz"))];
        if let Some(path) = paths.into_iter().find(|path| path.is_file()) {
            sets.push(Set { name: name_of(file).to_owned(), origin: Origin::File(path) });
        }
    }
    ensure!(
        !sets.is_empty(),
        "--data: {} holds none of {}, each also with .gz",
        folder.display(),
        FILES.join(", ")
    );
    Ok(sets)
}

fn name_of(file: &str) -> &str {
    file.split_once('.').map_or(file, |(name, _)| name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arguments::Hypothesis;
    use crate::paper::whole_run;

    #[test]
    fn the_paper_has_every_set() {
        let artificial = (1..=ARTIFICIAL_SETS).map(|number| artificial(number).name);
        for name in artificial.chain(FILES.map(|file| name_of(file).to_owned())) {
            for hypothesis in [Hypothesis::Presence, Hypothesis::Count] {
                let seconds = whole_run(&name, hypothesis).expect(&name);
                assert!(seconds.four_threads > seconds.four_gpus, "{name}");
            }
        }
    }
}
