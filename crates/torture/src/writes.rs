//! Commands that are killed at each of their system calls that change a file: at the first, the
//! second, and so on.
//!
//! `strace` kills the command before the call. If it is not installed, the test is skipped.

use crate::runs::{Sandbox, stderr_line};
use crate::{Options, Report};
use anyhow::Result;
use std::process::Command;

/// The system calls that change files.
const CALLS: &str = "openat,write,pwrite64,fsync,fchmod,rename,renameat,renameat2,link,linkat,unlink,\
                     unlinkat,flock";

pub(crate) fn run(options: &Options) -> Result<Report> {
    let mut report = Report::default();
    if Command::new("strace").arg("--version").output().is_err() {
        report.note("skipped: strace is not installed");
        return Ok(report);
    }
    let sandbox = Sandbox::new(options)?;
    for command in sandbox.write_commands() {
        let whole = sandbox.reference_file(&command)?;
        let old = b"previous content";
        let mut kills = 0;
        for call in 1.. {
            if options.is_over() {
                break;
            }
            let path = sandbox.at(command.file);
            std::fs::write(&path, old)?;
            let output = sandbox.within(&strace_command(call), &command.words()).output()?;
            let found = std::fs::read(&path)?;
            if found != old && found != whole {
                report.fail(format!(
                    "{} killed at call {call}: {} bytes",
                    command.file,
                    found.len()
                ));
            }
            if output.status.success() {
                break;
            }
            kills += 1;
        }
        let again = sandbox.reference_file(&command)? == whole;
        if !again || !sandbox.unfinished().is_empty() {
            report.fail(format!("{}: afterwards {:?}", command.file, sandbox.unfinished()));
        }
        report.note(format!("{:<12} killed at each of {kills} calls", command.file));
    }
    learn(options, &sandbox, &mut report)?;
    Ok(report)
}

/// Kills a short training run at each call and resumes it. The model must be the same every time.
fn learn(options: &Options, sandbox: &Sandbox, report: &mut Report) -> Result<()> {
    let run = "learn rules bags.csv --bag bag --mode g3p-mi --population 20 --generations 5 --threads 1 \
               --quiet";
    let run: Vec<&str> = run.split(' ').collect();
    let plain = [&run[..], &["--out", "whole.json", "--force"]].concat();
    sandbox.command(&plain).output()?;
    let model = std::fs::read(sandbox.at("whole.json"))?;
    let kept = ["--checkpoint", "calls.ckpt", "--checkpoint-every", "1", "--resume"];
    let words = [&run[..], &kept, &["--out", "calls.json"]].concat();
    let mut kills = 0;
    for call in 1.. {
        if options.is_over() {
            break;
        }
        for name in ["calls.json", "calls.ckpt"] {
            let _ = std::fs::remove_file(sandbox.at(name));
        }
        let output = sandbox.within(&strace_command(call), &words).output()?;
        let was_killed = !output.status.success();
        kills += usize::from(was_killed);
        if was_killed {
            let output = sandbox.command(&words).output()?;
            if !output.status.success() {
                report.fail(format!("run killed at call {call}: {}", stderr_line(&output)));
                continue;
            }
        }
        if std::fs::read(sandbox.at("calls.json")).ok().as_deref() != Some(&model) {
            report.fail(format!("run killed at call {call}: a different model"));
        }
        if !sandbox.unfinished().is_empty() {
            report.fail(format!("run killed at call {call} left {:?}", sandbox.unfinished()));
        }
        if !was_killed {
            break;
        }
    }
    report.note(format!("{:<12} killed at each of {kills} calls, and resumed", "a run"));
    Ok(())
}

fn strace_command(call: usize) -> [&'static str; 8] {
    // Leaking a few thousand short strings is acceptable in this process.
    let inject: &'static str =
        Box::leak(format!("inject={CALLS}:signal=SIGKILL:when={call}").into_boxed_str());
    let trace: &'static str = Box::leak(format!("trace={CALLS}").into_boxed_str());
    ["strace", "-f", "-qq", "-o/dev/null", "-e", trace, "-e", inject]
}
