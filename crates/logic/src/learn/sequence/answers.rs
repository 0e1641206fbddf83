//! The answers of a run, in order.

use super::{HeldOut, MethodSequence, Nominee};
use crate::learn::{LogicError, RankedExpression, SearchContext};
use pellucid_learn::split::Split;
use pellucid_program::Expr;

/// The answers of a run, the best first, with the cross-validation of those that have one.
#[derive(Debug)]
pub(crate) struct RunAnswers {
    /// The context, with all examples.
    pub(crate) context: SearchContext,
    /// The answers.
    pub(crate) answers: Vec<(RankedExpression, Option<HeldOut>)>,
    /// What the run predicts for examples that it was not trained on, if it has compared its methods: the
    /// splits, and their test examples that are covered.
    pub(crate) out_of_fold: Option<Vec<(Split, Vec<u32>)>>,
}

impl MethodSequence {
    /// Returns the answers. Those of the methods come first, in the order of their cross-validation.
    ///
    /// # Errors
    /// If evaluation fails on all devices.
    pub(crate) fn into_answers(mut self) -> Result<RunAnswers, LogicError> {
        if self.stages.len() > 1 {
            if self.stage().split.is_none() && self.context.leaderboard().best().is_some() {
                // The run was stopped within a stage.
                let method = self.stage().method;
                self.nominate(method);
            }
            self.context.set_task(self.task.clone());
            for text in std::mem::take(&mut self.state.finished) {
                let expr = text.parse::<Expr>().map_err(pellucid_program::ProgramError::from)?;
                self.context.put_back(&expr)?;
            }
        }
        if self.context.leaderboard().best().is_none() {
            // If the run stopped before any evaluation, the answer is `owl:Thing`.
            let thing = self.context.programs_mut().constant(true);
            self.context.attempt(&[thing])?;
        }
        let answers = self.in_order()?;
        let out_of_fold = self.out_of_fold();
        Ok(RunAnswers { context: self.context, answers, out_of_fold })
    }

    fn in_order(&mut self) -> Result<Vec<(RankedExpression, Option<HeldOut>)>, LogicError> {
        let all: Vec<usize> = (0..self.comparison.splits.len()).collect();
        let measure = self.context.options().measure;
        let ranked = self.comparison.ranked(&self.state.nominees, &all, measure);
        let mut order: Vec<(RankedExpression, Option<HeldOut>)> = Vec::new();
        for (nominee, held_out) in ranked {
            if order.iter().all(|(other, _)| other.text != nominee.text) {
                order.push((self.context.ranked(&nominee.text)?, held_out));
            }
        }
        // Beside answers that were cross-validated, much longer ones only show how well length can memorize.
        let judged = order.iter().filter(|(_, held_out)| held_out.is_some());
        let longest = judged.map(|(answer, _)| answer.score.length).max().unwrap_or(u32::MAX);
        for answer in self.context.leaderboard().answers() {
            let is_new = order.iter().all(|(other, _)| other.coverage != answer.coverage);
            if is_new && answer.score.length <= longest {
                order.push((answer.clone(), None));
            }
        }
        order.truncate(self.context.options().answers);
        Ok(order)
    }

    fn out_of_fold(&self) -> Option<Vec<(Split, Vec<u32>)>> {
        let measure = self.context.options().measure;
        let choices = self.comparison.choices(&self.state.nominees, measure)?;
        let splits = self.comparison.splits.iter().cloned().enumerate();
        let covered = |((index, split), nominee): ((usize, Split), &Nominee)| {
            (split, nominee.covered[index].clone())
        };
        Some(splits.zip(choices).map(covered).collect())
    }
}
