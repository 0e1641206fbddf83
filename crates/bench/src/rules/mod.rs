//! `pellucid-bench rules`: whole runs of the paper's algorithm, as in its Tables 4 and 5.
//!
//! Each set is bred for all generations under each hypothesis, on all selected threads and devices. The time
//! of a run includes everything after the table is built: opening the session, breeding, evaluation and
//! replacement. *Requested* rules are those whose fitness is needed; counts of rules seen before are cached,
//! so the rates are higher than those of `pellucid-bench interpreter`, which caches nothing.

mod sets;

use crate::arguments::{Hypothesis, RulesArgs};
use crate::paper::{Seconds, whole_run};
use crate::rules::sets::chosen;
use crate::write_json;
use anyhow::Result;
use pellucid::io::Dataset;
use pellucid::learn::params::{Check as _, Valid};
use pellucid::learn::run::Stepper as _;
use pellucid::rules::evolve::EvolutionProfile;
use pellucid::rules::g3pmi::G3pMi;
use pellucid::rules::params::{Covering, Mode, Params};
use pellucid::rules::train::{Machine, Training};
use pellucid_arguments::described;
use pellucid_terminal::ExitStatus;
use pellucid_terminal::machine::FindMachine as _;
use pellucid_terminal::out::{grouped, rate, stdout};
use pellucid_terminal::progress::Progress;
use serde_json::{Value, json};
use std::io::Write;
use std::time::{Duration, Instant};

pub(crate) fn run(args: &RulesArgs) -> Result<ExitStatus> {
    let start = Instant::now();
    let plans =
        args.hypothesis.iter().map(|&hypothesis| Ok((hypothesis, params(args, hypothesis)?)));
    let plans: Vec<(Hypothesis, Valid<Params>)> = plans.collect::<Result<_>>()?;
    let machine = args.common.machine.machine(args.common.quiet)?;
    let sets = chosen(&args.sets, args.data.as_deref())?;
    let device = described(&machine.devices);
    let mut out = stdout();
    if !args.common.json {
        head(&mut out, args, &device)?;
    }
    let progress = Progress::new(args.common.quiet || args.common.json);
    progress.begin("rules", Some((sets.len() * plans.len()) as u64));
    let mut rows = Vec::new();
    for set in &sets {
        let data = set.load(args.common.seed)?;
        let training = Training::new(&data, &machine.threads)?;
        let of_set = rows.len();
        for (hypothesis, params) in &plans {
            progress.at(rows.len() as u64, format!("{}, {}", set.name, name(*hypothesis)));
            let row =
                Row::measure(&set.name, &data, training.clone(), *hypothesis, params, &machine)?;
            if !args.common.json {
                row.print(&mut out)?;
            }
            rows.push(row);
        }
        if !args.common.json {
            profile_line(&mut out, &rows[of_set..])?;
            out.flush()?;
        }
    }
    progress.end();
    if args.common.json {
        let rows: Vec<Value> = rows.iter().map(Row::json).collect();
        write_json(&mut out, "rules", &device, rows, start)?;
    }
    out.flush()?;
    Ok(ExitStatus::Done)
}

/// The paper's parameters, with what was typed.
fn params(args: &RulesArgs, hypothesis: Hypothesis) -> Result<Valid<Params>> {
    let covering = match hypothesis {
        Hypothesis::Presence => Covering::Presence,
        Hypothesis::Count => Covering::Between(2, 4),
    };
    let mut params =
        Params { mode: Mode::G3pMi, seed: args.common.seed, covering, ..Params::default() };
    params.breeding.population = args.population;
    params.breeding.generations = args.generations;
    Ok(params.check()?)
}

fn name(hypothesis: Hypothesis) -> &'static str {
    match hypothesis {
        Hypothesis::Presence => "presence",
        Hypothesis::Count => "count",
    }
}

/// What was measured of one run.
struct Row {
    set: String,
    bags: usize,
    instances: usize,
    attributes: usize,
    hypothesis: Hypothesis,
    /// The whole run.
    elapsed: Duration,
    profile: EvolutionProfile,
    /// Rules counted on a device.
    counted: u64,
    /// What the paper needed, where it ran the same: its own population and generations.
    paper: Option<Seconds>,
}

impl Row {
    fn measure(
        set: &str,
        data: &Dataset,
        training: Training,
        hypothesis: Hypothesis,
        params: &Valid<Params>,
        machine: &Machine,
    ) -> Result<Row> {
        let bags = training.codes.len();
        let start = Instant::now();
        let mut run = G3pMi::new(training, params.clone(), machine)?;
        // Steps are taken by hand: a driver would stop at a perfect rule, and then sets could not be
        // compared.
        for _ in 0..=params.breeding.generations {
            run.step()?;
        }
        let elapsed = start.elapsed();
        let as_in_paper = params.breeding == Params::default().breeding;
        Ok(Row {
            set: set.to_owned(),
            bags,
            instances: data.rows,
            attributes: data.columns.len(),
            hypothesis,
            elapsed,
            profile: run.profile(),
            counted: run.rules_counted(),
            paper: whole_run(set, hypothesis).filter(|_| as_in_paper),
        })
    }

    fn seconds(&self) -> f64 {
        self.elapsed.as_secs_f64()
    }

    /// The rate per second, given the amount of work for each requested rule and instance.
    #[expect(clippy::cast_precision_loss)]
    fn per_second(&self, asked: u64) -> f64 {
        asked as f64 * self.instances as f64 / self.seconds()
    }

    fn json(&self) -> Value {
        let shares = Shares::of(std::slice::from_ref(self));
        json!({
            "set": self.set,
            "bags": self.bags,
            "instances": self.instances,
            "attributes": self.attributes,
            "hypothesis": name(self.hypothesis),
            "seconds": self.seconds(),
            "nodes_per_second": self.per_second(self.profile.nodes),
            "rule_instances_per_second": self.per_second(self.profile.rules),
            "asked": self.profile.rules,
            "counted": self.counted,
            "profile": {
                "evaluation": shares.evaluation,
                "breeding": shares.breeding,
                "replacement": shares.replacement,
                "other": shares.other,
            },
            "paper_cpu_seconds": self.paper.map(|paper| paper.four_threads),
            "paper_gpus_seconds": self.paper.map(|paper| paper.four_gpus),
            "ratio_to_gpus": self.paper.map(|paper| paper.four_gpus / self.seconds()),
        })
    }

    fn print(&self, out: &mut impl Write) -> Result<()> {
        let seconds = |number: fn(&Seconds) -> f64| {
            self.paper
                .as_ref()
                .map_or_else(|| "-".to_owned(), |paper| format!("{:.2}", number(paper)))
        };
        let ratio = self.paper.map(|paper| format!("{:.1} x", paper.four_gpus / self.seconds()));
        writeln!(
            out,
            "{:<18} {:>7} {:>9} {:>5} {:<8} | {:>8.3} {:>8} {:>11} {:>8} | {:>9} {:>7} | {:>9}",
            self.set,
            grouped(self.bags as u64),
            grouped(self.instances as u64),
            self.attributes,
            name(self.hypothesis),
            self.seconds(),
            rate(self.per_second(self.profile.nodes)),
            rate(self.per_second(self.profile.rules)),
            grouped(self.counted),
            seconds(|paper| paper.four_threads),
            seconds(|paper| paper.four_gpus),
            ratio.unwrap_or_else(|| "-".to_owned()),
        )?;
        Ok(())
    }
}

fn head(out: &mut impl Write, args: &RulesArgs, device: &str) -> Result<()> {
    writeln!(out, "{device}")?;
    writeln!(
        out,
        "whole runs of g3p-mi: {} rules, {} generations after the first; count means 2 to 4 rows of a bag\n\
         rates are requests per second: counts of rules seen before are cached, 'counted' are the others\n\
         the paper's seconds cover evaluation alone, ours everything after the table is built\n",
        grouped(args.population as u64),
        grouped(args.generations)
    )?;
    writeln!(
        out,
        "{:52}| ours                                   | paper (2014), s   | 4 GPUs",
        ""
    )?;
    writeln!(
        out,
        "set                   bags instances attrs          |  seconds  nodes/s rule-rows/s  counted | \
         \x20  4 CPUs  4 GPUs |    / ours"
    )?;
    Ok(())
}

/// Where the time of a set's runs went.
fn profile_line(out: &mut impl Write, rows: &[Row]) -> Result<()> {
    let shares = Shares::of(rows);
    writeln!(
        out,
        "  evaluation {:.1} %, breeding {:.1} % (parallel); replacement {:.1} %, other {:.1} % (serial)",
        100.0 * shares.evaluation,
        100.0 * shares.breeding,
        100.0 * shares.replacement,
        100.0 * shares.other
    )?;
    Ok(())
}

/// Parts of the time; they sum to 1.
struct Shares {
    /// Counting, on all devices.
    evaluation: f64,
    /// Making children, on all threads.
    breeding: f64,
    /// Old for new, on one thread.
    replacement: f64,
    /// The session, the best and the mean, on one thread.
    other: f64,
}

impl Shares {
    fn of(rows: &[Row]) -> Shares {
        let all: Duration = rows.iter().map(|row| row.elapsed).sum();
        let share = |part: fn(&EvolutionProfile) -> Duration| {
            let part: Duration = rows.iter().map(|row| part(&row.profile)).sum();
            part.as_secs_f64() / all.as_secs_f64()
        };
        let evaluation = share(|profile| profile.evaluation);
        let breeding = share(|profile| profile.breeding);
        let replacement = share(|profile| profile.replacement);
        let other = 1.0 - evaluation - breeding - replacement;
        Shares { evaluation, breeding, replacement, other }
    }
}
