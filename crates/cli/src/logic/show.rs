//! `pellucid show` with an ontology, or with a model of class expressions.

use super::files::load_silently;
use crate::Outcome;
use crate::args::{ShowArgs, ShowFormat};
use crate::out::stdout;
use anyhow::{Context, Result, bail};
use pellucid::engine::Expr;
use pellucid::learn::model::StoredModel;
use pellucid::logic::Datatype;
use pellucid::logic::export;
use pellucid::logic::kb::Summary;
use pellucid::logic::learn::{LEARNER, Model};
use pellucid::logic::syntax::{Names, dl, manchester};
use serde_json::{Value, json};
use std::io::Write;

/// The page of a knowledge base.
pub(crate) fn knowledge_base(args: &ShowArgs) -> Result<Outcome> {
    let summary = load_silently(&args.what, &args.kb)?.summary();
    let mut out = stdout();
    match args.format() {
        ShowFormat::Json => writeln!(out, "{:#}", as_json(&summary))?,
        ShowFormat::Text if args.all => out.write_all(summary.page(usize::MAX).as_bytes())?,
        ShowFormat::Text => write!(out, "{summary}")?,
        other => bail!(
            "{}: an ontology is shown as text or json, --format {other} is for models",
            args.what.display()
        ),
    }
    out.flush()?;
    Ok(Outcome::Done)
}

fn as_json(summary: &Summary) -> Value {
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

/// A model of class expressions.
pub(crate) fn model(args: &ShowArgs, stored: &StoredModel) -> Result<Outcome> {
    let model: Model = stored.read(LEARNER)?;
    // A model that makes no sense is told before anything is shown of it.
    let path = || args.what.display().to_string();
    let expressions = model.model.expressions().with_context(path)?;
    let names = model.model.names.lexicon();
    let each = |print: fn(&Expr, &dyn Names) -> String| -> String {
        expressions.iter().map(|expr| print(expr, &names) + "\n").collect()
    };
    let text = match args.format() {
        ShowFormat::Text => export::text(&model),
        ShowFormat::Json => model.to_json()?,
        ShowFormat::Manchester => each(manchester::print),
        ShowFormat::Dl => each(dl::print),
        ShowFormat::Owl => export::turtle(&expressions[0], &names, export::LEARNED),
        ShowFormat::Sparql => export::sparql(&expressions[0], &names),
        other @ (ShowFormat::Sql | ShowFormat::Python) => bail!(
            "{}: class expressions are shown as text, json, manchester, dl, owl or sparql, --format {other} is for rules",
            args.what.display()
        ),
    };
    let mut out = stdout();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(Outcome::Done)
}
