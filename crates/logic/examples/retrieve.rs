//! Who class expressions hold for, and how long it takes to find out: for comparisons with other programs.
//!
//!     retrieve ONTOLOGY [--bias] [--names] [--rounds N] < EXPRESSIONS
//!
//! One expression a line, in Manchester or description-logic syntax; one JSON object a line comes back, with the number of
//! individuals and the least time of an answer, in nanoseconds of the processor and of the clock. Every answer is worked
//! out afresh, on one thread. `--bias` draws no conclusions from domains and ranges, `--names` lists the individuals.

use pellucid_device::Machine;
use pellucid_io::read_ontology;
use pellucid_logic::kb::{Closure, KnowledgeBase};
use pellucid_logic::syntax;
use pellucid_program::ProgramId;
use pellucid_relate::Reasoner;
use serde_json::json;
use std::error::Error;
use std::hint::black_box;
use std::io::{BufRead, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

struct Asked {
    ontology: PathBuf,
    closure: Closure,
    names: bool,
    rounds: usize,
}

fn asked() -> Result<Asked, Box<dyn Error>> {
    let mut asked =
        Asked { ontology: PathBuf::new(), closure: Closure::default(), names: false, rounds: 200 };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--bias" => asked.closure.domains_and_ranges = false,
            "--names" => asked.names = true,
            "--rounds" => asked.rounds = words.next().ok_or("--rounds: a number")?.parse()?,
            _ => asked.ontology = PathBuf::from(word),
        }
    }
    Ok(asked)
}

fn main() -> Result<(), Box<dyn Error>> {
    let asked = asked()?;
    let start = Clock::now();
    let kb = KnowledgeBase::new(read_ontology(&asked.ontology)?, &asked.closure)?;
    let loaded = start.elapsed();
    let machine = Machine::processor(NonZeroUsize::new(1))?;
    let mut reasoner = Reasoner::new(Arc::clone(&kb.world), &machine)?;
    let mut out = std::io::stdout().lock();
    let sizes = json!({
        "individuals": kb.world.len(),
        "classes": kb.world.classes().len(),
        "load_cpu_nanoseconds": loaded.processor,
        "load_nanoseconds": loaded.wall,
    });
    writeln!(out, "{sizes}")?;
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let expr = syntax::parse(&line, &kb).map_err(|error| format!("{line}: {error}"))?;
        let root = reasoner.programs_mut().add(&expr)?;
        let (least, count) = fresh(&mut reasoner, root, asked.rounds)?;
        let names = if asked.names {
            let found = reasoner.cover(&[root])?;
            let name =
                |place| u32::try_from(place).map(|number| kb.world.individuals().get(number));
            Some(found.ones(0).map(name).collect::<Result<Vec<_>, _>>()?)
        } else {
            None
        };
        let answer = json!({
            "expression": line,
            "count": count,
            "cpu_nanoseconds": least.processor,
            "nanoseconds": least.wall,
            "individuals": names,
        });
        writeln!(out, "{answer}")?;
    }
    Ok(())
}

/// The least time of answers to a question about which nothing is remembered, and how many it holds for.
fn fresh(
    reasoner: &mut Reasoner,
    root: ProgramId,
    rounds: usize,
) -> Result<(Spent, usize), Box<dyn Error>> {
    let mut least: Option<Spent> = None;
    for _ in 0..rounds.max(1) {
        reasoner.forget_answers();
        let start = Clock::now();
        black_box(reasoner.cover(&[root])?);
        let spent = start.elapsed();
        least = Some(least.map_or(spent, |least| least.min(spent)));
    }
    let count = reasoner.cover(&[root])?.ones(0).count();
    Ok((least.ok_or("no round")?, count))
}

/// Nanoseconds.
#[derive(Clone, Copy, Debug)]
struct Spent {
    processor: u128,
    wall: u128,
}

impl Spent {
    /// The least of each.
    fn min(self, other: Spent) -> Spent {
        Spent { processor: self.processor.min(other.processor), wall: self.wall.min(other.wall) }
    }
}

/// When something began.
struct Clock {
    processor: std::time::Duration,
    wall: Instant,
}

impl Clock {
    fn now() -> Clock {
        Clock { processor: processor_time(), wall: Instant::now() }
    }

    fn elapsed(&self) -> Spent {
        let wall = self.wall.elapsed().as_nanos();
        let processor = processor_time().saturating_sub(self.processor).as_nanos();
        Spent { processor, wall }
    }
}

/// What the processor spent on this process so far, or the time of day where the system does not tell.
fn processor_time() -> std::time::Duration {
    #[cfg(unix)]
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime).try_into().ok();
    #[cfg(not(unix))]
    let time = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).ok();
    time.unwrap_or_default()
}
