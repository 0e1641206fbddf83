//! Measures how fast tables load: `cargo run --release -p pellucid-io --features parquet --example
//! load_speed -- 1000000 100`
//!
//! Generates a table with the given numbers of rows and columns, writes it to a temporary folder, and times
//! reading it.

use std::error::Error;
use std::fs::File;
use std::io::BufWriter;
use std::path::Path;
use std::time::Instant;

use pellucid_io::{ClassTarget, Column, Dataset, ReadOptions, Values, read, write_csv};

/// Generates numbers with up to three decimals, like measurements.
fn table(rows: usize, columns: usize) -> Dataset {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 44) as f64 / 1000.0
    };
    let columns: Vec<Column> = (0..columns)
        .map(|column| Column {
            name: format!("f{column}"),
            values: Values::Numeric((0..rows).map(|_| next()).collect()),
        })
        .collect();
    let codes = (0u32..).take(rows).map(|row| row % 2).collect();
    let target =
        ClassTarget { name: "y".to_owned(), classes: vec!["0".to_owned(), "1".to_owned()], codes };
    Dataset {
        name: "speed".to_owned(),
        columns,
        rows,
        target: Some(target),
        bags: None,
        notes: Vec::new(),
        ..Dataset::default()
    }
}

fn time(path: &Path) -> Result<(), Box<dyn Error>> {
    let megabytes = std::fs::metadata(path)?.len() as f64 / 1e6;
    for _ in 0..3 {
        let start = Instant::now();
        let data = read(path, &ReadOptions::default())?;
        let seconds = start.elapsed().as_secs_f64();
        let cells = (data.rows * data.columns.len()) as f64 / 1e6;
        let (rate, cell_rate) = (megabytes / seconds, cells / seconds);
        eprintln!(
            "{}: {megabytes:.0} MB in {seconds:.3} s, {rate:.0} MB/s, {cell_rate:.1} million values/s",
            path.display()
        );
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1).map(|argument| argument.parse::<usize>());
    let rows = arguments.next().transpose()?.unwrap_or(100_000);
    let columns = arguments.next().transpose()?.unwrap_or(100);
    let data = table(rows, columns);
    let folder = tempfile::tempdir()?;
    let csv = folder.path().join("speed.csv");
    write_csv(&data, BufWriter::new(File::create(&csv)?))?;
    time(&csv)?;
    std::fs::remove_file(&csv)?;
    #[cfg(feature = "parquet")]
    {
        let parquet = folder.path().join("speed.parquet");
        pellucid_io::write_parquet(&data, File::create(&parquet)?)?;
        drop(data);
        time(&parquet)?;
    }
    Ok(())
}
