//! Formulas over the columns of a table.

use super::dates::numbered;
use super::{
    Covered, Evaluation, EvaluationResult, EvaluatorError, ExpressionEvaluator, POOL, Size, text,
};
use crate::io::Dataset;
use pellucid_cover::{Hypothesis, Labels, Session, Table};
use pellucid_data::Reading;
use pellucid_device::Machine;
use pellucid_program::{Expr, ProgramId, Quantifier};
use std::sync::Arc;

/// What is asked of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TableQuestion {
    /// What is counted: rows, or bags of which enough rows are covered. If not said, bags of which a row is covered where there
    /// are bags, and rows otherwise.
    pub hypothesis: Option<Hypothesis>,
    /// Whether the rows that an expression covers are listed too.
    pub cover: bool,
}

/// A table and the rows or bags that count.
pub(super) struct TableEvaluator {
    session: Session,
    hypothesis: Hypothesis,
    cover: bool,
    /// Which columns hold dates.
    reading: Reading,
}

impl TableEvaluator {
    /// The table, what the counts are of, and how many rows there are.
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
            programs.add(&numbered(expr, reading)).map_err(|error| error.to_string())
        };
        let parsed: Vec<Result<ProgramId, String>> = lines.iter().map(&mut parse).collect();
        let roots: Vec<ProgramId> = parsed.iter().flatten().copied().collect();
        let tallies = self.session.tally(&roots)?;
        let covered = if self.cover { Some(self.session.cover(&roots)?) } else { None };
        let mut index = 0;
        let answers = parsed.into_iter().map(|program| {
            let answer = Evaluation {
                size: Size::Nodes(self.session.programs().size(program?)),
                counts: tallies.of(index).to_vec(),
                covered: covered.as_ref().map(|rows| Covered::Rows(rows.ones(index).collect())),
            };
            index += 1;
            Ok(answer)
        });
        Ok(answers.collect())
    }
}

/// The condition on a row that a text states. Where bags with such a row are counted, a rule about them may also be written
/// as models show it, `some row has x > 1`, and as they keep it, `some row (x > 1)`.
fn condition(text: &str, hypothesis: Hypothesis) -> Result<Expr, String> {
    let counts_bags = hypothesis == Hypothesis::Presence;
    let spoken = text.strip_prefix("some row has ").filter(|_| counts_bags);
    let expr = spoken.unwrap_or(text).parse::<Expr>().map_err(|error| {
        let is_spoken = ["row has ", "rows have "].iter().any(|words| text.contains(words));
        let advice = "; write the condition on a row alone, hypothesis says how many rows of a bag must have it";
        format!("{error}{}", if is_spoken { advice } else { "" })
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
