//! Formulas over the columns of a table.

use super::dates::convert_dates;
use super::{
    CoveredExamples, Evaluation, EvaluationResult, EvaluatorError, ExpressionEvaluator,
    ExpressionSize, POOL, text,
};
use crate::io::Dataset;
use pellucid_cover::{Hypothesis, Labels, Session, Table};
use pellucid_data::Reading;
use pellucid_device::Machine;
use pellucid_program::{Expr, ProgramId, Quantifier};
use std::sync::Arc;

/// How to evaluate expressions on a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TableQuestion {
    /// What to count: rows, or bags with enough covered rows. If none, bags with at least one
    /// covered row if the table has bags, and rows otherwise.
    pub hypothesis: Option<Hypothesis>,
    /// Whether to list the covered rows.
    pub cover: bool,
}

/// The evaluator of formulas.
pub(super) struct TableEvaluator {
    session: Session,
    hypothesis: Hypothesis,
    cover: bool,
    /// The formats of columns of dates.
    reading: Reading,
}

impl TableEvaluator {
    /// Returns the evaluator, the names of the classes, and the number of rows.
    pub(super) fn new(
        data: Dataset,
        question: &TableQuestion,
        machine: &Machine,
    ) -> Result<(TableEvaluator, Vec<String>, usize), EvaluatorError> {
        let has_bags = data.bags.is_some();
        let hypothesis = question.hypothesis.unwrap_or(if has_bags {
            Hypothesis::Presence
        } else {
            Hypothesis::Rows
        });
        let of_rows = hypothesis == Hypothesis::Rows;
        if !of_rows && !has_bags {
            return Err(EvaluatorError::NoBags { name: data.name });
        }
        let classes = data
            .target
            .as_ref()
            .map_or_else(|| vec!["all".to_owned()], |target| target.classes.clone());
        let codes = if of_rows { data.row_codes() } else { data.example_codes() };
        let reading = data.origin.reading.clone();
        let table = Table::from_dataset_on(&machine.threads, data)?;
        let labels = if of_rows { Labels::rows } else { Labels::bags };
        let labels = labels(&table, &codes, classes.len())?;
        let rows = table.rows();
        let session = Session::on(machine, Arc::new(table), labels, hypothesis)?;
        Ok((TableEvaluator { session, hypothesis, cover: question.cover, reading }, classes, rows))
    }
}

impl ExpressionEvaluator for TableEvaluator {
    fn answer(
        &mut self,
        lines: &[Result<&str, String>],
    ) -> Result<Vec<EvaluationResult>, EvaluatorError> {
        if self.session.programs().len() > POOL {
            self.session.forget_programs();
        }
        let (hypothesis, reading) = (self.hypothesis, &self.reading);
        let programs = self.session.programs_mut();
        let mut parse = |line: &Result<&str, String>| {
            let expr = condition(text(line, "true")?, hypothesis)?;
            programs.add(&convert_dates(expr, reading)).map_err(|error| error.to_string())
        };
        let parsed: Vec<Result<ProgramId, String>> = lines.iter().map(&mut parse).collect();
        let roots: Vec<ProgramId> = parsed.iter().flatten().copied().collect();
        let tallies = self.session.tally(&roots)?;
        let covered = if self.cover { Some(self.session.cover(&roots)?) } else { None };
        let mut index = 0;
        let answers = parsed.into_iter().map(|program| {
            let answer = Evaluation {
                size: ExpressionSize::Nodes(self.session.programs().size(program?)),
                counts: tallies.of(index).to_vec(),
                covered: covered
                    .as_ref()
                    .map(|rows| CoveredExamples::Rows(rows.ones(index).collect())),
            };
            index += 1;
            Ok(answer)
        });
        Ok(answers.collect())
    }
}

/// Parses a condition on a row. If bags with at least one covered row are counted, a rule can also
/// be written as models show it (`some row has x > 1`) and as they store it (`some row (x > 1)`).
fn condition(text: &str, hypothesis: Hypothesis) -> Result<Expr, String> {
    let counts_bags = hypothesis == Hypothesis::Presence;
    let displayed = text.strip_prefix("some row has ").filter(|_| counts_bags);
    let expr = displayed.unwrap_or(text).parse::<Expr>().map_err(|error| {
        let is_displayed = ["row has ", "rows have "].iter().any(|words| text.contains(words));
        let advice = "; write only the condition on a row, and use hypothesis to set how many rows of a bag \
                      must satisfy it";
        format!("{error}{}", if is_displayed { advice } else { "" })
    })?;
    match expr {
        Expr::Related(Quantifier::Some, role, filler)
            if counts_bags && role.name == "row" && !role.inverse =>
        {
            Ok(*filler)
        }
        other => Ok(other),
    }
}
