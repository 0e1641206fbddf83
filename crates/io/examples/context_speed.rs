//! Measures how fast contexts load: `cargo run --release -p pellucid-io --example context_speed -- FILE…`
//!
//! Reads each file twenty times and prints the fastest time. A file without an extension is a graph and is
//! made symmetric.

use std::error::Error;
use std::path::Path;
use std::time::Instant;

use pellucid_io::{ContextOptions, read_context};

fn main() -> Result<(), Box<dyn Error>> {
    for argument in std::env::args().skip(1) {
        let path = Path::new(&argument);
        let graph = path.extension().is_none();
        let options = ContextOptions::default().symmetric(graph);
        let mut fastest = f64::INFINITY;
        let mut shape = (0, 0, 0);
        for _ in 0..20 {
            let start = Instant::now();
            let context = read_context(path, &options)?;
            fastest = fastest.min(start.elapsed().as_secs_f64());
            let relation = &context.relation;
            shape = (relation.objects(), relation.attributes(), relation.crosses());
        }
        let (objects, attributes, crosses) = shape;
        let milliseconds = fastest * 1e3;
        eprintln!(
            "{argument}: {objects} x {attributes}, {crosses} crosses in {milliseconds:.2} ms"
        );
    }
    Ok(())
}
