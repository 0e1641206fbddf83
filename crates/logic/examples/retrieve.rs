//! Measures retrieval: prints the number of instances of class expressions and the time to compute
//! them, for comparisons with other programs.
//!
//!     retrieve ONTOLOGY [--bias] [--names] [--rounds N] < EXPRESSIONS
//!
//! Reads one expression per line, in Manchester or DL syntax. Prints one JSON object per line, with the
//! number of instances and the minimum time of a retrieval in nanoseconds (CPU time and wall-clock
//! time). Every retrieval is computed without caches, on one thread. `--bias` disables inference from
//! domains and ranges, `--names` lists the instances.

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

struct Arguments {
    ontology: PathBuf,
    closure: Closure,
    names: bool,
    rounds: usize,
}

fn parse_arguments() -> Result<Arguments, Box<dyn Error>> {
    let mut arguments = Arguments {
        ontology: PathBuf::new(),
        closure: Closure::default(),
        names: false,
        rounds: 200,
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--bias" => arguments.closure.domains_and_ranges = false,
            "--names" => arguments.names = true,
            "--rounds" => {
                arguments.rounds = words.next().ok_or("--rounds: expected a number")?.parse()?
            }
            _ => arguments.ontology = PathBuf::from(word),
        }
    }
    Ok(arguments)
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = parse_arguments()?;
    let start = Clock::now();
    let kb = KnowledgeBase::new(read_ontology(&arguments.ontology)?, &arguments.closure)?;
    let loaded = start.elapsed();
    let machine = Machine::processor(NonZeroUsize::new(1))?;
    let mut reasoner = Reasoner::new(Arc::clone(&kb.world), &machine)?;
    let mut out = std::io::stdout().lock();
    let sizes = json!({
        "individuals": kb.world.len(),
        "classes": kb.world.classes().len(),
        "load_cpu_nanoseconds": loaded.cpu,
        "load_nanoseconds": loaded.wall,
    });
    writeln!(out, "{sizes}")?;
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let expr = syntax::parse(&line, &kb).map_err(|error| format!("{line}: {error}"))?;
        let root = reasoner.programs_mut().add(&expr)?;
        let (least, count) = measure(&mut reasoner, root, arguments.rounds)?;
        let names = if arguments.names {
            let found = reasoner.cover(&[root])?;
            let name =
                |index| u32::try_from(index).map(|number| kb.world.individuals().get(number));
            Some(found.ones(0).map(name).collect::<Result<Vec<_>, _>>()?)
        } else {
            None
        };
        let result = json!({
            "expression": line,
            "count": count,
            "cpu_nanoseconds": least.cpu,
            "nanoseconds": least.wall,
            "individuals": names,
        });
        writeln!(out, "{result}")?;
    }
    Ok(())
}

/// Returns the minimum time of an uncached retrieval, and the number of instances.
fn measure(
    reasoner: &mut Reasoner,
    root: ProgramId,
    rounds: usize,
) -> Result<(Elapsed, usize), Box<dyn Error>> {
    let mut least: Option<Elapsed> = None;
    for _ in 0..rounds.max(1) {
        reasoner.forget_answers();
        let start = Clock::now();
        black_box(reasoner.cover(&[root])?);
        let elapsed = start.elapsed();
        least = Some(least.map_or(elapsed, |least| least.min(elapsed)));
    }
    let count = reasoner.cover(&[root])?.ones(0).count();
    Ok((least.ok_or("no rounds")?, count))
}

/// Elapsed times in nanoseconds.
#[derive(Clone, Copy, Debug)]
struct Elapsed {
    cpu: u128,
    wall: u128,
}

impl Elapsed {
    /// The minimum of each time.
    fn min(self, other: Elapsed) -> Elapsed {
        Elapsed { cpu: self.cpu.min(other.cpu), wall: self.wall.min(other.wall) }
    }
}

/// The start of a measurement.
struct Clock {
    cpu: std::time::Duration,
    wall: Instant,
}

impl Clock {
    fn now() -> Clock {
        Clock { cpu: cpu_time(), wall: Instant::now() }
    }

    fn elapsed(&self) -> Elapsed {
        let wall = self.wall.elapsed().as_nanos();
        let cpu = cpu_time().saturating_sub(self.cpu).as_nanos();
        Elapsed { cpu, wall }
    }
}

/// Returns the CPU time of this process, or the time of day if the system does not provide it.
fn cpu_time() -> std::time::Duration {
    #[cfg(unix)]
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime).try_into().ok();
    #[cfg(not(unix))]
    let time = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).ok();
    time.unwrap_or_default()
}
