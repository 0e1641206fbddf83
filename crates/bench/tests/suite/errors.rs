//! Wrong flags and failing devices of `pellucid-bench`.

use crate::support::{Folder, bench, run_with, stderr};
use std::process::Output;

/// Checks that a command refused its arguments with these words.
fn refused(output: &Output, words: &[&str]) {
    assert_eq!(output.status.code(), Some(2), "{}", stderr(output));
    for word in words {
        assert!(stderr(output).contains(word), "{word:?} is not in {:?}", stderr(output));
    }
}

fn run(arguments: &[&str], fault: Option<&str>) -> Output {
    let mut command = bench(arguments);
    if let Some(fault) = fault {
        command.env("PELLUCID_FAULT", fault);
    }
    run_with(&mut command, b"")
}

#[test]
fn wrong_flags() {
    refused(&run_with(&mut bench(["interpreter", "--rules", "0"]), b""), &["--rules and --rows"]);
    refused(
        &run_with(&mut bench(["bags", "--seconds", "601"]), b""),
        &["--seconds: found 601, allowed are 0 to 600"],
    );
    let rules = |more: &[&str]| run_with(&mut bench(["rules"].iter().chain(more)), b"");
    refused(
        &rules(&["--sets", "artificial8"]),
        &["--sets: found 'artificial8', allowed are artificial1,"],
    );
    refused(&rules(&["--sets", "musk1"]), &["give --data FOLDER, where its file lies"]);
    let empty = Folder::new();
    refused(&rules(&["--data", &empty.at("")]), &["holds none of eastWest.dat, musk1.dat"]);
    refused(&rules(&["--data", &empty.at("absent")]), &["--data: ", "absent", "No such file"]);
    refused(&rules(&["--population", "1"]), &["population: found 1"]);
    refused(&rules(&["--hypothesis", "absence"]), &["'absence'", "presence, count"]);
}

#[test]
fn benches_go_on_too() {
    let bags = ["bags", "--rules", "40", "--seconds", "0"];
    let interpreter = ["interpreter", "--rules", "40", "--rows", "1000", "--seconds", "0"];
    let rules = ["rules", "--sets", "artificial1", "--population", "20", "--generations", "3"];
    for arguments in [&bags[..], &interpreter, &rules] {
        let output = run(
            &[arguments, &["--json", "--threads", "1", "--device", "cpu,cpu"]].concat(),
            Some("cpu@1"),
        );
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert_eq!(stderr(&output).matches("warning: device cpu: ").count(), 1);
    }
}

#[test]
fn what_cannot_be_shared_is_said() {
    let base = ["bags", "--rules", "1", "--seconds", "0", "--device", "cpu"];
    let refused = |more: &[&str], fault: Option<&str>, words: &str| {
        let output = run(&[&base[..], more].concat(), fault);
        assert_eq!(output.status.code(), Some(2), "{more:?}");
        assert!(stderr(&output).contains(words), "{more:?}: {}", stderr(&output));
    };
    refused(&["--gpu-load", "0.9"], None, "--gpu-load: found no GPU among the devices");
    refused(&["--gpu-load", "1.5"], None, "--gpu-load: found 1.5; expected 0 ");
    refused(&["--gpu-load", "half"], None, "invalid value 'half' for '--gpu-load <SHARE>'");
    refused(&["--gpu-load", "1", "--schedule", "idle"], None, "cannot be used with");
    refused(&["--device", "cuda:99"], None, "--device: found 'cuda:99'; expected one of cpu");
    refused(&[], Some("cpu"), "PELLUCID_FAULT: found 'cpu'; expected DEVICE@load");
    refused(
        &[],
        Some("gpu@1"),
        "PELLUCID_FAULT: found device 'gpu'; expected one of the devices in use: cpu",
    );
}
