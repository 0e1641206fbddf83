//! `pellucid-bench concepts`: all concepts of the paper's contexts, as in its Tables 1 and 2.
//!
//! Concepts are counted, from crosses in memory, on one thread and on everything asked for; both must have
//! one digest. The paper's graphs are not all ours, so times are compared concept by concept.

mod contexts;
mod paper;

use crate::arguments::ConceptsArgs;
use crate::clock::{budget, fastest};
use crate::concepts::contexts::chosen;
use crate::concepts::paper::{Published, published};
use crate::write_json;
use anyhow::{Result, ensure};
use pellucid::close;
use pellucid::close::{Digest, Terms, open};
use pellucid::data::Context;
use pellucid::data::Relation;
use pellucid::device::Machine;
use pellucid_arguments::described;
use pellucid_terminal::ExitStatus;
use pellucid_terminal::machine::FindMachine as _;
use pellucid_terminal::out::{grouped, rate, stdout};
use pellucid_terminal::progress::Progress;
use serde_json::{Value, json};
use std::io::Write;
use std::num::NonZeroUsize;
use std::sync::atomic::AtomicU64;
use std::time::{Duration, Instant};

pub(crate) fn run(args: &ConceptsArgs) -> Result<ExitStatus> {
    let start = Instant::now();
    let budget = budget(args.seconds)?;
    let contexts = chosen(&args.contexts, args.data.as_deref())?;
    let machine = args.common.machine.machine(args.common.quiet)?;
    let alone = Machine::processor(NonZeroUsize::new(1))?;
    let device = described(&machine.devices);
    let mut out = stdout();
    if !args.common.json {
        head(&mut out, &device)?;
    }
    let progress = Progress::new(args.common.quiet || args.common.json);
    progress.begin("concepts", Some(contexts.len() as u64));
    let mut rows = Vec::new();
    for named in &contexts {
        progress.at(rows.len() as u64, named.name.clone());
        let context = named.load(args.common.seed)?;
        let row = Row::measure(&named.name, &context, &alone, &machine, budget)?;
        if !args.common.json {
            row.print(&mut out)?;
            out.flush()?;
        }
        rows.push(row);
    }
    progress.end();
    if args.common.json {
        let rows: Vec<Value> = rows.iter().map(Row::json).collect();
        write_json(&mut out, "concepts", &device, rows, start)?;
    }
    out.flush()?;
    Ok(ExitStatus::Done)
}

/// What was measured of one context.
struct Row {
    context: String,
    objects: usize,
    attributes: usize,
    density: f64,
    concepts: u64,
    digest: Digest,
    /// On one thread of the CPU.
    alone: f64,
    /// On all that was asked for.
    seconds: f64,
    /// What GPUs themselves took of that, if any did.
    device: Option<f64>,
    paper: Option<&'static Published>,
}

impl Row {
    fn measure(
        name: &str,
        context: &Context,
        alone: &Machine,
        machine: &Machine,
        budget: Duration,
    ) -> Result<Row> {
        let one = Timed::on(alone, &context.relation, budget)?;
        let together = Timed::on(machine, &context.relation, budget)?;
        let same = one.found == together.found;
        ensure!(same, "{name}: one thread and all devices found different concepts");
        Ok(Row {
            context: name.to_owned(),
            objects: context.objects.len(),
            attributes: context.attributes.len(),
            density: context.density(),
            concepts: one.found.concepts,
            digest: one.found.digest,
            alone: one.seconds,
            seconds: together.seconds,
            device: together.device,
            paper: published(name),
        })
    }

    fn per_second(&self) -> f64 {
        self.concepts as f64 / self.seconds
    }

    /// How many times as long the paper's fastest program took for a concept.
    fn ratio(&self) -> Option<f64> {
        let paper = self.paper?;
        Some(paper.fastest()? / paper.concepts as f64 * self.per_second())
    }

    fn json(&self) -> Value {
        let paper = self.paper.map(|paper| {
            json!({
                "concepts": paper.concepts,
                "fcbo_seconds": paper.fcbo,
                "python_seconds": paper.python,
                "gtx_295_seconds": paper.gtx_295,
                "c2050_seconds": paper.c2050,
            })
        });
        json!({
            "context": self.context,
            "objects": self.objects,
            "attributes": self.attributes,
            "density": self.density,
            "concepts": self.concepts,
            "digest": self.digest.to_string(),
            "seconds": self.seconds,
            "seconds_one_thread": self.alone,
            "device_seconds": self.device,
            "concepts_per_second": self.per_second(),
            "paper": paper,
            "ratio_to_fastest": self.ratio(),
        })
    }

    fn print(&self, out: &mut impl Write) -> Result<()> {
        let paper_value = |number: fn(&Published) -> f64| {
            self.paper.map_or_else(|| "-".to_owned(), |paper| format!("{:.2}", number(paper)))
        };
        let theirs = self.paper.map_or_else(|| "-".to_owned(), |paper| grouped(paper.concepts));
        let ratio = self.ratio().map_or_else(|| "-".to_owned(), |ratio| format!("{ratio:.1} x"));
        writeln!(
            out,
            "{:<15} {:>9} {:>6.1} % {:>11} | {:>10.3} {:>10.3} {:>8} | {:>9} {:>5} {:>9} {:>8} {:>6} | {:>9}",
            self.context,
            format!("{}x{}", self.objects, self.attributes),
            100.0 * self.density,
            grouped(self.concepts),
            1e3 * self.alone,
            1e3 * self.seconds,
            rate(self.per_second()),
            theirs,
            paper_value(|paper| paper.fcbo),
            paper_value(|paper| paper.python),
            paper_value(|paper| paper.gtx_295),
            paper_value(|paper| paper.c2050),
            ratio,
        )?;
        Ok(())
    }
}

/// What was found, in the fastest of several rounds.
struct Timed {
    found: close::SearchOutcome,
    seconds: f64,
    /// The least that GPUs themselves took.
    device: Option<f64>,
}

impl Timed {
    fn on(machine: &Machine, relation: &Relation, budget: Duration) -> Result<Timed> {
        let mut visitors = vec![(); machine.threads.count()];
        let (mut found, mut least) = (None, u64::MAX);
        let round = |()| {
            let nanoseconds = AtomicU64::new(0);
            let terms = Terms { device_time: Some(&nanoseconds), ..Terms::default() };
            found = Some(open(machine, relation).search(&terms, &mut visitors)?);
            least = least.min(nanoseconds.into_inner());
            Ok(())
        };
        let seconds = fastest(budget, || Ok(()), round)?;
        let device = (least > 0).then_some(least as f64 / 1e9);
        Ok(Timed { found: found.expect("at least one round"), seconds, device })
    }
}

fn head(out: &mut impl Write, device: &str) -> Result<()> {
    writeln!(out, "{device}")?;
    writeln!(
        out,
        "all concepts counted, crosses in memory, the fastest of several rounds\n\
         random graphs, compiler, incl and linux are not the paper's own\n\
         the ratio compares the time per concept: the paper's fastest program to ours on all devices;\n\
         '-' where the paper has 0.00\n"
    )?;
    writeln!(out, "{:<46} | ours, ms                       | paper, s{:<33} | fastest", "", "")?;
    writeln!(
        out,
        "{:<15} {:>9} {:>8} {:>11} | {:>10} {:>10} {:>8} | {:>9} {:>5} {:>9} {:>8} {:>6} | {:>9}",
        "context",
        "size",
        "density",
        "concepts",
        "one thread",
        "all",
        "a second",
        "concepts",
        "FCbO",
        "Python",
        "half 295",
        "C2050",
        "/ ours"
    )?;
    Ok(())
}
