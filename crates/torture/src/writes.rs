//! Commands that are killed at each of their calls that change a file: the first, the second, and so on, until there is none left.
//!
//! `strace` does the killing, before the call is made. Where it is not installed that is said, and nothing is tried.

use crate::runs::{Ground, said};
use crate::{Asked, Report};
use anyhow::Result;
use std::process::Command;

/// The calls by which files change.
const CALLS: &str = "openat,write,pwrite64,fsync,fchmod,rename,renameat,renameat2,link,linkat,unlink,unlinkat,flock";

pub(crate) fn run(asked: &Asked) -> Result<Report> {
    let mut report = Report::default();
    if Command::new("strace").arg("--version").output().is_err() {
        report.tried("nothing: strace is not installed");
        return Ok(report);
    }
    let ground = Ground::new(asked)?;
    for writing in ground.writings() {
        let whole = ground.whole(&writing)?;
        let old = b"what was there before";
        let mut kills = 0;
        for call in 1.. {
            if asked.is_over() {
                break;
            }
            let path = ground.at(writing.file);
            std::fs::write(&path, old)?;
            let output = ground.within(&killing(call), &writing.words()).output()?;
            let found = std::fs::read(&path)?;
            if found != old && found != whole {
                report.failed(format!(
                    "{} killed at call {call}: {} bytes",
                    writing.file,
                    found.len()
                ));
            }
            if output.status.success() {
                break;
            }
            kills += 1;
        }
        let again = ground.whole(&writing)? == whole;
        if !again || !ground.unfinished().is_empty() {
            report.failed(format!("{}: afterwards {:?}", writing.file, ground.unfinished()));
        }
        report.tried(format!("{:<12} killed at each of {kills} calls", writing.file));
    }
    learn(asked, &ground, &mut report)?;
    Ok(report)
}

/// A short run with a checkpoint after every step, killed at each call and resumed: the same model every time.
fn learn(asked: &Asked, ground: &Ground, report: &mut Report) -> Result<()> {
    let run = "learn rules bags.csv --bag bag --mode g3p-mi --population 20 --generations 5 --threads 1 --quiet";
    let run: Vec<&str> = run.split(' ').collect();
    let plain = [&run[..], &["--out", "whole.json", "--force"]].concat();
    ground.command(&plain).output()?;
    let model = std::fs::read(ground.at("whole.json"))?;
    let kept = ["--checkpoint", "calls.ckpt", "--checkpoint-every", "1", "--resume"];
    let words = [&run[..], &kept, &["--out", "calls.json"]].concat();
    let mut kills = 0;
    for call in 1.. {
        if asked.is_over() {
            break;
        }
        for name in ["calls.json", "calls.ckpt"] {
            let _ = std::fs::remove_file(ground.at(name));
        }
        let output = ground.within(&killing(call), &words).output()?;
        let was_killed = !output.status.success();
        kills += usize::from(was_killed);
        if was_killed {
            let output = ground.command(&words).output()?;
            if !output.status.success() {
                report.failed(format!("run killed at call {call}: {}", said(&output)));
                continue;
            }
        }
        if std::fs::read(ground.at("calls.json")).ok().as_deref() != Some(&model) {
            report.failed(format!("run killed at call {call}: another model"));
        }
        if !ground.unfinished().is_empty() {
            report.failed(format!("run killed at call {call} left {:?}", ground.unfinished()));
        }
        if !was_killed {
            break;
        }
    }
    report.tried(format!("{:<12} killed at each of {kills} calls, and resumed", "a run"));
    Ok(())
}

fn killing(call: usize) -> [&'static str; 8] {
    // The command lives as long as this process does, and there are a few thousand of these.
    let inject: &'static str =
        Box::leak(format!("inject={CALLS}:signal=SIGKILL:when={call}").into_boxed_str());
    let trace: &'static str = Box::leak(format!("trace={CALLS}").into_boxed_str());
    ["strace", "-f", "-qq", "-o/dev/null", "-e", trace, "-e", inject]
}
