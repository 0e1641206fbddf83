//! Reads knowledge bases and learning problems, and reports assumptions.

use crate::data::say_notes;
use anyhow::{Error, Result};
use pellucid::io::LearningProblem;
use pellucid::logic::KnowledgeBase;
use pellucid::logic::kb::ResolvedProblem;
use pellucid::read::knowledge_base_with;
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
        say_notes(&resolved.notes);
    }
    Ok(resolved)
}
