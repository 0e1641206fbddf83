//! Timing on machines that also do other things.

use anyhow::{Result, ensure};
use std::time::{Duration, Instant};

/// The fewest rounds that make a minimum.
const ROUNDS: usize = 3;

/// The fastest of many rounds, in seconds: what is left when nothing else disturbs. `prepare` is not timed.
pub(super) fn fastest<T>(
    budget: Duration,
    mut prepare: impl FnMut() -> Result<T>,
    mut work: impl FnMut(T) -> Result<()>,
) -> Result<f64> {
    let (mut best, mut spent, mut rounds) = (f64::INFINITY, Duration::ZERO, 0);
    while spent < budget || rounds < ROUNDS {
        let prepared = prepare()?;
        let start = Instant::now();
        work(prepared)?;
        let elapsed = start.elapsed();
        best = best.min(elapsed.as_secs_f64());
        spent += elapsed;
        rounds += 1;
    }
    Ok(best)
}

/// The time to spend on a figure.
pub(super) fn budget(seconds: f64) -> Result<Duration> {
    ensure!((0.0..=600.0).contains(&seconds), "--seconds: found {seconds}, allowed are 0 to 600");
    Ok(Duration::from_secs_f64(seconds))
}
