//! The tables of the XCS paper, in its experiment: many short trials, and where their time goes.

use crate::arguments::XcsArgs;
use crate::clock::fastest_of;
use anyhow::{Context, Result, bail, ensure};
use pellucid::device::{DeviceKind, Machine};
use pellucid::io::{self, Choice, Dataset, ReadOptions, Values};
use pellucid::xcs::params::{Mode, Params, SystemParams};
use pellucid::xcs::profile::{Phase, Profile};
use pellucid::xcs::trial::Trials;
use pellucid_terminal::machine::{FindMachine as _, machine_with};
use pellucid_terminal::out::rate;
use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A table of the paper: its name, its files with those of their labels, and which column is what.
pub(super) struct Table {
    pub(super) name: &'static str,
    files: &'static [(&'static str, Option<&'static str>)],
    target: Option<&'static str>,
    ignore: &'static [&'static str],
}

/// A table in a single file.
const fn single(
    name: &'static str,
    files: &'static [(&'static str, Option<&'static str>)],
    target: Option<&'static str>,
    ignore: &'static [&'static str],
) -> Table {
    Table { name, files, target, ignore }
}

/// All of them, as the paper lists them.
pub(super) const TABLES: [Table; 8] = [
    single("prostate", &[("prostate_singh.csv", None)], Some("class"), &[]),
    single(
        "arcene",
        &[
            ("arcene_train.data", Some("arcene_train.labels")),
            ("arcene_valid.data", Some("arcene_valid.labels")),
        ],
        None,
        &[],
    ),
    single("leukemia", &[("leukemia_golub.csv", None)], Some("class"), &[]),
    single("madelon", &[("madelon_train.csv", None)], Some("Y"), &[]),
    single("parkinsons", &[("parkinsons.data", None)], Some("status"), &["name"]),
    single("hepatitis", &[("hepatitis.data", None)], Some("DIE_LIVE"), &[]),
    single("pima", &[("pima-indians-diabetes.csv", None)], Some("9"), &[]),
    single("breast-cancer", &[("breast-cancer.csv", None)], Some("10"), &[]),
];

impl Table {
    /// The paths of its files, if all are there.
    fn paths(&self, folder: &Path) -> Option<Vec<(PathBuf, Option<PathBuf>)>> {
        let find = |name: &str| {
            let paths = [folder.join(name), folder.join(format!("{name}.gz"))];
            paths.into_iter().find(|path| path.is_file())
        };
        let pair = |&(data, labels): &(&str, Option<&str>)| match labels {
            None => Some((find(data)?, None)),
            Some(labels) => Some((find(data)?, Some(find(labels)?))),
        };
        self.files.iter().map(pair).collect()
    }

    fn read(&self, folder: &Path) -> Result<Dataset> {
        let Some(paths) = self.paths(folder) else {
            let files: Vec<&str> = self.files.iter().map(|(data, _)| *data).collect();
            bail!("--data: {} lacks {}", folder.display(), files.join(" or "))
        };
        let mut whole: Option<Dataset> = None;
        for (path, labels) in paths {
            let mut options = ReadOptions::default();
            if let Some(target) = self.target {
                options = options.target(Choice::Column(target.to_owned()));
            }
            options.ignore = self.ignore.iter().map(|name| (*name).to_owned()).collect();
            options.labels_by_position = labels.is_some();
            options.labels = labels;
            let part = io::read(&path, &options)?;
            match &mut whole {
                None => whole = Some(part),
                Some(whole) => append(whole, part)
                    .with_context(|| format!("{} does not go on", path.display()))?,
            }
        }
        whole.context("a table has a file")
    }
}

/// Where a table comes from.
pub(super) enum Source<'a> {
    /// It is one of the paper's.
    Paper(&'static Table),
    /// It is a file, with the classes in a column of that name.
    File(&'a PathBuf),
}

impl Source<'_> {
    /// What it is called.
    pub(super) fn name(&self) -> String {
        match self {
            Source::Paper(table) => table.name.to_owned(),
            Source::File(path) => path
                .file_stem()
                .map_or_else(String::new, |name| name.to_string_lossy().into_owned()),
        }
    }

    pub(super) fn read(&self, args: &XcsArgs) -> Result<Dataset> {
        match self {
            Source::Paper(table) => {
                let folder = args.data.as_deref();
                table.read(folder.context("--data: the folder of the paper's files is needed")?)
            }
            Source::File(path) => {
                let target = Choice::Column("class".to_owned());
                Ok(io::read(path, &ReadOptions::default().target(target))?)
            }
        }
    }
}

/// Adds the rows of a table of numbers to another with the same classes.
fn append(whole: &mut Dataset, more: Dataset) -> Result<()> {
    let (Some(own), Some(other)) = (&mut whole.target, more.target) else {
        bail!("there are no labels")
    };
    ensure!(
        own.classes == other.classes && whole.columns.len() == more.columns.len(),
        "it has other classes or columns than the file before"
    );
    own.codes.extend(other.codes);
    for (column, next) in whole.columns.iter_mut().zip(more.columns) {
        let (Values::Numeric(numbers), Values::Numeric(next)) = (&mut column.values, next.values)
        else {
            bail!("column '{}' is not one of numbers", column.name)
        };
        numbers.to_mut().extend(&next);
    }
    whole.rows += more.rows;
    Ok(())
}

/// The tables whose files are in a folder.
pub(super) fn found(folder: &Path) -> Result<Vec<&'static str>> {
    std::fs::read_dir(folder).with_context(|| format!("--data: {}", folder.display()))?;
    let there = TABLES.iter().filter(|table| table.paths(folder).is_some());
    let names: Vec<&str> = there.map(|table| table.name).collect();
    ensure!(!names.is_empty(), "--data: {} holds none of the paper's files", folder.display());
    Ok(names)
}

/// A share of the rules that the GPUs match, and the machine that shares so; none where the CPU is
/// alone.
pub(super) struct Share {
    load: f64,
    machine: Option<Machine>,
}

impl Share {
    /// What the paper varies, from the CPU alone to the GPU alone.
    const PAPER: [f64; 6] = [0.0, 0.25, 0.5, 0.75, 0.9, 1.0];

    /// The share asked for; otherwise those of the paper where there is a GPU.
    pub(super) fn asked(args: &XcsArgs) -> Result<Vec<Share>> {
        let common = &args.common;
        let machine = common.machine.machine(common.quiet)?;
        let has_gpu = machine.devices.iter().any(|device| device.kind() == DeviceKind::Gpu);
        let loads = match common.machine.gpu_load {
            Some(load) => vec![load],
            None if has_gpu => Share::PAPER.to_vec(),
            None => vec![0.0],
        };
        let share = |load: f64| {
            let machine = match load > 0.0 {
                true => Some(machine_with(&common.machine, load, common.quiet)?),
                false => None,
            };
            Ok(Share { load, machine })
        };
        loads.into_iter().map(share).collect()
    }
}

/// What was measured of a table.
pub(super) struct TableRow {
    problem: String,
    rows: usize,
    columns: usize,
    is_dense: bool,
    trials: u64,
    iterations: u64,
    population: u32,
    /// The share of the GPUs.
    gpu_load: f64,
    /// By the clock, each trial as fast as it ever was.
    seconds: f64,
    cpu: Option<f64>,
    way: &'static str,
    profile: Profile,
}

/// Measures a table with conditions over all columns, as in the paper, and over a few, with each share of the
/// GPUs.
pub(super) fn measure(
    source: &Source<'_>,
    args: &XcsArgs,
    shares: &[Share],
) -> Result<Vec<TableRow>> {
    let data = source.read(args)?;
    let trials = Trials::over(&data)?;
    let each = |is_dense| shares.iter().map(move |share| (is_dense, share));
    let rows = [true, false].into_iter().flat_map(each);
    rows.map(|(is_dense, share)| one(source, &data, &trials, is_dense, share, args)).collect()
}

fn one(
    source: &Source<'_>,
    data: &Dataset,
    trials: &Trials,
    is_dense: bool,
    share: &Share,
    args: &XcsArgs,
) -> Result<TableRow> {
    let (problem, columns) = (source.name(), data.columns.len());
    let mut life = SystemParams { population: args.population, ..SystemParams::default() };
    match source {
        // The paper covers only if no rule matches at all.
        Source::Paper(_) => life.least_actions = Some(1),
        Source::File(_) => life.exploration = 1.0,
    }
    let named = is_dense.then_some(columns as f64);
    let params =
        |seed| Params { mode: Mode::Reward, life: life.clone(), named, seed, ..Params::default() };
    let (mut profile, mut way) = (Profile::default(), "");
    let (mut seconds, mut cpu) = (0.0, Some(0.0));
    for trial in 0..args.trials {
        let params = params(args.common.seed + trial);
        let begin = || {
            let mut trial = trials.begin(&params);
            if let Some(machine) = &share.machine {
                trial.match_on(machine);
            }
            trial
        };
        let timing = fastest_of(
            Duration::ZERO,
            || Ok(begin()),
            |mut trial| {
                trial.show(args.iterations);
                Ok(())
            },
        )?;
        seconds += timing.wall;
        cpu = cpu.zip(timing.cpu).map(|(sum, more)| sum + more);
        let mut clocked = begin();
        clocked.clock();
        clocked.show(args.iterations);
        way = clocked.way();
        profile.add(&clocked.profile().unwrap_or_default());
    }
    let (rows, trials) = (data.rows, args.trials);
    let (iterations, population) = (args.iterations, args.population);
    Ok(TableRow {
        problem,
        rows,
        columns,
        is_dense,
        trials,
        iterations,
        population,
        gpu_load: share.load,
        seconds,
        cpu,
        way,
        profile,
    })
}

/// The head of the table that people read.
pub(super) fn head(out: &mut impl Write, args: &XcsArgs) -> std::io::Result<()> {
    writeln!(
        out,
        "{} trials of {} iterations each, populations of {}; shares of the time in percent",
        args.trials, args.iterations, args.population
    )?;
    write!(
        out,
        "{:<14} {:>6} {:>7} {:<6} {:>5} {:>10} {:<7}",
        "problem", "rows", "columns", "rules", "GPU", "it/s", "by"
    )?;
    for phase in Phase::ALL {
        write!(out, " {:>6}", short(phase))?;
    }
    writeln!(out)
}

/// A phase in a few letters.
fn short(phase: Phase) -> &'static str {
    match phase {
        Phase::Match => "match",
        Phase::Cover => "cover",
        Phase::Predict => "array",
        Phase::Update => "update",
        Phase::Breed => "GA",
        Phase::Subsume => "subs.",
        Phase::Delete => "delete",
    }
}

impl TableRow {
    /// By the CPU time; by the clock where a GPU did a part.
    fn per_second(&self) -> f64 {
        let cpu = self.cpu.filter(|_| self.gpu_load == 0.0);
        (self.trials * self.iterations) as f64 / cpu.unwrap_or(self.seconds)
    }

    fn representation(&self) -> &'static str {
        if self.is_dense { "dense" } else { "sparse" }
    }

    pub(super) fn json(&self) -> Value {
        let total = self.profile.total().max(f64::MIN_POSITIVE);
        let phases: serde_json::Map<String, Value> = Phase::ALL
            .iter()
            .map(|&phase| (phase.name().to_owned(), json!(self.profile.seconds(phase) / total)))
            .collect();
        json!({
            "problem": self.problem,
            "rows": self.rows,
            "columns": self.columns,
            "conditions": self.representation(),
            "population": self.population,
            "trials": self.trials,
            "iterations": self.iterations,
            "seconds": self.seconds,
            "processor_seconds": self.cpu,
            "iterations_per_second": self.per_second(),
            "explore_steps_to_99": null,
            "matching": self.way,
            "gpu_load": self.gpu_load,
            "phases": phases,
        })
    }

    pub(super) fn print(&self, out: &mut impl Write) -> std::io::Result<()> {
        write!(
            out,
            "{:<14} {:>6} {:>7} {:<6} {:>4.0}% {:>10} {:<7}",
            self.problem,
            self.rows,
            self.columns,
            self.representation(),
            100.0 * self.gpu_load,
            rate(self.per_second()),
            self.way
        )?;
        let total = self.profile.total().max(f64::MIN_POSITIVE);
        for phase in Phase::ALL {
            write!(out, " {:>6.1}", 100.0 * self.profile.seconds(phase) / total)?;
        }
        writeln!(out)
    }
}
