//! `pellucid-bench interpreter`: many rules against many rows.
//!
//! Every cell is measured with the population of a first and of a later generation. *Fresh* rules are bound,
//! planned and evaluated. *Warm* rules are already bound, but their counts are not cached. *Flat* rules are
//! formulas in ranks, as learners write them, from planning to counts. *Weighted* is the same with an
//! eight-bit weight for every row. *Device* is the part of *flat* that the device itself took, if it can
//! measure that. Nodes are counted as in the paper, although shared comparisons are evaluated once.

mod population;

use crate::arguments::InterpreterArgs;
use crate::clock::{budget, fastest};
use crate::interpreter::population::{Age, Rule, Stock, distinct_comparisons, flat, intern};
use crate::paper::{Cell, cell};
use crate::write_json;
use anyhow::{Context, Result, ensure};
use pellucid::cover::{Hypothesis, Labels, Session, Table};
use pellucid::data::Values;
use pellucid::learn::rng::Streams;
use pellucid::program::ProgramId;
use pellucid::rules::train::Machine;
use pellucid_arguments::described;
use pellucid_terminal::ExitStatus;
use pellucid_terminal::machine::FindMachine as _;
use pellucid_terminal::out::{grouped, rate, stdout};
use pellucid_terminal::progress::Progress;
use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The populations of each cell, in the order of their columns.
const AGES: [Age; 3] = [Age::Later, Age::First, Age::Settled];

/// What was measured of one cell and population.
struct Row {
    rules: usize,
    rows: usize,
    age: Age,
    distinct: usize,
    nodes: u64,
    fresh: f64,
    warm: f64,
    flat: f64,
    weighted: f64,
    device: Option<f64>,
}

impl Row {
    #[expect(clippy::cast_precision_loss)]
    fn nodes_per_second(&self, seconds: f64) -> f64 {
        self.nodes as f64 * self.rows as f64 / seconds
    }

    #[expect(clippy::cast_precision_loss)]
    fn rule_rows_per_second(&self, seconds: f64) -> f64 {
        self.rules as f64 * self.rows as f64 / seconds
    }

    fn json(&self) -> Value {
        let object = |cache: &str, seconds: f64| {
            json!({
                "rules": self.rules,
                "instances": self.rows,
                "population": self.age.name(),
                "cache": cache,
                "distinct_comparisons": self.distinct,
                "nodes": self.nodes,
                "seconds": seconds,
                "nodes_per_second": self.nodes_per_second(seconds),
                "rule_instances_per_second": self.rule_rows_per_second(seconds),
                "paper_4_gpus_nodes_per_second": cell(self.rules, self.rows).map(|cell| cell.four_gpus * 1e6),
            })
        };
        let mut objects = vec![
            object("fresh", self.fresh),
            object("warm", self.warm),
            object("flat", self.flat),
            object("weighted", self.weighted),
        ];
        objects.extend(self.device.map(|seconds| object("device", seconds)));
        Value::Array(objects)
    }
}

pub(crate) fn run(args: &InterpreterArgs) -> Result<ExitStatus> {
    let start = Instant::now();
    let budget = budget(args.seconds)?;
    ensure!(
        args.rules.iter().chain(&args.rows).all(|&number| number > 0),
        "--rules and --rows: allowed are 1 and more"
    );
    let machine = args.common.machine.machine(args.common.quiet)?;
    let streams = Streams::new(args.common.seed);
    let stock = Stock { attributes: args.attributes, distinct: args.distinct };
    let progress = Progress::new(args.common.quiet || args.common.json);
    let cells = AGES.len() * args.rules.len() * args.rows.len();
    progress.begin("interpreter", Some(cells as u64));

    let mut measured = Vec::new();
    for &rows in &args.rows {
        let bench = Bench::new(rows, stock, &streams)?;
        let mut session = bench.session(&machine)?;
        for &rules in &args.rules {
            for age in AGES {
                measured.push(bench.measure(&mut session, rules, age, budget)?);
                progress.at(measured.len() as u64, format!("{rules} rules, {rows} rows"));
            }
        }
        if let Some(folder) = args.dump.as_deref().filter(|_| Some(&rows) == args.rows.iter().max())
        {
            let rules = args.rules.iter().copied().max().unwrap_or(1);
            bench.dump(&mut session, rules, folder)?;
        }
    }
    progress.end();

    let mut out = stdout();
    let device = described(&machine.devices);
    if args.common.json {
        let rows: Vec<Value> = measured
            .iter()
            .flat_map(|row| row.json().as_array().cloned().unwrap_or_default())
            .collect();
        write_json(&mut out, "interpreter", &device, rows, start)?;
    } else {
        print(&mut out, args, &device, &measured)?;
    }
    out.flush()?;
    Ok(ExitStatus::Done)
}

fn print(
    out: &mut impl Write,
    args: &InterpreterArgs,
    device: &str,
    measured: &[Row],
) -> Result<()> {
    writeln!(out, "{device}")?;
    writeln!(
        out,
        "{} attributes of {} distinct values; rules of 10 to 15 comparisons; nodes/s, fastest round\n",
        args.attributes,
        grouped(u64::from(args.distinct))
    )?;
    writeln!(
        out,
        "                 | paper (2014)             | some generations on                   | first  | ours,"
    )?;
    writeln!(
        out,
        "                 | nodes/s                  | fresh                        | \
         warm   | fresh  | fresh,"
    )?;
    writeln!(
        out,
        " rules      rows | 4 CPUs    1 GPU   4 GPUs |     ms  nodes/s  rule-rows/s | \
         nodes/s| nodes/s| / 4 GPUs"
    )?;
    for cell_ages in measured.chunks(AGES.len()) {
        let [later, first, _] = cell_ages else { continue };
        let paper = cell(later.rules, later.rows);
        let shown = |number: fn(&Cell) -> f64| {
            paper.map_or_else(|| "-".to_owned(), |cell| rate(number(cell) * 1e6))
        };
        let ours = later.nodes_per_second(later.fresh);
        let times = paper.map(|cell| format!("{:.1} x", ours / (cell.four_gpus * 1e6)));
        writeln!(
            out,
            "{:>6} {:>9} | {:>6}  {:>7}  {:>7} | {:>6.2}  {:>7}  {:>11} | {:>6} | {:>6} | {:>7}",
            grouped(later.rules as u64),
            grouped(later.rows as u64),
            shown(|cell| cell.four_threads),
            shown(|cell| cell.one_gpu),
            shown(|cell| cell.four_gpus),
            later.fresh * 1e3,
            rate(ours),
            rate(later.rule_rows_per_second(later.fresh)),
            rate(later.nodes_per_second(later.warm)),
            rate(first.nodes_per_second(first.fresh)),
            times.unwrap_or_else(|| "-".to_owned()),
        )?;
    }
    flat_table(out, measured)?;
    let later = measured.iter().filter(|row| row.age == Age::Later);
    let Some(largest) = later.max_by_key(|row| row.rules * row.rows) else { return Ok(()) };
    let bytes = largest.distinct * largest.rows.div_ceil(8);
    if bytes > BEYOND_CACHES {
        let seconds = read_back(bytes, Duration::from_millis(200))?;
        writeln!(
            out,
            "\nThe bits of comparisons are not kept between batches: reading those {} bitmaps back\n\
             from memory would take {:.1} ms alone; computing them from the planes is part of the\n\
             {:.1} ms (warm) of the last row.",
            grouped(largest.distinct as u64),
            seconds * 1e3,
            largest.warm * 1e3
        )?;
    }
    Ok(())
}

/// Flat formulas, how much longer it takes to add up weights of eight bits than to count two classes, and how
/// much of the time the device itself computed.
fn flat_table(out: &mut impl Write, measured: &[Row]) -> Result<()> {
    writeln!(out, "\nFlat formulas, as learners write them; nothing known before")?;
    writeln!(
        out,
        " rules      rows  population  comparisons |       us  nodes/s | \
         weighted: us  / counted | on the device: us  nodes/s"
    )?;
    for row in measured {
        let device = row.device.map_or_else(
            || format!("{:>17}  {:>7}", "-", "-"),
            |seconds| {
                format!("{:>17.1}  {:>7}", seconds * 1e6, rate(row.nodes_per_second(seconds)))
            },
        );
        writeln!(
            out,
            "{:>6} {:>9}  {:<10}  {:>11} | {:>8.1}  {:>7} | {:>12.1}  {:>7.2} x | {device}",
            grouped(row.rules as u64),
            grouped(row.rows as u64),
            row.age.name(),
            grouped(row.distinct as u64),
            row.flat * 1e6,
            rate(row.nodes_per_second(row.flat)),
            row.weighted * 1e6,
            row.weighted / row.flat,
        )?;
    }
    Ok(())
}

/// More bytes than a core's own caches hold.
const BEYOND_CACHES: usize = 16 << 20;

/// Returns the time to read this many bytes from memory that no cache holds.
fn read_back(bytes: usize, budget: Duration) -> Result<f64> {
    let words = vec![1u64; bytes / 8];
    fastest(
        budget,
        || Ok(()),
        |()| {
            std::hint::black_box(words.iter().fold(0, |sum, word| sum ^ word));
            Ok(())
        },
    )
}

/// A table, its labels, and what rules over it are drawn from.
struct Bench {
    rows: usize,
    stock: Stock,
    streams: Streams,
    columns: Vec<Vec<u32>>,
    codes: Vec<u32>,
    table: Arc<Table>,
    /// Two classes.
    labels: Labels,
    /// Weights of eight bits.
    weights: Labels,
}

impl Bench {
    fn new(rows: usize, stock: Stock, streams: &Streams) -> Result<Bench> {
        #[expect(clippy::cast_possible_truncation, reason = "drawn below a u32")]
        let draw = |name: &str, number: u32, end: u32| -> Vec<u32> {
            let mut stream = streams.stream(&[name.into(), number.into(), rows.into()]);
            (0..rows).map(|_| stream.below(u64::from(end)) as u32).collect()
        };
        let columns: Vec<Vec<u32>> =
            (0..stock.attributes).map(|number| draw("column", number, stock.distinct)).collect();
        let values = |column: &Vec<u32>| {
            Values::Numeric(column.iter().map(|&value| f64::from(value)).collect())
        };
        let named = columns
            .iter()
            .enumerate()
            .map(|(number, column)| (format!("x{}", number + 1), values(column)));
        let table = Arc::new(Table::new(named.collect())?);
        let codes = draw("labels", 0, 2);
        let labels = Labels::rows(&table, &codes, 2)?;
        let weights = Labels::weighted_rows(&table, &[&draw("weights", 0, 256)])?;
        Ok(Bench { rows, stock, streams: *streams, columns, codes, table, labels, weights })
    }

    fn session(&self, machine: &Machine) -> Result<Session> {
        let (table, labels) = (Arc::clone(&self.table), self.labels.clone());
        Ok(Session::on(machine, table, labels, Hypothesis::Rows)?)
    }

    fn measure(
        &self,
        session: &mut Session,
        number: usize,
        age: Age,
        budget: Duration,
    ) -> Result<Row> {
        let rules = self.stock.rules(number, age, &self.streams);
        let roots = intern(session.programs_mut(), &rules)?;
        let nodes = roots.iter().map(|&root| session.programs().size(root)).sum();
        let session = std::cell::RefCell::new(session);
        let fresh = fastest(
            budget,
            || {
                let mut session = session.borrow_mut();
                session.forget_programs();
                intern(session.programs_mut(), &rules)
            },
            |roots| tally(&mut session.borrow_mut(), &roots),
        )?;
        let roots = intern(session.borrow_mut().programs_mut(), &rules)?;
        let warm = fastest(
            budget,
            || {
                session.borrow_mut().forget_counts();
                Ok(())
            },
            |()| tally(&mut session.borrow_mut(), &roots),
        )?;
        let formulas = flat(&self.table, &rules);
        // To measure the device's own time takes some, so the whole is measured without.
        let whole_or_device = |go_on: bool, each: &mut dyn FnMut(Option<Duration>)| {
            fastest(
                budget,
                || {
                    let mut session = session.borrow_mut();
                    session.forget_counts();
                    session.take_device_time(go_on);
                    Ok(())
                },
                |()| {
                    let mut session = session.borrow_mut();
                    std::hint::black_box(session.tally_formulas(&formulas)?);
                    each(session.take_device_time(go_on));
                    Ok(())
                },
            )
        };
        let flat = whole_or_device(false, &mut |_| ())?;
        let mut device: Option<f64> = None;
        whole_or_device(true, &mut |time| {
            let time = time.map(|time| time.as_secs_f64());
            device = time.map(|time| device.map_or(time, |best| best.min(time)));
        })?;
        session.borrow_mut().ask(self.weights.clone(), Hypothesis::Rows)?;
        let weighted = whole_or_device(false, &mut |_| ())?;
        session.borrow_mut().ask(self.labels.clone(), Hypothesis::Rows)?;
        Ok(Row {
            flat,
            weighted,
            device,
            rules: number,
            rows: self.rows,
            age,
            distinct: distinct_comparisons(&rules),
            nodes,
            fresh,
            warm,
        })
    }

    /// Columns as 32-bit floats one after the other, labels as bytes, rules and their counts as JSON.
    fn dump(&self, session: &mut Session, number: usize, folder: &Path) -> Result<()> {
        let shown = || folder.display().to_string();
        std::fs::create_dir_all(folder).with_context(shown)?;
        // Whole numbers below 2^24 are exact in 32 bits.
        ensure!(
            self.stock.distinct <= 1 << 24,
            "--dump: --distinct {} is too large for 32-bit floats",
            self.stock.distinct
        );
        #[expect(clippy::cast_precision_loss)]
        let floats: Vec<u8> =
            self.columns.iter().flatten().flat_map(|&value| (value as f32).to_le_bytes()).collect();
        std::fs::write(folder.join("columns.f32"), floats).with_context(shown)?;
        let labels: Vec<u8> = self.codes.iter().map(|&code| u8::from(code == 1)).collect();
        std::fs::write(folder.join("labels.u8"), labels).with_context(shown)?;
        for age in [Age::Later, Age::First] {
            let rules = self.stock.rules(number, age, &self.streams);
            let roots = intern(session.programs_mut(), &rules)?;
            let tallies = session.tally(&roots)?;
            let nodes: u64 = roots.iter().map(|&root| session.programs().size(root)).sum();
            let described: Vec<Value> = rules
                .iter()
                .enumerate()
                .map(|(index, rule)| describe(rule, tallies.of(index)))
                .collect();
            let object = json!({
                "rows": self.rows, "attributes": self.stock.attributes, "nodes": nodes, "rules": described,
            });
            std::fs::write(folder.join(format!("rules-{}.json", age.name())), object.to_string())
                .with_context(shown)?;
        }
        Ok(())
    }
}

fn tally(session: &mut Session, roots: &[ProgramId]) -> Result<()> {
    std::hint::black_box(session.tally(roots)?);
    Ok(())
}

fn describe(rule: &Rule, counts: &[u64]) -> Value {
    let conjunctions: Vec<Value> = rule
        .iter()
        .map(|conjunction| {
            conjunction
                .iter()
                .map(|comparison| {
                    json!([
                        comparison.attribute,
                        if comparison.above { ">" } else { "<=" },
                        comparison.value
                    ])
                })
                .collect()
        })
        .collect();
    json!({ "or": conjunctions, "counts": counts })
}
