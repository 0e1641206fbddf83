//! Class expressions from the command line: learned, evaluated, shown and applied.

use crate::support::{Folder, answers, done, pellucid, run_with, spawn_piped, stderr, stdout};
use pellucid_testdata::file;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};

const FAMILY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/family.ttl");
const UNCLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/uncle.json");

/// Learns uncles into a model and gives what was printed.
fn learn(model: &str, more: &[&str]) -> String {
    let base = ["learn", "logic", FAMILY, "--problem", UNCLE, "--force", "--out", model];
    done(base.iter().chain(more), "")
}

/// Returns the standard error of a command that exits with 2 and prints nothing.
fn refused(arguments: &[&str], input: &str) -> String {
    let output = run_with(&mut pellucid(arguments), input.as_bytes());
    let message = stderr(&output);
    assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(2), ""), "{message}");
    message
}

#[test]
fn an_uncle_is_the_brother_of_a_parent() {
    let folder = Folder::new();
    let model = folder.at("uncle.json");
    let page = learn(&model, &[]);
    let expected = "\
4 positive and 16 negative examples of 'uncle' in 'family'

Male and hasSibling some Parent
    covers 4 of 4 positive and 0 of 16 negative: F1 1.000, accuracy 100.0 %
    minimal: proven; no shorter expression is as good on these examples
    baseline (all individuals): F1 0.333; baseline (always negative): accuracy 80.0 %
";
    assert!(page.starts_with(expected), "{page}");
    assert_eq!(done(["show", &model], ""), page);
    for method in ["instant", "refine", "evolve"] {
        let page = learn(&model, &["--method", method]);
        assert!(page.contains("covers 4 of 4 positive and 0 of 16 negative"), "{method}: {page}");
    }
}

#[test]
fn the_result_as_json() {
    let folder = Folder::new();
    let model = folder.at("uncle.json");
    let lines = answers(&learn(&model, &["--json", "--answers", "2"]));
    assert_eq!(lines[0]["event"], "started");
    let result = lines.last().expect("a result");
    assert_eq!(result["model"], json!(model));
    assert_eq!(result["stop"], "solved");
    assert_eq!((&result["positives"], &result["negatives"]), (&json!(4), &json!(16)));
    assert_eq!(result["train"]["f1"], 1.0);
    assert_eq!(result["train"]["baseline_accuracy"], 0.8);
    assert!(result["seconds"].is_number() && result["evaluated"].as_u64() > Some(100), "{result}");
    assert!(result["device"].is_string(), "{result}");
    let found = result["answers"].as_array().expect("answers");
    assert_eq!(found.len(), 2);
    let best = json!({
        "expression": "Male and hasSibling some Parent",
        "positive": 4, "negative": 0, "quality": 1.0, "length": 5,
        "minimality": {"proven": true, "searched": 4}
    });
    assert_eq!(found[0], best);
}

#[test]
fn one_seed_is_one_model_with_any_threads() {
    let folder = Folder::new();
    let read = |name: &str| std::fs::read_to_string(folder.at(name)).expect("a model");
    for method in ["instant", "evolve"] {
        for threads in ["1", "3"] {
            let model = folder.at(&format!("{method}{threads}.json"));
            let how = ["--method", method, "--threads", threads, "--seed", "7"];
            learn(&model, &how);
        }
        assert_eq!(read(&format!("{method}1.json")), read(&format!("{method}3.json")));
    }
}

#[test]
fn a_model_in_all_forms() {
    let folder = Folder::new();
    let model = folder.at("uncle.json");
    learn(&model, &["--answers", "1"]);
    let show = |format: &str| done(["show", &model, "--format", format], "");
    assert_eq!(show("manchester"), "Male and hasSibling some Parent\n");
    assert_eq!(show("dl"), "Male ⊓ (∃ hasSibling.Parent)\n");
    assert_eq!(show("json"), std::fs::read_to_string(&model).expect("a model"));
    let owl = show("owl");
    assert!(owl.contains("owl:equivalentClass"), "{owl}");
    // It is an ontology again.
    let owl = folder.file("learned.ttl", owl);
    assert!(done(["show", &owl], "").starts_with("learned: 0 individuals, 3 classes"));
    let xml = folder.file("learned.owl", show("rdfxml"));
    assert!(done(["show", &xml], "").starts_with("learned: 0 individuals, 3 classes"));
    let sparql = show("sparql");
    assert!(sparql.contains("SELECT") && sparql.contains("family#hasSibling"), "{sparql}");
    let message = refused(&["show", &model, "--format", "sql"], "");
    assert!(message.contains("owl, rdfxml, owlxml, functional or sparql"), "{message}");
}

#[test]
fn predictions_and_their_reasons() {
    let folder = Folder::new();
    let model = folder.at("uncle.json");
    learn(&model, &[]);
    let all = done(["predict", &model, FAMILY], "");
    assert_eq!(all.lines().count(), 26);
    assert_eq!(all.lines().filter(|line| line.ends_with(",positive")).count(), 4, "{all}");
    let asked = folder.file("asked.txt", "david\n<http://pellucid.example/family#umar>\n");
    let some = done(["predict", &model, FAMILY, "--individuals", &asked], "");
    assert_eq!(some, "individual,predicted\ndavid,positive\numar,negative\n");
    let why = done(["predict", &model, FAMILY, "--individuals", &asked, "--explain"], "");
    let expected = "\
david is covered: Male (true) and hasSibling some Parent (true: carla)
umar is not covered: hasSibling some Parent is false: no hasSibling filler
";
    assert_eq!(why, expected);
    let lines = answers(&done(["predict", &model, FAMILY, "--problem", UNCLE, "--json"], ""));
    assert_eq!(lines.len(), 21);
    let david = json!({ "individual": "david", "predicted": "positive", "actual": "positive" });
    assert_eq!(lines[0], david);
    for (name, value) in [
        ("individuals", 20.0),
        ("judged", 20.0),
        ("accuracy", 1.0),
        ("balanced_accuracy", 1.0),
        ("f1", 1.0),
    ] {
        assert_eq!(lines[20][name].as_f64(), Some(value), "{name} in {}", lines[20]);
    }
    assert!(lines[20]["summary"]["auc"].is_null(), "an expression has no scores: {}", lines[20]);
    let explained = ["predict", &model, FAMILY, "--individuals", &asked, "--explain", "--json"];
    let line = answers(&done(explained, "")).remove(0);
    assert_eq!(line["because"]["kind"], "and", "{line}");
    let unknown = folder.file("unknown.txt", "davd\n");
    let message = refused(&["predict", &model, FAMILY, "--individuals", &unknown], "");
    assert!(
        message.contains("'davd' is not an individual of 'family'; did you mean 'david'?"),
        "{message}"
    );
}

#[test]
fn a_model_of_another_ontology_does_not_fit() {
    let folder = Folder::new();
    let model = folder.at("uncle.json");
    learn(&model, &[]);
    let other = folder.file("other.ttl", "@prefix : <http://other.example/#> .\n:a a :Male .\n");
    let message = refused(&["predict", &model, &other], "");
    assert!(message.contains("does not fit") && message.contains("family#"), "{message}");
    let message = refused(&["predict", &model, FAMILY, "--target", "class"], "");
    assert!(message.contains("--target applies to tables"), "{message}");
}

#[test]
fn cross_validation() {
    let arguments = ["cv", "logic", FAMILY, "--problem", UNCLE, "--folds", "4"];
    let table = done(arguments, "");
    for word in ["4 folds", "accuracy", "F1", "baseline"] {
        assert!(table.contains(word), "{table}");
    }
    let result = answers(&done(arguments.iter().chain(&["--json"]), "")).remove(0);
    assert!(result["accuracy"]["mean"].is_number() && result["f1"]["std"].is_number(), "{result}");
    assert!((result["baseline"].as_f64().unwrap_or(0.0) - 0.8).abs() < 1e-9, "{result}");
    let message = refused(&["cv", "logic", FAMILY, "--problem", UNCLE, "--folds", "21"], "");
    assert!(message.contains("folds: found 21; expected at most 20"), "{message}");
}

#[test]
fn several_files_are_one_ontology() {
    let folder = Folder::new();
    let facts = folder.file(
        "facts.ttl",
        "@prefix : <http://pellucid.example/family#> .
         :sigmund a :Male ; :hasSibling :viktor .",
    );
    let (positive, model) =
        (folder.file("positive.txt", "sigmund\nerik\nleo\n"), folder.at("m.json"));
    let negative = folder.file("negative.txt", "viktor\nnils\nxaver\ntara\ncarla\n");
    let examples = ["--positive", &positive, "--negative", &negative, "--force", "--out", &model];
    let page = done(["learn", "logic", FAMILY, &facts].iter().chain(&examples), "");
    assert!(page.contains("'family'") && page.contains("covers 3 of 3 positive"), "{page}");
    let message = refused(&[&["learn", "logic", FAMILY], &examples[..]].concat(), "");
    assert!(message.contains("'sigmund' is not an individual of 'family'"), "{message}");
    let message = refused(&[&["learn", "logic"], &examples[..]].concat(), "");
    assert!(message.contains("<ONTOLOGY>..."), "{message}");
}

#[test]
fn error_messages() {
    let folder = Folder::new();
    let learn = |more: &[&str]| {
        let out = folder.at("never.json");
        let base = ["learn", "logic", FAMILY, "--force", "--out", &out];
        let message = refused(&base.iter().chain(more).copied().collect::<Vec<_>>(), "");
        assert!(!std::fs::exists(&out).expect("a look"), "{message}");
        message
    };
    let (good, bad) = (folder.file("pos.txt", "david\n"), folder.file("bad.txt", "dawid\n"));
    let contains = |message: String, words: &[&str]| {
        assert!(words.iter().all(|word| message.contains(word)), "{message}");
    };
    contains(learn(&[]), &["--problem FILE", "--positive FILE"]);
    contains(
        learn(&["--class", "Parents"]),
        &["'Parents' is not a class of 'family'; did you mean 'Parent'?"],
    );
    contains(learn(&["--negative", &good]), &["--positive"]);
    contains(
        learn(&["--positive", &good, "--negative", &bad]),
        &["'dawid' is not an individual of 'family'; did you mean 'david'?"],
    );
    contains(
        learn(&["--positive", &good, "--negative", &good]),
        &["'david' is both a positive and a negative example"],
    );
    contains(learn(&["--problem", "absent.json"]), &["absent.json"]);
    contains(
        learn(&["--problem", UNCLE, "--name", "aunt"]),
        &["unknown problem 'aunt'", "'uncle'"],
    );
    contains(
        learn(&["--problem", UNCLE, "--exclude", "Mal"]),
        &["cannot exclude 'Mal'", "did you mean 'Male'?"],
    );
    contains(learn(&["--problem", UNCLE, "--noise", "2"]), &["noise: found 2"]);
    contains(learn(&["--problem", UNCLE, "--method", "guess"]), &["auto, instant, refine"]);
    contains(
        learn(&["--problem", UNCLE, "--device", "cuda:99"]),
        &["found 'cuda:99'; expected one of cpu"],
    );
    contains(learn(&["--problem", UNCLE, "--metric", "precision"]), &["'precision'", "f1"]);
    let empty = folder.file(
        "empty.ttl",
        "@prefix : <http://x.example/#> .\n:A a <http://www.w3.org/2002/07/owl#Class> .\n",
    );
    contains(
        refused(&["learn", "logic", &empty, "--problem", UNCLE], ""),
        &["'empty' has no individuals"],
    );
    let broken = folder.file("broken.ttl", "@prefix : <http://x.example/#> .\n:a :b\n");
    contains(refused(&["learn", "logic", &broken, "--problem", UNCLE], ""), &["broken.ttl, line"]);
    let many = r#"{"problems": {"one": {"positive_examples": ["david"], "negative_examples": ["ada"]},
                   "two": {"positive_examples": ["ada"], "negative_examples": ["david"]}}}"#;
    let many = folder.file("many.json", many);
    contains(learn(&["--problem", &many]), &["2 problems", "--name", "'one', 'two'"]);
    let nowhere = folder.at("absent/model.json");
    let message = refused(&["learn", "logic", FAMILY, "--problem", UNCLE, "--out", &nowhere], "");
    assert!(message.contains("does not exist"), "{message}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_but_a_closed_pipe_is_not() {
    let full = || std::fs::OpenOptions::new().write(true).open("/dev/full").expect("a device");
    for arguments in [
        vec!["show", FAMILY],
        vec!["evaluate", FAMILY, "--hypotheses", UNCLE],
        vec!["cv", "logic", FAMILY, "--problem", UNCLE, "--folds", "2"],
    ] {
        let output = pellucid(&arguments).stdout(full()).output().expect("it ends");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).contains("standard output"), "{}", stderr(&output));
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let output = pellucid(&arguments).stdout(writer).output().expect("it ends");
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", stderr(&output));
    }
}

/// A label that occurs in the data is reported and can be excluded.
#[test]
fn labels_that_occur_in_the_data_are_reported() {
    let folder = Folder::new();
    let mut ontology = "@prefix : <http://x.example/#> .\n".to_owned();
    let (mut positive, mut negative) = (String::new(), String::new());
    for number in 0..12 {
        let ill = number % 2 == 0;
        ontology +=
            &format!(":p{number} a :Patient ; :score {} ; :ward {} .\n", u8::from(ill), number % 3);
        let list = if ill { &mut positive } else { &mut negative };
        *list += &format!("p{number}\n");
    }
    let ontology = folder.file("ward.ttl", ontology);
    let (positive, negative) = (folder.file("pos.txt", positive), folder.file("neg.txt", negative));
    let (model, start) = (folder.at("m.json"), ["learn", "logic", &ontology]);
    let rest = ["--positive", &positive, "--negative", &negative, "--out", &model];
    let base: Vec<&str> = start.into_iter().chain(rest).collect();
    let output = run_with(&mut pellucid(&base), b"");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stderr(&output).contains("with `--exclude score`"), "{}", stderr(&output));
    let more = ["--exclude", "score", "--effort", "500"];
    let output = run_with(&mut pellucid(base.iter().chain(&more)), b"");
    assert!(!stdout(&output).contains("score"), "{}", stdout(&output));
}

#[test]
fn families_are_solved() {
    const REAL: &str = "dl/family-benchmark/family-benchmark_rich_background.owl";
    const OURS: &str = "tests/data/ontologies/kin.owl";
    let model = Folder::new();
    for (ontology, problem, names) in [
        (OURS, "tests/data/ontologies/uncle.conf", &["uncle"][..]),
        (OURS, "tests/data/ontologies/kin.json", &["aunt", "cousin", "tall"]),
        (REAL, "dl/family-benchmark/Aunt.conf", &["Aunt"]),
        (REAL, "dl/family-benchmark/Uncle.conf", &["Uncle"]),
        (REAL, "dl/family-benchmark/Brother.conf", &["Brother"]),
        (REAL, "dl/family-benchmark/Grandgrandson.conf", &["Grandgrandson"]),
    ] {
        let (Some(ontology), Some(problem)) = (file(ontology), file(problem)) else { continue };
        let [ontology, problem] = [&ontology, &problem].map(|path| path.to_str().expect("plain"));
        let out = model.at("m.json");
        for name in names {
            let files = ["learn", "logic", ontology, "--problem", problem, "--name", name];
            let arguments = [&files[..], &["--json", "--quiet", "--force", "--out", &out]].concat();
            let result: Value = answers(&done(arguments, "")).pop().expect("a result");
            assert_eq!(result["train"]["f1"], 1.0, "{name}: {result}");
        }
    }
}

/// Sixty individuals, twins among them with different labels: nothing tells all examples apart.
fn unsolvable(folder: &Folder) -> [String; 3] {
    let mut ontology = "@prefix : <http://x.example/#> .\n".to_owned();
    let mut lists = [String::new(), String::new()];
    for number in 0..60_u64 {
        let twin = number / 2;
        let (class, value) = (twin * 7 % 5, twin * 37 % 23);
        let friends = [twin * 11 % 60, twin * 17 % 60];
        ontology += &format!(
            ":p{number} a :C{class} ; :value {value} ; :knows :p{}, :p{} .\n",
            friends[0], friends[1]
        );
        lists[usize::from(number % 2 == 0 || number % 7 == 0)] += &format!("p{number}\n");
    }
    let [negative, positive] = lists;
    let ontology = folder.file("twins.ttl", ontology);
    [ontology, folder.file("positive.txt", positive), folder.file("negative.txt", negative)]
}

#[test]
fn a_killed_and_resumed_run_gives_the_same_model() {
    let folder = Folder::new();
    let [ontology, positive, negative] = unsolvable(&folder);
    let (whole, halved) = (folder.at("whole.json"), folder.at("halved.json"));
    let run = |out: &str, more: &[&str]| -> Vec<String> {
        let files = ["learn", "logic", &ontology, "--positive", &positive, "--negative", &negative];
        let how = ["--method", "evolve", "--effort", "12000", "--json", "--force", "--out", out];
        files.into_iter().chain(how).chain(more.iter().copied()).map(str::to_owned).collect()
    };
    done(run(&whole, &[]), "");
    let checkpoint = folder.at("run.ckpt");
    let kept = ["--checkpoint", &checkpoint, "--checkpoint-every", "2", "--resume"];
    for step in [1, 5] {
        let mut child = spawn_piped(&mut pellucid(run(&halved, &kept)));
        let mut pipe = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut line = String::new();
        loop {
            line.clear();
            assert_ne!(pipe.read_line(&mut line).expect("a line"), 0, "ended before step {step}");
            let record: Value = serde_json::from_str(&line).expect("JSON");
            if record["step"].as_u64() >= Some(step) {
                break;
            }
        }
        // On Unix this is SIGKILL: no handler, no goodbye.
        child.kill().expect("it runs");
        child.wait().expect("it ends");
    }
    done(run(&halved, &kept), "");
    let read = |path: &str| std::fs::read_to_string(path).expect("a model");
    assert_eq!(read(&halved), read(&whole));
}

#[test]
fn the_most_hypotheses_may_be_raised_and_not_lowered() {
    let folder = Folder::new();
    let [ontology, positive, negative] = unsolvable(&folder);
    let files = ["learn", "logic", &ontology, "--positive", &positive, "--negative", &negative];
    let run = |out: &str, most: &str, more: &[&str]| {
        let how = ["--method", "evolve", "--quiet", "--force", "--out", out, "--max-hypotheses"];
        let all = files.iter().chain(&how).chain([&most]).chain(more);
        run_with(&mut pellucid(all), b"")
    };
    let read = |path: &str| std::fs::read_to_string(path).expect("a model");
    let (whole, model, checkpoint) = (folder.at("w.json"), folder.at("m.json"), folder.at("c"));
    let kept = ["--checkpoint", &checkpoint, "--checkpoint-every", "1", "--resume"];
    // Again with the same limit, then with a higher one: as if it had been so from the start.
    for most in ["3000", "3000", "7000", "7000"] {
        let output = run(&model, most, &kept);
        assert_eq!(output.status.code(), Some(0), "{most}: {}", stderr(&output));
        assert_eq!(run(&whole, most, &[]).status.code(), Some(0));
        assert_eq!(read(&model), read(&whole), "{most}");
    }
    let output = run(&model, "1000", &kept);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    let message = stderr(&output);
    assert!(message.contains("--max-hypotheses: the checkpoint has evaluated"), "{message}");
}

#[test]
fn a_time_limit_keeps_the_best_so_far() {
    let folder = Folder::new();
    let [ontology, positive, negative] = unsolvable(&folder);
    let model = folder.at("m.json");
    let files = ["learn", "logic", &ontology, "--positive", &positive, "--negative", &negative];
    for method in ["instant", "refine", "evolve"] {
        let how = ["--method", method, "--time-limit", "0", "--force", "--out", &model];
        let output = run_with(&mut pellucid(files.iter().chain(&how)), b"");
        assert_eq!(output.status.code(), Some(1), "{method}: {}", stderr(&output));
        assert!(stderr(&output).contains("reached the time limit"), "{}", stderr(&output));
        done(["show", &model], "");
    }
}
