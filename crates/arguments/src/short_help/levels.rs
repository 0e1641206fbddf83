//! The three levels of help: `-h` prints the flags that people need first, `--help` all flags in groups with
//! a line or two each, and `--help-all` everything there is to say, also about the commands below.

use clap::builder::StyledStr;
use clap::{Arg, ArgAction, Command, CommandFactory};
use std::ffi::OsString;

/// The flag that prints everything.
const ALL: &str = "--help-all";

/// Adds the flags of help to a command and to those below it.
pub(super) fn with_help_flags(command: Command) -> Command {
    let command = command.mut_subcommands(with_help_flags);
    let help = Arg::new("help").short('h').long("help").action(ArgAction::Help);
    let help = help.help("Print help; -h: the main flags, --help: all flags");
    let all = Arg::new("help-all").long("help-all").action(ArgAction::SetTrue);
    let all = all.help("Print all flags with all details, also of the commands below");
    command.disable_help_flag(true).args([help, all.hide_short_help(true)])
}

/// Returns the help that the arguments ask for by `--help`, `--help-all` or `help COMMAND`. The first
/// argument is the name of the program. Short help is left to the parser.
#[must_use]
pub fn requested_help(arguments: &[OsString]) -> Option<StyledStr> {
    let words: Vec<&str> = arguments
        .iter()
        .skip(1)
        .map_while(|word| word.to_str())
        .take_while(|word| *word != "--")
        .collect();
    let is_all = words.contains(&ALL);
    let names = match words.split_first() {
        Some((&"help", names)) => names,
        _ if is_all || words.contains(&"--help") => &words[..],
        _ => return None,
    };
    let root = with_help_flags(crate::Cli::command());
    let mut path = Vec::new();
    let mut command = &root;
    for name in names {
        match command.find_subcommand(name) {
            Some(below) => command = below,
            None => break,
        }
        path.push(*name);
    }
    // The parser knows what to say about `help` with an unknown command.
    let is_unknown = words.first() == Some(&"help") && path.len() < names.len();
    (!is_unknown).then(|| if is_all { all(root.clone(), &path) } else { listed(root, &path) })
}

/// Returns all flags of a command in groups.
fn listed(root: Command, path: &[&str]) -> StyledStr {
    let mut root = change(root, path, &|command: Command| {
        let command = command.mut_args(|flag| flag.hide_short_help(false));
        let about = command.get_long_about().cloned();
        let command = match about {
            Some(about) => command.about(about),
            None => command,
        };
        match command.get_after_long_help().cloned() {
            Some(after) => command.after_help(after),
            None => command,
        }
    });
    root.build();
    find(&mut root, path).render_help()
}

/// Returns the long help of a command and of all commands below it.
fn all(mut root: Command, path: &[&str]) -> StyledStr {
    root.build();
    let mut texts = Vec::new();
    collect(find(&mut root, path), &mut texts);
    let mut text = StyledStr::new();
    for (number, one) in texts.into_iter().enumerate() {
        if number > 0 {
            let line = "─".repeat(80);
            text.push_str(&format!("\n{line}\n"));
        }
        text.push_str(&one.ansi().to_string());
    }
    text
}

fn collect(command: &mut Command, texts: &mut Vec<StyledStr>) {
    texts.push(command.render_long_help());
    for below in command.get_subcommands_mut().filter(|below| below.get_name() != "help") {
        collect(below, texts);
    }
}

fn change(command: Command, path: &[&str], how: &dyn Fn(Command) -> Command) -> Command {
    match path.split_first() {
        None => how(command),
        Some((name, rest)) => command.mut_subcommand(name, |below| change(below, rest, how)),
    }
}

fn find<'a>(command: &'a mut Command, path: &[&str]) -> &'a mut Command {
    path.iter().fold(command, |command, name| {
        // The path was found before.
        command.find_subcommand_mut(name).expect("a command of this name")
    })
}

#[cfg(test)]
mod tests {
    use super::requested_help;
    use std::ffi::OsString;

    fn help(line: &str) -> Option<String> {
        let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        requested_help(&words).map(|text| text.to_string())
    }

    #[test]
    fn only_long_help_is_answered() {
        for line in [
            "pellucid",
            "pellucid learn -h",
            "pellucid learn rules a.csv",
            "pellucid show -- --help",
        ] {
            assert_eq!(help(line), None, "{line}");
        }
        assert_eq!(help("pellucid help nonsense"), None);
    }

    #[test]
    fn a_command_has_three_levels() {
        let listed = help("pellucid learn rules --help").expect("help");
        assert_eq!(help("pellucid help learn rules"), Some(listed.clone()));
        assert_eq!(help("pellucid learn rules a.csv --seed 1 --help"), Some(listed.clone()));
        let all = help("pellucid learn rules --help-all").expect("help");
        assert!(listed.contains("Usage: pellucid learn rules"), "{listed}");
        assert!(all.lines().count() > listed.lines().count(), "{all}");
        // Commands below are included.
        let all = help("pellucid generate --help-all").expect("help");
        for name in ["generate", "generate multiplexer", "generate context"] {
            assert!(all.contains(&format!("Usage: pellucid {name}")), "{name}: {all}");
        }
    }
}
