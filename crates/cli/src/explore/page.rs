//! The page that asks the questions in a browser.

use crate::command_line;
use crate::models::report::named;
use anyhow::{Context as _, Result};
use pellucid::concepts::exploration::Exploration;
use pellucid::report::exploration::{SessionSource, page};
use pellucid::report::page::Provenance;
use pellucid::reports;
use pellucid_arguments::{ExploreArgs, is_standard};
use pellucid_terminal::ExitStatus;
use pellucid_terminal::out::{counted, say, to_file_or_stdout};
use std::path::Path;

/// Writes the page.
pub(super) fn write(
    args: &ExploreArgs,
    exploration: &Exploration,
    session: &Path,
    html: &Path,
) -> Result<ExitStatus> {
    let source = SessionSource {
        path: session.to_owned(),
        command: command_line::shown_without(&["--html", "--expert"], &["--restart"]),
    };
    let from = Provenance {
        date: Some(reports::today()),
        command: command_line::shown(),
        model: None,
        data: Some(named(&args.context.path)),
    };
    let page = page(exploration, &source, env!("CARGO_PKG_VERSION"), &from)
        .with_context(|| args.context.path.display().to_string())?;
    to_file_or_stdout(html, |out| Ok(out.write_all(page.as_bytes())?))?;
    if !args.quiet && !is_standard(html) {
        let answers = counted(exploration.answers().len(), "answer");
        say(format_args!("wrote {} after {answers}; open it in a browser", html.display()));
    }
    Ok(ExitStatus::Done)
}
