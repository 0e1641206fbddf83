//! Reads knowledge bases and learning problems, and reports assumptions.

use crate::data::say_notes;
use anyhow::{Context, Result};
use pellucid::io::read_ontologies;
use pellucid::learn::run::Control;
use pellucid::logic::KnowledgeBase;
use pellucid::logic::kb::{ExampleSource, ResolvedProblem};
use pellucid_arguments::{KnowledgeBaseArgs, LimitsArgs};
use std::path::Path;

/// Reads the files of an ontology, computes its inferences, and prints its notes.
pub(crate) fn load(
    paths: &[&Path],
    args: &KnowledgeBaseArgs,
    limits: &LimitsArgs,
    control: &Control,
    quiet: bool,
) -> Result<KnowledgeBase> {
    let kb = load_silently(paths, args, limits, control)?;
    if !quiet {
        say_notes(&kb.notes);
    }
    Ok(kb)
}

/// Reads an ontology without printing notes, for commands that show them elsewhere.
pub(crate) fn load_silently(
    paths: &[&Path],
    args: &KnowledgeBaseArgs,
    limits: &LimitsArgs,
    control: &Control,
) -> Result<KnowledgeBase> {
    let paths = args.paths(paths);
    let ontology = read_ontologies(&paths, &limits.limits())?;
    let kb = KnowledgeBase::with_control(ontology, &args.closure(), control)
        .with_context(|| paths[0].display().to_string())?;
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
