//! `pellucid-bench logic`: the operators of class expressions and whole hypotheses, as in the paper's Tables
//! II to VI.
//!
//! An answer is the number of positive and of negative examples for which an expression holds, with all
//! individuals as examples. It is worked out afresh in every round; only the concepts' bitmaps are there
//! before, as they are in the paper.

mod cells;
mod paper;
mod worlds;

use crate::arguments::{LogicArgs, LogicTable};
use crate::clock::{Timing, budget, fastest_of};
use crate::logic::cells::{Cell, Operation, cells};
use crate::logic::paper::{Published, published};

use crate::write_json;
use anyhow::Result;
use clap::ValueEnum;
use pellucid::cover::{Formulas, Hypothesis, Labels, Session};
use pellucid::device::{DeviceKind, Machine};
use pellucid::learn::rng::Streams;
use pellucid::program::ProgramId;
use pellucid::relate::Reasoner;
use pellucid_arguments::described;
use pellucid_terminal::ExitStatus;
use pellucid_terminal::machine::FindMachine as _;
use pellucid_terminal::out::{grouped, rate, stdout};
use pellucid_terminal::progress::Progress;
use serde_json::{Value, json};
use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Concepts that whole hypotheses are drawn from; the paper does not say how many it has.
const STOCK: usize = 60;
/// Rounds in which GPUs tell their own time, which costs them some.
const TIMED_ROUNDS: usize = 3;

pub(crate) fn run(args: &LogicArgs) -> Result<ExitStatus> {
    let start = Instant::now();
    let budget = budget(args.seconds)?;
    let tables =
        if args.tables.is_empty() { LogicTable::value_variants() } else { &args.tables[..] };
    let machine = args.common.machine.machine(args.common.quiet)?;
    let device = described(&machine.devices);
    // One thread computes as long as the CPU is its own, however busy the machine is.
    let alone = machine.threads.count() == 1
        && machine.devices.iter().all(|device| device.kind() == DeviceKind::Processor);
    let mut out = stdout();
    if !args.common.json {
        head(&mut out, &device)?;
    }
    let cells = cells(tables, args.quick);
    let progress = Progress::new(args.common.quiet || args.common.json);
    progress.begin("logic", Some(cells.len() as u64));
    let streams = Streams::new(args.common.seed);
    let mut prepared: Option<Prepared> = None;
    let mut rows: Vec<Row> = Vec::new();
    for cell in &cells {
        progress.at(rows.len() as u64, cell.operation.name().to_owned());
        let mut ready = match prepared.take().filter(|prepared| prepared.fits(cell)) {
            Some(prepared) => prepared,
            None => Prepared::new(cell, &machine, &streams)?,
        };
        let row = Row { alone, ..ready.measure(cell, &streams, budget)? };
        prepared = Some(ready);
        if !args.common.json {
            if rows.last().is_none_or(|last| last.cell.table != cell.table) {
                writeln!(out, "{}", cell.table.name())?;
            }
            row.print(&mut out)?;
            out.flush()?;
        }
        rows.push(row);
    }
    progress.end();
    if args.common.json {
        let rows: Vec<Value> = rows.iter().map(Row::json).collect();
        write_json(&mut out, "logic", &device, rows, start)?;
    }
    out.flush()?;
    Ok(ExitStatus::Done)
}

/// A world on the devices, which cells with the same layout and size share.
struct Prepared {
    cell: Cell,
    place: Place,
}

/// What answers.
enum Place {
    /// Concepts as columns, for those that are only joined.
    Columns(Box<Session>),
    /// Concepts, roles and values.
    World(Box<Reasoner>),
}

impl Prepared {
    fn new(cell: &Cell, machine: &Machine, streams: &Streams) -> Result<Prepared> {
        let place = if let Some(layout) = cell.layout {
            let world = worlds::world(cell, layout, streams);
            let mut reasoner = Reasoner::new(Arc::new(world), machine)?;
            reasoner.ask(worlds::examples(cell.individuals, streams)?);
            Place::World(Box::new(reasoner))
        } else {
            let table = worlds::table(cell.individuals, columns(cell), streams)?;
            let labels = Labels::rows(&table, &worlds::codes(cell.individuals, streams), 2)?;
            Place::Columns(Box::new(Session::on(
                machine,
                Arc::new(table),
                labels,
                Hypothesis::Rows,
            )?))
        };
        Ok(Prepared { cell: *cell, place })
    }

    /// Whether another cell can be asked of the same world.
    fn fits(&self, cell: &Cell) -> bool {
        let world = |cell: &Cell| {
            let classes = if cell.layout.is_some() { cell.hypotheses } else { columns(cell) };
            (cell.layout, cell.individuals, cell.assertions, cell.operation.of_values(), classes)
        };
        world(cell) == world(&self.cell)
    }

    fn measure(&mut self, cell: &Cell, streams: &Streams, budget: Duration) -> Result<Row> {
        let mut question = match &mut self.place {
            Place::Columns(session) => {
                Question::Joined { formulas: worlds::joined(cell, columns(cell), streams), session }
            }
            Place::World(reasoner) => {
                reasoner.forget_programs();
                let world = Arc::clone(reasoner.world());
                let (roots, concepts) = worlds::asked(cell, &world, reasoner.programs_mut())?;
                Question::Related { roots, concepts, reasoner }
            }
        };
        let mut covered = 0;
        let timing = {
            let question = std::cell::RefCell::new(&mut question);
            fastest_of(
                budget,
                || question.borrow_mut().forget(),
                |()| {
                    covered = question.borrow_mut().answer()?;
                    Ok(())
                },
            )?
        };
        let device = question.device_time()?;
        let assertions = match question {
            Question::Joined { .. } => 0,
            Question::Related { reasoner, .. } => {
                let world = reasoner.world();
                let values = world.properties().iter().map(|property| property.edges.len());
                world
                    .roles()
                    .iter()
                    .map(|links| links.forward.len())
                    .chain(values)
                    .max()
                    .unwrap_or(0)
            }
        };
        let paper = published(cell);
        Ok(Row { cell: *cell, assertions, covered, timing, alone: false, device, paper })
    }
}

/// The columns of the table in which a cell's concepts are.
fn columns(cell: &Cell) -> usize {
    match cell.concepts {
        _ if cell.is_whole() => STOCK,
        number @ 5 => number,
        _ => 32,
    }
}

/// Expressions whose examples are to be counted. All measuring goes through here.
enum Question<'a> {
    Joined { formulas: Formulas, session: &'a mut Session },
    Related { roots: Vec<ProgramId>, concepts: Vec<ProgramId>, reasoner: &'a mut Reasoner },
}

impl Question<'_> {
    /// Forgets all but the concepts.
    fn forget(&mut self) -> Result<()> {
        match self {
            Question::Joined { session, .. } => session.forget_counts(),
            Question::Related { concepts, reasoner, .. } => {
                reasoner.forget_answers();
                reasoner.cover(concepts)?;
            }
        }
        Ok(())
    }

    /// How many examples all expressions hold for, one after the other.
    fn answer(&mut self) -> Result<u64> {
        let tallies = match self {
            Question::Joined { formulas, session } => session.tally_formulas(formulas)?,
            Question::Related { roots, reasoner, .. } => reasoner.tally(roots)?,
        };
        Ok(tallies.counts().iter().sum())
    }

    /// The least time that GPUs themselves took for an answer, where there are any.
    fn device_time(&mut self) -> Result<Option<f64>> {
        let mut least: Option<Duration> = None;
        self.take_time(true);
        for _ in 0..TIMED_ROUNDS {
            self.forget()?;
            self.take_time(true);
            self.answer()?;
            let Some(time) = self.take_time(true) else { break };
            least = Some(least.map_or(time, |least| least.min(time)));
        }
        self.take_time(false);
        Ok(least.map(|time| time.as_secs_f64()).filter(|&seconds| seconds > 0.0))
    }

    fn take_time(&mut self, go_on: bool) -> Option<Duration> {
        match self {
            Question::Joined { session, .. } => session.take_device_time(go_on),
            Question::Related { reasoner, .. } => reasoner.take_device_time(go_on),
        }
    }
}

/// What was measured of a cell.
struct Row {
    cell: Cell,
    /// Those that are left where each counts once.
    assertions: usize,
    covered: u64,
    timing: Timing,
    /// Whether one thread did everything, so that the CPU time says how fast it is.
    alone: bool,
    /// What GPUs themselves took, if any did.
    device: Option<f64>,
    paper: Option<Published>,
}

impl Row {
    /// What is compared: the CPU time of one thread, else the clock's.
    fn compared(&self) -> f64 {
        self.timing.cpu.filter(|_| self.alone).unwrap_or(self.timing.wall)
    }

    /// How many times as long the paper's fastest program took.
    fn ratio(&self) -> Option<f64> {
        Some(self.paper?.fastest()? / self.compared())
    }

    #[expect(clippy::cast_precision_loss)]
    fn per_second(&self, seconds: f64) -> f64 {
        self.cell.hypotheses as f64 / seconds
    }

    fn json(&self) -> Value {
        let Cell { operation, layout, individuals, concepts, hypotheses, .. } = self.cell;
        let paper = self.paper.map(|paper| {
            json!({
                "one_thread_seconds": paper.baseline,
                "threads_32_seconds": paper.scalar,
                "threads_32_sse_seconds": paper.vector,
                "gtx_970_seconds": paper.gtx_970,
                "gtx_1060_seconds": paper.more.map(|more| more.gtx_1060),
                "gpus_seconds": paper.more.map(|more| more.gpus),
                "gpus_and_cpu_seconds": paper.more.map(|more| more.all),
            })
        });
        json!({
            "table": self.cell.table.name(),
            "operation": operation.name(),
            "layout": layout.map(|layout| layout.name()),
            "individuals": individuals,
            "concepts": (concepts > 0).then_some(concepts),
            "assertions": layout.map(|_| self.assertions),
            "hypotheses": hypotheses,
            "covered": self.covered,
            "seconds": self.timing.wall,
            "cpu_seconds": self.timing.cpu,
            "device_seconds": self.device,
            "hypotheses_per_second": self.per_second(self.timing.wall),
            "hypotheses_per_cpu_second": self.timing.cpu.map(|seconds| self.per_second(seconds)),
            "paper": paper,
            "ratio_to_fastest": self.ratio(),
            "ratio_by": if self.alone && self.timing.cpu.is_some() { "cpu" } else { "wall" },
        })
    }

    fn print(&self, out: &mut impl Write) -> Result<()> {
        let Cell { operation, layout, individuals, concepts, hypotheses, .. } = self.cell;
        let joined = matches!(operation, Operation::Conjunction | Operation::Disjunction);
        let what = match layout {
            Some(layout) => format!("{}, {}", operation.name(), layout.name()),
            None => format!("{} of {concepts}", operation.name()),
        };
        let size = if joined { individuals } else { self.assertions };
        let shown = |seconds: Option<f64>| {
            seconds.map_or_else(|| "-".to_owned(), |seconds| microseconds(seconds * 1e6))
        };
        let paper = |time: fn(&Published) -> Option<f64>| shown(self.paper.as_ref().and_then(time));
        let ratio = self.ratio().map_or_else(|| "-".to_owned(), |ratio| format!("{ratio:.1} x"));
        writeln!(
            out,
            "{what:<44} {:>10} {:>6} | {:>10} {:>10} {:>8} {:>8} | \
             {:>10} {:>9} {:>9} {:>9} {:>9} | {ratio:>8}",
            grouped(size as u64),
            grouped(hypotheses as u64),
            shown(Some(self.timing.wall)),
            shown(self.timing.cpu),
            shown(self.device),
            rate(self.per_second(self.compared())),
            paper(|paper| Some(paper.baseline)),
            paper(|paper| Some(paper.scalar)),
            paper(|paper| paper.vector),
            paper(|paper| Some(paper.gtx_970)),
            paper(|paper| paper.more.map(|more| more.all)),
        )?;
        Ok(())
    }
}

/// Microseconds with as many digits as tell something.
fn microseconds(time: f64) -> String {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    match time {
        0.0 => "0".to_owned(),
        time if time < 10.0 => format!("{time:.2}"),
        time if time < 1_000.0 => format!("{time:.1}"),
        time => grouped(time.round() as u64),
    }
}

fn head(out: &mut impl Write, device: &str) -> Result<()> {
    writeln!(out, "{device}")?;
    writeln!(
        out,
        "positive and negative examples counted, all individuals are examples; the fastest of several\n\
         rounds, in microseconds\n\
         'cpu' is the CPU time of all threads, 'GPU' the time of GPUs alone, 'a second' the number of\n\
         hypotheses; this and the ratio of the paper's fastest to ours use CPU time for one thread and\n\
         otherwise wall time; '-' where the paper has 0\n"
    )?;
    writeln!(out, "{:<62} | ours{:<35} | paper{:<45} | fastest", "", "", "")?;
    writeln!(
        out,
        "{:<44} {:>10} {:>6} | {:>10} {:>10} {:>8} {:>8} | {:>10} {:>9} {:>9} {:>9} {:>9} | {:>8}",
        "table, operation, layout",
        "size",
        "asked",
        "wall",
        "cpu",
        "GPU",
        "a second",
        "1 thread",
        "32",
        "32 + SSE",
        "GTX 970",
        "all",
        "/ ours"
    )?;
    Ok(())
}
