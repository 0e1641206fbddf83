//! `pellucid show`.

use super::open;
use crate::logic::show::knowledge_base;
use anyhow::{Context, Result};
use pellucid::io::is_ontology;
use pellucid::learn::learner::ExportOptions;
use pellucid_arguments::ShowArgs;
use pellucid_terminal::ExitStatus;
use pellucid_terminal::out::{print, stdout};
use std::io::Write;

pub(crate) fn run(args: &ShowArgs) -> Result<ExitStatus> {
    if is_ontology(&args.what) {
        return knowledge_base(args);
    }
    let model = open(&args.what, args.rules)?;
    let options = ExportOptions {
        table: args.table.clone(),
        view: args.view.clone(),
        dialect: args.dialect.unwrap_or_default(),
        part: false,
        spreadsheet: args.spreadsheet,
    };
    let written = model.write(args.form(), &options);
    let written = written.with_context(|| args.what.display().to_string())?;
    let mut out = stdout();
    match args.form() {
        "text" => print(&mut out, &String::from_utf8_lossy(&written))?,
        _ => out.write_all(&written)?,
    }
    out.flush()?;
    Ok(ExitStatus::Done)
}
