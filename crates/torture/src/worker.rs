//! A process that reads damaged files, with less memory than it would need to run away.

use anyhow::{Result, bail};
use pellucid_torture::{Bench, Mutator, Outcome, Reader};
use std::collections::BTreeMap;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::{Duration, Instant};

/// How much memory a reader may take beyond what the process has when it begins.
pub(crate) const ROOM: u64 = 256 << 20;

/// How many cases between two signs of life.
pub(crate) const STRIDE: u64 = 256;

/// Longer than any small file may take.
const LONGEST: Duration = Duration::from_secs(5);

/// Reads the damaged files of some cases. Tells on standard output where it is (`at N`), what it found (`found N READER what`)
/// and at the end what became of the files (`read READER accepted refused`) and its memory (`memory KiB`).
pub(crate) fn run([seed, from, to]: [u64; 3]) -> Result<()> {
    let bench = Bench::new();
    let before = memory("VmHWM:");
    limit()?;
    let heard = std::sync::Arc::new(std::sync::Mutex::new(String::new()));
    let hear = std::sync::Arc::clone(&heard);
    std::panic::set_hook(Box::new(move |stumble| {
        if let Ok(mut heard) = hear.lock() {
            *heard = stumble.to_string().replace('\n', " ");
        }
    }));
    let mut counts: BTreeMap<&str, [u64; 2]> = BTreeMap::new();
    let mut out = std::io::stdout();
    for case in from..to {
        if case % STRIDE == 0 {
            writeln!(out, "at {case}")?;
            out.flush()?;
        }
        let reader = bench.of_case(case);
        let bytes = damaged(reader, seed, case);
        let start = Instant::now();
        match catch_unwind(AssertUnwindSafe(|| reader.read(&bytes))) {
            Ok(outcome) => {
                let count = counts.entry(reader.name).or_default();
                count[usize::from(outcome == Outcome::Refused)] += 1;
            }
            Err(_) => {
                let what = heard.lock().map(|heard| heard.clone()).unwrap_or_default();
                writeln!(out, "found {case} {} {what}", reader.name)?;
            }
        }
        let took = start.elapsed();
        if took > LONGEST {
            writeln!(out, "found {case} {} took {:.1} s", reader.name, took.as_secs_f64())?;
        }
    }
    for (name, [accepted, refused]) in counts {
        writeln!(out, "read {name} {accepted} {refused}")?;
    }
    writeln!(out, "memory {}", memory("VmHWM:").saturating_sub(before))?;
    Ok(())
}

/// Shows the file of a case.
pub(crate) fn show([seed, case]: [u64; 2]) -> Result<()> {
    let bench = Bench::new();
    let reader = bench.of_case(case);
    eprintln!("{}", reader.name);
    std::io::stdout().write_all(&damaged(reader, seed, case))?;
    Ok(())
}

/// Writes the sample files of every reader, a folder for each; returns the readers' names.
pub(crate) fn samples(folder: &Path) -> Result<Vec<String>> {
    let bench = Bench::new();
    for reader in &bench.readers {
        let own = folder.join(reader.name);
        std::fs::create_dir_all(&own)?;
        for (number, sample) in reader.samples.iter().enumerate() {
            std::fs::write(own.join(format!("sound-{number}")), sample)?;
        }
    }
    Ok(bench.readers.iter().map(|reader| reader.name.to_owned()).collect())
}

/// The damaged file of a case.
pub(crate) fn damaged(reader: &Reader, seed: u64, case: u64) -> Vec<u8> {
    let mut mutator = Mutator::new(seed, case);
    let sample = mutator.below(reader.samples.len());
    let other = mutator.below(reader.samples.len());
    let bytes = mutator.damage(&reader.samples[sample], &reader.samples[other]);
    match reader.seal {
        Some(seal) if mutator.chance(0.8) => seal(&bytes),
        _ => bytes,
    }
}

/// A figure of this process in KiB; 0 where the system does not tell.
fn memory(name: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

#[cfg(unix)]
fn limit() -> Result<()> {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let now = memory("VmSize:") << 10;
    if now == 0 {
        bail!("this system does not tell how much memory a process has");
    }
    let most = Some(now + ROOM);
    Ok(setrlimit(Resource::As, Rlimit { current: most, maximum: most })?)
}

#[cfg(not(unix))]
fn limit() -> Result<()> {
    bail!("memory can be limited on Unix alone")
}
