//! Disks that are full after so many bytes: what was there stays, nothing is left over, a run goes on when there is room again.

use crate::runs::{Ground, said};
use crate::{Asked, Report};
use anyhow::Result;
use std::process::{Command, Output};

pub(crate) fn run(asked: &Asked) -> Result<Report> {
    let mut report = Report::default();
    if Command::new("prlimit").arg("--version").output().is_err() {
        report.tried("nothing: prlimit is not installed");
        return Ok(report);
    }
    let ground = Ground::new(asked)?;
    let mut tried = 0;
    for writing in ground.writings() {
        let whole = ground.whole(&writing)?;
        let old = b"what was there before";
        for bytes in sizes(whole.len()) {
            if asked.is_over() {
                break;
            }
            let path = ground.at(writing.file);
            std::fs::write(&path, old)?;
            let output = full_after(&ground, bytes, &writing.words())?;
            let found = std::fs::read(&path)?;
            tried += 1;
            if output.status.code() != Some(2) || found != old {
                let told = format!("{} on a disk of {bytes} bytes", writing.file);
                report.failed(format!(
                    "{told}: {:?}, {} bytes, {}",
                    output.status,
                    found.len(),
                    said(&output)
                ));
            }
            if !ground.unfinished().is_empty() {
                report.failed(format!("{} left {:?}", writing.file, ground.unfinished()));
            }
        }
    }
    report.tried(format!("{tried} files written to a disk that was full before their end"));
    learn(asked, &ground, &mut report)?;
    Ok(report)
}

/// A run whose checkpoint and model do not fit, at each of some sizes, and then do.
fn learn(asked: &Asked, ground: &Ground, report: &mut Report) -> Result<()> {
    let run = "learn rules bags.csv --bag bag --mode g3p-mi --population 30 --generations 12";
    let run: Vec<&str> = run.split(' ').collect();
    ground.command(&[&run[..], &["--out", "whole.json", "--force"]].concat()).output()?;
    let model = std::fs::read(ground.at("whole.json"))?;
    let kept = ["--checkpoint", "full.ckpt", "--checkpoint-every", "1", "--resume"];
    let words = [&run[..], &kept, &["--out", "full.json"]].concat();
    let (mut tried, mut began) = (0, 0);
    for bytes in sizes(12_000) {
        if asked.is_over() {
            break;
        }
        for name in ["full.json", "full.ckpt"] {
            let _ = std::fs::remove_file(ground.at(name));
        }
        let output = full_after(ground, bytes, &words)?;
        tried += 1;
        began += usize::from(ground.at("full.ckpt").exists());
        if output.status.code() == Some(0)
            && std::fs::read(ground.at("full.json")).ok().as_deref() != Some(&model)
        {
            report.failed(format!("a run on a disk of {bytes} bytes: done with another model"));
        }
        let output = ground.command(&words).output()?;
        let found = std::fs::read(ground.at("full.json")).ok();
        if !output.status.success() || found.as_deref() != Some(&model) {
            report.failed(format!("a run after a disk of {bytes} bytes: {}", said(&output)));
        }
        if !ground.unfinished().is_empty() {
            report
                .failed(format!("a run on a disk of {bytes} bytes left {:?}", ground.unfinished()));
        }
    }
    report.tried(format!("{tried} runs on a disk that was full, {began} of them after a checkpoint; all went on with room"));
    Ok(())
}

/// Sizes from nothing to one byte too few.
fn sizes(whole: usize) -> Vec<usize> {
    let mut sizes: Vec<usize> = [0, 1, 7, 64, 511, 512, 4095, 4096].to_vec();
    sizes.extend((1..12).map(|part| whole * part / 12));
    sizes.extend([whole.saturating_sub(2), whole.saturating_sub(1)]);
    sizes.retain(|&size| size < whole);
    sizes.sort_unstable();
    sizes.dedup();
    sizes
}

/// Runs the command where no file may have more than so many bytes, and to write more is an error.
fn full_after(ground: &Ground, bytes: usize, words: &[&str]) -> Result<Output> {
    let limit = format!("--fsize={bytes}");
    let others = ["prlimit", &limit, "env", "--ignore-signal=XFSZ"];
    Ok(ground.within(&others, words).output()?)
}
