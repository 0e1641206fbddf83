//! Where generated data goes.

use crate::out::stdout;
use anyhow::{Context, Result, bail};
use flate2::Compression;
use flate2::write::GzEncoder;
use pellucid::io::{Dataset, write_arff, write_csv, write_keel, write_parquet, write_tsv};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

/// Writes data as the ending of the name says.
pub(super) fn write(data: &Dataset, path: &Path) -> Result<()> {
    if path == Path::new("-") {
        let mut out = stdout();
        write_csv(data, &mut out)?;
        out.flush()?;
        return Ok(());
    }
    let shown = || path.display().to_string();
    let ending = |path: &Path| {
        path.extension().and_then(|ending| ending.to_str()).unwrap_or("").to_ascii_lowercase()
    };
    let zipped = ending(path) == "gz";
    let ending =
        if zipped { ending(Path::new(path.file_stem().unwrap_or_default())) } else { ending(path) };
    if !matches!(ending.as_str(), "csv" | "tsv" | "dat" | "arff" | "parquet")
        || (zipped && ending == "parquet")
    {
        bail!(
            "{}: the ending says nothing known; allowed are .csv .tsv .dat .arff .parquet, and .gz after text",
            shown()
        );
    }
    let mut file = BufWriter::with_capacity(1 << 18, File::create(path).with_context(shown)?);
    if zipped {
        let mut out = GzEncoder::new(&mut file, Compression::default());
        text(data, &ending, &mut out).with_context(shown)?;
        out.finish().with_context(shown)?;
    } else if ending == "parquet" {
        write_parquet(data, &mut file).with_context(shown)?;
    } else {
        text(data, &ending, &mut file).with_context(shown)?;
    }
    file.flush().with_context(shown)?;
    Ok(())
}

fn text(data: &Dataset, ending: &str, out: &mut impl Write) -> Result<()> {
    match ending {
        "tsv" => write_tsv(data, out)?,
        "dat" => write_keel(data, out)?,
        "arff" => write_arff(data, out)?,
        _ => write_csv(data, out)?,
    }
    Ok(())
}
