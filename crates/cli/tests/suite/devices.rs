//! Which devices work, how they share, and what is printed when one of them fails.

use crate::support::{Folder, answers, pellucid, run_with, stderr, stdout};
use serde_json::Value;
use std::process::Output;

fn trains() -> String {
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/trains.csv").to_owned()
}

/// Runs a command on the trains with simulated failures.
fn run(arguments: &[&str], fault: Option<&str>, input: &str) -> Output {
    let mut command = pellucid(arguments);
    if let Some(fault) = fault {
        command.env("PELLUCID_FAULT", fault);
    }
    run_with(&mut command, input.as_bytes())
}

/// What a command answers, without its times.
fn answer(output: &Output) -> Vec<Value> {
    assert_eq!(output.status.code(), Some(0), "{}", stderr(output));
    let mut lines = answers(&stdout(output));
    lines.iter_mut().for_each(without_times);
    lines
}

/// Takes out every time, and what tells with which devices it was done.
fn without_times(value: &mut Value) {
    match value {
        Value::Object(object) => {
            object.retain(|key, _| !key.contains("second") && key != "device" && key != "devices");
            object.values_mut().for_each(without_times);
        }
        Value::Array(values) => values.iter_mut().for_each(without_times),
        _ => {}
    }
}

/// The commands that evaluate rules, each with what it reads.
fn commands<'a>(data: &'a str, model: &'a str, out: &'a str) -> Vec<(Vec<&'a str>, &'static str)> {
    let bags = ["--bag", "train", "--target", "direction"];
    let small = ["--mode", "g3p-mi", "--population", "60", "--generations", "8"];
    let with = |parts: &[&[&'a str]]| parts.concat();
    vec![
        (with(&[&["learn", "rules", data, "--force", "--out", out], &bags, &small]), ""),
        (
            with(&[&["learn", "rules", data, "--force", "--out", out, "--mode", "default"], &bags]),
            "",
        ),
        (with(&[&["cv", "rules", data, "--folds", "5"], &bags, &small]), ""),
        (with(&[&["predict", model, data], &bags]), ""),
        (
            with(&[&["evaluate", data, "--cover", "--hypotheses", "-"], &bags]),
            "length = long\nwheels > 2\nwheels > 2 and roof = none\n",
        ),
    ]
}

#[test]
fn every_command_continues_after_a_device_failure_with_one_warning() {
    let (folder, data) = (Folder::new(), trains());
    let (model, out) = (folder.at("model.json"), folder.at("out.json"));
    let learned = run(
        &["learn", "rules", &data, "--bag", "train", "--target", "direction", "--out", &model],
        None,
        "",
    );
    assert_eq!(learned.status.code(), Some(0), "{}", stderr(&learned));
    for (arguments, input) in commands(&data, &model, &out) {
        let file = || std::fs::read_to_string(&out).ok();
        let alone = [&arguments[..], &["--json", "--device", "cpu"]].concat();
        let expected = (answer(&run(&alone, None, input)), file());
        let twice = [&arguments[..], &["--json", "--device", "cpu,cpu"]].concat();
        for schedule in [&[][..], &["--schedule", "probed"]] {
            let twice = [&twice[..], schedule].concat();
            for fault in [None, Some("cpu@load"), Some("cpu@1")] {
                let output = run(&twice, fault, input);
                assert_eq!((answer(&output), file()), expected, "{twice:?} {fault:?}");
                let message = stderr(&output);
                let warnings = message.matches("warning: device cpu: ").count();
                assert_eq!(
                    warnings,
                    usize::from(fault.is_some()),
                    "{twice:?} {fault:?}: {message}"
                );
                if fault.is_some() {
                    assert!(message.contains("; its work goes to the other device\n"), "{message}");
                }
            }
        }
        let panicked = run(&twice, Some("cpu@panic=1"), input);
        assert_eq!((answer(&panicked), file()), expected, "{twice:?}");
        let message = stderr(&panicked);
        assert!(message.contains("warning: device cpu: panicked: "), "{twice:?}: {message}");
        let quiet = run(&[&twice[..], &["--quiet"]].concat(), Some("cpu@1"), input);
        assert_eq!((answer(&quiet), stderr(&quiet).as_str()), (expected.0, ""), "{twice:?}");

        let refused = run(&twice, Some("cpu@1,cpu@1"), input);
        assert_eq!(refused.status.code(), Some(2), "{twice:?}");
        let message = stderr(&refused);
        assert!(message.contains("pellucid: device cpu: lost in call 1"), "{message}");
    }
}

#[test]
fn devices_as_json() {
    let output = run(&["devices", "--json", "--threads", "1", "--device", "cpu"], None, "");
    let result = answers(&stdout(&output)).remove(0);
    let devices = result["devices"].as_array().expect("devices");
    assert_eq!(devices.len(), 1);
    assert_eq!(
        (&devices[0]["id"], &devices[0]["kind"]),
        (&Value::from("cpu"), &Value::from("cpu"))
    );
    assert!(devices[0]["name"].as_str().is_some_and(|name| !name.is_empty()), "{result}");
    assert!(devices[0]["speed"].as_f64().is_some_and(|speed| speed > 0.0), "{result}");
}

#[test]
fn output_of_devices() {
    let text = stdout(&run(&["devices", "--threads", "1", "--device", "cpu,cpu"], None, ""));
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("cpu    ") && lines[0].contains(", 1 thread, "), "{text}");
    assert!(lines[2].starts_with("work shares at these speeds: cpu "), "{text}");
    let output = run(&["devices", "--json", "--threads", "1", "--device", "cpu,cpu"], None, "");
    let answer = answers(&stdout(&output)).remove(0);
    let shares = answer["devices"].as_array().expect("devices").iter();
    let all: f64 = shares.map(|device| device["share"].as_f64().expect("a share")).sum();
    assert!((all - 1.0).abs() < 1e-9, "{answer}");
    assert!(answer["absent"].is_array(), "{answer}");

    let output = run(&["devices", "--threads", "1", "--device", "cpu"], Some("cpu@load"), "");
    assert_eq!(output.status.code(), Some(2));
    assert!(stdout(&output).contains(": not working: out of memory"), "{output:?}");
}
