//! Reads knowledge bases and learning problems, and reports assumptions.

use anyhow::{Error, Result};
use pellucid::io::LearningProblem;
use pellucid::logic::KnowledgeBase;
use pellucid::logic::kb::ResolvedProblem;
use pellucid::read::knowledge_base_with;
use pellucid_arguments::{KnowledgeBaseArgs, LimitsArgs};
use pellucid_terminal::out::say;
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
        kb.notes.iter().for_each(|note| say(format_args!("note: {note}")));
    }
    Ok(kb)
}

/// Reads an ontology without printing notes, for commands that show them elsewhere.
pub(crate) fn load_silently(
    path: &Path,
    args: &KnowledgeBaseArgs,
    limits: &LimitsArgs,
) -> Result<KnowledgeBase> {
    knowledge_base_with(path, &args.closure(), &limits.limits()).map_err(Error::from_boxed)
}

/// Resolves the individuals of a learning problem.
pub(crate) fn task(
    kb: &KnowledgeBase,
    problem: &LearningProblem,
    quiet: bool,
) -> Result<ResolvedProblem> {
    let resolved = kb.resolve(problem)?;
    if !quiet {
        resolved.notes.iter().for_each(|note| say(format_args!("note: {note}")));
    }
    Ok(resolved)
}
