//! Standard output for data, standard error for messages.

use crate::flags::with_flags;
use crate::visible::EscapingWriter;
use anyhow::{Context, Result};
use pellucid::data::{message, visible_text};
use pellucid::files::Replacement;
pub use pellucid::learn::digits::grouped;
use pellucid::message_of;
use pellucid_arguments::is_standard;
use serde_json::Value;
use std::io::{BufWriter, ErrorKind, IsTerminal, StdoutLock, Write};
use std::path::Path;

/// Returns buffered standard output. Flush it when a user or program waits for a line.
pub fn stdout() -> BufWriter<Stdout> {
    BufWriter::with_capacity(1 << 16, Stdout(Output::to(std::io::stdout().lock())))
}

/// Standard output, whose errors mention its name.
#[derive(Debug)]
pub struct Stdout(Output<StdoutLock<'static>>);

/// A stream that is raw for programs and files, and escapes control characters for a terminal.
#[derive(Debug)]
enum Output<W> {
    Raw(W),
    Escaped(EscapingWriter<W>),
}

impl<W: Write + IsTerminal> Output<W> {
    fn to(out: W) -> Output<W> {
        if out.is_terminal() { Output::Escaped(EscapingWriter::new(out)) } else { Output::Raw(out) }
    }
}

impl<W: Write> Write for Output<W> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        match self {
            Output::Raw(out) => out.write(bytes),
            Output::Escaped(out) => out.write(bytes),
        }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        match self {
            Output::Raw(out) => out.flush(),
            Output::Escaped(out) => out.flush(),
        }
    }
}

/// Returns standard output for threads that take turns with large blocks. No thread may hold
/// [`stdout`] at the same time.
pub fn shared_stdout() -> impl Write + Send {
    SharedStdout(Output::to(std::io::stdout()))
}

struct SharedStdout(Output<std::io::Stdout>);

impl Write for SharedStdout {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.write(bytes).map_err(named)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.0.flush().map_err(named)
    }
}

impl Write for Stdout {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.write(bytes).map_err(named)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.0.flush().map_err(named)
    }
}

/// Writes a file atomically, or to standard output if its name is `-`.
pub fn to_file_or_stdout(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<()>,
) -> Result<()> {
    if is_standard(path) {
        let mut out = stdout();
        write(&mut out)?;
        return Ok(out.flush()?);
    }
    let to_file = || -> Result<()> {
        let mut out = BufWriter::with_capacity(1 << 18, Replacement::begin(path)?);
        write(&mut out)?;
        Ok(out.into_inner().map_err(|error| error.into_error())?.finish()?)
    };
    to_file().with_context(|| path.display().to_string())
}

/// Adds the name of the stream to an error of standard output.
fn named(error: std::io::Error) -> std::io::Error {
    match error.kind() {
        ErrorKind::Interrupted => error,
        kind => std::io::Error::new(kind, format!("standard output: {error}")),
    }
}

/// Prints a message on standard error. It is one write, so that messages of several threads do not
/// mix. Errors are ignored.
pub fn say(text: impl std::fmt::Display) {
    let mut text = text.to_string();
    if let Some((end, _)) = text.char_indices().nth(LONGEST) {
        text.truncate(end);
        text.push('…');
    }
    let _ = std::io::stderr().write_all(visible_text(&format!("{text}\n")).as_bytes());
}

/// The maximum number of characters of a message; a malicious file could otherwise flood the screen.
const LONGEST: usize = 4000;

/// Prints human-readable text with control characters escaped.
pub fn print(out: &mut impl Write, text: &str) -> Result<()> {
    Ok(out.write_all(visible_text(text).as_bytes())?)
}

/// Returns an error and its causes in one line, with flags for parameters. A cause that the text already
/// contains is not repeated.
pub fn error_message(error: &anyhow::Error) -> String {
    let mut causes = error.chain().map(message_of);
    let mut text = causes.next().unwrap_or_default();
    for cause in causes {
        // Long causes may be shortened in the text.
        let beginning: String = cause.chars().take(150).collect();
        if !text.contains(&beginning) {
            text.push(message!(": ", cause));
        }
    }
    with_flags(&text)
}

/// Writes one JSON object as a line.
pub fn json_line(out: &mut impl Write, object: &Value) -> Result<()> {
    writeln!(out, "{object}")?;
    Ok(())
}

/// Returns whether an error means that the reader of standard output closed the pipe.
pub fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<std::io::Error>())
        .any(|error| error.kind() == ErrorKind::BrokenPipe)
}

/// Returns a rate with three digits and a unit prefix, for example 358 M or 1.19 T.
pub fn rate(number: f64) -> String {
    let (scale, unit) = match number {
        number if number >= 1e12 => (1e12, " T"),
        number if number >= 1e9 => (1e9, " G"),
        number if number >= 1e6 => (1e6, " M"),
        number if number >= 1e3 => (1e3, " k"),
        _ => (1.0, ""),
    };
    let number = number / scale;
    let digits = if number >= 100.0 {
        0
    } else if number >= 10.0 {
        1
    } else {
        2
    };
    format!("{number:.digits$}{unit}")
}

/// Returns a number with a noun, as in `1 rule` or `1,200 rules`.
#[must_use]
pub fn counted(number: usize, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", grouped(number as u64))
}

/// Returns seconds as a duration, such as `2 min 5 s`.
#[must_use]
pub fn duration(seconds: f64) -> String {
    if seconds < 10.0 {
        return format!("{seconds:.1} s");
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a duration")]
    let whole = seconds.round() as u64;
    match whole {
        ..60 => format!("{whole} s"),
        60..3600 => format!("{} min {} s", whole / 60, whole % 60),
        _ => format!("{} h {} min", whole / 3600, whole % 3600 / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pellucid::learn::params::ParamError;
    use pellucid::registry;

    #[test]
    fn causes_are_not_repeated() {
        let full = || std::io::Error::other("disk full");
        assert_eq!(error_message(&anyhow::Error::new(full()).context("x.csv")), "x.csv: disk full");
        let nested = anyhow::Error::new(full())
            .context("cannot write: disk full; try again")
            .context("x.csv");
        assert_eq!(error_message(&nested), "x.csv: cannot write: disk full; try again");
    }

    #[test]
    fn parameters_of_causes_become_flags() {
        let problem = ParamError::with_problem("merge_rare", "the data has no classes");
        let error = anyhow::Error::new(registry::Error::Param(problem)).context("x.csv");
        assert_eq!(error_message(&error), "x.csv: --merge-rare: the data has no classes");
    }

    #[test]
    fn formats_numbers() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1_000), "1,000");
        assert_eq!(grouped(12_345_678), "12,345,678");
        assert_eq!(rate(1.186e12), "1.19 T");
        assert_eq!(rate(358.9e6), "359 M");
        assert_eq!(rate(12.34), "12.3");
    }
}
