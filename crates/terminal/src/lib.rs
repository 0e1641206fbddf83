//! What the commands share: standard output, messages, progress bars, interrupts and exit codes.
//!
//! Data goes to standard output, messages go to standard error. A command exits with 0 when it is done, 1
//! when it stopped before it reached its goal, and 2 on wrong usage, bad input or a device error. A closed
//! pipe is not an error.

#![forbid(unsafe_code)]

pub mod flags;
pub mod forecast;
pub mod interrupt;
pub mod machine;
pub mod out;
pub mod progress;
pub mod visible;
pub mod watch;

/// The way a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitStatus {
    /// The command did all it was asked to do.
    Done,
    /// The command was stopped early and kept what it had.
    Incomplete,
    /// Part of the input was invalid. The rest was processed.
    BadInput,
}

impl ExitStatus {
    /// Returns the exit code for the result of a command, after printing its error, if there is one.
    #[must_use]
    pub fn code(command: &str, result: anyhow::Result<ExitStatus>) -> u8 {
        match result {
            Ok(ExitStatus::Done) => 0,
            Ok(ExitStatus::Incomplete) => 1,
            Ok(ExitStatus::BadInput) => 2,
            Err(error) if out::is_closed_pipe(&error) => 0,
            Err(error) => {
                out::say(format_args!("{command}: {}", out::error_message(&error)));
                2
            }
        }
    }
}
