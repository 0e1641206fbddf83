//! Where contexts go.

use crate::generate::ending;
use crate::out::stdout;
use anyhow::{Context as _, Result, bail};
use flate2::Compression;
use flate2::write::GzEncoder;
use pellucid::engine::data::Context;
use pellucid::io::{WriteError, write_context_csv, write_cxt, write_dat, write_pairs};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

/// How a file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Form {
    writer: Writer,
    zipped: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Writer {
    Burmeister,
    Fimi,
    Csv,
    Pairs,
}

impl Form {
    /// What the ending of a name asks for.
    pub(crate) fn of(path: &Path) -> Result<Form> {
        if path == Path::new("-") {
            return Ok(Form { writer: Writer::Burmeister, zipped: false });
        }
        let (ending, zipped) = ending(path);
        let writer = match ending.as_str() {
            "cxt" => Writer::Burmeister,
            "dat" => Writer::Fimi,
            "csv" => Writer::Csv,
            "pairs" | "mdg" => Writer::Pairs,
            _ => bail!(
                "{}: the ending says nothing known; allowed are .cxt .dat .csv .pairs .mdg, and .gz after it",
                path.display()
            ),
        };
        Ok(Form { writer, zipped })
    }
}

impl Writer {
    fn write(self, context: &Context, out: impl Write) -> Result<(), WriteError> {
        match self {
            Writer::Burmeister => write_cxt(context, out),
            Writer::Fimi => write_dat(context, out),
            Writer::Csv => write_context_csv(context, out),
            Writer::Pairs => write_pairs(context, out),
        }
    }
}

/// Writes a context as the ending of the name says.
pub(crate) fn write(context: &Context, path: &Path) -> Result<()> {
    let form = Form::of(path)?;
    if path == Path::new("-") {
        return Ok(form.writer.write(context, stdout())?);
    }
    let shown = || path.display().to_string();
    // What the form cannot hold is found out before a file of that name is gone.
    form.writer.write(context, std::io::sink()).with_context(shown)?;
    let file = File::create(path).with_context(shown)?;
    write_to(context, form, BufWriter::with_capacity(1 << 18, file)).with_context(shown)
}

fn write_to(context: &Context, form: Form, mut out: impl Write) -> Result<()> {
    if form.zipped {
        let mut zipper = GzEncoder::new(&mut out, Compression::default());
        form.writer.write(context, &mut zipper)?;
        zipper.finish()?;
    } else {
        form.writer.write(context, &mut out)?;
    }
    out.flush()?;
    Ok(())
}
