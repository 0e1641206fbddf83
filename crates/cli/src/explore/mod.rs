//! `pellucid explore`: attribute exploration on standard input, or as a page for a browser.

mod dialog;
mod page;

use crate::{context, implications};
use anyhow::{Context as _, Result, bail};
use dialog::{Dialog, Ended};
use pellucid::concepts::consequences::Consequences;
use pellucid::concepts::exploration::Exploration;
use pellucid::data::Context;
use pellucid::files::Replacement;
use pellucid_arguments::{ExploreArgs, is_standard};
use pellucid_terminal::ExitStatus;
use pellucid_terminal::out::{counted, json_line, say, stdout, to_file_or_stdout};
use serde_json::json;
use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The default name of an expert.
const EXPERT: &str = "expert";

pub(crate) fn run(args: &ExploreArgs) -> Result<ExitStatus> {
    if is_standard(&args.context.path) {
        match args.html {
            None => bail!("the context cannot come from standard input, which carries the answers"),
            Some(_) => {
                bail!("the context cannot come from standard input; a session needs its file")
            }
        }
    }
    let session = session_path(args);
    let files = context::files(&args.context);
    let files = match &args.html {
        None => files.writes("--session", Some(&session)).writes("--out", Some(&args.out)),
        Some(html) => files.reads("the session", Some(&session)).writes("--html", Some(html)),
    };
    context::check(&args.context, &files)?;
    let context = context::read(&args.context, None, args.quiet)?;
    check_names(&context).with_context(|| args.context.path.display().to_string())?;
    let mut exploration = begin(args, &session, context)?;
    if let Some(html) = &args.html {
        return page::write(args, &exploration, &session, html);
    }
    let mut save = |exploration: &Exploration| save(exploration, &session);
    let ended = Dialog::new(args.quiet).run(&mut exploration, &mut save)?;
    finish(args, &exploration, ended, &session)
}

/// Returns the file of the session: beside the context unless a flag names it.
fn session_path(args: &ExploreArgs) -> PathBuf {
    args.session.clone().unwrap_or_else(|| {
        let mut name = args.context.path.clone().into_os_string();
        name.push(".session.json");
        name.into()
    })
}

/// Answers name attributes, so each name must be there once.
fn check_names(context: &Context) -> Result<()> {
    let mut seen = BTreeSet::new();
    for name in context.attributes.iter() {
        if !seen.insert(name.clone()) {
            bail!("two attributes are named '{name}'; expected different names");
        }
    }
    Ok(())
}

/// Begins or continues.
fn begin(args: &ExploreArgs, session: &Path, context: Context) -> Result<Exploration> {
    if args.restart || !session.exists() {
        let expert = args.expert.as_deref().unwrap_or(EXPERT);
        return Ok(Exploration::new(context, expert));
    }
    let shown = || session.display().to_string();
    let text = std::fs::read_to_string(session).with_context(shown)?;
    let mut exploration = Exploration::from_json(&text).with_context(shown)?;
    if !exploration.is_of(&context) {
        bail!(
            "{}: the session is of another context; use --restart to begin again, or another --session",
            shown()
        );
    }
    if let Some(expert) = &args.expert {
        exploration.set_expert(expert);
    }
    if !args.quiet {
        let answers = counted(exploration.answers().len(), "answer");
        say(format_args!("continuing {} after {answers}", shown()));
    }
    Ok(exploration)
}

fn save(exploration: &Exploration, session: &Path) -> Result<()> {
    let write = || -> std::io::Result<()> {
        let mut file = Replacement::begin(session)?;
        file.write_all(exploration.to_json().as_bytes())?;
        file.finish()
    };
    write().with_context(|| session.display().to_string())
}

fn finish(
    args: &ExploreArgs,
    exploration: &Exploration,
    ended: Ended,
    session: &Path,
) -> Result<ExitStatus> {
    let is_finished = ended == Ended::Finished;
    let extended = exploration.context();
    let base = exploration.base();
    let implications = if is_finished { base.implications.len() } else { exploration.accepted() };
    if is_finished {
        let found = Consequences::Base(base);
        let format = implications::format(args.format);
        to_file_or_stdout(&args.out, |mut out| {
            Ok(found.write(format, &extended.attributes, &mut out)?)
        })?;
        context::write(&args.context, &extended)?;
    }
    if args.json {
        let mut out = stdout();
        let summary = json!({
            "implications": implications,
            "objects": extended.objects.len(),
            "attributes": extended.attributes.len(),
            "answers": exploration.answers().len(),
            "finished": is_finished,
        });
        json_line(&mut out, &summary)?;
        out.flush()?;
    }
    if !args.quiet {
        let objects = counted(extended.objects.len(), "object");
        let implications = counted(implications, "implication");
        let saved = format!("saved in {}", session.display());
        match ended {
            Ended::Finished => {
                say(format_args!("finished: {implications}, {objects}"));
            }
            Ended::Waiting => say(format_args!(
                "the remaining questions wait for another expert; {saved}, continue with --expert NAME"
            )),
            Ended::Quit => say(format_args!("{saved}; the same command continues")),
        }
    }
    Ok(if is_finished { ExitStatus::Done } else { ExitStatus::Incomplete })
}
