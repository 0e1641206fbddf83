//! `pellucid-bench`: the papers' tables, measured on this machine beside the published figures.

#![forbid(unsafe_code)]
// Printing is what a command is for; only data does it, through `pellucid_terminal::out`.
#![allow(clippy::print_stdout)]

mod arguments;
mod bags;
mod clock;
mod concepts;
mod interpreter;
mod logic;
mod networks;
mod paper;
mod rules;
mod sweep;
mod xcs;

use anyhow::Result;
use arguments::{Arguments, Table};
use clap::Parser as _;
use pellucid_terminal::ExitStatus;
use pellucid_terminal::out::json_line;
use serde_json::{Value, json};
use std::io::Write;
use std::process::ExitCode;
use std::time::Instant;

fn main() -> ExitCode {
    let result = match &Arguments::parse().table {
        Table::Interpreter(args) => interpreter::run(args),
        Table::Bags(args) => bags::run(args),
        Table::Rules(args) => rules::run(args),
        Table::Sweep(args) => sweep::run(args),
        Table::Concepts(args) => concepts::run(args),
        Table::Logic(args) => logic::run(args),
        Table::Networks(args) => networks::run(args),
        Table::Xcs(args) => xcs::run(args),
        Table::Ladder(args) => xcs::ladder::run(args),
    };
    ExitCode::from(ExitStatus::code("pellucid-bench", result))
}

/// Writes a table as one line of JSON.
fn write_json(
    out: &mut impl Write,
    name: &str,
    device: &str,
    rows: Vec<Value>,
    start: Instant,
) -> Result<()> {
    let seconds = start.elapsed().as_secs_f64();
    json_line(out, &json!({ "name": name, "device": device, "rows": rows, "seconds": seconds }))
}
