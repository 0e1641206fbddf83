//! Damaged files for every reader, on all cores. Readers must not panic, hang, or use more than 256 MiB.

use crate::worker::STRIDE;
use crate::{Options, Report};
use anyhow::{Context, Result};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// The number of cases of a worker.
const SHARE: u64 = 40 * STRIDE;

/// The results of all workers.
#[derive(Default)]
struct Found {
    counts: BTreeMap<String, [u64; 2]>,
    memory: u64,
    failures: Vec<String>,
}

pub(crate) fn run(options: &Options) -> Result<Report> {
    let (next, found) = (AtomicU64::new(0), Mutex::new(Found::default()));
    let cores = std::thread::available_parallelism()?.get();
    std::thread::scope(|scope| -> Result<()> {
        let work = || -> Result<()> {
            while !options.is_over() {
                let from = next.fetch_add(SHARE, Ordering::SeqCst);
                if from >= options.mutations {
                    break;
                }
                share(options.seed, from, options.mutations.min(from + SHARE), &found)?;
            }
            Ok(())
        };
        let threads: Vec<_> = (0..cores).map(|_| scope.spawn(work)).collect();
        threads.into_iter().try_for_each(|thread| thread.join().expect("the thread does not panic"))
    })?;
    let found = found.into_inner().unwrap_or_default();
    let mut report = Report::default();
    let all: u64 = found.counts.values().flatten().sum();
    report.note(format!("{all} damaged files"));
    for (name, [accepted, rejected]) in &found.counts {
        report.note(format!("{name:<20} {rejected:>8} rejected  {accepted:>8} accepted"));
    }
    report.note(format!("maximum memory used by readers: {:.1} MiB", found.memory as f64 / 1024.0));
    found.failures.into_iter().for_each(|failure| report.fail(failure));
    Ok(report)
}

/// Runs a worker for some cases. If it dies, runs the cases around its last message one by one to
/// find the case that failed, and continues with the rest.
fn share(seed: u64, from: u64, to: u64, found: &Mutex<Found>) -> Result<()> {
    let mut from = from;
    while from < to {
        let Some(at) = worker(seed, from, to, found)? else { return Ok(()) };
        let last = to.min(at + STRIDE);
        for case in at.max(from)..last {
            if let Some(_died) = worker(seed, case, case + 1, found)? {
                let mut found = found.lock().expect("the lock is not poisoned");
                found
                    .failures
                    .push(format!("case {case}: the reader ended the process (memory or stack)"));
            }
        }
        from = last;
    }
    Ok(())
}

/// Runs a worker. If it dies, returns the last case it reported. Its counts are lost, but not the
/// failures it found.
fn worker(seed: u64, from: u64, to: u64, found: &Mutex<Found>) -> Result<Option<u64>> {
    let mut child = Command::new(std::env::current_exe()?)
        .args(["worker", &seed.to_string(), &from.to_string(), &to.to_string()])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let pipe = child.stdout.take().context("a pipe")?;
    let mut at = from;
    for line in BufReader::new(pipe).lines() {
        let line = line?;
        let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
        let mut found = found.lock().expect("the lock is not poisoned");
        match word {
            "at" => at = rest.parse()?,
            "found" => found.failures.push(format!("case {rest}")),
            "memory" => found.memory = found.memory.max(rest.parse()?),
            "read" => {
                let mut words = rest.split(' ');
                let name = words.next().unwrap_or_default().to_owned();
                let count = found.counts.entry(name).or_default();
                for (sum, word) in count.iter_mut().zip(words) {
                    *sum += word.parse::<u64>()?;
                }
            }
            _ => {}
        }
    }
    Ok(if child.wait()?.success() { None } else { Some(at) })
}
