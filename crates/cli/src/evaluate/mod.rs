//! `pellucid evaluate`: the engine for other programs.
//!
//! Expressions come in, one a line, and counts go out, one object a line, in the same order. Lines that are already there
//! are evaluated together; when the input pauses, what came so far is answered, so a program may also ask one question at
//! a time. Memory does not grow with the number of lines.
//!
//! What an expression is depends on the data: a formula over columns of a [`table`], or a class expression over an
//! [`ontology`].

mod lines;
mod ontology;
mod table;

use crate::Outcome;
use crate::args::EvaluateArgs;
use crate::logic::files::is_ontology;
use crate::out::{json_line, say, stdout};
use anyhow::{Context, Result, bail};
use lines::{BATCH, Line, Lines};
use serde_json::{Value, json};
use std::fmt::Display;
use std::fs::File;
use std::io::{IsTerminal, Read, Write};
use std::path::Path;
use std::time::Instant;

/// The most bits of covered rows or individuals held at a time.
const COVER_BITS: usize = 1 << 29;
/// Parts of programs kept before the pool starts anew.
const POOL: usize = 1 << 18;

/// Data that lines are asked of.
trait Evaluator {
    /// How many lines may be answered together.
    fn together(&self) -> usize;

    /// Answers lines, in order.
    fn answer(&mut self, lines: &[Line]) -> Result<Vec<Answer>>;
}

/// What a line is answered by: the members of an object after its number, or why there are none.
type Answer = Result<String, String>;

pub(crate) fn run(args: &EvaluateArgs) -> Result<Outcome> {
    let start = Instant::now();
    let from_pipe = args.hypotheses == Path::new("-");
    if args.data.path == Path::new("-") && from_pipe {
        bail!("data and hypotheses cannot both come from standard input");
    }
    // What can be wrong at once is told at once, before a large file is read.
    let machine = args.machine.machine(args.quiet)?;
    let (source, source_name): (Box<dyn Read>, String) = if from_pipe {
        (Box::new(std::io::stdin()), "hypotheses from standard input".to_owned())
    } else {
        let name = args.hypotheses.display().to_string();
        (Box::new(File::open(&args.hypotheses).with_context(|| name.clone())?), name)
    };
    let mut evaluator: Box<dyn Evaluator> = if args.logic.is_typed() || is_ontology(&args.data.path)
    {
        Box::new(ontology::OntologyEvaluator::new(args, &machine)?)
    } else {
        Box::new(table::TableEvaluator::new(args, &machine)?)
    };
    if from_pipe && std::io::stdin().is_terminal() && !args.quiet {
        say("type expressions, one a line; the end of input (Ctrl-D) ends");
    }
    let mut input = Lines::new(source);
    let mut out = stdout();
    let mut lines = Vec::with_capacity(BATCH);
    let (mut line, mut errors) = (0u64, 0u64);
    while input.read_batch(&mut lines).with_context(|| source_name.clone())? {
        for lines in lines.chunks(evaluator.together()) {
            for answer in evaluator.answer(lines)? {
                line += 1;
                match answer {
                    Ok(members) => writeln!(out, "{{\"line\":{line},{members}}}")?,
                    Err(error) => {
                        errors += 1;
                        writeln!(out, "{{\"line\":{line},\"error\":{}}}", Value::from(error))?;
                    }
                }
            }
        }
        out.flush()?;
    }
    if args.json {
        let seconds = start.elapsed().as_secs_f64();
        let summary = json!({ "evaluated": line - errors, "errors": errors, "seconds": seconds });
        json_line(&mut out, &summary)?;
        out.flush()?;
    }
    if errors > 0 {
        say(format_args!(
            "pellucid: no expression on {errors} of {line} lines; each of them was answered by an error"
        ));
        return Ok(Outcome::BadInput);
    }
    Ok(Outcome::Done)
}

/// The text of a line; `everything` is what may be written where nothing is asked.
fn text<'l>(line: &'l Line, everything: &str) -> Result<&'l str, String> {
    let text = line.as_ref().map_err(Clone::clone)?.trim();
    if text.is_empty() {
        return Err(format!("the line is empty; write '{everything}' for everything"));
    }
    Ok(text)
}

/// Adds items with commas between them.
fn separated(out: &mut String, open: &str, items: impl Iterator<Item: Display>, close: char) {
    use std::fmt::Write as _;
    out.push_str(open);
    for (index, item) in items.enumerate() {
        if index > 0 {
            out.push(',');
        }
        // A string takes whatever is written into it.
        let _ = write!(out, "{item}");
    }
    out.push(close);
}

/// How many lines are answered together where what they cover is listed too.
fn together(cover: bool, rows: usize) -> usize {
    if cover { (COVER_BITS / rows.max(1)).clamp(1, BATCH) } else { BATCH }
}
