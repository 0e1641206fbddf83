//! `pellucid-bench ladder`: multiplexers of growing size, until 99 % of new inputs are predicted correctly.

use crate::arguments::{LadderArgs, LadderMode};
use crate::clock::cpu_time;
use crate::write_json;
use anyhow::{Context as _, Result, bail, ensure};
use pellucid::bits::Level;
use pellucid::learn::rng::{Stream, Streams};
use pellucid::xcs::environment::{Agent, Environment as _, Multiplexer, check};
use pellucid::xcs::params::{Crossover, SystemParams};
use pellucid_terminal::ExitStatus;
use pellucid_terminal::out::{grouped, stdout};
use pellucid_terminal::progress::Progress;
use serde_json::{Value, json};
use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

/// The number of steps between two tests, and the number of inputs of a test.
const BLOCK: u32 = 1_000;
/// The number of correct predictions that reaches a rung.
const ENOUGH: u32 = 990;
/// The maximum number of inputs on which compact rules are selected, and the number on which they are tested.
const SELECTED_ON: u64 = 20_000;
const TESTED_ON: u32 = 10_000;

/// A multiplexer with its settings.
#[derive(Clone, Debug)]
struct Rung {
    bits: u32,
    address: usize,
    mode: LadderMode,
    life: SystemParams,
    dont_care: f64,
    seed: u64,
}

impl Rung {
    /// Returns the settings for a number of bits. Up to 20 bits, mode reward has the published ones.
    fn new(bits: u32, mode: LadderMode, seed: u64, args: &LadderArgs) -> Result<Rung> {
        let (address, [of_reward, of_supervised], dont_care) = match bits {
            6 => (2, [400, 400], 0.33),
            11 => (3, [800, 800], 0.33),
            20 => (4, [2_000, 2_000], 0.5),
            37 => (5, [5_000, 2_000], 0.65),
            70 => (6, [20_000, 10_000], 0.8),
            135 => (7, [120_000, 60_000], 0.93),
            _ => bail!("--bits: found {bits}; expected 6, 11, 20, 37, 70 or 135"),
        };
        let is_supervised = mode == LadderMode::Supervised;
        // Half a bit per child. The published rate changes more bits the more there are.
        let mutation = if is_supervised || bits > 20 { 0.5 / f64::from(bits) } else { 0.04 };
        let life = SystemParams {
            population: args.population.unwrap_or(if is_supervised {
                of_supervised
            } else {
                of_reward
            }),
            mutation: args.mutation.unwrap_or(mutation.min(0.04)),
            tournament: if is_supervised || bits > 20 { 0.4 } else { 0.0 },
            crossover: if is_supervised { Crossover::Uniform } else { Crossover::TwoPoint },
            ..Agent::published()
        };
        let dont_care = args.dont_care.unwrap_or(dont_care);
        check(&Multiplexer::new(address), &life, dont_care)?;
        Ok(Rung { bits, address, mode, life, dont_care, seed })
    }

    /// Returns what identifies the rung in a file of results.
    fn key(&self) -> Value {
        json!({
            "bits": self.bits,
            "mode": self.mode.name(),
            "population": self.life.population,
            "dont_care": self.dont_care,
            "mutation": self.life.mutation,
            "seed": self.seed,
        })
    }

    /// Runs the rung. Returns the result with its key.
    fn run(&self, args: &LadderArgs, progress: &Progress) -> Result<Value> {
        let mut problem = Multiplexer::new(self.address);
        let mut agent = Agent::new(&problem, self.life.clone(), self.dont_care, self.seed)?;
        let mut inputs = Inputs::new(self.address, self.seed);
        let (mut steps, mut reached, mut right) = (0, false, 0);
        let (mut cpu, mut wall) = (Some(Duration::ZERO), Duration::ZERO);
        while !reached && steps < args.most_steps && wall.as_secs_f64() < args.most_seconds {
            let (before, start) = (cpu_time(), Instant::now());
            for _ in 0..BLOCK {
                match self.mode {
                    LadderMode::Reward => {
                        agent.explore(&mut problem);
                    }
                    LadderMode::Supervised => {
                        let answer = inputs.draw();
                        agent.teach(&inputs.codes, answer);
                    }
                }
            }
            wall += start.elapsed();
            let used = before.zip(cpu_time()).map(|(before, after)| after.saturating_sub(before));
            cpu = cpu.zip(used).map(|(all, used)| all + used);
            steps += u64::from(BLOCK);
            right = self.count_right(&mut agent, &mut problem, &mut inputs, BLOCK);
            reached = right >= ENOUGH;
            progress.at(steps, format!("{} bits, {right} of {BLOCK} right", self.bits));
        }
        let Value::Object(mut row) = self.key() else { bail!("a rung without a key") };
        let result = json!({
            "steps": steps,
            "reached": reached,
            "right_of_1000": right,
            "processor_seconds": cpu.unwrap_or(wall).as_secs_f64(),
            "seconds": wall.as_secs_f64(),
            "rules": agent.rules(),
        });
        let compact = compacted(&agent, &mut inputs, SELECTED_ON.min(steps))?;
        let right = self.count_right(&mut agent, &mut problem, &mut inputs, TESTED_ON);
        let tested = json!({ "population_accuracy": f64::from(right) / f64::from(TESTED_ON) });
        for part in [result, compact, tested] {
            row.extend(part.as_object().cloned().unwrap_or_default());
        }
        Ok(Value::Object(row))
    }

    /// Returns how many of some new inputs the population predicts correctly.
    fn count_right(
        &self,
        agent: &mut Agent,
        problem: &mut Multiplexer,
        inputs: &mut Inputs,
        tested: u32,
    ) -> u32 {
        let mut is_right = || match self.mode {
            LadderMode::Reward => agent.exploit(problem).reward > 0.0,
            LadderMode::Supervised => {
                let answer = inputs.draw();
                agent.classify(&inputs.codes) == Some(answer)
            }
        };
        (0..tested).map(|_| u32::from(is_right())).sum()
    }
}

/// Random inputs with their answers.
struct Inputs {
    problem: Multiplexer,
    stream: Stream,
    codes: Vec<u32>,
}

impl Inputs {
    fn new(address: usize, seed: u64) -> Inputs {
        let stream = Streams::new(seed).stream(&["inputs".into()]);
        Inputs { problem: Multiplexer::new(address), stream, codes: Vec::new() }
    }

    /// Draws an input and returns its answer.
    fn draw(&mut self) -> u32 {
        self.problem.begin(&mut self.stream);
        self.problem.see(&mut self.codes);
        self.problem.answer()
    }
}

/// Reduces the population to few rules and tests them. A population is reduced on no more inputs
/// than it has learned from.
fn compacted(agent: &Agent, inputs: &mut Inputs, selected_on: u64) -> Result<Value> {
    let (mut all, mut answers) = (Vec::new(), Vec::new());
    for _ in 0..selected_on {
        answers.push(inputs.draw());
        all.extend_from_slice(&inputs.codes);
    }
    let (before, start) = (cpu_time(), Instant::now());
    let compact = agent.compact(&all, &answers)?;
    let wall = start.elapsed();
    let used = before.zip(cpu_time()).map(|(before, after)| after.saturating_sub(before));
    let is_right = |inputs: &mut Inputs| {
        let answer = inputs.draw();
        compact.action(&inputs.codes) == Some(answer)
    };
    let right = (0..TESTED_ON).filter(|_| is_right(inputs)).count();
    Ok(json!({
        "compact_rules": compact.len(),
        "compact_columns": compact.columns_named(),
        "compact_seconds": used.unwrap_or(wall).as_secs_f64(),
        "compact_accuracy": right as f64 / f64::from(TESTED_ON),
    }))
}

/// Returns the rungs of an earlier run.
fn earlier(path: &Path) -> Result<Vec<Value>> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error).with_context(|| format!("--out {}", path.display())),
    };
    let read = |(number, line): (usize, &str)| {
        serde_json::from_str(line).with_context(|| {
            format!("--out {}: line {number} is not a rung of an earlier run", path.display())
        })
    };
    (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()).map(read).collect()
}

pub(crate) fn run(args: &LadderArgs) -> Result<ExitStatus> {
    let start = Instant::now();
    ensure!(args.agents > 0, "--agents: found 0, allowed are 1 or more");
    let bits = if args.quick { &[6, 11][..] } else { &args.bits };
    let mut rungs = Vec::new();
    for &bits in bits {
        for &mode in &args.modes {
            for seed in (0..args.agents).map(|agent| args.common.seed + agent) {
                rungs.push(Rung::new(bits, mode, seed, args)?);
            }
        }
    }
    let known = args.out.as_deref().map_or_else(|| Ok(Vec::new()), earlier)?;
    let device = format!("one thread ({})", Level::chosen()?);
    let mut out = stdout();
    if !args.common.json {
        writeln!(out, "{device}")?;
        head(&mut out)?;
    }
    let progress = Progress::new(args.common.quiet || args.common.json);
    let mut rows = Vec::new();
    for rung in &rungs {
        let key = rung.key();
        let is_same = |row: &&Value| {
            let fields = key.as_object().into_iter().flatten();
            fields.into_iter().all(|(name, value)| row.get(name) == Some(value))
        };
        let row = if let Some(row) = known.iter().find(is_same) {
            row.clone()
        } else {
            progress.begin("ladder", Some(args.most_steps));
            let row = rung.run(args, &progress)?;
            progress.end();
            append(args.out.as_deref(), &row)?;
            row
        };
        if !args.common.json {
            print(&row, &mut out)?;
            out.flush()?;
        }
        rows.push(row);
    }
    if args.common.json {
        write_json(&mut out, "ladder", &device, rows, start)?;
    }
    out.flush()?;
    Ok(ExitStatus::Done)
}

/// Adds a result to the file.
fn append(path: Option<&Path>, row: &Value) -> Result<()> {
    let Some(path) = path else { return Ok(()) };
    let mut file = OpenOptions::new()
        .create(true)
        .append(true)
        .open(path)
        .with_context(|| format!("--out {}", path.display()))?;
    writeln!(file, "{row}").with_context(|| format!("--out {}", path.display()))
}

/// Prints the head of the table.
fn head(out: &mut impl Write) -> std::io::Result<()> {
    writeln!(
        out,
        "{:>4} {:<10} {:>4} {:>10} {:>14} {:>9} {:>7} {:>9} {:>8} {:>8} {:>9} {:>7}",
        "bits",
        "mode",
        "seed",
        "population",
        "steps to 99 %",
        "CPU s",
        "rules",
        "accuracy",
        "compact",
        "columns",
        "accuracy",
        "CPU s"
    )
}

/// Prints a rung.
fn print(row: &Value, out: &mut impl Write) -> std::io::Result<()> {
    let whole = |name: &str| grouped(row[name].as_u64().unwrap_or(0));
    let number = |name: &str| row[name].as_f64().unwrap_or(0.0);
    let steps = match row["reached"].as_bool() {
        Some(true) => whole("steps"),
        _ => format!("not in {}", whole("steps")),
    };
    writeln!(
        out,
        "{:>4} {:<10} {:>4} {:>10} {steps:>14} {:>9.2} {:>7} {:>9.4} {:>8} {:>8.2} {:>9.4} {:>7.2}",
        row["bits"].as_u64().unwrap_or(0),
        row["mode"].as_str().unwrap_or_default(),
        row["seed"].as_u64().unwrap_or(0),
        whole("population"),
        number("processor_seconds"),
        whole("rules"),
        number("population_accuracy"),
        whole("compact_rules"),
        number("compact_columns"),
        number("compact_accuracy"),
        number("compact_seconds"),
    )
}
