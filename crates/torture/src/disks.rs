//! Full disks: existing files stay unchanged, no temporary files remain, and a run can be resumed
//! when there is space again.

use crate::runs::{Sandbox, stderr_line};
use crate::{Options, Report};
use anyhow::Result;
use std::process::{Command, Output};

pub(crate) fn run(options: &Options) -> Result<Report> {
    let mut report = Report::default();
    if Command::new("prlimit").arg("--version").output().is_err() {
        report.note("skipped: prlimit is not installed");
        return Ok(report);
    }
    let sandbox = Sandbox::new(options)?;
    let mut tried = 0;
    for command in sandbox.write_commands() {
        let whole = sandbox.reference_file(&command)?;
        let old = b"previous content";
        for bytes in sizes(whole.len()) {
            if options.is_over() {
                break;
            }
            let path = sandbox.at(command.file);
            std::fs::write(&path, old)?;
            let output = full_after(&sandbox, bytes, &command.words())?;
            let found = std::fs::read(&path)?;
            tried += 1;
            if output.status.code() != Some(2) || found != old {
                report.fail(format!(
                    "{} on a disk of {bytes} bytes: {:?}, {} bytes, {}",
                    command.file,
                    output.status,
                    found.len(),
                    stderr_line(&output)
                ));
            }
            if !sandbox.unfinished().is_empty() {
                report.fail(format!("{} left {:?}", command.file, sandbox.unfinished()));
            }
        }
    }
    report.note(format!("{tried} files written to a disk that was too small"));
    learn(options, &sandbox, &mut report)?;
    Ok(report)
}

/// Trains on disks of several sizes that are too small for the checkpoint or the model, and resumes
/// with enough space.
fn learn(options: &Options, sandbox: &Sandbox, report: &mut Report) -> Result<()> {
    let run = "learn rules bags.csv --bag bag --mode g3p-mi --population 30 --generations 12";
    let run: Vec<&str> = run.split(' ').collect();
    sandbox.command(&[&run[..], &["--out", "whole.json", "--force"]].concat()).output()?;
    let model = std::fs::read(sandbox.at("whole.json"))?;
    let kept = ["--checkpoint", "full.ckpt", "--checkpoint-every", "1", "--resume"];
    let words = [&run[..], &kept, &["--out", "full.json"]].concat();
    let (mut tried, mut with_checkpoint) = (0, 0);
    for bytes in sizes(12_000) {
        if options.is_over() {
            break;
        }
        for name in ["full.json", "full.ckpt"] {
            let _ = std::fs::remove_file(sandbox.at(name));
        }
        let output = full_after(sandbox, bytes, &words)?;
        tried += 1;
        with_checkpoint += usize::from(sandbox.at("full.ckpt").exists());
        if output.status.code() == Some(0)
            && std::fs::read(sandbox.at("full.json")).ok().as_deref() != Some(&model)
        {
            report
                .fail(format!("a run on a disk of {bytes} bytes: finished with a different model"));
        }
        let output = sandbox.command(&words).output()?;
        let found = std::fs::read(sandbox.at("full.json")).ok();
        if !output.status.success() || found.as_deref() != Some(&model) {
            report.fail(format!("a run after a disk of {bytes} bytes: {}", stderr_line(&output)));
        }
        if !sandbox.unfinished().is_empty() {
            report
                .fail(format!("a run on a disk of {bytes} bytes left {:?}", sandbox.unfinished()));
        }
    }
    report.note(format!(
        "{tried} runs on a disk that was too small, {with_checkpoint} of them with a checkpoint; then resumed"
    ));
    Ok(())
}

/// Returns disk sizes from 0 to one byte less than needed.
fn sizes(whole: usize) -> Vec<usize> {
    let mut sizes: Vec<usize> = [0, 1, 7, 64, 511, 512, 4095, 4096].to_vec();
    sizes.extend((1..12).map(|part| whole * part / 12));
    sizes.extend([whole.saturating_sub(2), whole.saturating_sub(1)]);
    sizes.retain(|&size| size < whole);
    sizes.sort_unstable();
    sizes.dedup();
    sizes
}

/// Runs the command with a limit on the size of files. Writing more bytes is an error.
fn full_after(sandbox: &Sandbox, bytes: usize, words: &[&str]) -> Result<Output> {
    let limit = format!("--fsize={bytes}");
    let others = ["prlimit", &limit, "env", "--ignore-signal=XFSZ"];
    Ok(sandbox.within(&others, words).output()?)
}
