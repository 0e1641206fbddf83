//! `pellucid evaluate`: the engine for other programs.
//!
//! Expressions come in, one a line, and counts go out, one object a line, in the same order. Lines that are already there
//! are evaluated together; when the input pauses, what came so far is answered, so a program may also ask one question at
//! a time. Memory does not grow with the number of lines.

use crate::Outcome;
use crate::args::{EvaluateArgs, HypothesisArg};
use crate::data::{Loaded, load};
use crate::out::{json_line, say, stdout};
use anyhow::{Context, Result, bail};
use pellucid::engine::{Hypothesis, ProgramId, Session};
use serde_json::{Value, json};
use std::fmt::Display;
use std::fs::File;
use std::io::{BufRead, BufReader, IsTerminal, Read, Write};
use std::path::Path;
use std::time::Instant;

/// Lines evaluated together at most.
const BATCH: usize = 4096;
/// The longest line.
const LINE_BYTES: u64 = 1 << 20;
/// The most bits of covered rows held at a time.
const COVER_BITS: usize = 1 << 29;
/// Parts of programs kept before the pool starts anew.
const POOL: usize = 1 << 18;

pub(crate) fn run(args: &EvaluateArgs) -> Result<Outcome> {
    let start = Instant::now();
    if args.data.path == Path::new("-") && args.hypotheses == Path::new("-") {
        bail!("data and hypotheses cannot both come from standard input");
    }
    // What can be wrong at once is told at once, before a large file is read.
    let machine = args.machine.machine(args.quiet)?;
    let (source, source_name): (Box<dyn Read>, String) = if args.hypotheses == Path::new("-") {
        (Box::new(std::io::stdin()), "hypotheses from standard input".to_owned())
    } else {
        let name = args.hypotheses.display().to_string();
        (Box::new(File::open(&args.hypotheses).with_context(|| name.clone())?), name)
    };
    let Loaded { table, labels, classes } = load(&args.data, args.quiet)?;
    let hypothesis = match args.hypothesis {
        Some(HypothesisArg(hypothesis)) => hypothesis,
        None if labels.bags.is_some() => Hypothesis::Presence,
        None => Hypothesis::Rows,
    };
    let labels = match (hypothesis, labels.bags) {
        (Hypothesis::Rows, _) => labels.rows,
        (_, Some(bags)) => bags,
        (_, None) => bail!(
            "{}: there are no bags for --hypothesis to count; name their column with --bag, or count rows",
            args.data.path.display()
        ),
    };
    let most_covered = (COVER_BITS / table.rows().max(1)).clamp(1, BATCH);
    let session = machine.session(table, labels, hypothesis)?;
    // Names of classes as JSON writes them, once for all answers.
    let classes = classes.into_iter().map(|class| Value::from(class).to_string()).collect();
    let mut evaluator = Evaluator { session, classes, cover: args.cover, line: 0, errors: 0 };

    if args.hypotheses == Path::new("-") && std::io::stdin().is_terminal() && !args.quiet {
        say("type expressions, one a line; the end of input (Ctrl-D) ends");
    }
    let mut input = BufReader::with_capacity(1 << 18, source);
    let mut out = stdout();
    let mut lines = Vec::with_capacity(BATCH);
    while read_batch(&mut input, &mut lines).with_context(|| source_name.clone())? {
        for lines in lines.chunks(if args.cover { most_covered } else { BATCH }) {
            evaluator.answer(lines, &mut out)?;
        }
        out.flush()?;
    }
    if args.json {
        let evaluated = evaluator.line - evaluator.errors;
        let seconds = start.elapsed().as_secs_f64();
        json_line(
            &mut out,
            &json!({ "evaluated": evaluated, "errors": evaluator.errors, "seconds": seconds }),
        )?;
        out.flush()?;
    }
    if evaluator.errors > 0 {
        let (errors, lines) = (evaluator.errors, evaluator.line);
        say(format_args!(
            "pellucid: no expression on {errors} of {lines} lines; each of them was answered by an error"
        ));
        return Ok(Outcome::BadInput);
    }
    Ok(Outcome::Done)
}

/// A line of input, or why it cannot be one.
type Line = Result<String, String>;

/// Reads at least one line, and as many more as are there without waiting. False at the end of the input.
fn read_batch(input: &mut BufReader<impl Read>, lines: &mut Vec<Line>) -> std::io::Result<bool> {
    lines.clear();
    while let Some(line) = read_line(input)? {
        lines.push(line);
        if lines.len() == BATCH || !input.buffer().contains(&b'\n') {
            break;
        }
    }
    Ok(!lines.is_empty())
}

fn read_line(input: &mut impl BufRead) -> std::io::Result<Option<Line>> {
    let mut bytes = Vec::new();
    input.take(LINE_BYTES + 1).read_until(b'\n', &mut bytes)?;
    if bytes.is_empty() {
        return Ok(None);
    }
    if bytes.len() as u64 > LINE_BYTES && bytes.last() != Some(&b'\n') {
        skip_line(input)?;
        return Ok(Some(Err(format!("the line is longer than {LINE_BYTES} bytes"))));
    }
    let line = String::from_utf8(bytes).map_err(|error| {
        let column = error.utf8_error().valid_up_to() + 1;
        format!("byte {column} is not UTF-8 text")
    });
    Ok(Some(line))
}

fn skip_line(input: &mut impl BufRead) -> std::io::Result<()> {
    loop {
        let buffer = input.fill_buf()?;
        let (length, ends) = match buffer.iter().position(|&byte| byte == b'\n') {
            Some(end) => (end + 1, true),
            None => (buffer.len(), buffer.is_empty()),
        };
        input.consume(length);
        if ends {
            return Ok(());
        }
    }
}

struct Evaluator {
    session: Session,
    /// As JSON strings.
    classes: Vec<String>,
    cover: bool,
    line: u64,
    errors: u64,
}

impl Evaluator {
    /// Answers lines, in order.
    fn answer(&mut self, lines: &[Line], out: &mut impl Write) -> Result<()> {
        if self.session.programs().len() > POOL {
            self.session.forget_programs();
        }
        let first = self.line == 0;
        let programs = self.session.programs_mut();
        let parsed: Vec<Result<ProgramId, String>> = lines
            .iter()
            .enumerate()
            .map(|(index, line)| {
                let text = line.as_ref().map_err(Clone::clone)?;
                // Some editors begin a file with a byte order mark.
                let text = if first && index == 0 {
                    text.trim_start_matches('\u{feff}').trim()
                } else {
                    text.trim()
                };
                if text.is_empty() {
                    return Err("the line is empty; write 'true' for everything".to_owned());
                }
                programs.parse(text).map_err(|error| error.to_string())
            })
            .collect();
        let roots: Vec<ProgramId> = parsed.iter().flatten().copied().collect();
        let tallies = self.session.tally(&roots)?;
        let covered = if self.cover { Some(self.session.cover(&roots)?) } else { None };
        // Written by hand so that a person finds the parts in a sensible order, the classes in theirs.
        let mut index = 0;
        for program in parsed {
            self.line += 1;
            write!(out, "{{\"line\":{}", self.line)?;
            match program {
                Err(error) => {
                    self.errors += 1;
                    write!(out, ",\"error\":{}", Value::from(error))?;
                }
                Ok(program) => {
                    let counts = self.classes.iter().zip(tallies.of(index));
                    separated(
                        out,
                        ",\"counts\":{",
                        counts.map(|(class, count)| format!("{class}:{count}")),
                        "}",
                    )?;
                    write!(out, ",\"nodes\":{}", self.session.programs().size(program))?;
                    if let Some(covered) = &covered {
                        separated(out, ",\"rows\":[", covered.ones(index), "]")?;
                    }
                    index += 1;
                }
            }
            out.write_all(b"}\n")?;
        }
        Ok(())
    }
}

/// Writes items with commas between them.
fn separated(
    out: &mut impl Write,
    open: &str,
    items: impl Iterator<Item: Display>,
    close: &str,
) -> std::io::Result<()> {
    out.write_all(open.as_bytes())?;
    for (index, item) in items.enumerate() {
        let comma = if index > 0 { "," } else { "" };
        write!(out, "{comma}{item}")?;
    }
    out.write_all(close.as_bytes())
}
