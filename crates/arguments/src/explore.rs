use super::{ContextArgs, ImplicationsFormat};
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_long_help = "\
Asks whether an implication that all objects of the context satisfy is true of
every object there is. Answers are lines on standard input:
  yes                    it is true
  no NAME: A, B, …       it is not: NAME has the premise and A, B, …, and lacks
                         part of the conclusion; NAME becomes an object
  unknown                leave the question for another expert
  undo                   take back the last answer
  expert NAME            another expert answers from here on
  list                   show the accepted implications
  quit                   stop; the same command continues later
Names with commas, colons or quotes are written in double quotes, as in JSON.
A counterexample that contradicts an accepted implication is refused.

The session is saved after every answer. When nothing is left to ask, every
implication that is true follows from the stem base, which is written to --out,
and --write saves the context with all counterexamples.

With --html, a page asks the questions instead. It starts after the answers of the
session, and saves sessions that this command continues.

Examples:
  pellucid explore animals.cxt --write animals-complete.cxt
  pellucid explore animals.cxt --expert ann --session animals.json
  pellucid explore animals.cxt --html animals.html
  printf 'no bat: flies\\nyes\\n' | pellucid explore animals.cxt --json")]
pub struct ExploreArgs {
    #[command(flatten)]
    pub context: ContextArgs,
    /// File of the session; if it exists, it is continued [default: CONTEXT.session.json]
    #[arg(long, value_name = "FILE")]
    pub session: Option<PathBuf>,
    /// Begin again, even if the session exists
    #[arg(long)]
    pub restart: bool,
    /// Name of the expert who answers [default: that of the session, or 'expert']
    #[arg(long, value_name = "NAME")]
    pub expert: Option<String>,
    /// Write a page that asks the questions in a browser, and ask nothing here
    #[arg(
        long,
        value_name = "FILE|-",
        conflicts_with_all = ["out", "format", "json", "write"]
    )]
    pub html: Option<PathBuf>,
    /// Output file for the stem base ('-' for standard output)
    #[arg(long, short, default_value = "-", hide_default_value = true, value_name = "FILE|-")]
    pub out: PathBuf,
    /// Format of the stem base
    #[arg(long, value_enum, default_value_t = ImplicationsFormat::Text, value_name = "FORMAT")]
    pub format: ImplicationsFormat,
    /// Append a summary object: implications, objects, answers, whether it is finished
    #[arg(long)]
    pub json: bool,
    /// Print questions without hints
    #[arg(long, short)]
    pub quiet: bool,
}
