//! Help, `pellucid completions` and `pellucid man`.

use anyhow::{Context, Result};
use clap::builder::StyledStr;
use pellucid_arguments::{CompletionsArgs, ManArgs, Shell};
use pellucid_terminal::ExitStatus;
use pellucid_terminal::out::{say, stdout};
use std::io::{IsTerminal as _, Write};

/// Prints help, with colors on a terminal.
pub(crate) fn help(text: &StyledStr) -> Result<ExitStatus> {
    let mut out = stdout();
    match std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none() {
        true => write!(out, "{}", text.ansi())?,
        false => write!(out, "{text}")?,
    }
    out.flush()?;
    Ok(ExitStatus::Done)
}

pub(crate) fn completions(args: &CompletionsArgs) -> Result<ExitStatus> {
    let shell = match args.shell {
        Shell::Bash => clap_complete::Shell::Bash,
        Shell::Elvish => clap_complete::Shell::Elvish,
        Shell::Fish => clap_complete::Shell::Fish,
        Shell::Powershell => clap_complete::Shell::PowerShell,
        Shell::Zsh => clap_complete::Shell::Zsh,
    };
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut pellucid_arguments::command(), "pellucid", &mut script);
    let mut out = stdout();
    out.write_all(&script)?;
    out.flush()?;
    Ok(ExitStatus::Done)
}

pub(crate) fn man_pages(args: &ManArgs) -> Result<ExitStatus> {
    let Some(folder) = &args.folder else {
        let mut out = stdout();
        clap_mangen::Man::new(pellucid_arguments::command()).render(&mut out)?;
        out.flush()?;
        return Ok(ExitStatus::Done);
    };
    std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    clap_mangen::generate_to(pellucid_arguments::command(), folder)
        .with_context(|| folder.display().to_string())?;
    say(format_args!(
        "wrote the manual pages to {0}; read one with: man -l {0}/pellucid.1",
        folder.display()
    ));
    Ok(ExitStatus::Done)
}
