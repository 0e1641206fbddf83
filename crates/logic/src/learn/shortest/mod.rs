//! Searches all expressions that are shorter than an answer, to find one that is as good or to
//! prove that there is none.
//!
//! Expressions are enumerated by length. Only one of those with the same meaning is kept: fillers
//! with the same individuals, expressions with the same training examples, conditions with the same
//! values. Everything longer is built from these, so nothing is missed. The search ends before the
//! first length that exceeds the limit on candidates.

mod candidates;
mod sets;
#[cfg(test)]
mod tests;
mod values;

use super::readable::complexity;
use super::{ExpressionScore, LogicError, SearchContext};
use candidates::Candidates;
use pellucid_program::{Expr, ProgramId};
use serde::{Deserialize, Serialize};
use sets::{Form, words};

/// The number of restrictions evaluated together, between two looks at the clock.
const BATCH: usize = 512;

/// Whether an expression is the shortest one for its quality on the training examples.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Minimality {
    /// Whether all shorter expressions were searched and none is as good.
    pub proven: bool,
    /// The length up to which all expressions were searched.
    pub searched: u32,
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Shortest {
    /// The shortest expression that is at least as good, if there is a shorter one.
    pub(super) found: Option<Expr>,
    pub(super) minimality: Minimality,
}

/// Searches the expressions that are shorter than an answer. `None` if there is no search: the
/// parameters turn it off, or the run was stopped.
pub(super) fn shortest(
    context: &mut SearchContext,
    answer: &Expr,
    score: &ExpressionScore,
) -> Result<Option<Shortest>, LogicError> {
    if context.options().proof_effort == 0 || context.control().should_stop().is_some() {
        return Ok(None);
    }
    let program = context.programs_mut().add(answer)?;
    let coverage = context.reasoner().cover_examples(&[program])?;
    let covered = words(coverage.row(0), context.task().len());
    let length = u32::try_from(crate::length(answer)).unwrap_or(u32::MAX);
    let mut search =
        Search { candidates: Candidates::new(context, length), score, covered, best: None };
    let mut searched = 0;
    for shorter in 1..length {
        if !search.search(context, shorter, shorter + 1 == length)? {
            break;
        }
        if search.best.is_some() {
            break;
        }
        searched = shorter;
    }
    context.forget_programs();
    let found = search.best.map(|best| best.expr);
    let proven = found.is_some() || searched + 1 >= length;
    Ok(Some(Shortest { found, minimality: Minimality { proven, searched } }))
}

/// The state of a search.
struct Search<'a> {
    candidates: Candidates,
    /// The score of the answer.
    score: &'a ExpressionScore,
    /// The examples that the answer covers.
    covered: Vec<u64>,
    best: Option<BestExpression>,
}

/// The best expression of the current length.
struct BestExpression {
    quality: f64,
    /// Whether it covers other examples than the answer.
    differs: bool,
    complexity: [usize; 4],
    expr: Expr,
}

impl Search<'_> {
    /// Searches all expressions of a length. Returns false if that exceeds the limit, or if the run
    /// was stopped.
    fn search(
        &mut self,
        context: &mut SearchContext,
        length: u32,
        is_last: bool,
    ) -> Result<bool, LogicError> {
        if !self.candidates.prepare(context, length)? {
            return Ok(false);
        }
        self.candidates.examples.begin(length);
        for (row, program) in self.candidates.names(context, length)? {
            self.consider(context, &row, Form::Program(program), is_last)?;
        }
        let restrictions = self.candidates.restrictions(context, length);
        for batch in restrictions.chunks(BATCH) {
            if context.control().should_stop().is_some() {
                return Ok(false);
            }
            let rows = context.reasoner().cover_examples(batch)?;
            for (row, &program) in batch.iter().enumerate() {
                let row = words(rows.row(row), context.task().len());
                self.consider(context, &row, Form::Program(program), is_last)?;
            }
        }
        self.combinations(context, length, is_last)
    }

    /// Searches negations, conjunctions and disjunctions.
    fn combinations(
        &mut self,
        context: &mut SearchContext,
        length: u32,
        is_last: bool,
    ) -> Result<bool, LogicError> {
        let negation = context.options().operators.negation;
        let mut row = self.candidates.examples.all().to_vec();
        for (turn, form) in self.candidates.examples.combinations(length, negation).enumerate() {
            if turn % (1 << 16) == 0 && context.control().should_stop().is_some() {
                return Ok(false);
            }
            self.candidates.examples.combine(form, &mut row);
            self.consider(context, &row, form, is_last)?;
        }
        Ok(true)
    }

    /// Keeps an expression if it covers new examples, and compares it with the answer.
    fn consider(
        &mut self,
        context: &mut SearchContext,
        row: &[u64],
        form: Form,
        is_last: bool,
    ) -> Result<(), LogicError> {
        if !is_last && !self.candidates.examples.insert(row, form) {
            return Ok(());
        }
        let [positive, negative] = self.candidates.counts(row);
        let quality = context.quality(positive, negative);
        let differs = row != self.covered;
        let rank = (quality, !differs);
        if quality < self.score.quality
            || self.best.as_ref().is_some_and(|best| rank < (best.quality, !best.differs))
        {
            return Ok(());
        }
        let program: ProgramId = self.candidates.examples.program(form, context.programs_mut());
        let expr = context.programs().expr(program);
        let found = BestExpression { quality, differs, complexity: complexity(&expr), expr };
        let is_better = self.best.as_ref().is_none_or(|best| {
            rank > (best.quality, !best.differs) || found.complexity < best.complexity
        });
        if is_better {
            self.best = Some(found);
        }
        Ok(())
    }
}
