//! `cargo xtask torture`: damaged files, kills, full disks and fuzzing.
//!
//! ```text
//! torture [--seed N] [--mutations N] [--kills N] [--minutes M] [--jobs N]
//!         [--only mutations|kills|writes|disks] [--pellucid FILE]
//! torture guided [--seconds N] [--jobs N] [--folder FOLDER] [--fuzzer FILE] [READER …]
//!                                fuzz readers with libFuzzer; `model` selects all readers named `model-…`
//! torture worker SEED FROM TO    read the damaged files of some cases; started by the first form
//! torture case SEED N            write the damaged file of a case to stdout, and its reader to stderr
//! torture samples FOLDER         write the sample files of each reader, and print the names of the readers
//! ```
//!
//! The binary contains every file it needs. On another machine it needs only `pellucid` and
//! `pellucid-guided` in the same folder. `cargo xtask torture --pack FOLDER` creates such a folder.

#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, reason = "this is a command")]

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

/// The command-line options.
#[derive(Debug)]
pub(crate) struct Options {
    seed: u64,
    mutations: u64,
    kills: u64,
    /// The number of commands that run at the same time.
    jobs: usize,
    /// The time after which no new work is started.
    until: Option<Instant>,
    only: Option<String>,
    pellucid: PathBuf,
}

impl Options {
    fn parse(words: &[String]) -> Result<Options> {
        let pellucid = std::env::current_exe()?.with_file_name("pellucid");
        let mut options = Options {
            seed: 1,
            mutations: 1_000_000,
            kills: 1_000,
            jobs: std::thread::available_parallelism()?.get().div_ceil(2),
            until: None,
            only: None,
            pellucid,
        };
        let mut words = words.iter();
        while let Some(flag) = words.next() {
            let value = words.next().with_context(|| format!("{flag} needs a value"))?;
            match flag.as_str() {
                "--seed" => options.seed = value.parse()?,
                "--mutations" => options.mutations = value.parse()?,
                "--kills" => options.kills = value.parse()?,
                "--jobs" => options.jobs = value.parse::<usize>()?.max(1),
                "--minutes" => {
                    let minutes = Duration::try_from_secs_f64(60.0 * value.parse::<f64>()?)?;
                    options.until = Some(Instant::now() + minutes);
                }
                "--only" => options.only = Some(value.clone()),
                "--pellucid" => options.pellucid = value.into(),
                _ => bail!("unknown flag {flag}"),
            }
        }
        Ok(options)
    }

    fn is_over(&self) -> bool {
        self.until.is_some_and(|until| Instant::now() >= until)
    }
}

/// The result of one kind of test.
#[derive(Debug, Default)]
pub(crate) struct Report {
    /// What was tested.
    notes: Vec<String>,
    /// The failures.
    failures: Vec<String>,
}

impl Report {
    fn note(&mut self, what: impl Into<String>) {
        self.notes.push(what.into());
    }

    fn fail(&mut self, what: impl Into<String>) {
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
        _ => Options::parse(&words).and_then(|options| torture(&options)),
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
        *number = word.parse().with_context(|| format!("found '{word}'; expected a number"))?;
    }
    Ok(numbers)
}

/// Runs the selected tests. Returns whether all of them passed.
fn torture(options: &Options) -> Result<bool> {
    type Kind = fn(&Options) -> Result<Report>;
    let kinds: [(&str, Kind); 4] = [
        ("mutations", mutations::run),
        ("kills", kills::run),
        ("writes", writes::run),
        ("disks", disks::run),
    ];
    let mut passed = true;
    println!("seed {}", options.seed);
    for (name, run) in kinds {
        if options.only.as_deref().is_some_and(|only| only != name) {
            continue;
        }
        let start = Instant::now();
        let report = run(options)?;
        println!("\n{name}, {:.0} s", start.elapsed().as_secs_f64());
        report.notes.iter().for_each(|line| println!("  {line}"));
        println!("  failed: {}", report.failures.len());
        report.failures.iter().for_each(|failure| println!("    {failure}"));
        passed &= report.failures.is_empty();
    }
    Ok(passed)
}
