//! Ctrl-C: the first asks the work to stop and keep what there is, the second ends the process at once.

use crate::out::say;
use anyhow::Result;
use pellucid::learn::run::{Control, StopReason};
use std::time::Duration;

/// A control of a run that Ctrl-C interrupts, with a time limit if there is one.
pub(crate) fn control(time_limit: Option<Duration>) -> Result<Control> {
    control_saying(time_limit, "finishing this step and saving")
}

/// The same for other work; the first Ctrl-C is answered by what now happens.
pub(crate) fn control_saying(
    time_limit: Option<Duration>,
    answer: &'static str,
) -> Result<Control> {
    let control = Control::new();
    let asked = control.clone();
    ctrlc::set_handler(move || {
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
