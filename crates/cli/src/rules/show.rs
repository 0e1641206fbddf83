//! `pellucid show` with a model of rules.

use crate::Outcome;
use crate::args::{ShowArgs, ShowFormat};
use crate::out::stdout;
use anyhow::{Result, bail};
use pellucid::learn::model::StoredModel;
use pellucid::rules::export;
use pellucid::rules::model::{LEARNER, Model};
use std::io::Write;

pub(crate) fn run(args: &ShowArgs, stored: &StoredModel) -> Result<Outcome> {
    let model: Model = stored.read(LEARNER)?;
    // A model that makes no sense is told before anything is shown of it.
    model.model.conditions(model.schema.classes.len())?;
    let text = match args.format() {
        ShowFormat::Text => export::text(&model),
        ShowFormat::Json => model.to_json()?,
        ShowFormat::Sql => export::sql(&model, &args.table)?,
        ShowFormat::Python => export::python(&model)?,
        other => bail!(
            "{}: rules are shown as text, json, sql or python, --format {other} is for class expressions",
            args.what.display()
        ),
    };
    let mut out = stdout();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(Outcome::Done)
}
