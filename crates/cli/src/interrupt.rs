//! Ctrl-C: the first asks the run to finish its step and save, the second ends the process at once.

use crate::out::say;
use anyhow::Result;
use pellucid::learn::run::{Control, StopReason};
use std::time::Duration;

/// A control that Ctrl-C interrupts, with a time limit if there is one.
pub(crate) fn control(time_limit: Option<Duration>) -> Result<Control> {
    let control = Control::new();
    let asked = control.clone();
    ctrlc::set_handler(move || {
        if asked.should_stop() == Some(StopReason::Interrupted) {
            std::process::exit(130);
        }
        asked.interrupt();
        say("\nfinishing this step and saving; Ctrl-C again ends at once");
    })?;
    Ok(match time_limit {
        None => control,
        Some(limit) => control.time_limit(limit),
    })
}
