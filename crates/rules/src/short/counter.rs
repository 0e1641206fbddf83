//! Counts of what conjunctions cover, in examples and in rows.

use crate::train::{Machine, RulesError, Training};
use pellucid_cover::{Formulas, Hypothesis, Labels, Literal, Session, UNCOUNTED};
use std::sync::Arc;

/// A conjunction of comparisons.
pub(super) type Conjunction = Vec<Literal>;

/// The examples of one class against the rest: code 1 for the class, 0 for the rest; others do not
/// count.
#[derive(Clone, Copy, Debug)]
pub(super) struct Question<'a> {
    pub(super) training: &'a Training,
    pub(super) codes: &'a [u32],
    /// The weight of an example of the rest, and of the class.
    pub(super) weights: (f64, f64),
    pub(super) machine: &'a Machine,
}

impl Question<'_> {
    fn session(&self, labels: Labels, hypothesis: Hypothesis) -> Result<Session, RulesError> {
        Ok(Session::on(self.machine, Arc::clone(&self.training.table), labels, hypothesis)?)
    }
}

/// Counts examples: a conjunction is correct on those of the class that it covers and on those of
/// the rest that it does not.
#[derive(Debug)]
pub(super) struct ExampleCounter {
    session: Session,
    weights: (f64, f64),
    formulas: Formulas,
}

impl ExampleCounter {
    pub(super) fn new(
        question: Question<'_>,
        hypothesis: Hypothesis,
    ) -> Result<ExampleCounter, RulesError> {
        let (table, codes) = (&question.training.table, question.codes);
        let labels = if hypothesis == Hypothesis::Rows {
            Labels::rows(table, codes, 2)?
        } else {
            Labels::bags(table, codes, 2)?
        };
        let session = question.session(labels, hypothesis)?;
        Ok(ExampleCounter { session, weights: question.weights, formulas: Formulas::new() })
    }

    pub(super) fn hypothesis(&self) -> Hypothesis {
        self.session.hypothesis()
    }

    /// Returns the weight of the rest, and of the class.
    pub(super) fn totals(&self) -> (f64, f64) {
        self.weighted(self.session.labels().totals())
    }

    fn weighted(&self, counts: &[u64]) -> (f64, f64) {
        (counts[0] as f64 * self.weights.0, counts[1] as f64 * self.weights.1)
    }

    /// Returns the weight of the examples on which each conjunction is correct.
    pub(super) fn rights(&mut self, conjunctions: &[Conjunction]) -> Result<Vec<f64>, RulesError> {
        write(conjunctions, &mut self.formulas);
        let tallies = self.session.tally_formulas(&self.formulas)?;
        let rest = self.totals().0;
        let right = |index| {
            let (wrong, right) = self.weighted(tallies.of(index));
            right + rest - wrong
        };
        Ok((0..tallies.len()).map(right).collect())
    }

    /// Returns whether a conjunction covers each example.
    pub(super) fn covered(&mut self, conjunction: &Conjunction) -> Result<Vec<bool>, RulesError> {
        write(std::slice::from_ref(conjunction), &mut self.formulas);
        let rows = self.session.cover_formulas(&self.formulas)?;
        let table = self.session.table();
        Ok(match table.layout().bags() {
            None => (0..table.rows()).map(|row| rows.get(0, row)).collect(),
            Some(bags) => {
                let mut counts = vec![0; bags.len()];
                rows.ones(0).for_each(|row| counts[bags.bag_of(row) as usize] += 1);
                counts.into_iter().map(|count| self.session.hypothesis().holds(count)).collect()
            }
        })
    }
}

/// Counts single rows, each with the label of its bag.
#[derive(Debug)]
pub(super) struct RowCounter {
    session: Session,
    formulas: Formulas,
}

impl RowCounter {
    pub(super) fn new(question: Question<'_>) -> Result<RowCounter, RulesError> {
        let (table, codes) = (&question.training.table, question.codes);
        let of_row: Vec<u32> = match table.layout().bags() {
            None => codes.to_vec(),
            Some(bags) => (0..table.rows()).map(|row| codes[bags.bag_of(row) as usize]).collect(),
        };
        let session = question.session(Labels::rows(table, &of_row, 2)?, Hypothesis::Rows)?;
        Ok(RowCounter { session, formulas: Formulas::new() })
    }

    /// Returns how much more frequent the class is among the rows that each conjunction covers than
    /// among all rows, in standard deviations of a random sample of the same size. The label of a
    /// bag says little about a single row, but over many rows even one comparison of a longer rule
    /// is visible.
    pub(super) fn enrichment(
        &mut self,
        conjunctions: &[Conjunction],
    ) -> Result<Vec<f64>, RulesError> {
        write(conjunctions, &mut self.formulas);
        let tallies = self.session.tally_formulas(&self.formulas)?;
        let totals = self.session.labels().totals();
        let (outside, inside) = (totals[0] as f64, totals[1] as f64);
        let share = inside / (inside + outside);
        let spread = (share * (1.0 - share)).sqrt();
        let score = |index: usize| {
            let counts = tallies.of(index);
            let covered = (counts[0] + counts[1]) as f64;
            if covered == 0.0 {
                f64::NEG_INFINITY
            } else {
                (counts[1] as f64 / covered - share) * covered.sqrt() / spread
            }
        };
        Ok((0..tallies.len()).map(score).collect())
    }
}

fn write(conjunctions: &[Conjunction], formulas: &mut Formulas) {
    formulas.clear();
    for conjunction in conjunctions {
        conjunction.iter().for_each(|&literal| formulas.literal(literal));
        formulas.end_group();
        formulas.end_root();
    }
}

/// Returns the codes of a class against the rest, for the examples that count.
pub(super) fn codes(training: &Training, class: u32, counts: impl Fn(usize) -> bool) -> Vec<u32> {
    let code = |(example, &code): (usize, &u32)| {
        if counts(example) { u32::from(code == class) } else { UNCOUNTED }
    };
    training.codes.iter().enumerate().map(code).collect()
}
