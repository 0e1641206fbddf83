//! `pellucid compare`.

use super::data::{ModelData, to_predict};
use super::open;
use super::report::file_name;
use crate::command_line;
use anyhow::{Result, ensure};
use pellucid::compare::{ComparedModel, Comparison};
use pellucid::learn::learner::Predictions;
use pellucid::registry::AnyModel;
use pellucid::reports;
use pellucid_arguments::{CompareArgs, Destinations, is_standard};
use pellucid_terminal::ExitStatus;
use pellucid_terminal::machine::machine_for;
use pellucid_terminal::out::{json_line, print, stdout, to_file_or_stdout};
use std::io::Write as _;
use std::path::Path;

pub(crate) fn run(args: &CompareArgs) -> Result<ExitStatus> {
    let files = Destinations::default()
        .reads("model A", Some(&args.first))
        .reads("model B", Some(&args.second));
    let files = args.problem.files(args.data.files(files));
    files.writes("--out", args.out.as_deref()).check()?;
    ensure!(
        !is_standard(&args.data.path),
        "compare reads the data once for each model; use a file instead of standard input"
    );
    let first = open(&args.first, None)?;
    let second = open(&args.second, None)?;
    let predictions = (predict(args, &args.first, &*first, args.quiet)?, {
        // The notes on the file were printed for the first model.
        predict(args, &args.second, &*second, true)?
    });
    let names = model_names(args);
    let a = ComparedModel { name: &names.0, model: &*first, predictions: &predictions.0 };
    let b = ComparedModel { name: &names.1, model: &*second, predictions: &predictions.1 };
    let comparison = Comparison::new(a, b)?;
    if let Some(path) = &args.out {
        let command = command_line::shown();
        let data = file_name(&args.data.path);
        let page = comparison.to_html(&data, &reports::today(), command.as_deref());
        to_file_or_stdout(path, |out| Ok(out.write_all(page.as_bytes())?))?;
        if is_standard(path) {
            return Ok(ExitStatus::Done);
        }
    }
    let mut out = stdout();
    if args.json {
        json_line(&mut out, &comparison.to_json(args.limit))?;
    } else {
        print(&mut out, &comparison.text(args.limit))?;
    }
    out.flush()?;
    Ok(ExitStatus::Done)
}

/// Applies a model to the data.
fn predict(
    args: &CompareArgs,
    path: &Path,
    model: &dyn AnyModel,
    quiet: bool,
) -> Result<Predictions> {
    let source = ModelData {
        model: path,
        data: &args.data,
        individuals: None,
        problem: &args.problem,
        kb: &args.kb,
        machine: &args.machine,
        quiet,
    };
    let data = to_predict(&source, model)?;
    let machine = machine_for(&args.machine, model.applies_on_gpus(), args.quiet)?;
    Ok(model.predictions(&data, &machine)?)
}

/// Returns the names of the files, with their folders if the files have the same name.
fn model_names(args: &CompareArgs) -> (String, String) {
    let (first, second) = (file_name(&args.first), file_name(&args.second));
    if first != second {
        return (first, second);
    }
    (args.first.display().to_string(), args.second.display().to_string())
}
