//! Measures how fast ontologies load: `cargo run --release -p pellucid-io --example ontology_speed -- FILE…`
//!
//! Reads each file ten times and prints the fastest time, the content of the file, and the peak memory of the
//! process, if the system reports it.

use std::error::Error;
use std::path::Path;
use std::time::Instant;

use pellucid_io::read_ontology;

fn main() -> Result<(), Box<dyn Error>> {
    for argument in std::env::args().skip(1) {
        let path = Path::new(&argument);
        let mut ontology = read_ontology(path)?;
        let mut fastest = f64::INFINITY;
        for _ in 0..10 {
            drop(std::mem::take(&mut ontology));
            let start = Instant::now();
            ontology = read_ontology(path)?;
            fastest = fastest.min(start.elapsed().as_secs_f64());
        }
        let assertions = [
            ontology.types.len(),
            ontology.edges.iter().map(Vec::len).sum(),
            ontology.values.iter().map(Vec::len).sum(),
        ];
        eprintln!(
            "{argument}: {} statements in {:.2} ms; {}/{}/{} names, {} individuals, \
             {assertions:?} assertions, {} axioms; peak {}",
            ontology.statements,
            fastest * 1e3,
            ontology.classes.len(),
            ontology.roles.len(),
            ontology.properties.len(),
            ontology.individuals.len(),
            ontology.axioms.len(),
            peak()
        );
        for note in &ontology.notes {
            eprintln!("  {note}");
        }
        for (name, count) in &ontology.ignored {
            eprintln!("  not used: {name} ({count})");
        }
    }
    Ok(())
}

fn peak() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.map_or_else(|| "unknown".to_owned(), |line| line.trim().to_owned())
}
