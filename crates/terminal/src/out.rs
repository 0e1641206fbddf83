//! Standard output for data, standard error for messages.

use crate::visible::EscapingWriter;
use anyhow::{Context, Result, anyhow};
use pellucid::concepts::scale::ScaleError;
use pellucid::data::visible_text;
use pellucid::files::Replacement;
use pellucid::io::ReadError;
use pellucid::logic::kb::KbError;
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

/// Returns an error and its causes in one line. A cause that the text already contains is not
/// repeated, and a limit is named by its flag.
pub fn error_message(error: &anyhow::Error) -> String {
    let mut text = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        // Long causes may be shortened in the text.
        let beginning: String = cause.chars().take(150).collect();
        if !text.contains(&beginning) {
            text = format!("{text}: {cause}");
        }
    }
    let text = parameters_as_flags(&text);
    match error.chain().find_map(exceeded_limit) {
        None => text,
        Some((name, flag)) => text.replace(name, flag),
    }
}

/// Replaces the names of parameters in backticks, as in `missing n/a`, by their flags, as in
/// `--missing n/a`. Notes and errors of the library use the names of parameters.
pub fn parameters_as_flags(text: &str) -> String {
    const PARAMETERS: [&str; 19] = [
        "bag",
        "bags",
        "date",
        "decimal",
        "delimiter",
        "encoding",
        "exclude",
        "header",
        "id",
        "ignore",
        "keep",
        "key",
        "labels_by_position",
        "missing",
        "no_header",
        "nominal",
        "numeric",
        "target",
        "thousands",
    ];
    let mut out = String::with_capacity(text.len());
    for (place, piece) in text.split('`').enumerate() {
        if place > 0 {
            out.push('`');
        }
        let (name, value) = piece.split_once(' ').unwrap_or((piece, ""));
        // Every other piece is between backticks.
        if place % 2 == 0 || !PARAMETERS.contains(&name) {
            out.push_str(piece);
            continue;
        }
        out.push_str("--");
        out.push_str(&name.replace('_', "-"));
        if !value.is_empty() {
            out.push(' ');
            let plain = |letter: char| letter.is_alphanumeric() || "-_.,=%/:".contains(letter);
            if value.chars().all(plain) {
                out.push_str(value);
            } else {
                out.push_str(&format!("'{value}'"));
            }
        }
    }
    out
}

/// Returns the limit that an error is about: its name in the library and its flag.
fn exceeded_limit(
    error: &(dyn std::error::Error + 'static),
) -> Option<(&'static str, &'static str)> {
    if let Some(KbError::TooManyEdges { .. }) = error.downcast_ref() {
        return Some(("edge_limit", "--max-edges"));
    }
    if let Some(ScaleError::TooMany { .. }) = error.downcast_ref() {
        return Some(("most_crosses", "--max-crosses"));
    }
    let limit = error.downcast_ref::<ReadError>()?.problem.limit()?;
    let flags = ["--max-bytes", "--max-line-bytes", "--max-expansion", "--max-columns"];
    let flag = flags.into_iter().find(|flag| flag[2..].replace('-', "_") == limit)?;
    Some((limit, flag))
}

/// Returns an error of the library with the parameter at its start (`gpu_load: …`) replaced by its
/// flag (`--gpu-load: …`). Other errors are returned unchanged.
pub fn flag_error<E: std::error::Error + Send + Sync + 'static>(error: E) -> anyhow::Error {
    let text = error.to_string();
    match text.split_once(": ") {
        Some((name, rest)) if !name.is_empty() && name.chars().all(is_parameter) => {
            anyhow!("--{}: {rest}", name.replace('_', "-"))
        }
        _ => error.into(),
    }
}

fn is_parameter(letter: char) -> bool {
    letter.is_ascii_lowercase() || letter == '_'
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

/// Returns a number with thousands separators.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
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

#[cfg(test)]
mod tests {
    use super::*;

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
    fn parameters_become_flags() {
        assert_eq!(
            parameters_as_flags(
                "a `missing not known` b `labels_by_position`, `date d=%d.%m.%Y` and `other`"
            ),
            "a `--missing 'not known'` b `--labels-by-position`, `--date d=%d.%m.%Y` and `other`"
        );
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
