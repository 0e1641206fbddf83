//! Reads knowledge bases and learning problems, and reports assumptions.

use crate::data::say_notes;
use anyhow::{Context, Result};
use pellucid::io::read_ontologies;
use pellucid::logic::KnowledgeBase;
use pellucid::logic::kb::{ExampleSource, ResolvedProblem};
use pellucid_arguments::{KnowledgeBaseArgs, LimitsArgs};
use std::path::Path;

/// Reads an ontology, computes its inferences, and prints its notes.
pub(crate) fn load(
    path: &Path,
    args: &KnowledgeBaseArgs,
    limits: &LimitsArgs,
    quiet: bool,
) -> Result<KnowledgeBase> {
    let kb = load_silently(path, args, limits)?;
    if !quiet {
        say_notes(&kb.notes);
    }
    Ok(kb)
}

/// Reads an ontology without printing notes, for commands that show them elsewhere.
pub(crate) fn load_silently(
    path: &Path,
    args: &KnowledgeBaseArgs,
    limits: &LimitsArgs,
) -> Result<KnowledgeBase> {
    let ontology = read_ontologies(&args.paths(path), &limits.limits())?;
    let kb = KnowledgeBase::new(ontology, &args.closure())
        .with_context(|| path.display().to_string())?;
    Ok(kb.with_labels(&args.labels()))
}

/// Resolves the individuals of a learning problem.
pub(crate) fn task(
    kb: &KnowledgeBase,
    problem: &ExampleSource,
    quiet: bool,
) -> Result<ResolvedProblem> {
    let resolved = kb.examples(problem, 0)?;
    if !quiet {
        say_notes(&resolved.notes);
    }
    Ok(resolved)
}
