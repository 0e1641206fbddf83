//! A process that reads damaged files with a limit on memory.

use anyhow::{Result, bail};
use pellucid_torture::{Mutator, ReadOutcome, Reader, ReaderSet};
use std::collections::BTreeMap;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The memory that readers may use, in addition to that of the process at its start.
pub(crate) const MEMORY_LIMIT: u64 = 256 << 20;

/// The number of cases between two messages about progress.
pub(crate) const STRIDE: u64 = 256;

/// The maximum time to read a small file.
const LONGEST: Duration = Duration::from_secs(5);

/// Reads the damaged files of some cases. Writes messages to standard output: the progress (`at
/// N`), failures (`found N READER MESSAGE`), and at the end the counts (`read READER ACCEPTED
/// REJECTED`) and the memory used (`memory KIB`).
pub(crate) fn run([seed, from, to]: [u64; 3]) -> Result<()> {
    let readers = ReaderSet::new();
    let before = memory("VmHWM:");
    limit()?;
    let last_panic = Arc::new(Mutex::new(String::new()));
    let hook_panic = Arc::clone(&last_panic);
    std::panic::set_hook(Box::new(move |panic| {
        if let Ok(mut message) = hook_panic.lock() {
            *message = panic.to_string().replace('\n', " ");
        }
    }));
    let mut counts: BTreeMap<&str, [u64; 2]> = BTreeMap::new();
    let mut out = std::io::stdout();
    for case in from..to {
        if case % STRIDE == 0 {
            writeln!(out, "at {case}")?;
            out.flush()?;
        }
        let reader = readers.of_case(case);
        let bytes = damaged(reader, seed, case);
        let start = Instant::now();
        match catch_unwind(AssertUnwindSafe(|| reader.read(&bytes))) {
            Ok(outcome) => {
                let count = counts.entry(&*reader.name).or_default();
                count[usize::from(outcome == ReadOutcome::Rejected)] += 1;
            }
            Err(_) => {
                let message = last_panic.lock().map(|message| message.clone()).unwrap_or_default();
                writeln!(out, "found {case} {} {message}", reader.name)?;
            }
        }
        let took = start.elapsed();
        if took > LONGEST {
            writeln!(out, "found {case} {} took {:.1} s", reader.name, took.as_secs_f64())?;
        }
    }
    for (name, [accepted, rejected]) in counts {
        writeln!(out, "read {name} {accepted} {rejected}")?;
    }
    writeln!(out, "memory {}", memory("VmHWM:").saturating_sub(before))?;
    Ok(())
}

/// Writes the file of a case to standard output.
pub(crate) fn show([seed, case]: [u64; 2]) -> Result<()> {
    let readers = ReaderSet::new();
    let reader = readers.of_case(case);
    eprintln!("{}", reader.name);
    std::io::stdout().write_all(&damaged(reader, seed, case))?;
    Ok(())
}

/// Writes the sample files of each reader to a folder. Returns the names of the readers.
pub(crate) fn samples(folder: &Path) -> Result<Vec<String>> {
    let readers = ReaderSet::new();
    for reader in &readers.all {
        let own = folder.join(&*reader.name);
        std::fs::create_dir_all(&own)?;
        for (number, sample) in reader.samples.iter().enumerate() {
            std::fs::write(own.join(format!("sound-{number}")), sample)?;
        }
    }
    Ok(readers.all.iter().map(|reader| reader.name.to_string()).collect())
}

/// Returns the damaged file of a case.
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

/// Returns a memory figure of this process in KiB, or 0 if the system does not provide it.
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
        bail!("this system does not provide the memory use of a process");
    }
    let most = Some(now + MEMORY_LIMIT);
    Ok(setrlimit(Resource::As, Rlimit { current: most, maximum: most })?)
}

#[cfg(not(unix))]
fn limit() -> Result<()> {
    bail!("memory can be limited only on Unix")
}
