//! Where generated data goes.

use crate::out::stdout;
use anyhow::{Context, Result, bail};
use flate2::Compression;
use flate2::write::GzEncoder;
use pellucid::io::{
    Dataset, WriteError, write_arff, write_csv, write_keel, write_parquet, write_tsv,
};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

/// How a file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Text { writer: Writer, zipped: bool },
    Parquet,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Writer {
    Csv,
    Tsv,
    Keel,
    Arff,
}

impl Form {
    /// What the ending of a name asks for.
    pub(super) fn of(path: &Path) -> Result<Form> {
        if path == Path::new("-") {
            return Ok(Form::Text { writer: Writer::Csv, zipped: false });
        }
        let (ending, zipped) = ending(path);
        let writer = match ending.as_str() {
            "csv" => Writer::Csv,
            "tsv" => Writer::Tsv,
            "dat" => Writer::Keel,
            "arff" => Writer::Arff,
            "parquet" if !zipped => return Ok(Form::Parquet),
            _ => bail!(
                "{}: the ending says nothing known; allowed are .csv .tsv .dat .arff .parquet, and .gz after text",
                path.display()
            ),
        };
        Ok(Form::Text { writer, zipped })
    }
}

/// The ending of a name in lower case, and whether `.gz` stands after it.
pub(crate) fn ending(path: &Path) -> (String, bool) {
    let ending = |path: &Path| {
        path.extension().and_then(|ending| ending.to_str()).unwrap_or("").to_ascii_lowercase()
    };
    let zipped = ending(path) == "gz";
    let plain = if zipped { path.file_stem().unwrap_or_default() } else { path.as_os_str() };
    (ending(Path::new(plain)), zipped)
}

impl Writer {
    fn write(self, data: &Dataset, out: impl Write) -> Result<(), WriteError> {
        match self {
            Writer::Csv => write_csv(data, out),
            Writer::Tsv => write_tsv(data, out),
            Writer::Keel => write_keel(data, out),
            Writer::Arff => write_arff(data, out),
        }
    }
}

/// Writes data as the ending of the name says.
pub(super) fn write(data: &Dataset, path: &Path) -> Result<()> {
    let form = Form::of(path)?;
    if path == Path::new("-") {
        return Ok(write_csv(data, stdout())?);
    }
    let shown = || path.display().to_string();
    let file = File::create(path).with_context(shown)?;
    write_to(data, form, BufWriter::with_capacity(1 << 18, file)).with_context(shown)
}

fn write_to(data: &Dataset, form: Form, mut out: impl Write + Send) -> Result<()> {
    match form {
        Form::Parquet => write_parquet(data, &mut out)?,
        Form::Text { writer, zipped: false } => writer.write(data, &mut out)?,
        Form::Text { writer, zipped: true } => {
            let mut zipper = GzEncoder::new(&mut out, Compression::default());
            writer.write(data, &mut zipper)?;
            zipper.finish()?;
        }
    }
    out.flush()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ending_decides() {
        let form = |name: &str| Form::of(Path::new(name)).ok();
        let text = |writer, zipped| Some(Form::Text { writer, zipped });
        assert_eq!(form("a.csv"), text(Writer::Csv, false));
        assert_eq!(form("a.b/c.TSV.gz"), text(Writer::Tsv, true));
        assert_eq!(form("a.dat"), text(Writer::Keel, false));
        assert_eq!(form("a.arff.gz"), text(Writer::Arff, true));
        assert_eq!(form("a.parquet"), Some(Form::Parquet));
        for wrong in ["a", "a.gz", "a.parquet.gz", "a.xls", ""] {
            assert_eq!(form(wrong), None, "{wrong}");
        }
    }
}
