//! Runs that are killed at random moments and resumed, on other threads and under other instruction sets: the end is the same as
//! if nobody had disturbed them. Commands that write are killed, too: their file is as before or whole.

use crate::runs::{Ground, Learning, Writing, said};
use crate::{Asked, Report};
use anyhow::Result;
use pellucid_torture::Mutator;
use std::collections::BTreeMap;
use std::time::Duration;

pub(crate) fn run(asked: &Asked) -> Result<Report> {
    let ground = Ground::new(asked)?;
    let (mut report, mut kills) = (Report::default(), BTreeMap::<&str, u64>::new());
    let (learnings, writings) = (ground.learnings(), ground.writings());
    let models: Vec<Vec<u8>> =
        learnings.iter().map(|learning| ground.undisturbed(learning)).collect::<Result<_>>()?;
    let files: Vec<Vec<u8>> =
        writings.iter().map(|writing| ground.whole(writing)).collect::<Result<_>>()?;
    let mut round = 0;
    let (mut total, mut resumed) = (0, 0);
    while total < asked.kills && !asked.is_over() {
        let mut chance = Mutator::new(asked.seed, round);
        // Mostly runs that learn: there is more to lose.
        let count = if chance.chance(0.7) {
            let number = chance.below(learnings.len());
            let count =
                learn(&ground, &learnings[number], &models[number], &mut chance, &mut report)?;
            resumed += 1;
            *kills.entry(learnings[number].name).or_default() += count;
            count
        } else {
            let number = chance.below(writings.len());
            let count =
                write(&ground, &writings[number], &files[number], &mut chance, &mut report)?;
            *kills.entry(writings[number].file).or_default() += count;
            count
        };
        total += count;
        round += 1;
    }
    report.tried(format!(
        "{total} kills at random moments in {round} runs, {resumed} of them resumed to their end"
    ));
    report.tried(format!("resumed under 1, 2 and 4 threads and {}", ground.levels.join(", ")));
    for (name, count) in kills {
        report.tried(format!("{name:<12} {count:>5}"));
    }
    Ok(report)
}

/// Kills a run again and again until it gets to its end; tells how often.
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
        // From before the first checkpoint on; after many kills one is let through, however slow the machine is.
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
        let told = || format!("{} after {kills} kills, {threads} threads, {level}", learning.name);
        if !output.status.success() {
            report.failed(format!("{}: {}", told(), said(&output)));
        } else if std::fs::read(ground.at(&out)).ok().as_deref() != Some(model) {
            report.failed(format!("{}: another model than undisturbed", told()));
        }
        break;
    }
    let left = ground.unfinished();
    if !left.is_empty() {
        report.failed(format!("{} left {left:?}", learning.name));
        left.iter().for_each(|name| drop(std::fs::remove_file(ground.at(name))));
    }
    Ok(kills)
}

/// Kills a command that writes, once; tells whether it was still alive.
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
    let alive = child.try_wait()?.is_none();
    if alive {
        child.kill()?;
    }
    child.wait()?;
    let found = std::fs::read(&path)?;
    if found != OLD && found != whole {
        report.failed(format!("{}: {} bytes, neither old nor whole", writing.file, found.len()));
    }
    if ground.whole(writing)? != whole {
        report.failed(format!("{}: another file than undisturbed", writing.file));
    }
    let left = ground.unfinished();
    if !left.is_empty() {
        report.failed(format!("{} left {left:?}", writing.file));
        left.iter().for_each(|name| drop(std::fs::remove_file(ground.at(name))));
    }
    Ok(u64::from(alive))
}
