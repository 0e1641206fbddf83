//! Standard output for data, standard error for talk.

use crate::visible::{Visible, visible};
use anyhow::{Context, Result, anyhow};
use pellucid::concepts::scale::ScaleError;
use pellucid::data::as_spreadsheet_text;
use pellucid::files::Replacement;
use pellucid::io::ReadError;
use pellucid::logic::kb::KbError;
use pellucid_arguments::is_standard;
use serde_json::Value;
use std::borrow::Cow;
use std::io::{BufWriter, ErrorKind, IsTerminal, StdoutLock, Write};
use std::path::Path;

/// Standard output, buffered; flush it when a person or program waits for an answer.
pub(crate) fn stdout() -> BufWriter<Stdout> {
    BufWriter::with_capacity(1 << 16, Stdout(Shown::of(std::io::stdout().lock())))
}

/// Standard output, which says its name when something is wrong with it.
#[derive(Debug)]
pub(crate) struct Stdout(Shown<StdoutLock<'static>>);

/// Programs and files get data as it is, a terminal such that nothing in it is obeyed.
#[derive(Debug)]
enum Shown<W> {
    AsItIs(W),
    Visible(Visible<W>),
}

impl<W: Write + IsTerminal> Shown<W> {
    fn of(out: W) -> Shown<W> {
        if out.is_terminal() { Shown::Visible(Visible::new(out)) } else { Shown::AsItIs(out) }
    }
}

impl<W: Write> Write for Shown<W> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        match self {
            Shown::AsItIs(out) => out.write(bytes),
            Shown::Visible(out) => out.write(bytes),
        }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        match self {
            Shown::AsItIs(out) => out.flush(),
            Shown::Visible(out) => out.flush(),
        }
    }
}

/// Standard output for several threads that take turns with large pieces. Nobody may hold [`stdout`] meanwhile.
pub(crate) fn shared_stdout() -> impl Write + Send {
    SharedStdout(Shown::of(std::io::stdout()))
}

struct SharedStdout(Shown<std::io::Stdout>);

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

/// Writes to a file, all of it or nothing, or to standard output if its name is `-`.
pub(crate) fn to_file_or_stdout(
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

fn named(error: std::io::Error) -> std::io::Error {
    match error.kind() {
        ErrorKind::Interrupted => error,
        kind => std::io::Error::new(kind, format!("standard output: {error}")),
    }
}

/// Says something on standard error, in one write, so that nothing another thread says there gets between its words. If
/// nobody listens any more, so be it.
pub(crate) fn say(text: impl std::fmt::Display) {
    let mut text = text.to_string();
    if let Some((end, _)) = text.char_indices().nth(LONGEST) {
        text.truncate(end);
        text.push('…');
    }
    let _ = std::io::stderr().write_all(visible(&format!("{text}\n")).as_bytes());
}

/// The most letters that are said at once: no file makes a flood of a sentence.
const LONGEST: usize = 4000;

/// Prints a text for people, which is safe to show wherever it goes.
pub(crate) fn print(out: &mut impl Write, text: &str) -> Result<()> {
    Ok(out.write_all(visible(text).as_bytes())?)
}

/// An error and its causes in one line; a cause that its consequence already tells is not told twice. A limit that can be
/// raised is named as it is typed.
pub(crate) fn sentence(error: &anyhow::Error) -> String {
    let mut text = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        // Of what is endless the beginning is told, by the consequence, too.
        let beginning: String = cause.chars().take(150).collect();
        if !text.contains(&beginning) {
            text = format!("{text}: {cause}");
        }
    }
    let text = parameters_as_flags(&text);
    match error.chain().find_map(raisable) {
        None => text,
        Some((name, flag)) => text.replace(name, flag),
    }
}

/// The parameters of reading that notes and errors of the library name in backticks, `missing n/a`, as they are typed here:
/// `--missing n/a`.
pub(crate) fn parameters_as_flags(text: &str) -> String {
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
        // Every other piece stands between backticks.
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

/// The limit that an error is about, by its name in the library and as it is typed.
fn raisable(error: &(dyn std::error::Error + 'static)) -> Option<(&'static str, &'static str)> {
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

/// An error of the library that begins with the name of a parameter (`gpu_load: …`), with the name as it is typed here
/// (`--gpu-load: …`). Whatever begins otherwise stays as it is.
pub(crate) fn flagged<E: std::error::Error + Send + Sync + 'static>(error: E) -> anyhow::Error {
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

/// Writes one object on a line.
pub(crate) fn json_line(out: &mut impl Write, object: &Value) -> Result<()> {
    writeln!(out, "{object}")?;
    Ok(())
}

/// A value of a CSV file; one for a spreadsheet that begins like a formula is written as text.
pub(crate) fn quoted(text: &str, spreadsheet: bool) -> String {
    let safe = if spreadsheet { as_spreadsheet_text(text) } else { Cow::Borrowed(text) };
    let text = &*safe;
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

/// Whether whoever read our output went away, which is their right.
pub(crate) fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<std::io::Error>())
        .any(|error| error.kind() == ErrorKind::BrokenPipe)
}

/// A number with thousands separated, for people.
pub(crate) fn grouped(number: u64) -> String {
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

/// A rate with three digits and a unit people know: 358 M, 1.19 T.
pub(crate) fn rate(number: f64) -> String {
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
    fn causes_are_told_once() {
        let full = || std::io::Error::other("disk full");
        assert_eq!(sentence(&anyhow::Error::new(full()).context("x.csv")), "x.csv: disk full");
        let told = anyhow::Error::new(full())
            .context("cannot write: disk full; try again")
            .context("x.csv");
        assert_eq!(sentence(&told), "x.csv: cannot write: disk full; try again");
    }

    #[test]
    fn parameters_are_called_by_their_flags() {
        assert_eq!(
            parameters_as_flags(
                "a `missing not known` b `labels_by_position`, `date d=%d.%m.%Y` and `other`"
            ),
            "a `--missing 'not known'` b `--labels-by-position`, `--date d=%d.%m.%Y` and `other`"
        );
    }

    #[test]
    fn numbers_for_people() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1_000), "1,000");
        assert_eq!(grouped(12_345_678), "12,345,678");
        assert_eq!(rate(1.186e12), "1.19 T");
        assert_eq!(rate(358.9e6), "359 M");
        assert_eq!(rate(12.34), "12.3");
    }
}
