//! The `pellucid` command.
//!
//! Data goes to standard output, talk to standard error. It exits with 0 when done, 1 when it finished without reaching
//! what was asked, 2 on wrong usage, bad input or a device error. A reader that goes away (a closed pipe) is no error.
//!
//! *Clear water: you see the bottom, and how far down it is.*

#![forbid(unsafe_code)]
// Printing is what a command is for; only data does it, through `out`.
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
use pellucid_arguments::{Cli, Command, spelled_out};
use std::ffi::OsString;

/// The exit codes.
const DONE: u8 = 0;
const CUT_SHORT: u8 = 1;
const WRONG: u8 = 2;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    /// All done.
    Done,
    /// Stopped from outside before all was done; what there is was kept.
    CutShort,
    /// Part of the input was bad; the rest was done.
    BadInput,
}

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
        Command::Bench(args) => bench::run(&args),
        Command::Completions(args) => shell::completions(&args),
        Command::Man(args) => shell::man_pages(&args),
    };
    match result {
        Ok(Outcome::Done) => DONE,
        Ok(Outcome::CutShort) => CUT_SHORT,
        Ok(Outcome::BadInput) => WRONG,
        Err(error) if out::is_closed_pipe(&error) => DONE,
        Err(error) => {
            out::say(format_args!("pellucid: {}", out::sentence(&error)));
            WRONG
        }
    }
}
