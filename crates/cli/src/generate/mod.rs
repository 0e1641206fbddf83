//! `pellucid generate`: synthetic data and classic problems.

mod context;
mod multiplexer;
mod planted;
mod write;

pub(crate) use context::generate as random_context;
pub(crate) use write::ending;

use crate::Outcome;
use crate::args::{
    ArtificialArgs, BagsArgs, GenerateArgs, GenerateContextArgs, Generator, MultiplexerArgs,
    TableArgs,
};
use crate::context::write as context_file;
use crate::out::{grouped, say};
use anyhow::{Result, bail, ensure};
use pellucid::io::Dataset;
use planted::{Columns, bags, table};
use std::ops::RangeInclusive;

pub(crate) fn run(args: &GenerateArgs) -> Result<Outcome> {
    // A name that cannot be written should not cost a minute of generating first.
    match &args.what {
        Generator::Multiplexer(MultiplexerArgs { out, .. })
        | Generator::Artificial(ArtificialArgs { out, .. })
        | Generator::Table(TableArgs { out, .. })
        | Generator::Bags(BagsArgs { out, .. }) => write::Form::of(&out.out).map(drop),
        Generator::Context(args) => context_file::Form::of(&args.out).map(drop),
    }?;
    match &args.what {
        Generator::Multiplexer(args) => multiplexer(args),
        Generator::Artificial(args) => artificial(args),
        Generator::Table(args) => random_table(args),
        Generator::Bags(args) => random_bags(args),
        Generator::Context(args) => written_context(args),
    }?;
    Ok(Outcome::Done)
}

fn multiplexer(args: &MultiplexerArgs) -> Result<()> {
    ensure!(args.rows != Some(0), "--rows: found 0, allowed are 1 and more");
    let data = multiplexer::generate(args.bits, args.rows, args.out.seed)?;
    write::write(&data, &args.out.out)
}

/// Bags and rows of the seven sets, as the paper's tables print them; each has 100 attributes.
const ARTIFICIAL: [(usize, usize); ARTIFICIAL_SETS as usize] = [
    (10, 1_000),
    (100, 1_000),
    (100, 10_000),
    (1_000, 10_000),
    (1_000, 100_000),
    (10_000, 100_000),
    (100_000, 1_000_000),
];

/// How many artificial sets there are.
pub(crate) const ARTIFICIAL_SETS: u8 = 7;

/// Set `artificialN` of the multiple-instance paper, N from 1, and its planted rule.
pub(crate) fn artificial_bags(number: u8, seed: u64) -> Result<(Dataset, String)> {
    let (count, rows) = ARTIFICIAL[usize::from(number) - 1];
    let size = rows / count;
    let columns = Columns {
        attributes: 100,
        distinct: 1000,
        comparisons: None,
        rule: None,
        noise: 0.0,
        missing: 0.0,
    };
    bags(&format!("artificial{number}"), count, size..=size, &columns, seed)
}

fn artificial(args: &ArtificialArgs) -> Result<()> {
    let (data, rule) = artificial_bags(args.number, args.out.seed)?;
    tell(&rule, "a bag is of class 1 where one of its rows satisfies");
    say("bags are named by the first column: evaluate with --bag bag");
    write::write(&data, &args.out.out)
}

fn random_table(args: &TableArgs) -> Result<()> {
    ensure!(args.rows > 0, "--rows: found 0, allowed are 1 and more");
    let (data, rule) = table("table", args.rows, &Columns::from(&args.columns), args.out.seed)?;
    tell(&rule, "a row is of class 1 where");
    write::write(&data, &args.out.out)
}

fn random_bags(args: &BagsArgs) -> Result<()> {
    ensure!(args.bags > 0, "--bags: found 0, allowed are 1 and more");
    let size = sizes(&args.size)?;
    let (data, rule) = bags("bags", args.bags, size, &Columns::from(&args.columns), args.out.seed)?;
    tell(&rule, "a bag is of class 1 where one of its rows satisfies");
    say("bags are named by the first column: evaluate with --bag bag");
    write::write(&data, &args.out.out)
}

fn written_context(args: &GenerateContextArgs) -> Result<()> {
    let context = random_context(args)?;
    say(format_args!(
        "{} objects, {} attributes, {} crosses: {:.2} % of all pairs",
        grouped(context.objects.len() as u64),
        grouped(context.attributes.len() as u64),
        grouped(context.relation.crosses() as u64),
        100.0 * context.density()
    ));
    context_file::write(&context, &args.out)
}

fn tell(rule: &str, meaning: &str) {
    say(format_args!("planted: {meaning} {rule}"));
}

fn sizes(text: &str) -> Result<RangeInclusive<usize>> {
    let number = |digits: &str| digits.trim().parse::<usize>().ok();
    let range = match text.split_once("..") {
        None => number(text).map(|size| (size, size)),
        Some((low, high)) => number(low).zip(number(high)),
    };
    let Some((low, high)) = range else {
        bail!("--size: found '{text}', allowed are a number and a range as in 1..12")
    };
    ensure!(
        1 <= low && low <= high,
        "--size: found '{text}', a bag has at least one row and a range ascends"
    );
    Ok(low..=high)
}
