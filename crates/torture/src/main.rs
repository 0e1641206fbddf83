//! `cargo xtask torture`: damaged files, kills, full disks and fuzzing.
//!
//! ```text
//! torture [--seed N] [--mutations N] [--kills N] [--minutes M] [--jobs N] [--only mutations|kills|writes|disks]
//!         [--pellucid FILE]
//! torture guided [--seconds N] [--jobs N] [--folder FOLDER] [--fuzzer FILE] [READER …]
//!                                readers under libFuzzer; `model` means all readers whose name starts with `model-`
//! torture worker SEED FROM TO    reads the damaged files of some cases; the first form starts it
//! torture case SEED N            writes the damaged file of one case to standard output, and its reader to standard error
//! torture samples FOLDER         writes the sample files of each reader, and prints the readers' names
//! ```
//!
//! The binary carries every file it needs. On another machine it takes only `pellucid` and `pellucid-guided` beside it;
//! `cargo xtask torture --pack FOLDER` puts the three into a folder.

#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, reason = "it is a command")]

mod disks;
mod guided;
mod kills;
mod mutations;
mod runs;
mod worker;
mod writes;

use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// What was asked for.
#[derive(Debug)]
pub(crate) struct Asked {
    seed: u64,
    mutations: u64,
    kills: u64,
    /// How many runs are killed at a time.
    jobs: usize,
    /// When no new work is begun.
    until: Option<Instant>,
    only: Option<String>,
    pellucid: PathBuf,
}

impl Asked {
    fn parse(words: &[String]) -> Result<Asked> {
        let beside = std::env::current_exe()?.with_file_name("pellucid");
        let mut asked = Asked {
            seed: 1,
            mutations: 1_000_000,
            kills: 1_000,
            jobs: std::thread::available_parallelism()?.get().div_ceil(2),
            until: None,
            only: None,
            pellucid: beside,
        };
        let mut words = words.iter();
        while let Some(flag) = words.next() {
            let value = words.next().with_context(|| format!("{flag} needs a value"))?;
            match flag.as_str() {
                "--seed" => asked.seed = value.parse()?,
                "--mutations" => asked.mutations = value.parse()?,
                "--kills" => asked.kills = value.parse()?,
                "--jobs" => asked.jobs = value.parse::<usize>()?.max(1),
                "--minutes" => {
                    let minutes = Duration::try_from_secs_f64(60.0 * value.parse::<f64>()?)?;
                    asked.until = Some(Instant::now() + minutes);
                }
                "--only" => asked.only = Some(value.clone()),
                "--pellucid" => asked.pellucid = value.into(),
                _ => bail!("there is no flag {flag}"),
            }
        }
        Ok(asked)
    }

    fn is_over(&self) -> bool {
        self.until.is_some_and(|until| Instant::now() >= until)
    }
}

/// What came of one kind of torture.
#[derive(Debug, Default)]
pub(crate) struct Report {
    /// What was tried, in words.
    tried: Vec<String>,
    /// What must not happen and did.
    failures: Vec<String>,
}

impl Report {
    fn tried(&mut self, what: impl Into<String>) {
        self.tried.push(what.into());
    }

    fn failed(&mut self, what: impl Into<String>) {
        let what = what.into();
        eprintln!("failed: {what}");
        self.failures.push(what);
    }
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let texts: Vec<&str> = words.iter().map(String::as_str).collect();
    let result = match texts[..] {
        ["worker", seed, from, to] => {
            numbers([seed, from, to]).and_then(worker::run).map(|()| true)
        }
        ["samples", folder] => worker::samples(Path::new(folder)).map(|names| {
            names.iter().for_each(|name| println!("{name}"));
            true
        }),
        ["guided", ..] => guided::run(&words[1..]),
        ["case", seed, case] => numbers([seed, case]).and_then(worker::show).map(|()| true),
        _ => Asked::parse(&words).and_then(|asked| torture(&asked)),
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("torture: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn numbers<const N: usize>(words: [&str; N]) -> Result<[u64; N]> {
    let mut numbers = [0; N];
    for (number, word) in numbers.iter_mut().zip(words) {
        *number = word.parse().with_context(|| format!("'{word}' is no number"))?;
    }
    Ok(numbers)
}

/// Everything that was asked for; whether nothing failed.
fn torture(asked: &Asked) -> Result<bool> {
    type Kind = fn(&Asked) -> Result<Report>;
    let kinds: [(&str, Kind); 4] = [
        ("mutations", mutations::run),
        ("kills", kills::run),
        ("writes", writes::run),
        ("disks", disks::run),
    ];
    let mut sound = true;
    println!("seed {}", asked.seed);
    for (name, run) in kinds {
        if asked.only.as_deref().is_some_and(|only| only != name) {
            continue;
        }
        let start = Instant::now();
        let report = run(asked)?;
        println!("\n{name}, {:.0} s", start.elapsed().as_secs_f64());
        report.tried.iter().for_each(|line| println!("  {line}"));
        println!("  failed: {}", report.failures.len());
        report.failures.iter().for_each(|failure| println!("    {failure}"));
        sound &= report.failures.is_empty();
    }
    Ok(sound)
}
