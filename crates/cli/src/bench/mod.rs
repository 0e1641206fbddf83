//! `pellucid bench`: the papers' tables on this machine, ours beside theirs.

mod bags;
mod clock;
mod concepts;
mod contexts;
mod interpreter;
mod logic;
mod logic_cells;
mod paper;
mod paper_concepts;
mod paper_logic;
mod population;
mod rules;
mod sets;
mod worlds;
mod xcs;

use crate::Outcome;
use crate::args::{Bench, BenchArgs};
use anyhow::Result;

pub(crate) fn run(args: &BenchArgs) -> Result<Outcome> {
    match &args.what {
        Bench::Interpreter(args) => interpreter::run(args),
        Bench::Bags(args) => bags::run(args),
        Bench::Rules(args) => rules::run(args),
        Bench::Concepts(args) => concepts::run(args),
        Bench::Logic(args) => logic::run(args),
        Bench::Xcs(args) => xcs::run(args),
    }
}
