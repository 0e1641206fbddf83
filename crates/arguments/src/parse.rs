//! Parses the command line.

use super::{
    Cli, CompareArgs, ConceptsArgs, DescribeArgs, DevicesArgs, ExploreArgs, ImplicationsArgs,
    LatticeArgs, MonitorArgs, PredictArgs, ReportArgs, ShowArgs, command,
};
use clap::{ArgMatches, Args as _, Command, FromArgMatches as _};
use std::ffi::OsString;

/// Parses the arguments, the first of which is the name of the program. Help and invalid arguments
/// end the process.
#[must_use]
pub fn parse(arguments: &[OsString]) -> Cli {
    let whole = || command().get_matches_from(arguments);
    let matches = parse_alone(arguments).unwrap_or_else(whole);
    Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
}

/// Parses the arguments with the one command that they name: to set up all commands takes longer than
/// most small searches. Returns nothing if that fails, because errors and help are about all commands.
fn parse_alone(arguments: &[OsString]) -> Option<ArgMatches> {
    let name = arguments.get(1)?.to_str()?;
    let alone = Command::new(name.to_owned());
    let alone = match name {
        "devices" => DevicesArgs::augment_args(alone),
        "describe" => DescribeArgs::augment_args(alone),
        "predict" => PredictArgs::augment_args(alone),
        "show" => ShowArgs::augment_args(alone),
        "report" => ReportArgs::augment_args(alone),
        "compare" => CompareArgs::augment_args(alone),
        "monitor" => MonitorArgs::augment_args(alone),
        "concepts" => ConceptsArgs::augment_args(alone),
        "lattice" => LatticeArgs::augment_args(alone),
        "implications" => ImplicationsArgs::augment_args(alone),
        "explore" => ExploreArgs::augment_args(alone),
        _ => return None,
    };
    Command::new("pellucid").subcommand(alone).try_get_matches_from(arguments).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_alone_is_parsed_as_among_all() {
        let lines = [
            "devices --json",
            "describe a.csv --json",
            "predict model.json a.csv --explain",
            "show model.json",
            "report model.json a.csv --out r.html",
            "compare a.json b.json c.csv",
            "monitor model.json a.csv",
            "concepts a.cxt --count --threads 3 --min-support 5%",
            "lattice a.cxt --svg -",
            "implications a.cxt --rules",
            "explore a.cxt",
        ];
        for line in lines {
            let words = format!("pellucid {line}");
            let words: Vec<OsString> = words.split(' ').map(OsString::from).collect();
            let Some(alone) = parse_alone(&words) else { panic!("{line}") };
            let whole = command().try_get_matches_from(&words).unwrap();
            let [alone, whole] = [alone, whole].map(|matches| {
                let cli = Cli::from_arg_matches(&matches).unwrap();
                format!("{cli:?}")
            });
            assert_eq!(alone, whole);
        }
    }

    #[test]
    fn errors_help_and_other_commands_need_all_commands() {
        for line in
            ["concepts", "concepts -h", "concepts a --no-such", "learn rules a.csv", "-V", ""]
        {
            let words: Vec<OsString> =
                ["pellucid"].into_iter().chain(line.split(' ')).map(OsString::from).collect();
            assert!(parse_alone(&words).is_none(), "{line}");
        }
    }
}
