//! `pellucid learn --alternatives`.

use anyhow::{Result, ensure};
use pellucid::alternatives::{Alternative, Retraining};
use pellucid::data::visible_line;
use pellucid::learn::digits::significant;
use pellucid::registry::AnyFitResult;
use pellucid_arguments::{LearnFlags, is_standard};
use pellucid_terminal::out::{json_line, say, stdout};
use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Returns the file of an alternative, counted from 1, beside that of the first model.
pub(super) fn path_of(out: &Path, number: usize) -> PathBuf {
    let stem = out.file_stem().unwrap_or_default().to_string_lossy();
    let extension = out.extension().map(|extension| format!(".{}", extension.to_string_lossy()));
    out.with_file_name(format!("{stem}-{}{}", number + 1, extension.unwrap_or_default()))
}

/// Returns the files of all alternatives.
pub(super) fn paths(flags: &LearnFlags) -> Vec<PathBuf> {
    (1..=flags.alternatives).map(|number| path_of(&flags.out, number)).collect()
}

/// Checks that the files can be written.
pub(super) fn check_files(flags: &LearnFlags) -> Result<()> {
    ensure!(
        flags.alternatives == 0 || !is_standard(&flags.out),
        "--alternatives writes several models; use --out FILE instead of --out -"
    );
    for path in paths(flags) {
        ensure!(
            flags.force || !path.exists(),
            "{} already exists; use --force to overwrite it",
            path.display()
        );
    }
    Ok(())
}

/// Trains and writes the alternatives, and prints how they compare with the first model.
pub(super) fn write_alternatives(
    flags: &LearnFlags,
    retraining: &Retraining<'_>,
    first: &AnyFitResult,
) -> Result<()> {
    if !flags.quiet && !flags.json {
        say(
            "\nAlternatives beside the model above, on the same held-out examples, each counted once\n\
             (differences with 95 % intervals):",
        );
    }
    let mut number = 0;
    retraining.alternatives(first, flags.alternatives, |alternative| {
        number += 1;
        let path = path_of(&flags.out, number);
        alternative.fitted.model.save(&path)?;
        if flags.json {
            let mut out = stdout();
            json_line(&mut out, &as_json(&alternative, &path))?;
            out.flush()?;
        } else if !flags.quiet {
            print_alternative(&alternative, first, &path);
        }
        Ok::<(), anyhow::Error>(())
    })?;
    let is_stopped = retraining.control.should_stop().is_some();
    if number < flags.alternatives && !is_stopped && !flags.quiet {
        say(match number {
            0 => "  none: no column leads the model, or none would be left",
            _ => "  no further ones: no column leads the last model, or none would be left",
        });
    }
    Ok(())
}

fn print_alternative(alternative: &Alternative, first: &AnyFitResult, path: &Path) {
    let without: Vec<String> =
        alternative.without.iter().map(|column| format!("'{}'", visible_line(column))).collect();
    let rules = match alternative.fitted.model.summary().get("rules").and_then(Value::as_u64) {
        Some(1) => ", 1 rule".to_owned(),
        Some(rules) => format!(", {rules} rules"),
        None => String::new(),
    };
    say(format_args!("  {}: without {}{rules}", path.display(), without.join(", ")));
    for figure in alternative.figures() {
        let show = |number: f64| match figure.key {
            "mae" | "cost" => significant(number, 4),
            _ => format!("{number:.3}"),
        };
        let difference = &figure.difference;
        let [value, low, high] = [difference.value, difference.low, difference.high].map(show);
        let sign = if difference.value > 0.0 { "+" } else { "" };
        let [first, own] = [figure.a.value, figure.b.value].map(show);
        say(format_args!(
            "    {:<19} {own} instead of {first}: {sign}{value} ({low} to {high})",
            figure.name,
        ));
    }
    if let (Some(own), Some(first)) = (auc(&alternative.fitted), auc(first)) {
        say(format_args!("    {:<19} {own:.3} instead of {first:.3}", "AUC"));
    }
}

/// Returns the AUC of the held-out estimate.
fn auc(fitted: &AnyFitResult) -> Option<f64> {
    let held_out = fitted.held_out.as_ref().ok()?;
    Some(held_out.summary().auc?.estimate.value)
}

fn as_json(alternative: &Alternative, path: &Path) -> Value {
    json!({
        "alternative": path.display().to_string(),
        "without": alternative.without,
        "summary": alternative.fitted.model.summary(),
        "figures": alternative.figures().collect::<Vec<_>>(),
    })
}
