//! Errors go to standard error with the file and the line, and the exit code is 2.

use crate::support::{Folder, pellucid, run_with, stderr, stdout};
use std::process::Output;

/// Checks that a run failed as it should: code 2, nothing on standard output, these words on standard error.
fn refused(output: &Output, words: &[&str]) {
    let message = stderr(output);
    assert_eq!((output.status.code(), stdout(output).as_str()), (Some(2), ""), "{message}");
    assert!(!message.contains("panicked"), "{message}");
    for word in words {
        assert!(message.contains(word), "'{word}' is not in: {message}");
    }
}

/// Evaluates 'true' on a file of these contents.
fn evaluate(folder: &Folder, name: &str, contents: impl AsRef<[u8]>, more: &[&str]) -> Output {
    let file = folder.file(name, contents);
    run_with(&mut pellucid([&["evaluate", &file, "--hypotheses", "-"], more].concat()), b"true\n")
}

#[test]
fn wrong_usage() {
    let folder = Folder::new();
    let table = folder.file("t.csv", "a,class\n1,0\n2,1\n");
    let base = ["evaluate", &table, "--hypotheses", "-"];
    let cases: [(&[&str], &str); 11] = [
        (&["--wrong"], "unexpected argument '--wrong'"),
        (&["--device", "cuda:77"], "--device: found 'cuda:77'; expected one of cpu"),
        (&["--threads", "0"], "expected a number from 1 to 1024"),
        (&["--threads", "100000"], "expected a number from 1 to 1024"),
        (&["--hypothesis", "most"], "expected rows, presence, at-least=N or between=A..B"),
        (&["--hypothesis", "between=3..1"], "expected rows, presence, at-least=N or between=A..B"),
        (&["--delimiter", "ab"], "expected one character"),
        (&["--format", "xls"], "expected one of csv, tsv, xlsx, ods, parquet, arff, keel, uci"),
        (&["--header", "--no-header"], "cannot be used with"),
        (&["--labels", "x", "--target", "class"], "cannot be used with"),
        (&["--hypotheses", "-"], "cannot be used multiple times"),
    ];
    for (more, words) in cases {
        refused(&run_with(&mut pellucid(base.iter().chain(more)), b"true\n"), &[words]);
    }
    refused(&run_with(&mut pellucid(["evaluate", &table]), b""), &["--hypotheses <FILE|->"]);
    refused(
        &run_with(&mut pellucid(["evalute"]), b""),
        &["similar subcommands exist: 'cluster', 'evaluate'"],
    );
    let nothing: [&str; 0] = [];
    refused(&run_with(&mut pellucid(nothing), b""), &["Usage: pellucid", "Commands:", "evaluate"]);
    for level in ["nonsense", "avx9"] {
        for arguments in [&base[..], &["devices"]] {
            let output = run_with(pellucid(arguments).env("PELLUCID_SIMD", level), b"true\n");
            refused(
                &output,
                &[&format!(
                    "PELLUCID_SIMD: found '{level}'; expected one of scalar, portable, avx2, avx512"
                )],
            );
        }
    }
}

#[test]
fn files_that_cannot_be_read() {
    let folder = Folder::new();
    let absent = folder.at("absent.csv");
    let table = folder.file("t.csv", "a,class\n1,0\n2,1\n");
    let run = |data: &str, hypotheses: &str| {
        run_with(&mut pellucid(["evaluate", data, "--hypotheses", hypotheses]), b"true\n")
    };
    refused(&run(&absent, "-"), &["absent.csv: cannot read the file: No such file"]);
    let nothing = folder.at("nothing");
    std::fs::create_dir(&nothing).expect("a folder");
    refused(&run(&nothing, "-"), &["nothing: the folder has no files; expected a table"]);
    refused(&run(&table, &absent), &["absent.csv: No such file"]);
    let folder_as_rules = folder.at("rules.d");
    std::fs::create_dir(&folder_as_rules).expect("a folder");
    refused(&run(&table, &folder_as_rules), &["rules.d: "]);
    // A missing file of hypotheses is reported before the data is read.
    let output = run(&absent, &folder.at("rules.txt"));
    refused(&output, &["rules.txt: No such file"]);
    assert!(!stderr(&output).contains("absent.csv"), "{}", stderr(&output));
}

#[test]
fn malformed_tables() {
    let folder = Folder::new();
    refused(&evaluate(&folder, "empty.csv", "", &[]), &["empty.csv: the file is empty"]);
    refused(
        &evaluate(&folder, "header.csv", "a,b,class\n", &["--header"]),
        &["header.csv", "no rows"],
    );
    let ragged = evaluate(&folder, "ragged.csv", "a,b,class\n1,2,0\n1,2\n", &[]);
    refused(&ragged, &["ragged.csv, line 3: found 2 values; expected 3"]);
    let open = evaluate(&folder, "open.csv", "a,class\n\"1,0\n2,1\n", &[]);
    refused(&open, &["open.csv, line 2", "never closed"]);
    refused(
        &evaluate(&folder, "bytes.csv", b"a,class\n1,0\n\xff\x01,1\n", &[]),
        &["bytes.csv, line 3", "0xff", "UTF-8"],
    );
    refused(
        &evaluate(&folder, "cut.csv.gz", b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\x4b", &[]),
        &["cut.csv.gz", "gzip"],
    );
    refused(&evaluate(&folder, "not.parquet", "a,b\n1,2\n", &[]), &["not.parquet"]);
}

#[test]
fn malformed_attribute_files() {
    let folder = Folder::new();
    let arff = "@relation r\n@attribute a numeric\n@attribute class {0,1}\n@data\n";
    refused(
        &evaluate(&folder, "word.arff", format!("{arff}1,0\nx,1\n"), &[]),
        &["word.arff, line 6, column 1", "'x'"],
    );
    refused(
        &evaluate(&folder, "class.arff", format!("{arff}1,7\n"), &[]),
        &["class.arff, line 5, column 2", "'7'"],
    );
    refused(&evaluate(&folder, "long.arff", format!("{arff}1,0,0\n"), &[]), &["long.arff, line 5"]);
    refused(
        &evaluate(&folder, "kind.arff", "@relation r\n@attribute a blob\n@data\n1\n", &[]),
        &["kind.arff, line 2", "blob"],
    );
    refused(
        &evaluate(&folder, "none.arff", "@relation r\n@attribute a numeric\n", &[]),
        &["none.arff", "@data"],
    );
    let keel = "@relation r\n@attribute a real [0, 9]\n@attribute class {0, 1}\n\
                @inputs a\n@outputs class\n@data\n";
    refused(
        &evaluate(&folder, "word.dat", format!("{keel}1, 0\nx, 1\n"), &[]),
        &["word.dat, line 8, column 1", "'x'"],
    );
    let unknown = keel.replace("real [0, 9]", "reel");
    refused(
        &evaluate(&folder, "kind.dat", format!("{unknown}1, 0\n"), &[]),
        &["kind.dat, line 2", "'reel'"],
    );
}

#[test]
fn columns_and_classes_that_do_not_fit() {
    let folder = Folder::new();
    let text = "bag,a,class\nb1,1,0\nb2,2,1\n";
    let run = |more: &[&str]| evaluate(&folder, "t.csv", text, more);
    refused(
        &run(&["--target", "clas"]),
        &["t.csv: target column 'clas' not found; did you mean 'class'?"],
    );
    refused(&run(&["--target", "weather"]), &["expected one of 'bag', 'a', 'class'"]);
    refused(&run(&["--bag", "9"]), &["t.csv: bag column '9' not found"]);
    refused(&run(&["--ignore", "nose"]), &["t.csv", "'nose' not found"]);
    refused(&run(&["--bag", "a", "--target", "a"]), &["column 'a' has two roles"]);
    refused(
        &run(&["--positive-class", "2"]),
        &["t.csv: positive class '2'", "expected one of '0', '1'"],
    );
    let two = evaluate(&folder, "two.csv", "bag,a,class\nb,1,0\nb,2,1\n", &["--bag", "bag"]);
    refused(&two, &["two.csv, line 3", "bag 'b' has two labels"]);
    let few = folder.file("few.txt", "0\n");
    refused(&run(&["--labels", &few, "--labels-by-position"]), &["few.txt"]);
    let missing = evaluate(&folder, "gap.csv", "a,class\n1,\n2,?\n", &["--target", "class"]);
    refused(&missing, &["gap.csv: target column 'class' is empty in every row", "label"]);
}

/// What an error tells people to raise can be raised, by the flag it names.
#[test]
fn limits_can_be_raised() {
    let folder = Folder::new();
    let table = folder.file("t.csv", "a,class\n1,0\n2,1\n");
    let crosses = folder.file("c.csv", "a,b\n1,0\n1,1\n");
    let ring = "@prefix : <http://example.org/#> . @prefix owl: <http://www.w3.org/2002/07/owl#> .\n\
        :before a owl:TransitiveProperty . :a :before :b . :b :before :c . :c :before :a .\n";
    let ring = folder.file("ring.ttl", ring);
    let evaluate = |data: &str, more: &[&str]| {
        let input = if data.ends_with(".ttl") { "owl:Thing\n" } else { "true\n" };
        let base = ["evaluate", data, "--hypotheses", "-"];
        run_with(&mut pellucid(base.iter().chain(more)), input.as_bytes())
    };
    let concepts = |data: &str, more: &[&str]| {
        run_with(&mut pellucid(["concepts", data].iter().chain(more)), b"")
    };
    let scaled = ["--scale", "nominal", "--max-crosses"];
    let cases = [
        (evaluate(&table, &["--max-bytes", "9"]), "larger than 9 bytes; raise --max-bytes"),
        (evaluate(&ring, &["--max-bytes", "9"]), "raise --max-bytes"),
        (
            evaluate(&table, &["--max-line-bytes", "3"]),
            "longer than 3 bytes; raise --max-line-bytes",
        ),
        (evaluate(&ring, &["--max-edges", "8"]), "more than 8 edges"),
        (evaluate(&ring, &["--max-edges", "8"]), "raise --max-edges"),
        (concepts(&crosses, &["--max-bytes", "9"]), "raise --max-bytes"),
        (
            concepts(&table, &[&scaled[..], &["3"]].concat()),
            "use fewer cuts or raise --max-crosses",
        ),
    ];
    for (output, words) in &cases {
        refused(output, &[words]);
    }
    for output in [
        evaluate(&table, &["--max-bytes", "99", "--max-line-bytes", "20"]),
        evaluate(&ring, &["--max-edges", "9"]),
        concepts(&crosses, &["--max-bytes", "99"]),
        concepts(&table, &[&scaled[..], &["4"]].concat()),
    ] {
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    }
    // A parameter is spelled as it is typed, once.
    let load = run_with(&mut pellucid(["devices", "--gpu-load", "3"]), b"");
    refused(&load, &["pellucid: --gpu-load: found 3; expected 0 "]);
    assert!(!stderr(&load).contains("gpu_load"), "{}", stderr(&load));
}

/// Counting needs no second class.
#[test]
fn one_class_is_enough_to_count() {
    let folder = Folder::new();
    let output = evaluate(&folder, "one.csv", "a,class\n1,only\n2,only\n", &[]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(stdout(&output), "{\"line\":1,\"counts\":{\"only\":2},\"nodes\":1}\n");
}

#[test]
fn a_wrong_file_says_what_it_is() {
    let folder = Folder::new();
    let rows: String = (0..40).map(|n| format!("{n},{}\n", ["a", "b"][n / 20])).collect();
    let table = folder.file("t.csv", format!("x,class\n{rows}"));
    let ontology = folder.file("t.ofn", "Prefix(:=<http://example.org/>)\nOntology(:o)\n");
    let model = folder.at("model.json");
    run_with(&mut pellucid(["learn", "rules", &table, "--out", &model, "--quiet"]), b"");
    let run = |words: &[&str]| run_with(&mut pellucid(words.iter().copied()), b"");
    let described =
        "t.csv is not a model; if it is a table, use 'pellucid describe' to describe it";
    refused(&run(&["show", &table]), &[described]);
    refused(&run(&["predict", &table, &table]), &[described]);
    let swapped = format!("is the model, so it comes first: pellucid predict {model} {table}");
    refused(&run(&["predict", &table, &model]), &[&swapped]);
    refused(&run(&["learn", "rules", &model]), &["the file is a Pellucid model; expected a table"]);
    refused(&run(&["describe", &model]), &["the file is a Pellucid model; expected a table"]);
    let functional = "the file is an ontology (OWL functional syntax); expected a table";
    refused(&run(&["predict", &model, &ontology]), &[functional]);
    refused(&run(&["show", &ontology]), &["found no statements"]);
}
