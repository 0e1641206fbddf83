//! `pellucid-bench xcs`: how fast an agent learns multiplexers, and how soon it knows them; and the tables of
//! the paper.

pub(crate) mod ladder;
mod predict;
mod tables;
mod together;

use crate::arguments::XcsArgs;
use crate::clock::fastest_of;
use crate::write_json;

use crate::xcs::tables::{Share, Source, TABLES, Table};

use anyhow::{Result, bail, ensure};
use pellucid::bits::Level;
use pellucid::xcs::environment::{Agent, Multiplexer};
use pellucid::xcs::params::SystemParams;
use pellucid_terminal::ExitStatus;
use pellucid_terminal::out::{grouped, rate, stdout};
use pellucid_terminal::progress::Progress;
use serde_json::{Value, json};
use std::io::Write;
use std::time::{Duration, Instant};

/// A multiplexer with the constants that are published for it.
pub(super) struct Problem {
    pub(super) name: String,
    pub(super) address: usize,
    life: SystemParams,
    dont_care: f64,
}

impl Problem {
    pub(super) fn named(name: &str) -> Result<Problem> {
        let (address, population, dont_care, tournament) = match name {
            "multiplexer-6" => (2, 400, 0.33, 0.0),
            "multiplexer-11" => (3, 800, 0.33, 0.0),
            "multiplexer-20" => (4, 2000, 0.5, 0.0),
            "multiplexer-37" => (5, 5000, 0.65, 0.4),
            _ => {
                let tables: Vec<&str> = TABLES.iter().map(|table| table.name).collect();
                bail!(
                    "--problems: found '{name}'; expected multiplexer-6, multiplexer-11, \
                     multiplexer-20, multiplexer-37 or, with --data, one of {}",
                    tables.join(", ")
                )
            }
        };
        let life = SystemParams { population, tournament, ..Agent::published() };
        Ok(Problem { name: name.to_owned(), address, life, dont_care })
    }

    pub(super) fn agent(&self, seed: u64) -> Result<(Multiplexer, Agent)> {
        let problem = Multiplexer::new(self.address);
        let agent = Agent::new(&problem, self.life.clone(), self.dont_care, seed)?;
        Ok((problem, agent))
    }
}

pub(crate) fn run(args: &XcsArgs) -> Result<ExitStatus> {
    let start = Instant::now();
    ensure!(args.timed > 0, "--timed: found 0, allowed are 1 or more");
    ensure!(args.trials > 0, "--trials: found 0, allowed are 1 or more");
    if args.learners > 0 || args.rows > 0 {
        return together::run(args, start);
    }
    let names: Vec<String> = match (&args.data, args.problems.is_empty()) {
        (_, false) => args.problems.clone(),
        (None, true) if !args.tables.is_empty() => Vec::new(),
        (None, true) => DEFAULT_PROBLEMS.iter().map(|name| (*name).to_owned()).collect(),
        (Some(folder), true) => {
            tables::found(folder)?.iter().map(|name| (*name).to_owned()).collect()
        }
    };
    let known = |name: &String| TABLES.iter().find(|table| table.name == *name);
    let tables: Vec<&'static Table> = names.iter().filter_map(known).collect();
    let others = names.iter().filter(|name| known(name).is_none());
    let problems = others.map(|name| Problem::named(name)).collect::<Result<Vec<_>>>()?;
    let device = format!("one thread ({})", Level::chosen()?);
    let mut out = stdout();
    if !args.common.json && !problems.is_empty() {
        writeln!(out, "{device}, the first {} steps timed", grouped(args.timed))?;
        writeln!(
            out,
            "{:<16} {:>6} {:>12} {:>14} {:>7}",
            "problem", "seed", "steps/s", "steps to 99 %", "rules"
        )?;
    }
    let progress = Progress::new(args.common.quiet || args.common.json);
    progress.begin("agents", Some(problems.len() as u64 * args.agents));
    let mut rows = Vec::new();
    for problem in &problems {
        for seed in (0..args.agents).map(|agent| args.common.seed + agent) {
            progress.at(rows.len() as u64, problem.name.clone());
            let row = Row::measure(problem, seed, args)?;
            if !args.common.json {
                row.print(&mut out)?;
                out.flush()?;
            }
            rows.push(row);
        }
    }
    progress.begin("tables", Some((tables.len() + args.tables.len()) as u64));
    if !args.common.json && tables.len() + args.tables.len() > 0 {
        tables::head(&mut out, args)?;
    }
    let shares = match tables.len() + args.tables.len() {
        0 => Vec::new(),
        _ => Share::asked(args)?,
    };
    let mut of_tables = Vec::new();
    let own = args.tables.iter().map(Source::File);
    for (number, source) in tables.into_iter().map(Source::Paper).chain(own).enumerate() {
        progress.at(number as u64, source.name());
        for row in tables::measure(&source, args, &shares)? {
            if !args.common.json {
                row.print(&mut out)?;
                out.flush()?;
            }
            of_tables.push(row.json());
        }
        if args.predict > 0 {
            let row = predict::measure(&source, args)?;
            if !args.common.json {
                row.print(&mut out)?;
            }
            of_tables.push(row.json());
        }
    }
    progress.end();
    if args.common.json {
        let rows: Vec<Value> = rows.iter().map(Row::json).chain(of_tables).collect();
        write_json(&mut out, "xcs", &device, rows, start)?;
    }
    out.flush()?;
    Ok(ExitStatus::Done)
}

/// The problems that are measured by default.
pub(super) const DEFAULT_PROBLEMS: [&str; 3] =
    ["multiplexer-6", "multiplexer-11", "multiplexer-20"];

/// What was measured of one agent.
struct Row {
    problem: String,
    population: u32,
    seed: u64,
    timed: u64,
    seconds: f64,
    cpu: Option<f64>,
    steps_to_99: Option<u64>,
    rules: usize,
}

impl Row {
    fn measure(problem: &Problem, seed: u64, args: &XcsArgs) -> Result<Row> {
        let timing = fastest_of(
            Duration::ZERO,
            || problem.agent(seed),
            |(mut multiplexer, mut agent)| {
                (0..args.timed).for_each(|_| {
                    agent.explore(&mut multiplexer);
                });
                Ok(())
            },
        )?;
        let (mut multiplexer, mut agent) = problem.agent(seed)?;
        let (mut explored, mut steps_to_99) = (0, None);
        while explored < args.most_steps && steps_to_99.is_none() {
            (0..1000).for_each(|_| {
                agent.explore(&mut multiplexer);
            });
            explored += 1000;
            let right = (0..1000).filter(|_| agent.exploit(&mut multiplexer).reward > 0.0).count();
            steps_to_99 = (right >= 990).then_some(explored);
        }
        Ok(Row {
            problem: problem.name.clone(),
            population: problem.life.population,
            seed,
            timed: args.timed,
            seconds: timing.wall,
            cpu: timing.cpu,
            steps_to_99,
            rules: agent.rules(),
        })
    }

    /// By its own CPU time where that is known: other programs do not count.
    fn per_second(&self) -> f64 {
        self.timed as f64 / self.cpu.unwrap_or(self.seconds)
    }

    fn json(&self) -> Value {
        json!({
            "problem": self.problem,
            "population": self.population,
            "seed": self.seed,
            "iterations": self.timed,
            "seconds": self.seconds,
            "processor_seconds": self.cpu,
            "iterations_per_second": self.per_second(),
            "explore_steps_to_99": self.steps_to_99,
            "rules": self.rules,
        })
    }

    fn print(&self, out: &mut impl Write) -> std::io::Result<()> {
        let known = self.steps_to_99.map_or_else(|| "not reached".to_owned(), grouped);
        writeln!(
            out,
            "{:<16} {:>6} {:>12} {known:>14} {:>7}",
            self.problem,
            self.seed,
            rate(self.per_second()),
            self.rules
        )
    }
}
