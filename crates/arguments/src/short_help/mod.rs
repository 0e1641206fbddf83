//! The short help of each command, which `-h` prints: the flags that people need first, and
//! examples. It fits on a screen of 40 lines. `--help` lists all flags in groups, and `--help-all` adds all
//! details.

mod commands;
mod flags;
mod levels;

pub use levels::requested_help;

use clap::{Arg, Command, CommandFactory};
use commands::SHORT;
use flags::{CV, Flags, LEARN, ONTOLOGY, TABLE};

/// The flags in the short help of a command, and its examples.
struct ShortHelp {
    /// The command without the name of the program, for example `learn rules`.
    command: &'static str,
    /// The flags to show; all if there are none.
    flags: &'static [Flags],
    examples: &'static [&'static str],
}

/// Returns the command line of `pellucid` with a short help for each command.
pub fn command() -> Command {
    levels::with_help_flags(shorten(crate::Cli::command(), ""))
}

/// The short help of a learner that is not listed: its data and the flags of the command.
const OTHER_LEARNER: ShortHelp =
    ShortHelp { command: "", flags: &[TABLE, ONTOLOGY, LEARN, CV], examples: &[] };

fn shorten(command: Command, path: &str) -> Command {
    let command = command.mut_subcommands(|below| {
        let path = format!("{path} {}", below.get_name());
        shorten(below, path.trim_start())
    });
    let listed = SHORT.iter().find(|short| short.command == path);
    let Some(short) = listed.or_else(|| path.contains(' ').then_some(&OTHER_LEARNER)) else {
        return command;
    };
    let command = match short.flags {
        [] => command,
        flags => command.mut_args(|flag| shorten_flag(flag, flags)),
    };
    if short.examples.is_empty() {
        return command;
    }
    // Without a long form, `--help` would print the short one.
    let long = command.get_after_long_help().or(command.get_after_help()).cloned();
    let examples: String =
        short.examples.iter().map(|example| format!("\n  pellucid {example}")).collect();
    let title = if short.examples.len() == 1 { "Example" } else { "Examples" };
    let command = command.after_help(format!("{title}:{examples}"));
    match long {
        Some(long) => command.after_long_help(long),
        None => command,
    }
}

fn shorten_flag(flag: Arg, flags: &[Flags]) -> Arg {
    let listed = flags.iter().copied().flatten().find(|(id, _)| *id == flag.get_id().as_str());
    match listed {
        None if flag.is_positional() => flag,
        None => flag.hide_short_help(true),
        Some((_, "")) => flag,
        Some((_, text)) => {
            let long = flag.get_long_help().or(flag.get_help()).cloned().unwrap_or_default();
            flag.help(*text).long_help(long)
        }
    }
}
