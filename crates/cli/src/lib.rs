//! The `pellucid` command.
//!
//! `pellucid-arguments` parses the command line, `pellucid` does the work, and `pellucid-terminal` prints. What is here
//! connects the three, one file for each command.

#![forbid(unsafe_code)]
// Printing is what a command is for; only data does it, through `out`.
#![allow(clippy::print_stdout)]

mod concepts;
mod context;
mod data;
mod describe;
mod devices;
mod evaluate;
mod generate;
mod implications;
mod lattice;
mod logic;
mod models;
mod shell;

use clap::Parser as _;
use pellucid_arguments::{Cli, Command, spelled_out};
use pellucid_terminal::ExitStatus;
use std::ffi::OsString;

/// Does what the arguments say, of which the first is the command's own name, and tells the exit code. Help, and arguments
/// that make no sense, end the process at once.
#[must_use]
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let cli = Cli::parse_from(spelled_out(arguments.into_iter()));
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
        Command::Completions(args) => shell::completions(&args),
        Command::Man(args) => shell::man_pages(&args),
    };
    ExitStatus::code("pellucid", result)
}
