//! `pellucid show` for an ontology.

use super::files::load_silently;
use anyhow::{Result, bail};
use pellucid::learn::run::Control;
use pellucid::logic::Datatype;
use pellucid::logic::kb::KbSummary;
use pellucid_arguments::ShowArgs;
use pellucid_terminal::ExitStatus;
use pellucid_terminal::out::{print, stdout};
use serde_json::{Value, json};
use std::io::Write;

/// Prints the summary of a knowledge base.
pub(crate) fn knowledge_base(args: &ShowArgs) -> Result<ExitStatus> {
    let summary = load_silently(&[&args.what], &args.kb, &args.limits, &Control::new())?.summary();
    let mut out = stdout();
    match args.form() {
        "json" => writeln!(out, "{:#}", as_json(&summary))?,
        "text" if args.all => print(&mut out, &summary.page(usize::MAX))?,
        "text" => print(&mut out, &summary.to_string())?,
        other => bail!(
            "{}: --format {other} is for models; an ontology is shown as text or json",
            args.what.display()
        ),
    }
    out.flush()?;
    Ok(ExitStatus::Done)
}

fn as_json(summary: &KbSummary) -> Value {
    let classes = summary.classes.iter().map(
        |class| json!({ "name": class.name, "members": class.members, "asserted": class.asserted }),
    );
    let roles = summary.roles.iter().map(|role| {
        json!({
            "name": role.name,
            "edges": role.edges,
            "asserted": role.asserted,
            "subjects": role.subjects,
        })
    });
    let properties = summary.properties.iter().map(|property| {
        json!({
            "name": property.name,
            "kind": kind(property.datatype),
            "values": property.values,
            "distinct": property.distinct,
            "subjects": property.subjects,
            "range": property.range,
        })
    });
    let ignored =
        summary.ignored.iter().map(|(name, times)| json!({ "name": name, "times": times }));
    json!({
        "name": summary.name,
        "statements": summary.statements,
        "individuals": summary.individuals,
        "classes": classes.collect::<Value>(),
        "object_properties": roles.collect::<Value>(),
        "data_properties": properties.collect::<Value>(),
        "ignored": ignored.collect::<Value>(),
        "notes": summary.notes,
    })
}

fn kind(datatype: Datatype) -> &'static str {
    match datatype {
        Datatype::Integer => "integer",
        Datatype::Real => "real",
        Datatype::Boolean => "boolean",
        Datatype::Date => "date",
        Datatype::Text => "text",
    }
}
