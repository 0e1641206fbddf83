//! `pellucid monitor`.

use super::data::table_to_predict;
use super::open;
use super::report::file_name;
use crate::command_line;
use anyhow::{Result, ensure};
use pellucid::io::{self, Dataset};
use pellucid::learn::learner::{DataKind, Predictions};
use pellucid::monitor::{MonitoredData, Monitoring};
use pellucid::prepare::as_learned;
use pellucid::read::by_schema;
use pellucid::registry::{AnyModel, Data};
use pellucid::reports;
use pellucid_arguments::{Destinations, MonitorArgs, is_standard};
use pellucid_terminal::ExitStatus;
use pellucid_terminal::machine::machine_for;
use pellucid_terminal::out::{json_line, print, stdout, to_file_or_stdout};
use std::io::Write as _;
use std::path::Path;

pub(crate) fn run(args: &MonitorArgs) -> Result<ExitStatus> {
    let files = Destinations::default().reads("the model", Some(&args.model));
    let files = args.data.files(files).reads("the reference", args.reference.as_deref());
    files.writes("--out", args.out.as_deref()).check()?;
    let model = open(&args.model, None)?;
    ensure!(
        model.kind() == DataKind::Table,
        "{} is a {} model: monitor needs a model of a table",
        args.model.display(),
        model.learner()
    );
    let new = table_to_predict(&args.data, &args.machine, args.quiet, &*model)?;
    let reference = match &args.reference {
        Some(path) => Some((file_name(path), read_reference(args, path, &*model)?)),
        None => None,
    };
    let predicted = predict(args, &*model, &new)?;
    let reference = match reference {
        Some((name, data)) => {
            let predicted = predict(args, &*model, &data)?;
            Some((name, data, predicted))
        }
        None => None,
    };
    let name = file_name(&args.data.path);
    let monitored = MonitoredData { name: &name, data: &new, predictions: &predicted };
    let compared = reference.as_ref().map(|(name, data, predicted)| MonitoredData {
        name,
        data,
        predictions: predicted,
    });
    let report = reports::of_model(&*model, &args.model)?;
    let model_name = file_name(&args.model);
    let monitoring =
        Monitoring::new((&model_name, &*model), report.used_columns(), monitored, compared)?;
    write(args, &monitoring)?;
    Ok(ExitStatus::Done)
}

fn write(args: &MonitorArgs, monitoring: &Monitoring) -> Result<()> {
    if let Some(path) = &args.out {
        let command = command_line::shown();
        let page = monitoring.to_html(&reports::today(), command.as_deref());
        to_file_or_stdout(path, |out| Ok(out.write_all(page.as_bytes())?))?;
        if is_standard(path) {
            return Ok(());
        }
    }
    let mut out = stdout();
    if args.json {
        json_line(&mut out, &monitoring.to_json())?;
    } else {
        print(&mut out, &monitoring.to_string())?;
    }
    Ok(out.flush()?)
}

/// Reads the reference like the new data.
fn read_reference(args: &MonitorArgs, path: &Path, model: &dyn AnyModel) -> Result<Dataset> {
    let mut options = args.machine.reading(args.data.options());
    // The labels belong to the new data.
    options.labels = None;
    let mut data = io::read(path, &by_schema(options, model.schema()))?;
    as_learned(&mut data, model.schema())?;
    Ok(data)
}

fn predict(args: &MonitorArgs, model: &dyn AnyModel, data: &Dataset) -> Result<Predictions> {
    let machine = machine_for(&args.machine, model.applies_on_gpus(), args.quiet)?;
    Ok(model.predictions(&Data::Table(data.clone()), &machine)?)
}
