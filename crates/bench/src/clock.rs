//! Timing on machines that also do other things.

use anyhow::{Result, ensure};
use std::time::{Duration, Instant};

/// The minimum number of rounds.
const ROUNDS: usize = 3;

/// The maximum number of rounds. More rounds hardly lower the minimum, and preparing each may take long.
const MOST_ROUNDS: usize = 10_000;

/// The shortest time of many rounds, in seconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Timing {
    /// By the clock.
    pub(super) wall: f64,
    /// CPU time of all threads, if the system reports it.
    pub(super) cpu: Option<f64>,
}

/// Returns the fastest of many rounds in seconds, which is the least disturbed one. `prepare` is not timed.
pub(super) fn fastest<T>(
    budget: Duration,
    prepare: impl FnMut() -> Result<T>,
    work: impl FnMut(T) -> Result<()>,
) -> Result<f64> {
    Ok(fastest_of(budget, prepare, work)?.wall)
}

/// The same, with CPU time. Reading CPU time is outside of the wall-clock measurement.
pub(super) fn fastest_of<T>(
    budget: Duration,
    mut prepare: impl FnMut() -> Result<T>,
    mut work: impl FnMut(T) -> Result<()>,
) -> Result<Timing> {
    let mut best = Timing { wall: f64::INFINITY, cpu: None };
    let (mut spent, mut rounds) = (Duration::ZERO, 0);
    while (spent < budget && rounds < MOST_ROUNDS) || rounds < ROUNDS {
        let prepared = prepare()?;
        let before = cpu_time();
        let start = Instant::now();
        work(prepared)?;
        let elapsed = start.elapsed();
        let after = cpu_time();
        if let (Some(before), Some(after)) = (before, after) {
            let used = after.saturating_sub(before).as_secs_f64();
            best.cpu = Some(best.cpu.map_or(used, |least| least.min(used)));
        }
        best.wall = best.wall.min(elapsed.as_secs_f64());
        spent += elapsed;
        rounds += 1;
    }
    Ok(best)
}

/// Returns the CPU time of this process, summed over all threads.
#[cfg(unix)]
pub(super) fn cpu_time() -> Option<Duration> {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::try_from(time).ok()
}

/// Returns nothing: the CPU time of the process is not available on this system.
#[cfg(not(unix))]
pub(super) fn cpu_time() -> Option<Duration> {
    None
}

/// The time to spend on a figure.
pub(super) fn budget(seconds: f64) -> Result<Duration> {
    ensure!((0.0..=600.0).contains(&seconds), "--seconds: found {seconds}, allowed are 0 to 600");
    Ok(Duration::from_secs_f64(seconds))
}
