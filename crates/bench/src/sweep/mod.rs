//! `pellucid-bench sweep`: the rule learner on generated tables from few to very many rows.
//!
//! Every table is learned with the defaults, including the held-out estimate, and scored on new rows beside
//! the best possible accuracy. More rows must not give a worse model, nor take less time than half of them.

mod problems;

pub(crate) use problems::Problem;

use crate::arguments::SweepArgs;
use crate::clock::cpu_time;
use crate::write_json;
use anyhow::{Context as _, Result};
use pellucid::io::{Dataset, Values};
use pellucid::learn::learner::Inner;
use pellucid::learn::rng::Streams;
use pellucid::learn::run::{Control, Driver, Silent};
use pellucid::prelude::Machine;
use pellucid::registry::{AnyFitResult, Data, Registry, Settings};
use pellucid_arguments::described;
use pellucid_terminal::ExitStatus;
use pellucid_terminal::machine::FindMachine as _;
use pellucid_terminal::out::{grouped, stdout};
use problems::Generated;
use serde_json::{Value, json};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::time::Instant;

/// The number of new rows on which a model is scored.
const NEW_ROWS: usize = 100_000;

pub(crate) fn run(args: &SweepArgs) -> Result<ExitStatus> {
    let start = Instant::now();
    if let Some(path) = &args.write {
        let generated =
            args.problem[0].generate(args.rows[0], args.columns, streams(args, "learn"));
        write_csv(path, &generated.data).with_context(|| path.display().to_string())?;
        return Ok(ExitStatus::Done);
    }
    let machine = args.common.machine.machine(args.common.quiet)?;
    let device = described(&machine.devices);
    let mut out = stdout();
    if !args.common.json {
        writeln!(out, "{device}, {} columns\n", args.columns)?;
        writeln!(
            out,
            "{:<14}{:>12}{:>9}{:>9}{:>7}{:>9}{:>7}{:>11}{:>9}",
            "problem", "rows", "seconds", "CPU s", "rules", "accuracy", "best", "AUC", "best"
        )?;
    }
    let mut rows = Vec::new();
    for &problem in &args.problem {
        let new = problem.generate(NEW_ROWS, args.columns, streams(args, "new"));
        for &count in &args.rows {
            let row = measure(problem, count, args, &new, &machine)?;
            if !args.common.json {
                print_row(&mut out, &row)?;
            }
            rows.push(row);
        }
    }
    if args.common.json {
        write_json(&mut out, "sweep", &device, rows, start)?;
    }
    out.flush()?;
    Ok(ExitStatus::Done)
}

fn streams(args: &SweepArgs, name: &'static str) -> Streams {
    Streams::new(args.common.seed).at(name)
}

/// Learns from one table and scores the model.
fn measure(
    problem: Problem,
    rows: usize,
    args: &SweepArgs,
    new: &Generated,
    machine: &Machine,
) -> Result<Value> {
    let data = Data::Table(problem.generate(rows, args.columns, streams(args, "learn")).data);
    let (registry, settings) = (Registry::standard(), Settings::new());
    let learner = registry.find("rules")?;
    let driver = Driver::new(&Control::new());
    let (start, before) = (Instant::now(), cpu_time());
    let learned = learner.fit(&data, &settings, Inner::default(), machine, &driver, &mut Silent)?;
    let seconds = start.elapsed().as_secs_f64();
    let used = cpu_time().zip(before).map(|(after, before)| (after - before).as_secs_f64());
    let [found, best] = scores(&learned, new, machine)?;
    Ok(json!({
        "problem": problem.name(),
        "rows": rows,
        "columns": args.columns,
        "seconds": seconds,
        "cpu_seconds": used,
        "rules": learned.model.summary().get("rules"),
        "comparisons": learned.model.summary().get("comparisons"),
        "accuracy": found.0,
        "auc": found.1,
        "best_accuracy": best.0,
        "best_auc": best.1,
    }))
}

/// Returns the accuracy and the AUC of a model on new rows, and those of the true probabilities.
fn scores(
    learned: &AnyFitResult,
    new: &Generated,
    machine: &Machine,
) -> Result<[(f64, Option<f64>); 2]> {
    let data = Data::Table(new.data.clone());
    let decisions = learned.model.predictions(&data, machine)?.decisions().context("no classes")?;
    let summary = decisions.summary();
    let value = |figure: Option<pellucid::learn::metrics::Figure>| Some(figure?.estimate.value);
    let codes = new.data.example_codes();
    let right = new.probabilities.iter().zip(&codes);
    let right = right.filter(|(probability, code)| (**probability > 0.5) == (**code == 1)).count();
    let labels: Vec<bool> = codes.iter().map(|&code| code == 1).collect();
    let ranking = pellucid::learn::metrics::Ranking::new(&new.probabilities, &labels).ok();
    let best = (right as f64 / codes.len() as f64, ranking.map(|ranking| ranking.auc()));
    Ok([(value(summary.accuracy).unwrap_or(0.0), value(summary.auc)), best])
}

fn print_row(out: &mut impl Write, row: &Value) -> Result<()> {
    let number = |key: &str| row[key].as_f64().unwrap_or(f64::NAN);
    writeln!(
        out,
        "{:<14}{:>12}{:>9.2}{:>9.2}{:>7}{:>9.4}{:>7.4}{:>11.4}{:>9.4}",
        row["problem"].as_str().unwrap_or_default(),
        grouped(row["rows"].as_u64().unwrap_or(0)),
        number("seconds"),
        number("cpu_seconds"),
        number("rules"),
        number("accuracy"),
        number("best_accuracy"),
        number("auc"),
        number("best_auc"),
    )?;
    Ok(out.flush()?)
}

/// Writes a table, for measurements of the command.
fn write_csv(path: &Path, data: &Dataset) -> Result<()> {
    let mut out = BufWriter::new(File::create(path)?);
    for column in &data.columns {
        write!(out, "{},", column.name)?;
    }
    writeln!(out, "class")?;
    let codes = data.example_codes();
    for row in 0..data.rows {
        for column in &data.columns {
            match &column.values {
                Values::Numeric(values) => write!(out, "{},", values[row])?,
                Values::Nominal { categories, codes } => {
                    write!(out, "{},", categories[codes[row] as usize])?;
                }
                _ => write!(out, ",")?,
            }
        }
        writeln!(out, "{}", codes[row])?;
    }
    Ok(out.flush()?)
}
