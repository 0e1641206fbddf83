//! Timing on machines that also do other things.

use anyhow::{Result, ensure};
use std::time::{Duration, Instant};

/// The fewest rounds that make a minimum.
const ROUNDS: usize = 3;

/// The most rounds: beyond them a minimum hardly falls, and what is prepared for each may take long.
const MOST_ROUNDS: usize = 10_000;

/// The least time of many rounds, in seconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Timing {
    /// By the clock.
    pub(super) wall: f64,
    /// The processor's time of all threads, where the system tells it.
    pub(super) processor: Option<f64>,
}

/// The fastest of many rounds, in seconds: what is left when nothing else disturbs. `prepare` is not timed.
pub(super) fn fastest<T>(
    budget: Duration,
    prepare: impl FnMut() -> Result<T>,
    work: impl FnMut(T) -> Result<()>,
) -> Result<f64> {
    Ok(fastest_of(budget, prepare, work)?.wall)
}

/// The same, also by the processor's time. What that costs to read is outside of what the clock measures.
pub(super) fn fastest_of<T>(
    budget: Duration,
    mut prepare: impl FnMut() -> Result<T>,
    mut work: impl FnMut(T) -> Result<()>,
) -> Result<Timing> {
    let mut best = Timing { wall: f64::INFINITY, processor: None };
    let (mut spent, mut rounds) = (Duration::ZERO, 0);
    while (spent < budget && rounds < MOST_ROUNDS) || rounds < ROUNDS {
        let prepared = prepare()?;
        let before = processor_time();
        let start = Instant::now();
        work(prepared)?;
        let elapsed = start.elapsed();
        let after = processor_time();
        if let (Some(before), Some(after)) = (before, after) {
            let used = after.saturating_sub(before).as_secs_f64();
            best.processor = Some(best.processor.map_or(used, |least| least.min(used)));
        }
        best.wall = best.wall.min(elapsed.as_secs_f64());
        spent += elapsed;
        rounds += 1;
    }
    Ok(best)
}

/// What the processor spent on this process so far, all threads together.
#[cfg(unix)]
fn processor_time() -> Option<Duration> {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::try_from(time).ok()
}

/// What the processor spent on this process so far; not told here.
#[cfg(not(unix))]
fn processor_time() -> Option<Duration> {
    None
}

/// The time to spend on a figure.
pub(super) fn budget(seconds: f64) -> Result<Duration> {
    ensure!((0.0..=600.0).contains(&seconds), "--seconds: found {seconds}, allowed are 0 to 600");
    Ok(Duration::from_secs_f64(seconds))
}
