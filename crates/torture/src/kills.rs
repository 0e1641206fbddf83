//! Runs that are killed at random moments and resumed, on other threads and under other instruction sets: they must end with
//! the same bytes as a run that was not killed. Commands that write are killed too: their file is as before, or complete.

use crate::runs::{Ground, Learning, Writing, said};
use crate::{Asked, Report};
use anyhow::Result;
use pellucid_torture::Mutator;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// What undisturbed runs wrote: every killed one must end with it.
struct Expected {
    models: Vec<Vec<u8>>,
    files: Vec<Vec<u8>>,
}

/// What all threads did so far.
#[derive(Default)]
struct Tally {
    report: Report,
    kills: BTreeMap<&'static str, u64>,
    resumed: u64,
}

pub(crate) fn run(asked: &Asked) -> Result<Report> {
    let ground = Ground::new(asked)?;
    let expected = Expected {
        models: ground
            .learnings()
            .iter()
            .map(|learning| ground.undisturbed(learning))
            .collect::<Result<_>>()?,
        files: ground
            .writings()
            .iter()
            .map(|writing| ground.whole(writing))
            .collect::<Result<_>>()?,
    };
    let (tally, rounds, total) =
        (Mutex::new(Tally::default()), AtomicU64::new(0), AtomicU64::new(0));
    std::thread::scope(|scope| -> Result<()> {
        let work = || -> Result<()> {
            // A folder for each thread: the files have fixed names.
            let ground = Ground::new(asked)?;
            while total.load(Ordering::SeqCst) < asked.kills && !asked.is_over() {
                let round = rounds.fetch_add(1, Ordering::SeqCst);
                total.fetch_add(
                    one_round(&ground, asked.seed, round, &expected, &tally)?,
                    Ordering::SeqCst,
                );
            }
            Ok(())
        };
        let threads: Vec<_> = (0..asked.jobs).map(|_| scope.spawn(work)).collect();
        threads.into_iter().try_for_each(|thread| thread.join().expect("a thread that kills"))
    })?;
    let Tally { mut report, kills, resumed } = tally.into_inner().unwrap_or_default();
    let (total, rounds) = (total.into_inner(), rounds.into_inner());
    report.tried(format!(
        "{total} kills at random moments in {rounds} runs, {resumed} of them resumed to their end"
    ));
    report.tried(format!("resumed under 1, 2 and 4 threads and {}", ground.levels.join(", ")));
    for (name, count) in kills {
        report.tried(format!("{name:<12} {count:>5}"));
    }
    Ok(report)
}

/// Disturbs one command; returns how often it was killed.
fn one_round(
    ground: &Ground,
    seed: u64,
    round: u64,
    expected: &Expected,
    tally: &Mutex<Tally>,
) -> Result<u64> {
    let mut chance = Mutator::new(seed, round);
    let mut report = Report::default();
    // Mostly runs that learn: there is more to lose. They take turns, so that none is left out of a short run.
    let is_learning = chance.chance(0.8);
    let (name, count) = if is_learning {
        let learnings = ground.learnings();
        let number = usize::try_from(round).unwrap_or(0) % learnings.len();
        let learning = &learnings[number];
        (
            learning.name,
            learn(ground, learning, &expected.models[number], &mut chance, &mut report)?,
        )
    } else {
        let writings = ground.writings();
        let number = chance.below(writings.len());
        let writing = &writings[number];
        (writing.file, write(ground, writing, &expected.files[number], &mut chance, &mut report)?)
    };
    let mut tally = tally.lock().expect("no thread panics while it counts");
    tally.report.failures.append(&mut report.failures);
    tally.resumed += u64::from(is_learning);
    *tally.kills.entry(name).or_default() += count;
    Ok(count)
}

/// Kills a run again and again until it gets to its end; returns how often.
fn learn(
    ground: &Ground,
    learning: &Learning,
    model: &[u8],
    chance: &mut Mutator,
    report: &mut Report,
) -> Result<u64> {
    let (out, checkpoint) = (format!("{}.json", learning.name), format!("{}.ckpt", learning.name));
    for name in [&out, &checkpoint] {
        let _ = std::fs::remove_file(ground.at(name));
    }
    let mut kills = 0;
    for attempt in 0.. {
        let threads = ["1", "2", "4"][chance.below(3)];
        let level = ground.levels[chance.below(ground.levels.len())];
        let kept = ["--checkpoint", &checkpoint, "--checkpoint-every", "1", "--resume"];
        let more = [&kept[..], &["--out", &out, "--threads", threads, "--quiet"]].concat();
        let words = learning.words(&more);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let mut child = ground.command(&words).env("PELLUCID_SIMD", level).spawn()?;
        // From before the first checkpoint on; after many kills one run is let through, however slow the machine is.
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
            || format!("{} after {kills} kills, {threads} threads, {level}", learning.name);
        if !output.status.success() {
            report.failed(format!("{}: {}", context(), said(&output)));
        } else if std::fs::read(ground.at(&out)).ok().as_deref() != Some(model) {
            report.failed(format!("{}: not the model of an undisturbed run", context()));
        }
        break;
    }
    check_leftovers(ground, learning.name, report);
    Ok(kills)
}

/// Kills a command that writes, once; returns 1 if it was still running.
fn write(
    ground: &Ground,
    writing: &Writing,
    whole: &[u8],
    chance: &mut Mutator,
    report: &mut Report,
) -> Result<u64> {
    const OLD: &[u8] = b"what was there before";
    let path = ground.at(writing.file);
    std::fs::write(&path, OLD)?;
    let mut child = ground.command(&writing.words()).spawn()?;
    std::thread::sleep(Duration::from_micros(chance.below(120_000) as u64));
    let is_alive = child.try_wait()?.is_none();
    if is_alive {
        child.kill()?;
    }
    child.wait()?;
    let found = std::fs::read(&path)?;
    if found != OLD && found != whole {
        report.failed(format!("{}: {} bytes, neither old nor complete", writing.file, found.len()));
    }
    if ground.whole(writing)? != whole {
        report.failed(format!("{}: not the file of an undisturbed run", writing.file));
    }
    check_leftovers(ground, writing.file, report);
    Ok(u64::from(is_alive))
}

/// A command that finished leaves no unfinished file, of its own or of the killed ones before it.
fn check_leftovers(ground: &Ground, name: &str, report: &mut Report) {
    let left = ground.unfinished();
    if !left.is_empty() {
        report.failed(format!("{name} left {left:?}"));
        left.iter().for_each(|name| drop(std::fs::remove_file(ground.at(name))));
    }
}
