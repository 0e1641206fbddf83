//! Being asked to stop, by Ctrl-C, by a system that shuts down, by a terminal that is closed: the first time
//! the work stops and what there is is kept, the second time the process ends at once.

use crate::out::say;
use anyhow::Result;
use pellucid::learn::run::{Control, StopReason};
use std::time::Duration;

/// A control of a run that Ctrl-C interrupts, with a time limit if there is one.
pub fn control(time_limit: Option<Duration>) -> Result<Control> {
    control_saying(time_limit, "finishing this step and saving")
}

/// The same for other work; the first Ctrl-C is answered by what now happens.
pub fn control_saying(time_limit: Option<Duration>, answer: &'static str) -> Result<Control> {
    let control = Control::new();
    let asked = control.clone();
    listen(move || {
        if asked.should_stop() == Some(StopReason::Interrupted) {
            std::process::exit(130);
        }
        asked.interrupt();
        say(format_args!("\n{answer}; Ctrl-C again ends at once"));
    })?;
    Ok(match time_limit {
        None => control,
        Some(limit) => control.time_limit(limit),
    })
}

/// Calls whenever the process is asked to stop: Ctrl-C, `kill`, a terminal that is closed.
#[cfg(unix)]
fn listen(mut asked: impl FnMut() + Send + 'static) -> Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let hang_up = (!ignores_hang_up()).then_some(SIGHUP);
    let mut signals =
        signal_hook::iterator::Signals::new([SIGINT, SIGTERM].into_iter().chain(hang_up))?;
    let heard = move || signals.forever().for_each(|_| asked());
    std::thread::Builder::new().name("signals".to_owned()).spawn(heard)?;
    Ok(())
}

/// Whether whoever started the process, as `nohup` does, wants it to outlive its terminal.
#[cfg(unix)]
fn ignores_hang_up() -> bool {
    let Ok(status) = std::fs::read_to_string("/proc/self/status") else { return false };
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    // Signals are numbered from 1, this one is the first.
    ignored.is_some_and(|mask| u64::from_str_radix(mask.trim(), 16).is_ok_and(|mask| mask & 1 == 1))
}

#[cfg(not(unix))]
fn listen(asked: impl FnMut() + Send + 'static) -> Result<()> {
    Ok(ctrlc::set_handler(asked)?)
}
