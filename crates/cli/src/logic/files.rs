//! From files to knowledge bases and learning problems, telling what was assumed.

use crate::args::KnowledgeBaseArgs;
use crate::out::say;
use anyhow::{Error, Result};
use pellucid::io::LearningProblem;
use pellucid::logic::KnowledgeBase;
use pellucid::logic::kb::Resolved;
use pellucid::read::knowledge_base;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Endings of ontologies' names.
const ENDINGS: [&str; 7] = ["owl", "rdf", "xml", "ttl", "nt", "nq", "trig"];

/// Whether a file is an ontology: by its name, or, where that says nothing, by how it begins.
pub(crate) fn is_ontology(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let name = name.to_ascii_lowercase();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    match name.rsplit_once('.') {
        Some((_, ending)) if ENDINGS.contains(&ending) => true,
        _ => begins_as_one(path).unwrap_or(false),
    }
}

/// Whether the first bytes are XML, or a prefix as Turtle has them; of nothing else can be told.
fn begins_as_one(path: &Path) -> std::io::Result<bool> {
    let mut bytes = Vec::new();
    // A pipe is read once; it is not looked into beforehand.
    if path.metadata()?.is_file() {
        File::open(path)?.take(4096).read_to_end(&mut bytes)?;
    }
    let text = String::from_utf8_lossy(&bytes);
    let mut lines = text.trim_start_matches('\u{feff}').lines().map(str::trim);
    let first = lines.find(|line| !line.is_empty() && !line.starts_with('#')).unwrap_or_default();
    let beginnings = ["<?xml", "<rdf:", "<!DOCTYPE rdf", "@prefix ", "@base "];
    Ok(beginnings.iter().any(|beginning| first.starts_with(beginning)))
}

/// Reads an ontology and draws its conclusions.
pub(crate) fn load(path: &Path, args: &KnowledgeBaseArgs, quiet: bool) -> Result<KnowledgeBase> {
    let kb = load_silently(path, args)?;
    if !quiet {
        kb.notes.iter().for_each(|note| say(format_args!("note: {note}")));
    }
    Ok(kb)
}

/// The same where what was assumed is shown elsewhere.
pub(crate) fn load_silently(path: &Path, args: &KnowledgeBaseArgs) -> Result<KnowledgeBase> {
    knowledge_base(path, &args.closure()).map_err(Error::from_boxed)
}

/// The individuals of a learning problem.
pub(crate) fn task(kb: &KnowledgeBase, problem: &LearningProblem, quiet: bool) -> Result<Resolved> {
    let resolved = kb.resolve(problem)?;
    if !quiet {
        resolved.notes.iter().for_each(|note| say(format_args!("note: {note}")));
    }
    Ok(resolved)
}
