//! `pellucid-bench networks`: how long a generation takes, over the population and the rows, as in Figure 2
//! of the paper.

use crate::arguments::NetworksArgs;
use crate::clock::{budget, fastest_of};
use crate::write_json;
use anyhow::{Result, ensure};
use pellucid::device::Machine;
use pellucid::forward::{
    Activation, Batch, Inputs, Layer, Networks, RankRequest, Session, Shape, Width,
};
use pellucid::learn::rng::Streams;
use pellucid_arguments::described;
use pellucid_terminal::ExitStatus;
use pellucid_terminal::machine::FindMachine as _;
use pellucid_terminal::out::{grouped, stdout};
use pellucid_terminal::progress::Progress;
use serde_json::{Value, json};
use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The share of positives in the contest of the paper.
const POSITIVES: f64 = 0.0221;
/// The share at the top that lift is about.
const TOP: f64 = 0.2;
/// The most that is laid out for one figure, in numbers: sixteen gigabytes.
const MOST: usize = 1 << 32;

pub(crate) fn run(args: &NetworksArgs) -> Result<ExitStatus> {
    let start = Instant::now();
    let each = budget(args.seconds)?;
    for (name, sizes) in [("--populations", &args.populations), ("--rows", &args.rows)] {
        ensure!(sizes.iter().all(|&size| size > 0), "{name}: found 0, allowed are 1 or more");
    }
    let layer = Layer { nodes: args.nodes, activation: Activation::Rbf(Width::Raw) };
    let shape = Shape::new(args.inputs, &[layer])?;
    let most = args.populations.iter().max().copied().unwrap_or(0).saturating_mul(shape.genes());
    ensure!(most <= MOST, "--populations: found {most} genes in all, allowed are at most {MOST}");
    let machine = args.common.machine.machine(args.common.quiet)?;
    let device = described(&machine.devices);
    let mut out = stdout();
    if !args.common.json {
        writeln!(
            out,
            "{device}; {} inputs, {} radial nodes, lift at 20 %",
            args.inputs, args.nodes
        )?;
        writeln!(
            out,
            "{:>12} {:>12} {:>16} {:>18} {:>14}",
            "population", "rows", "ms a generation", "CPU ms", "G links/s"
        )?;
    }
    let progress = Progress::new(args.common.quiet || args.common.json);
    progress.begin("generations", Some((args.populations.len() * args.rows.len()) as u64));
    let mut rows = Vec::new();
    for &count in &args.rows {
        let size = count.saturating_mul(args.inputs);
        ensure!(size <= MOST, "--rows: found {size} numbers in all, allowed are at most {MOST}");
        let inputs = Arc::new(drawn_rows(count, args.inputs, args.common.seed)?);
        for &population in &args.populations {
            progress.at(rows.len() as u64, format!("{population} networks, {count} rows"));
            let row = Row::measure(&shape, &inputs, population, args.common.seed, each, &machine)?;
            if !args.common.json {
                row.print(&mut out)?;
                out.flush()?;
            }
            rows.push(row);
        }
    }
    progress.end();
    if args.common.json {
        let rows: Vec<Value> = rows.iter().map(Row::json).collect();
        write_json(&mut out, "networks", &device, rows, start)?;
    }
    out.flush()?;
    Ok(ExitStatus::Done)
}

/// Rows of drawn numbers, the first of which are positive.
fn drawn_rows(rows: usize, inputs: usize, seed: u64) -> Result<Inputs> {
    let streams = Streams::new(seed).at("rows");
    let column = |input: usize| -> Vec<f32> {
        let mut stream = streams.stream(&[input.into()]);
        (0..rows).map(|_| single(stream.range(-1.5, 1.5))).collect()
    };
    let columns: Vec<Vec<f32>> = (0..inputs).map(column).collect();
    let positives = (POSITIVES * rows as f64).ceil();
    let positive: Vec<bool> = (0..rows).map(|row| (row as f64) < positives).collect();
    Ok(Inputs::new(&columns, &positive)?)
}

#[expect(clippy::cast_possible_truncation, reason = "numbers and genes have single precision")]
fn single(number: f64) -> f32 {
    number as f32
}

/// What was measured of one population on some rows.
struct Row {
    population: usize,
    rows: usize,
    seconds: f64,
    cpu: Option<f64>,
    links: f64,
}

impl Row {
    fn measure(
        shape: &Shape,
        inputs: &Arc<Inputs>,
        population: usize,
        seed: u64,
        each: Duration,
        machine: &Machine,
    ) -> Result<Row> {
        let mut stream = Streams::new(seed).stream(&["genes".into()]);
        let genes: Vec<f32> =
            (0..population * shape.genes()).map(|_| single(0.5 * stream.normal())).collect();
        let mut session = Session::on(machine, vec![Arc::clone(inputs)])?;
        let asks = [RankRequest::top(0, inputs.part(0).share(TOP))];
        let timing = fastest_of(
            each,
            || Ok(()),
            |()| {
                let networks = Networks::all(shape, &genes)?;
                session.rank(&[Batch { inputs: 0, networks, asks: &asks }])?;
                Ok(())
            },
        )?;
        let rows = inputs.rows();
        let links = (population * rows) as f64 * shape.weights(0).len() as f64 / timing.wall;
        Ok(Row { population, rows, seconds: timing.wall, cpu: timing.cpu, links })
    }

    fn json(&self) -> Value {
        json!({
            "population": self.population,
            "rows": self.rows,
            "seconds": self.seconds,
            "processor_seconds": self.cpu,
            "milliseconds_per_generation": 1000.0 * self.seconds,
            "links_per_second": self.links,
        })
    }

    fn print(&self, out: &mut impl Write) -> std::io::Result<()> {
        let cpu =
            self.cpu.map_or_else(|| "-".to_owned(), |seconds| format!("{:.3}", 1000.0 * seconds));
        writeln!(
            out,
            "{:>12} {:>12} {:>16.3} {cpu:>18} {:>14.1}",
            grouped(self.population as u64),
            grouped(self.rows as u64),
            1000.0 * self.seconds,
            self.links / 1e9
        )
    }
}
