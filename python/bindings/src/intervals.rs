//! Closed interval patterns of a table.

use crate::errors;
use crate::guard::guarded;
use crate::machine::threads;
use crate::table::Table;
use crate::watch::run_watched;
use pellucid::bits::words::members;
use pellucid::close::Terms;
use pellucid::concepts::intervals::{
    Condition, IntervalTable, PatternView, PatternVisitor, search,
};
use pellucid::device::Threads;
use pellucid::io::{Choice, ReadOptions};
use pellucid::learn::run::Control;
use pyo3::prelude::*;
use std::cmp::Reverse;

/// A pattern: the condition on each column, and the numbers of its objects.
type Pattern = (Vec<(String, PatternCondition)>, Vec<usize>);

/// An interval, or a category.
#[derive(IntoPyObject)]
pub(crate) enum PatternCondition {
    Within((f64, f64)),
    Is(String),
}

/// Collects the patterns of one thread.
#[derive(Default)]
struct Patterns(Vec<Pattern>);

impl PatternVisitor for &mut Patterns {
    fn visit(&mut self, pattern: &PatternView<'_>) {
        let mut conditions = Vec::new();
        pattern.each_condition(|column, condition| {
            let condition = match condition {
                Condition::Within([low, high]) => PatternCondition::Within((low, high)),
                Condition::Is(category) => PatternCondition::Is(category.to_owned()),
            };
            conditions.push((column.to_owned(), condition));
        });
        self.0.push((conditions, members(pattern.extent).collect()));
    }
}

/// Returns the closed interval patterns of a table, the most frequent first. The columns of the table
/// are consumed.
#[pyfunction]
#[pyo3(signature = (table, min_support=1, most=None, n_jobs=None))]
pub(crate) fn interval_patterns(
    py: Python<'_>,
    table: &Bound<'_, Table>,
    min_support: u64,
    most: Option<u64>,
    n_jobs: Option<i64>,
) -> PyResult<Vec<Pattern>> {
    let options =
        ReadOptions::default().target(Choice::None).bag(Choice::None).keep_identifiers(true);
    let data = guarded(|| table.try_borrow_mut()?.take(&options))?;
    let threads = Threads::new(threads(n_jobs)?).map_err(errors::value)?;
    let control = Control::new();
    let found = run_watched(py, &control, None, |_| {
        let table = IntervalTable::new(&data)?;
        let stop = || control.should_stop().is_some();
        let terms = Terms { min_support, most, stop: Some(&stop), ..Terms::default() };
        let mut found: Vec<Patterns> = Vec::new();
        found.resize_with(threads.count(), Patterns::default);
        search(&table, &terms, &threads, found.iter_mut().collect());
        let mut patterns: Vec<Pattern> = found.into_iter().flat_map(|found| found.0).collect();
        patterns.sort_by(|(_, one), (_, other)| {
            (Reverse(one.len()), one).cmp(&(Reverse(other.len()), other))
        });
        Ok(patterns)
    })?;
    found.map_err(|error: pellucid::data::DataError| errors::value(error))
}
