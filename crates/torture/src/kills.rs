//! Commands that are killed at random times.
//!
//! Training runs are resumed with other numbers of threads and other instruction sets, and must end
//! with the same model as an uninterrupted run. The output file of other commands must be unchanged
//! or complete.

use crate::runs::{Sandbox, TrainingCommand, WriteCommand, stderr_line};
use crate::{Options, Report};
use anyhow::Result;
use pellucid_torture::Mutator;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The output of uninterrupted runs.
struct Expected {
    models: Vec<Vec<u8>>,
    files: Vec<Vec<u8>>,
}

/// The results of all threads.
#[derive(Default)]
struct Tally {
    report: Report,
    kills: BTreeMap<&'static str, u64>,
    resumed: u64,
}

pub(crate) fn run(options: &Options) -> Result<Report> {
    let sandbox = Sandbox::new(options)?;
    let expected = Expected {
        models: sandbox
            .training_commands()
            .iter()
            .map(|training| sandbox.reference_model(training))
            .collect::<Result<_>>()?,
        files: sandbox
            .write_commands()
            .iter()
            .map(|command| sandbox.reference_file(command))
            .collect::<Result<_>>()?,
    };
    let (tally, rounds, total) =
        (Mutex::new(Tally::default()), AtomicU64::new(0), AtomicU64::new(0));
    std::thread::scope(|scope| -> Result<()> {
        let work = || -> Result<()> {
            // Each thread needs its own folder, because the files have fixed names.
            let sandbox = Sandbox::new(options)?;
            while total.load(Ordering::SeqCst) < options.kills && !options.is_over() {
                let round = rounds.fetch_add(1, Ordering::SeqCst);
                total.fetch_add(
                    one_round(&sandbox, options.seed, round, &expected, &tally)?,
                    Ordering::SeqCst,
                );
            }
            Ok(())
        };
        let threads: Vec<_> = (0..options.jobs).map(|_| scope.spawn(work)).collect();
        threads.into_iter().try_for_each(|thread| thread.join().expect("the thread does not panic"))
    })?;
    let Tally { mut report, kills, resumed } = tally.into_inner().unwrap_or_default();
    let (total, rounds) = (total.into_inner(), rounds.into_inner());
    report.note(format!(
        "{total} kills at random times in {rounds} runs, {resumed} of them resumed until they finished"
    ));
    report.note(format!("resumed with 1, 2 and 4 threads and {}", sandbox.levels.join(", ")));
    for (name, count) in kills {
        report.note(format!("{name:<12} {count:>5}"));
    }
    Ok(report)
}

/// Kills one command. Returns the number of kills.
fn one_round(
    sandbox: &Sandbox,
    seed: u64,
    round: u64,
    expected: &Expected,
    tally: &Mutex<Tally>,
) -> Result<u64> {
    let mut chance = Mutator::new(seed, round);
    let mut report = Report::default();
    // Mostly training runs, which have more state. They take turns, so that a short test covers all of them.
    let is_learning = chance.chance(0.8);
    let (name, count) = if is_learning {
        let training_commands = sandbox.training_commands();
        let number = usize::try_from(round).unwrap_or(0) % training_commands.len();
        let training = &training_commands[number];
        (
            training.name,
            learn(sandbox, training, &expected.models[number], &mut chance, &mut report)?,
        )
    } else {
        let write_commands = sandbox.write_commands();
        let number = chance.below(write_commands.len());
        let command = &write_commands[number];
        (command.file, write(sandbox, command, &expected.files[number], &mut chance, &mut report)?)
    };
    let mut tally = tally.lock().expect("the lock is not poisoned");
    tally.report.failures.append(&mut report.failures);
    tally.resumed += u64::from(is_learning);
    *tally.kills.entry(name).or_default() += count;
    Ok(count)
}

/// Kills and resumes a training run until it finishes. Returns the number of kills.
fn learn(
    sandbox: &Sandbox,
    training: &TrainingCommand,
    model: &[u8],
    chance: &mut Mutator,
    report: &mut Report,
) -> Result<u64> {
    let (out, checkpoint) = (format!("{}.json", training.name), format!("{}.ckpt", training.name));
    for name in [&out, &checkpoint] {
        let _ = std::fs::remove_file(sandbox.at(name));
    }
    let mut kills = 0;
    for attempt in 0.. {
        let threads = ["1", "2", "4"][chance.below(3)];
        let level = sandbox.levels[chance.below(sandbox.levels.len())];
        let kept = ["--checkpoint", &checkpoint, "--checkpoint-every", "1", "--resume"];
        let more = [&kept[..], &["--out", &out, "--threads", threads, "--quiet"]].concat();
        let words = training.words(&more);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let mut child = sandbox.command(&words).env("PELLUCID_SIMD", level).spawn()?;
        // The first kills can come before the first checkpoint. After many kills the time grows, so
        // that the run finishes even on a slow machine.
        let longest = if attempt < 25 { 400_000 } else { 2_000_000 * (attempt - 24) };
        let wait = Duration::from_micros(chance.below(longest) as u64);
        std::thread::sleep(wait);
        if child.try_wait()?.is_none() {
            child.kill()?;
            child.wait()?;
            kills += 1;
            continue;
        }
        let output = child.wait_with_output()?;
        let context =
            || format!("{} after {kills} kills, {threads} threads, {level}", training.name);
        if !output.status.success() {
            report.fail(format!("{}: {}", context(), stderr_line(&output)));
        } else if std::fs::read(sandbox.at(&out)).ok().as_deref() != Some(model) {
            report.fail(format!("{}: not the model of an uninterrupted run", context()));
        }
        break;
    }
    check_leftovers(sandbox, training.name, report);
    Ok(kills)
}

/// Kills a command that writes a file once. Returns 1 if it was still running.
fn write(
    sandbox: &Sandbox,
    command: &WriteCommand,
    whole: &[u8],
    chance: &mut Mutator,
    report: &mut Report,
) -> Result<u64> {
    const OLD: &[u8] = b"previous content";
    let path = sandbox.at(command.file);
    std::fs::write(&path, OLD)?;
    let mut child = sandbox.command(&command.words()).spawn()?;
    std::thread::sleep(Duration::from_micros(chance.below(120_000) as u64));
    let is_alive = child.try_wait()?.is_none();
    if is_alive {
        child.kill()?;
    }
    child.wait()?;
    let found = std::fs::read(&path)?;
    if found != OLD && found != whole {
        report.fail(format!(
            "{}: {} bytes, neither unchanged nor complete",
            command.file,
            found.len()
        ));
    }
    if sandbox.reference_file(command)? != whole {
        report.fail(format!("{}: not the file of an uninterrupted run", command.file));
    }
    check_leftovers(sandbox, command.file, report);
    Ok(u64::from(is_alive))
}

/// Checks that a command that finished left no temporary files, including those of killed commands before it.
fn check_leftovers(sandbox: &Sandbox, name: &str, report: &mut Report) {
    let left = sandbox.unfinished();
    if !left.is_empty() {
        report.fail(format!("{name} left {left:?}"));
        left.iter().for_each(|name| drop(std::fs::remove_file(sandbox.at(name))));
    }
}
