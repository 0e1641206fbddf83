//! What GPUs are for in `pellucid-bench xcs`: many agents side by side in lock-step, and a whole population
//! that votes on many rows.

use crate::arguments::XcsArgs;
use crate::clock::fastest;
use crate::write_json;
use crate::xcs::{DEFAULT_PROBLEMS, Problem};
use anyhow::{Result, ensure};
use pellucid::device::{Device, DeviceKind, Machine};
use pellucid::learn::rng::Streams;
use pellucid::matching::{Ballot, CodeDomain, CodedExamples, Conditions, Rows, Survey, Test};
use pellucid::xcs::environment::{Agent, GpuAgents, Multiplexer};
use pellucid_terminal::ExitStatus;
use pellucid_terminal::machine::FindMachine as _;
use pellucid_terminal::out::{grouped, rate, stdout};
use pellucid_terminal::progress::Progress;
use serde_json::{Value, json};
use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Measures what was asked for.
pub(super) fn run(args: &XcsArgs, start: Instant) -> Result<ExitStatus> {
    let machine = args.common.machine.machine(args.common.quiet)?;
    let names: Vec<&str> = match args.problems.is_empty() {
        true => DEFAULT_PROBLEMS.to_vec(),
        false => args.problems.iter().map(String::as_str).collect(),
    };
    let problems = names.into_iter().map(Problem::named).collect::<Result<Vec<_>>>()?;
    let mut out = stdout();
    let mut rows = Vec::new();
    let progress = Progress::new(args.common.quiet || args.common.json);
    progress.begin("side by side", Some(problems.len() as u64 + 1));
    for (number, problem) in problems.iter().enumerate().filter(|_| args.learners > 0) {
        progress.at(number as u64, problem.name.clone());
        let seeds = (0..args.learners).map(|agent| args.common.seed + agent);
        let agent = |seed| problem.agent(seed).map(|(_, agent)| agent);
        let all = seeds.map(agent).collect::<Result<Vec<Agent>>>()?;
        rows.extend(agents(&problem.name, problem.address, &all, &machine, args)?);
    }
    if args.rows > 0 {
        progress.at(problems.len() as u64, "votes".to_owned());
        rows.extend(votes(&machine, args)?);
    }
    progress.end();
    if args.common.json {
        let rows = rows.iter().map(SideRow::json).collect();
        write_json(&mut out, "xcs", &devices_of(&machine), rows, start)?;
    } else {
        head(&mut out)?;
        rows.iter().try_for_each(|row| row.print(&mut out))?;
    }
    out.flush()?;
    Ok(ExitStatus::Done)
}

fn devices_of(machine: &Machine) -> String {
    machine.devices.iter().map(Device::id).collect::<Vec<_>>().join(",")
}

/// What one device, or all threads together, took for something that others do too.
struct SideRow {
    problem: String,
    device: String,
    /// How many agents, or rules.
    count: u64,
    /// Steps of all agents together, or rules times rows.
    done: u64,
    seconds: f64,
    /// What the first in the list took.
    first: f64,
    /// Seconds that kernels ran, where that is known.
    kernels: Option<f64>,
}

impl SideRow {
    fn json(&self) -> Value {
        json!({
            "problem": self.problem,
            "device": self.device,
            "count": self.count,
            "iterations": self.done,
            "seconds": self.seconds,
            "kernel_seconds": self.kernels,
            "iterations_per_second": self.done as f64 / self.seconds,
            "times": self.first / self.seconds,
        })
    }

    fn print(&self, out: &mut impl Write) -> std::io::Result<()> {
        writeln!(
            out,
            "{:<24} {:<14} {:>7} {:>12} {:>10.3} {:>8.2} {:>9}",
            self.problem,
            self.device,
            grouped(self.count),
            rate(self.done as f64 / self.seconds),
            self.seconds,
            self.first / self.seconds,
            self.kernels.map(|seconds| format!("{seconds:.3}")).unwrap_or_default()
        )
    }
}

/// The head of the table that people read.
fn head(out: &mut impl Write) -> std::io::Result<()> {
    writeln!(
        out,
        "{:<24} {:<14} {:>7} {:>12} {:>10} {:>8} {:>9}",
        "side by side", "device", "count", "steps/s", "seconds", "times", "kernels"
    )
}

fn gpus(machine: &Machine) -> impl Iterator<Item = &Device> {
    machine.devices.iter().filter(|device| device.kind() == DeviceKind::Gpu)
}

/// Many agents that learn one problem: on all threads, then in lock-step on each GPU. They must have learned
/// the same.
fn agents(
    problem: &str,
    address: usize,
    agents: &[Agent],
    machine: &Machine,
    args: &XcsArgs,
) -> Result<Vec<SideRow>> {
    let start = Instant::now();
    let here = machine.threads.map_items(agents.to_vec(), |mut agent| {
        let mut problem = Multiplexer::new(address);
        (0..args.timed).for_each(|_| {
            agent.explore(&mut problem);
        });
        agent
    });
    let first = start.elapsed().as_secs_f64();
    let count = agents.len() as u64;
    let row = |device: String, seconds, kernels| SideRow {
        problem: problem.to_owned(),
        device,
        count,
        done: count * args.timed,
        seconds,
        first,
        kernels,
    };
    let threads = machine.threads.count();
    let plural = if threads == 1 { "" } else { "s" };
    let mut rows = vec![row(format!("{threads} thread{plural}"), first, None)];
    for gpu in gpus(machine) {
        let mut there = agents.to_vec();
        // The first on a card waits for its kernels.
        drop(GpuAgents::open(gpu, address, &there[..1])?);
        let start = Instant::now();
        let mut together = GpuAgents::open(gpu, address, &there)?;
        together.take_time();
        together.explore(args.timed)?;
        together.copy_back(&mut there, &machine.threads)?;
        let seconds = start.elapsed().as_secs_f64();
        let kernels = together.take_time().map(|time| time.as_secs_f64());
        let same = here.iter().zip(&there).all(|(here, there)| here.digest() == there.digest());
        ensure!(
            same,
            "{problem}: agents on {} learned something else than on the threads",
            gpu.id()
        );
        rows.push(row(gpu.id().to_owned(), seconds, kernels));
    }
    Ok(rows)
}

/// Columns of the table that a population votes on, their values, and the columns that a rule names.
const COLUMNS: u32 = 20;
const VALUES: u32 = 100;
const NAMED: usize = 4;

/// A whole population that votes on many rows: on one thread, on all, on each GPU. They must elect the same.
fn votes(machine: &Machine, args: &XcsArgs) -> Result<Vec<SideRow>> {
    let mut stream = Streams::new(args.common.seed).stream(&["votes".into()]);
    let mut below = |n: u32| u32::try_from(stream.below(u64::from(n))).unwrap_or(0);
    let codes = (0..args.rows * COLUMNS as usize).map(|_| below(VALUES)).collect();
    let examples =
        Arc::new(CodedExamples::new(vec![CodeDomain::ordered(VALUES); COLUMNS as usize], codes)?);
    let (mut conditions, mut ballots) = (Conditions::default(), Vec::new());
    for _ in 0..args.population {
        let mut tests: Vec<Test> = (0..NAMED)
            .map(|_| {
                let (column, low) = (below(COLUMNS), below(VALUES));
                Test::between(column, low / 2, (low / 2 + 20 + below(VALUES / 2)).min(VALUES - 1))
            })
            .collect();
        tests.sort_unstable();
        tests.dedup_by_key(|test| test.attribute);
        conditions.push(&tests);
        ballots.push(Ballot { label: below(3), votes: 1 + below(1000) });
    }
    let alone = Machine::processor(std::num::NonZeroUsize::new(1))?;
    let mut ways = vec![("1 thread".to_owned(), alone)];
    let is_cpu = |device: &&Device| device.kind() == DeviceKind::Processor;
    if let Some(cpu) = machine.devices.iter().find(is_cpu) {
        let threads = format!("{} threads", machine.threads.count());
        ways.push((threads, Machine::new(vec![cpu.clone()], Arc::clone(&machine.threads))));
    }
    ways.extend(gpus(machine).map(|gpu| {
        (gpu.id().to_owned(), Machine::new(vec![gpu.clone()], Arc::clone(&machine.threads)))
    }));
    let rows = Rows::all(&examples);
    let (mut expected, mut all): (Option<Vec<u32>>, Vec<SideRow>) = (None, Vec::new());
    for (device, machine) in ways {
        let mut survey = Survey::new(&machine, &examples)?;
        let elected = survey.elect(&rows, &conditions, &ballots)?;
        let same = expected.get_or_insert_with(|| elected.clone()) == &elected;
        ensure!(same, "{device}: other labels were elected than on one thread");
        let seconds = fastest(
            Duration::from_millis(300),
            || Ok(()),
            |()| {
                survey.elect(&rows, &conditions, &ballots)?;
                Ok(())
            },
        )?;
        all.push(SideRow {
            problem: format!("votes on {} rows", grouped(args.rows as u64)),
            device,
            count: u64::from(args.population),
            done: u64::from(args.population) * args.rows as u64,
            seconds,
            first: all.first().map_or(seconds, |first| first.seconds),
            kernels: None,
        });
    }
    Ok(all)
}
