//! Handles requests to stop: Ctrl-C, a termination signal or a closed terminal. The first request
//! stops the work and keeps the results, the second one ends the process immediately.

use crate::out::say;
use anyhow::Result;
use pellucid::learn::run::{Control, StopReason};
use std::time::Duration;

/// Returns the control of a run that Ctrl-C interrupts, with an optional time limit.
pub fn control(time_limit: Option<Duration>) -> Result<Control> {
    control_saying(time_limit, "finishing the current step and saving")
}

/// Does the same for other work. `answer` is printed at the first Ctrl-C.
pub fn control_saying(time_limit: Option<Duration>, answer: &'static str) -> Result<Control> {
    let control = Control::new();
    let shared = control.clone();
    listen(move || {
        if shared.should_stop() == Some(StopReason::Interrupted) {
            std::process::exit(130);
        }
        shared.interrupt();
        say(format_args!("\n{answer}; press Ctrl-C again to quit immediately"));
    })?;
    Ok(match time_limit {
        None => control,
        Some(limit) => control.time_limit(limit),
    })
}

/// Calls `on_stop` at each request to stop: Ctrl-C, `kill` or a closed terminal.
#[cfg(unix)]
fn listen(mut on_stop: impl FnMut() + Send + 'static) -> Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let hang_up = (!ignores_hang_up()).then_some(SIGHUP);
    let mut signals =
        signal_hook::iterator::Signals::new([SIGINT, SIGTERM].into_iter().chain(hang_up))?;
    let forward = move || signals.forever().for_each(|_| on_stop());
    std::thread::Builder::new().name("signals".to_owned()).spawn(forward)?;
    Ok(())
}

/// Returns whether the process was started to outlive its terminal, as with `nohup`.
#[cfg(unix)]
fn ignores_hang_up() -> bool {
    let Ok(status) = std::fs::read_to_string("/proc/self/status") else { return false };
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    // Signals are numbered from 1, and SIGHUP is signal 1.
    ignored.is_some_and(|mask| u64::from_str_radix(mask.trim(), 16).is_ok_and(|mask| mask & 1 == 1))
}

#[cfg(not(unix))]
fn listen(on_stop: impl FnMut() + Send + 'static) -> Result<()> {
    Ok(ctrlc::set_handler(on_stop)?)
}
