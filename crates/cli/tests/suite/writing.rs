//! Files that the command writes: whole or not at all, never over what is read, never over a model by
//! accident.

use crate::support::{Folder, done, pellucid, run_with, stderr, stdout};
use std::fs;
use std::process::{Command, Output};

const CONTEXT: &str = "B\nc\n2\n3\n\na\nb\nx\ny\nz\nXX.\n.XX\n";
const TABLE: &str = "age,smoker,class\n34,no,0\n61,yes,1\n58,yes,1\n47,no,0\n39,no,0\n66,yes,1\n";

fn refused(arguments: &[&str]) -> String {
    let output = run_with(&mut pellucid(arguments), b"");
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", stderr(&output));
    stderr(&output)
}

fn names(folder: &Folder) -> Vec<String> {
    let entries = fs::read_dir(folder.path()).expect("a folder").flatten();
    let mut names: Vec<String> =
        entries.map(|entry| entry.file_name().into_string().expect("a plain name")).collect();
    names.sort();
    names
}

#[test]
fn nothing_that_is_read_is_written_over() {
    let folder = Folder::new();
    let context = folder.file("c.cxt", CONTEXT);
    let table = folder.file("t.csv", TABLE);
    let labels = folder.file("l.txt", "0\n1\n1\n0\n0\n1\n");
    // Another name of the same file.
    let roundabout =
        folder.at("../").clone() + folder.path().file_name().unwrap().to_str().unwrap() + "/c.cxt";
    for arguments in [
        &["concepts", &context, "--out", &context][..],
        &["concepts", &context, "--out", &roundabout],
        &["concepts", &context, "--count", "--write", &context],
        &["implications", &context, "--out", &context],
        &["lattice", &context, "--svg", &context],
        &["lattice", &context, "--dot", &context],
        &["lattice", &context, "--json", &context],
        &["lattice", &context, "--write", &context],
        &["learn", "rules", &table, "--out", &table],
        &["learn", "rules", &table, "--out", &table, "--force"],
        &["learn", "rules", &table, "--labels", &labels, "--out", &labels, "--force"],
        &["learn", "rules", &table, "--checkpoint", &table, "--resume"],
    ] {
        let message = refused(arguments);
        assert!(message.contains("use another file"), "{message}");
    }
    let model = folder.at("m.json");
    done(["learn", "rules", &table, "--out", &model, "--quiet"], "");
    for out in [&table, &model] {
        let message = refused(&["predict", &model, &table, "--out", out]);
        assert!(message.contains("use another file"), "{message}");
    }
    let predicted = folder.at("predicted.csv");
    done(["predict", &model, &table, "--out", &predicted], "");
    assert_eq!(fs::read_to_string(&predicted).unwrap(), done(["predict", &model, &table], ""));
    let out = folder.at("same");
    let message = refused(&["learn", "rules", &table, "--checkpoint", &out, "--out", &out]);
    assert!(message.contains("--checkpoint and --out both write to"), "{message}");
    let message = refused(&[
        "concepts",
        &context,
        "--write",
        &folder.at("a.cxt"),
        "--out",
        &folder.at("a.cxt"),
    ]);
    assert!(message.contains("--write and --out both write to"), "{message}");
    assert_eq!(fs::read_to_string(&context).unwrap(), CONTEXT);
    assert_eq!(fs::read_to_string(&table).unwrap(), TABLE);
    assert_eq!(names(&folder), ["c.cxt", "l.txt", "m.json", "predicted.csv", "t.csv"]);
}

#[test]
fn unwritable_files_are_reported_before_the_work() {
    let folder = Folder::new();
    // The data is not there either, and would be asked for next.
    let data = folder.at("none.csv");
    let into_nothing = folder.at("none/model.json");
    for arguments in [
        &["learn", "rules", &data, "--out", &into_nothing][..],
        &["learn", "rules", &data, "--checkpoint", &into_nothing],
        &["learn", "logic", &data, "--problem", "p.json", "--out", &into_nothing],
        &["concepts", &data, "--out", &into_nothing],
        &["concepts", &data, "--count", "--write", &folder.at("none/c.cxt")],
        &["implications", &data, "--out", &into_nothing],
        &["lattice", &data, "--svg", &into_nothing],
        &["generate", "table", "--rows", "1000000000", "--out", &folder.at("none/t.csv")],
        &["generate", "context", "--out", &folder.at("none/c.cxt")],
    ] {
        let message = refused(arguments);
        assert!(message.contains(" does not exist"), "{message}");
    }
    let message = refused(&["concepts", &data, "--out", folder.path().to_str().unwrap()]);
    assert!(message.contains("it is a folder"), "{message}");
}

#[test]
fn a_model_is_not_replaced_by_accident() {
    let folder = Folder::new();
    let table = folder.file("t.csv", TABLE);
    let (model, checkpoint) = (folder.at("m.json"), folder.at("run.ckpt"));
    let learn = ["learn", "rules", &table, "--out", &model, "--quiet"];
    done(learn, "");
    let first = fs::read(&model).unwrap();
    let message = refused(&[&learn[..], &["--seed", "5"]].concat());
    assert!(
        message
            .contains("m.json already exists; use --force to overwrite it, or --out FILE to write"),
        "{message}"
    );
    assert_eq!(fs::read(&model).unwrap(), first);
    // A run that goes on finishes what it wrote; without its checkpoint it would be a new one.
    let kept = [&learn[..], &["--seed", "5", "--checkpoint", &checkpoint, "--resume"]].concat();
    refused(&kept);
    done([&kept[..], &["--force"]].concat(), "");
    assert_ne!(fs::read(&model).unwrap(), first);
    done(kept, "");
    // An empty file holds nothing that could be lost.
    let empty = folder.file("empty.json", "");
    done(["learn", "rules", &table, "--out", &empty, "--quiet"], "");
    done(["show", &empty], "");
}

#[test]
fn a_dash_is_standard_output_everywhere() {
    let folder = Folder::new();
    let (context, table) = (folder.file("c.cxt", CONTEXT), folder.file("t.csv", TABLE));
    let model = done(["learn", "rules", &table, "--out", "-", "--quiet"], "");
    done(["show", &folder.file("m.json", model)], "");
    let list = folder.at("list.txt");
    assert_eq!(done(["concepts", &context, "--write", "-", "--out", &list], ""), CONTEXT);
    let json = done(["lattice", &context, "--json"], "");
    assert_eq!(json, done(["lattice", &context, "--json", "-"], ""));
    serde_json::from_str::<serde_json::Value>(&json).expect("one object");
    for arguments in [
        &["concepts", &context, "--write", "-"][..],
        &["concepts", &context, "--write", "-", "--count"],
        &["concepts", &context, "--write", "-", "--json", "--out", &list],
        &["implications", &context, "--write", "-"],
        &["lattice", &context, "--write", "-"],
        &["lattice", &context, "--svg", "-", "--dot", "-"],
        &["lattice", &context, "--json", "--write", "-"],
    ] {
        let message = refused(arguments);
        assert!(message.contains("can write to standard output"), "{message}");
    }
    let message = refused(&["learn", "rules", &table, "--out", "-", "--json"]);
    assert!(message.contains("--json and --out - both write to standard output"), "{message}");
    assert_eq!(names(&folder), ["c.cxt", "list.txt", "m.json", "t.csv"]);
}

/// Runs the command where no file may grow beyond so many blocks of 512 bytes.
#[cfg(unix)]
fn on_small_disk(blocks: u32, arguments: &[&str]) -> Output {
    let script = format!("ulimit -f {blocks}; trap '' XFSZ; exec \"$@\"");
    let mut command = Command::new("sh");
    command.args(["-c", &script, "sh", env!("CARGO_BIN_EXE_pellucid")]).args(arguments);
    run_with(&mut command, b"")
}

#[cfg(unix)]
#[test]
fn a_full_disk_keeps_the_old_file() {
    let folder = Folder::new();
    let wide = folder.at("wide.cxt");
    done(
        [
            "generate",
            "context",
            "--objects",
            "60",
            "--attributes",
            "60",
            "--density",
            "0.5",
            "--out",
            &wide,
        ],
        "",
    );
    let old = "what was there before";
    for (name, arguments) in [
        ("t.csv", &["generate", "table", "--rows", "5000", "--out"][..]),
        ("t.parquet", &["generate", "table", "--rows", "5000", "--out"]),
        ("t.arff.gz", &["generate", "table", "--rows", "5000", "--out"]),
        ("c.cxt", &["generate", "context", "--objects", "500", "--out"]),
        ("l.txt", &["concepts", &wide, "--max", "20000", "--out"]),
        ("w.csv", &["concepts", &wide, "--max", "10", "--count", "--write"]),
        ("i.txt", &["implications", &wide, "--max", "3000", "--out"]),
        ("l.json", &["lattice", &wide, "--min-support", "12", "--json"]),
        ("l.dot", &["lattice", &wide, "--min-support", "12", "--dot"]),
    ] {
        let path = folder.file(name, old);
        let output = on_small_disk(4, &[arguments, &[&path]].concat());
        assert_eq!(output.status.code(), Some(2), "{name}: {}{}", stdout(&output), stderr(&output));
        assert!(stderr(&output).contains(name), "{name}: {}", stderr(&output));
        assert_eq!(fs::read_to_string(&path).expect("it is there"), old, "{name}");
    }
    assert!(names(&folder).iter().all(|name| !name.contains("unfinished")), "{:?}", names(&folder));
}

#[cfg(unix)]
#[test]
fn a_full_disk_without_an_old_file_mentions_none() {
    let folder = Folder::new();
    let mut rows = "x,y,class\n".to_owned();
    (0..400).for_each(|row| {
        rows += &format!("{},{},{}\n", row % 97, row % 89, u8::from(row % 97 > 40))
    });
    let data = folder.file("some.csv", rows);
    let model = folder.at("model.json");
    let learn = |more: &[&str]| {
        let output =
            on_small_disk(1, &[&["learn", "rules", &data, "--out", &model][..], more].concat());
        assert_eq!(output.status.code(), Some(2), "{}{}", stdout(&output), stderr(&output));
        stderr(&output)
    };
    let message = learn(&[]);
    assert!(
        message.contains("; no file was written") && !message.contains("existing"),
        "{message}"
    );
    std::fs::write(&model, "an old model").expect("a file");
    let message = learn(&["--force"]);
    assert!(message.contains("; the existing file is unchanged"), "{message}");
    assert_eq!(std::fs::read_to_string(&model).expect("the old file"), "an old model");
}

#[test]
fn a_model_file_that_was_cut_off_is_reported_once() {
    let folder = Folder::new();
    let model = folder.file("cut.json", "{\n\"format\": \"pellucid-model\", \"version\":");
    let output = run_with(&mut pellucid(["show", &model]), b"");
    assert_eq!(output.status.code(), Some(2));
    let message = stderr(&output);
    assert_eq!(message.matches("EOF while parsing").count(), 1, "{message}");
    assert_eq!(message.matches("line 2").count(), 1, "{message}");
}
