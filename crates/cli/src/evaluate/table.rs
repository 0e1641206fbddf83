//! Formulas over the columns of a table.

use super::lines::Line;
use super::{Answer, Evaluator, POOL, separated, text, together};
use crate::args::{EvaluateArgs, HypothesisArg};
use crate::data::{Loaded, load};
use anyhow::{Result, bail};
use pellucid::engine::{Hypothesis, Machine, ProgramId, Session};
use serde_json::Value;

/// A table and the rows or bags that count.
pub(super) struct TableEvaluator {
    session: Session,
    /// Names of classes as JSON writes them, once for all answers.
    classes: Vec<String>,
    cover: bool,
    together: usize,
}

impl TableEvaluator {
    pub(super) fn new(args: &EvaluateArgs, machine: &Machine) -> Result<TableEvaluator> {
        let Loaded { table, labels, classes } = load(&args.data, args.quiet)?;
        let hypothesis = match args.hypothesis {
            Some(HypothesisArg(hypothesis)) => hypothesis,
            None if labels.bags.is_some() => Hypothesis::Presence,
            None => Hypothesis::Rows,
        };
        let labels = match (hypothesis, labels.bags) {
            (Hypothesis::Rows, _) => labels.rows,
            (_, Some(bags)) => bags,
            (_, None) => bail!(
                "{}: there are no bags for --hypothesis to count; name their column with --bag, or count rows",
                args.data.path.display()
            ),
        };
        let together = together(args.cover, table.rows());
        let session = Session::on(machine, table, labels, hypothesis)?;
        let classes = classes.into_iter().map(|class| Value::from(class).to_string()).collect();
        Ok(TableEvaluator { session, classes, cover: args.cover, together })
    }
}

impl Evaluator for TableEvaluator {
    fn together(&self) -> usize {
        self.together
    }

    fn answer(&mut self, lines: &[Line]) -> Result<Vec<Answer>> {
        if self.session.programs().len() > POOL {
            self.session.forget_programs();
        }
        let programs = self.session.programs_mut();
        let parsed: Vec<Result<ProgramId, String>> = lines
            .iter()
            .map(|line| programs.parse(text(line, "true")?).map_err(|error| error.to_string()))
            .collect();
        let roots: Vec<ProgramId> = parsed.iter().flatten().copied().collect();
        let tallies = self.session.tally(&roots)?;
        let covered = if self.cover { Some(self.session.cover(&roots)?) } else { None };
        // Written by hand so that a person finds the parts in a sensible order, the classes in theirs.
        let mut index = 0;
        let answers = parsed.into_iter().map(|program| {
            let program = program?;
            let mut members = String::new();
            let counts = self.classes.iter().zip(tallies.of(index));
            let counts = counts.map(|(class, count)| format!("{class}:{count}"));
            separated(&mut members, "\"counts\":{", counts, '}');
            members += &format!(",\"nodes\":{}", self.session.programs().size(program));
            if let Some(covered) = &covered {
                separated(&mut members, ",\"rows\":[", covered.ones(index), ']');
            }
            index += 1;
            Ok(members)
        });
        Ok(answers.collect())
    }
}
