//! `pellucid describe`: the columns of a table, before training.

use crate::command_line;
use crate::data::{check_key, say_notes, source};
use crate::models::report::{file_name, named};
use anyhow::Result;
use pellucid::io::{Dataset, Description, examine, is_ontology};
use pellucid::prepare::check_target;
use pellucid::report::page::description_page;
use pellucid::reports;
use pellucid_arguments::{DescribeArgs, Destinations};
use pellucid_terminal::ExitStatus;
use pellucid_terminal::flags::with_flags;
use pellucid_terminal::out::{json_line, stdout, to_file_or_stdout};
use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;

pub(crate) fn run(args: &DescribeArgs) -> Result<ExitStatus> {
    anyhow::ensure!(
        !is_ontology(&args.data.path),
        "{} is an ontology; use 'pellucid show' to describe it",
        args.data.path.display()
    );
    let files = args.data.files(Destinations::default());
    files.writes("--html", args.html.as_deref()).check()?;
    let options = args.data.options();
    check_key(&options)?;
    let (mut description, data) = examine(source(&args.data)?, &options)?;
    // Training would report a problem with the target, so it is reported here, too.
    if let Some(Err(error)) = data.as_ref().map(check_target) {
        description.notes.push(with_flags(&error.message()).into());
    }
    if let Some(path) = &args.html {
        write_page(path, &args.data.path, &description, data.as_ref())?;
    }
    let mut out = stdout();
    if args.json {
        json_line(&mut out, &description.to_json())?;
    } else {
        write!(out, "{description}")?;
    }
    out.flush()?;
    if !args.quiet {
        say_notes(&description.notes);
    }
    Ok(ExitStatus::Done)
}

/// Writes the description as a page.
fn write_page(
    path: &Path,
    source: &Path,
    description: &Description,
    data: Option<&Dataset>,
) -> Result<()> {
    let notes: Vec<String> = description.notes.iter().map(with_flags).collect();
    let Value::Object(mut content) = description.to_json() else { return Ok(()) };
    let target = data.and_then(|data| {
        let class = data.target.as_ref().map(|target| &target.name);
        class.or(data.number.as_ref().map(|target| &target.name))
    });
    let name = file_name(source);
    content.insert("name".to_owned(), json!(name));
    content.insert("notes".to_owned(), json!(notes));
    content.insert("target".to_owned(), json!(target));
    content.insert("version".to_owned(), json!(env!("CARGO_PKG_VERSION")));
    let from = json!({
        "data": named(source),
        "date": reports::today(),
        "command": command_line::shown(),
    });
    content.insert("provenance".to_owned(), from);
    let page = description_page(&name, content, data, &notes);
    to_file_or_stdout(path, |out| Ok(out.write_all(page.as_bytes())?))
}
