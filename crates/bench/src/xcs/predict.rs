//! How fast a model of classifiers predicts very many rows.

use crate::arguments::XcsArgs;
use crate::clock::fastest_of;
use crate::xcs::tables::Source;
use anyhow::{Result, ensure};
use pellucid::io::{Column, Dataset, Values};
use pellucid::learn::learner::FitOptions;
use pellucid::learn::rng::Streams;
use pellucid::xcs::Xcs;
use pellucid_terminal::out::{grouped, rate};
use serde_json::{Value, json};
use std::io::Write;
use std::num::NonZeroUsize;
use std::time::Duration;

/// What was measured.
pub(super) struct PredictRow {
    problem: String,
    rows: usize,
    rules: usize,
    seconds: f64,
    cpu: Option<f64>,
}

/// Learns a model of a table and lets it predict rows drawn from it: from values in columns to classes, on
/// one thread.
pub(super) fn measure(source: &Source<'_>, args: &XcsArgs) -> Result<PredictRow> {
    let data = source.read(args)?;
    ensure!(data.rows > 0, "{}: there are no rows", data.name);
    let mut fitting = FitOptions::<Xcs>::new();
    (fitting.threads, fitting.inner_folds) = (Some(NonZeroUsize::MIN), 0);
    let model = fitting.fit(&data)?;
    let mut stream = Streams::new(args.common.seed).stream(&["drawn".into()]);
    let drawn: Vec<usize> = (0..args.predict).map(|_| stream.index(data.rows)).collect();
    let asked = rows_of(&data, &drawn);
    let timing = fastest_of(
        Duration::ZERO,
        || Ok(()),
        |()| {
            let applied = model.apply(&asked)?;
            let predicted = applied.predicted();
            let right = (0..applied.len()).filter(|&row| predicted.class(row) > 0).count();
            ensure!(right <= applied.len(), "more rows than there are");
            Ok(())
        },
    )?;
    Ok(PredictRow {
        problem: source.name(),
        rows: args.predict,
        rules: model.body.set.rules.len(),
        seconds: timing.wall,
        cpu: timing.cpu,
    })
}

/// Some rows of a table, any of them any number of times.
fn rows_of(data: &Dataset, rows: &[usize]) -> Dataset {
    fn picked<T: Clone>(values: &[T], rows: &[usize]) -> Vec<T> {
        rows.iter().map(|&row| values[row].clone()).collect()
    }
    let column = |column: &Column| Column {
        name: column.name.clone(),
        values: match &column.values {
            Values::Numeric(numbers) => Values::Numeric(picked(numbers, rows).into()),
            Values::Boolean(truths) => Values::Boolean(picked(truths, rows)),
            Values::Nominal { codes, categories } => {
                Values::Nominal { codes: picked(codes, rows), categories: categories.clone() }
            }
        },
    };
    let columns = data.columns.iter().map(column).collect();
    Dataset { name: data.name.clone(), columns, rows: rows.len(), ..Dataset::default() }
}

impl PredictRow {
    fn per_second(&self) -> f64 {
        self.rows as f64 / self.cpu.unwrap_or(self.seconds)
    }

    pub(super) fn json(&self) -> Value {
        json!({
            "problem": self.problem,
            "predicted_rows": self.rows,
            "rules": self.rules,
            "seconds": self.seconds,
            "processor_seconds": self.cpu,
            "rows_per_second": self.per_second(),
        })
    }

    pub(super) fn print(&self, out: &mut impl Write) -> std::io::Result<()> {
        let (rows, speed) = (grouped(self.rows as u64), rate(self.per_second()));
        writeln!(out, "{}: {rows} rows predicted by {} rules, {speed}/s", self.problem, self.rules)
    }
}
