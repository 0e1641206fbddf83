//! The `pellucid` command.
//!
//! Data goes to standard output, messages to standard error. The exit status is 0 on success, 1 if
//! the work was stopped early, and 2 on invalid usage, invalid input or a device error. A closed
//! pipe is not an error.

#![forbid(unsafe_code)]
// All printing goes through `pellucid_terminal::out`.
#![allow(clippy::print_stdout)]

mod cluster;
mod command_line;
mod concepts;
mod context;
mod data;
mod describe;
mod devices;
mod evaluate;
mod explore;
mod generate;
mod implications;
mod intervals;
mod lattice;
mod listing;
mod logic;
mod models;
mod shell;

use pellucid_arguments::{Command, expand_artificial};
use pellucid_terminal::ExitStatus;
use std::ffi::OsString;

/// Runs the command with these arguments, the first of which is the name of the program, and returns
/// its exit status. Help and invalid arguments end the process immediately.
#[must_use]
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let arguments = expand_artificial(arguments.into_iter());
    command_line::remember(&arguments);
    if let Some(help) = pellucid_arguments::requested_help(&arguments) {
        return ExitStatus::code("pellucid", shell::help(&help));
    }
    let result = match pellucid_arguments::parse(&arguments).command {
        Command::Devices(args) => devices::run(&args),
        Command::Describe(args) => describe::run(&args),
        Command::Learn(args) => models::learn::run(&args),
        Command::Cv(args) => models::cv::run(&args),
        Command::Predict(args) => models::predict::run(&args),
        Command::Show(args) => models::show::run(&args),
        Command::Report(args) => models::report::run(&args),
        Command::Compare(args) => models::compare::run(&args),
        Command::Monitor(args) => models::monitor::run(&args),
        Command::Evaluate(args) => evaluate::run(&args),
        Command::Concepts(args) => concepts::run(&args),
        Command::Lattice(args) => lattice::run(&args),
        Command::Implications(args) => implications::run(&args),
        Command::Explore(args) => explore::run(&args),
        Command::Cluster(args) => cluster::run(&args),
        Command::Generate(args) => generate::run(&args),
        Command::Completions(args) => shell::completions(&args),
        Command::Man(args) => shell::man_pages(&args),
    };
    ExitStatus::code("pellucid", result)
}
