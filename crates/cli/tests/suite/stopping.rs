//! Runs that are stopped: by a limit, by Ctrl-C, by force. Nothing is lost.

use crate::support::{Folder, answers, done, pellucid, run_with, spawn_piped, stderr, stdout};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, ChildStdout, Command};

fn bags(folder: &Folder) -> String {
    let bags = folder.at("bags.csv");
    done(["generate", "bags", "--bags", "200", "--noise", "0.3", "--out", &bags], "");
    bags
}

/// The arguments of a run of many short steps.
fn run<'a>(bags: &'a str, out: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let base = [
        "learn",
        "rules",
        bags,
        "--bag",
        "bag",
        "--mode",
        "g3p-mi",
        "--population",
        "300",
        "--generations",
        "400",
        "--json",
        "--out",
        out,
    ];
    base.into_iter().chain(more.iter().copied()).collect()
}

/// Reads records until a step, and leaves the run under way. Gives back the pipe: who closes it ends the run.
fn until_step(child: &mut Child, step: u64) -> BufReader<ChildStdout> {
    steps_until(BufReader::new(child.stdout.take().expect("a pipe")), step)
}

fn steps_until(mut pipe: BufReader<ChildStdout>, step: u64) -> BufReader<ChildStdout> {
    let mut line = String::new();
    while pipe.read_line(&mut line).expect("a line") > 0 {
        let record: Value = serde_json::from_str(&line).expect("JSON");
        if record["step"].as_u64().is_some_and(|at| at >= step) {
            return pipe;
        }
        line.clear();
    }
    panic!("the run ended before step {step}");
}

#[test]
fn a_killed_and_resumed_run_gives_the_same_model() {
    let folder = Folder::new();
    let bags = bags(&folder);
    let (whole, halved) = (folder.at("whole.json"), folder.at("halved.json"));
    done(run(&bags, &whole, &[]), "");
    let checkpoint = folder.at("run.ckpt");
    let kept = ["--checkpoint", &checkpoint, "--checkpoint-every", "7", "--resume"];
    for step in [3, 60, 200] {
        let mut child = spawn_piped(&mut pellucid(run(&bags, &halved, &kept)));
        let _pipe = until_step(&mut child, step);
        // On Unix this is SIGKILL: no handler, no goodbye.
        child.kill().expect("it runs");
        child.wait().expect("it ends");
        assert!(
            !std::fs::exists(&halved).expect("a look"),
            "killed at step {step}, before the end"
        );
    }
    done(run(&bags, &halved, &kept), "");
    let read = |path: &str| std::fs::read_to_string(path).expect("a model");
    assert_eq!(read(&halved), read(&whole));
}

#[test]
fn a_checkpoint_of_other_data_is_refused() {
    let folder = Folder::new();
    let bags = bags(&folder);
    let (model, checkpoint) = (folder.at("m.json"), folder.at("run.ckpt"));
    let kept = ["--checkpoint", &checkpoint, "--time-limit", "0"];
    let output = run_with(&mut pellucid(run(&bags, &model, &kept)), b"");
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let other = ["--checkpoint", &checkpoint, "--resume", "--seed", "9"];
    let output = run_with(&mut pellucid(run(&bags, &model, &other)), b"");
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("run.ckpt"), "{}", stderr(&output));
    // A checkpoint that would be overwritten is an error too.
    let output = run_with(&mut pellucid(run(&bags, &model, &["--checkpoint", &checkpoint])), b"");
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
}

#[test]
fn a_time_limit_keeps_the_best_so_far() {
    let folder = Folder::new();
    let bags = bags(&folder);
    let model = folder.at("m.json");
    for mode in ["default", "list", "g3p-mi", "pareto"] {
        let output = run_with(
            &mut pellucid(
                run(&bags, &model, &["--time-limit", "0", "--force"])
                    .into_iter()
                    .map(|word| if word == "g3p-mi" { mode } else { word }),
            ),
            b"",
        );
        assert_eq!(output.status.code(), Some(1), "{mode}: {}", stderr(&output));
        let result = answers(&stdout(&output)).pop().expect("a result");
        assert_eq!(result["stop"], "time", "{mode}: {result}");
        done(["show", &model], "");
    }
}

/// Sends a signal to a run.
#[cfg(unix)]
fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill").args([name, &child.id().to_string()]).status();
    assert!(sent.expect("kill is there").success());
}

/// The arguments of a run that takes longer than any test.
#[cfg(unix)]
fn endless<'a>(bags: &'a str, model: &'a str, checkpoint: &'a str) -> Vec<&'a str> {
    let arguments = run(bags, model, &["--checkpoint", checkpoint]);
    arguments.into_iter().map(|word| if word == "400" { "1000000" } else { word }).collect()
}

#[cfg(unix)]
#[test]
fn signals_save_the_run_and_print_how_to_resume() {
    let folder = Folder::new();
    let bags = bags(&folder);
    for name in ["-INT", "-TERM", "-HUP"] {
        let (model, checkpoint) = (folder.at(&format!("m{name}.json")), folder.at(name));
        let mut child = spawn_piped(&mut pellucid(endless(&bags, &model, &checkpoint)));
        let mut pipe = until_step(&mut child, 5);
        signal(&child, name);
        let mut rest = String::new();
        pipe.read_to_string(&mut rest).expect("text");
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(1), "{name}: {}", stderr(&output));
        assert!(rest.contains(r#""stop":"interrupted""#), "{name}: {rest}");
        let message = stderr(&output);
        assert!(
            message.contains("interrupted") && message.contains("with --resume to continue"),
            "{name}: {message}"
        );
        done(["show", &model], "");
        assert!(std::fs::exists(&checkpoint).expect("a look"));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_run_under_nohup_survives_a_hang_up() {
    let folder = Folder::new();
    let bags = bags(&folder);
    let (model, checkpoint) = (folder.at("m.json"), folder.at("run.ckpt"));
    let mut command = Command::new("nohup");
    command.arg(env!("CARGO_BIN_EXE_pellucid")).args(endless(&bags, &model, &checkpoint));
    let mut child = spawn_piped(&mut command);
    let pipe = until_step(&mut child, 2);
    signal(&child, "-HUP");
    // Still under way many steps later, and another signal ends it as ever.
    let mut pipe = steps_until(pipe, 50);
    signal(&child, "-TERM");
    let mut rest = String::new();
    pipe.read_to_string(&mut rest).expect("text");
    assert_eq!(child.wait().expect("it ends").code(), Some(1), "{rest}");
}

#[test]
fn two_runs_do_not_share_a_checkpoint() {
    let folder = Folder::new();
    let bags = bags(&folder);
    let (model, other, checkpoint) = (folder.at("m.json"), folder.at("o.json"), folder.at("c"));
    let kept = ["--checkpoint", &checkpoint, "--checkpoint-every", "1", "--resume"];
    let mut child = spawn_piped(&mut pellucid(run(&bags, &model, &kept)));
    let _pipe = until_step(&mut child, 3);
    let second = run_with(&mut pellucid(run(&bags, &other, &kept)), b"");
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    assert_eq!(second.status.code(), Some(2), "{}", stderr(&second));
    assert!(stderr(&second).contains("is in use by another run"), "{}", stderr(&second));
    // The dead hold nothing.
    done(run(&bags, &other, &kept), "");
}

#[test]
fn fewer_generations_than_are_done_are_refused() {
    let folder = Folder::new();
    let bags = bags(&folder);
    let (whole, model, checkpoint) = (folder.at("w.json"), folder.at("m.json"), folder.at("c"));
    let with = |out, generations, more: &[&str]| -> Vec<String> {
        let arguments = run(&bags, out, more);
        let changed = |word| if word == "400" { generations } else { word };
        arguments.into_iter().map(changed).map(str::to_owned).collect()
    };
    let kept = ["--checkpoint", &checkpoint, "--resume"];
    done(with(&model, "20", &kept), "");
    let output = run_with(&mut pellucid(with(&model, "10", &kept)), b"");
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("use at least 21 steps"), "{}", stderr(&output));
    // More of them go on as if there had been no end.
    done(with(&model, "30", &kept), "");
    done(with(&whole, "30", &[]), "");
    let read = |path: &str| std::fs::read_to_string(path).expect("a model");
    assert_eq!(read(&model), read(&whole));
}
