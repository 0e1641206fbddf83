//! `pellucid bench`: the papers' tables on this machine, ours beside theirs.

mod bags;
mod clock;
mod concepts;
mod contexts;
mod interpreter;
mod logic;
mod logic_cells;
mod networks;
mod paper;
mod paper_concepts;
mod paper_logic;
mod population;
mod rules;
mod sets;
mod worlds;
mod xcs;
mod xcs_predict;
mod xcs_tables;
mod xcs_together;

use crate::Outcome;
use crate::out::json_line;
use anyhow::Result;
use pellucid_arguments::{Bench, BenchArgs};
use serde_json::{Value, json};
use std::io::Write;
use std::time::Instant;

pub(crate) fn run(args: &BenchArgs) -> Result<Outcome> {
    match &args.what {
        Bench::Interpreter(args) => interpreter::run(args),
        Bench::Bags(args) => bags::run(args),
        Bench::Rules(args) => rules::run(args),
        Bench::Concepts(args) => concepts::run(args),
        Bench::Logic(args) => logic::run(args),
        Bench::Networks(args) => networks::run(args),
        Bench::Xcs(args) => xcs::run(args),
    }
}

/// The one line that a table is with `--json`.
fn told_as_json(
    out: &mut impl Write,
    name: &str,
    device: &str,
    rows: Vec<Value>,
    start: Instant,
) -> Result<()> {
    let seconds = start.elapsed().as_secs_f64();
    json_line(out, &json!({ "name": name, "device": device, "rows": rows, "seconds": seconds }))
}
