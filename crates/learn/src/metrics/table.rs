//! The figures as a person reads them.

use super::{ClassFigures, ConfusionMatrix, Estimate, Figure, Summary};
use std::fmt::{self, Display, Formatter};

/// More classes than this have no matrix on the page: its lines would not fit.
const MOST_SHOWN: usize = 12;
/// Longer names of classes are cut.
const LONGEST: usize = 24;

impl Display for Summary {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let figures = [
            ("accuracy", &self.accuracy),
            ("balanced accuracy", &self.balanced_accuracy),
            ("F1", &self.f1),
            ("AUC", &self.auc),
            ("log loss", &self.log_loss),
            ("Brier score", &self.brier),
            ("lift at 20 %", &self.lift_at_20),
        ];
        writeln!(out, "{:<20}{:>7}  {:<16}  trivial", "", "value", "95 % interval")?;
        for (name, figure) in figures {
            line(out, name, figure.as_ref())?;
        }
        if let Some(positive) = &self.positive {
            writeln!(out, "\nthe positive class is '{}'", shown(positive))?;
        }
        writeln!(out)?;
        classes(out, &self.classes)?;
        match &self.confusion {
            Some(matrix) if matrix.classes() <= MOST_SHOWN => {
                writeln!(out)?;
                confusion(out, matrix, &self.classes)
            }
            _ => Ok(()),
        }
    }
}

/// A figure that cannot be told has no line.
fn line(out: &mut Formatter<'_>, name: &str, figure: Option<&Figure>) -> fmt::Result {
    let Some(Figure { estimate, trivial }) = figure else { return Ok(()) };
    let Estimate { value, low, high } = estimate;
    let interval = format!("{low:.3} to {high:.3}");
    writeln!(out, "{name:<20}{value:>7.3}  {interval:<16}  {trivial:.3}")
}

fn classes(out: &mut Formatter<'_>, classes: &[ClassFigures]) -> fmt::Result {
    let width = classes.iter().map(|one| shown(&one.class).chars().count()).max().unwrap_or(0);
    let width = width.max("class".len());
    writeln!(out, "{:<width$}  {:<24}  {:<24}  {:>8}", "class", "precision", "recall", "examples")?;
    let told = |estimate: &Option<Estimate>| match estimate {
        Some(Estimate { value, low, high }) => format!("{value:.3}  {low:.3} to {high:.3}"),
        None => "-".to_owned(),
    };
    for one in classes {
        let (class, precision, recall) =
            (shown(&one.class), told(&one.precision), told(&one.recall));
        writeln!(out, "{class:<width$}  {precision:<24}  {recall:<24}  {:>8}", one.examples)?;
    }
    Ok(())
}

/// Rows are what the examples are, columns what they were called.
fn confusion(
    out: &mut Formatter<'_>,
    matrix: &ConfusionMatrix,
    classes: &[ClassFigures],
) -> fmt::Result {
    let names: Vec<String> = classes.iter().map(|one| shown(&one.class)).collect();
    let side = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let head: Vec<String> = names.iter().map(|name| format!("called {name}")).collect();
    write!(out, "{:<width$}", "", width = side + "actual ".len())?;
    head.iter().try_for_each(|name| write!(out, "  {name}"))?;
    writeln!(out)?;
    for (actual, name) in names.iter().enumerate() {
        write!(out, "actual {name:<side$}")?;
        for (called, head) in head.iter().enumerate() {
            let width = head.chars().count();
            write!(out, "  {:>width$}", matrix.count(actual, called))?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// A name that fits into a table, and that a terminal only prints.
fn shown(name: &str) -> String {
    let mut text: String = name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.chars().count() > LONGEST {
        text = text.chars().take(LONGEST - 1).chain(['…']).collect();
    }
    text
}
