//! The `pellucid` command.
//!
//! Data goes to standard output, messages to standard error. The exit status is 0 on success, 1 if
//! the work was stopped early, and 2 on invalid usage, invalid input or a device error. A closed
//! pipe is not an error.

#![forbid(unsafe_code)]
// All printing goes through `out`.
#![allow(clippy::print_stdout)]

mod bench;
mod concepts;
mod context;
mod data;
mod describe;
mod devices;
mod evaluate;
mod generate;
mod implications;
mod interrupt;
mod lattice;
mod logic;
mod machine;
mod models;
mod out;
mod progress;
mod shell;
mod visible;

use clap::Parser as _;
use pellucid_arguments::{Cli, Command, expand_artificial};
use std::ffi::OsString;

/// The exit status of a successful command.
const SUCCESS: u8 = 0;
/// The exit status of a command that was stopped early.
const STOPPED_EARLY: u8 = 1;
/// The exit status of a command that failed.
const FAILURE: u8 = 2;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    /// The work is complete.
    Done,
    /// A time limit or an interrupt stopped the work; partial results are kept.
    CutShort,
    /// Part of the input was invalid; the rest was processed.
    BadInput,
}

/// Runs the command with these arguments, the first of which is the name of the program, and returns
/// its exit status. Help and invalid arguments end the process immediately.
#[must_use]
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let cli = Cli::parse_from(expand_artificial(arguments.into_iter()));
    let result = match cli.command {
        Command::Devices(args) => devices::run(&args),
        Command::Describe(args) => describe::run(&args),
        Command::Learn(args) => models::learn::run(&args),
        Command::Cv(args) => models::cv::run(&args),
        Command::Predict(args) => models::predict::run(&args),
        Command::Show(args) => models::show::run(&args),
        Command::Evaluate(args) => evaluate::run(&args),
        Command::Concepts(args) => concepts::run(&args),
        Command::Lattice(args) => lattice::run(&args),
        Command::Implications(args) => implications::run(&args),
        Command::Generate(args) => generate::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Completions(args) => shell::completions(&args),
        Command::Man(args) => shell::man_pages(&args),
    };
    match result {
        Ok(Outcome::Done) => SUCCESS,
        Ok(Outcome::CutShort) => STOPPED_EARLY,
        Ok(Outcome::BadInput) => FAILURE,
        Err(error) if out::is_closed_pipe(&error) => SUCCESS,
        Err(error) => {
            out::say(format_args!("pellucid: {}", out::error_message(&error)));
            FAILURE
        }
    }
}
