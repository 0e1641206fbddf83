//! The text form of a summary.

use super::{ClassFigures, ConfusionMatrix, Estimate, Figure, Summary};
use std::fmt::{self, Display, Formatter};

/// The maximum number of classes for which the confusion matrix is printed.
const MOST_SHOWN: usize = 12;
/// The maximum length of a class name.
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
            ("cost per example", &self.cost),
        ];
        writeln!(out, "{:<20}{:>7}  {:<16}  baseline", "", "value", "95 % interval")?;
        for (name, figure) in figures {
            write_metric(out, name, figure.as_ref())?;
        }
        if let Some(positive) = &self.positive {
            writeln!(out, "\npositive class: '{}'", shown(positive))?;
        }
        writeln!(out)?;
        write_classes(out, &self.classes)?;
        match &self.confusion {
            Some(matrix) if matrix.classes() <= MOST_SHOWN => {
                writeln!(out)?;
                write_confusion(out, matrix, &self.classes)
            }
            _ => Ok(()),
        }
    }
}

/// Writes the line of a metric; an undefined metric has none.
fn write_metric(out: &mut Formatter<'_>, name: &str, figure: Option<&Figure>) -> fmt::Result {
    let Some(Figure { estimate, baseline }) = figure else { return Ok(()) };
    let Estimate { value, low, high } = estimate;
    let interval = format!("{low:.3} to {high:.3}");
    writeln!(out, "{name:<20}{value:>7.3}  {interval:<16}  {baseline:.3}")
}

/// Writes precision and recall of each class.
fn write_classes(out: &mut Formatter<'_>, classes: &[ClassFigures]) -> fmt::Result {
    let width = classes.iter().map(|one| shown(&one.class).chars().count()).max().unwrap_or(0);
    let width = width.max("class".len());
    writeln!(out, "{:<width$}  {:<24}  {:<24}  {:>8}", "class", "precision", "recall", "examples")?;
    let format_estimate = |estimate: &Option<Estimate>| match estimate {
        Some(Estimate { value, low, high }) => format!("{value:.3}  {low:.3} to {high:.3}"),
        None => "-".to_owned(),
    };
    for one in classes {
        let class = shown(&one.class);
        let (precision, recall) = (format_estimate(&one.precision), format_estimate(&one.recall));
        writeln!(out, "{class:<width$}  {precision:<24}  {recall:<24}  {:>8}", one.examples)?;
    }
    Ok(())
}

/// Writes the confusion matrix: rows are actual classes, columns predicted classes.
fn write_confusion(
    out: &mut Formatter<'_>,
    matrix: &ConfusionMatrix,
    classes: &[ClassFigures],
) -> fmt::Result {
    let names: Vec<String> = classes.iter().map(|one| shown(&one.class)).collect();
    let side = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let head: Vec<String> = names.iter().map(|name| format!("predicted {name}")).collect();
    write!(out, "{:<width$}", "", width = side + "actual ".len())?;
    head.iter().try_for_each(|name| write!(out, "  {name}"))?;
    writeln!(out)?;
    for (actual, name) in names.iter().enumerate() {
        write!(out, "actual {name:<side$}")?;
        for (predicted, head) in head.iter().enumerate() {
            let width = head.chars().count();
            write!(out, "  {:>width$}", matrix.count(actual, predicted))?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// Returns a class name that fits in the table, without control characters.
fn shown(name: &str) -> String {
    let mut text: String = name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.chars().count() > LONGEST {
        text = text.chars().take(LONGEST - 1).chain(['…']).collect();
    }
    text
}
