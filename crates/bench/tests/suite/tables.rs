//! The tables of `pellucid-bench`: the documented shapes, and counts anyone can check.

use crate::support::{Folder, answers, bench, done, run_with, stderr};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

fn object(arguments: &[&str]) -> Value {
    let text = done(arguments, "");
    let mut all = answers(&text);
    assert_eq!(all.len(), 1, "{text}");
    all.remove(0)
}

fn number(object: &Value, name: &str) -> f64 {
    object[name].as_f64().unwrap_or_else(|| panic!("no number {name} in {object}"))
}

fn whole(object: &Value, name: &str) -> usize {
    let number =
        object[name].as_u64().unwrap_or_else(|| panic!("no whole number {name} in {object}"));
    usize::try_from(number).expect("a small number")
}

fn json_file(path: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).expect("a file")).expect("JSON")
}

#[test]
fn interpreter() {
    let folder = Folder::new();
    let dump = folder.at("dump");
    let sizes = [
        "--rules",
        "20",
        "--rows",
        "300,700",
        "--seconds",
        "0",
        "--threads",
        "1",
        "--device",
        "cpu",
        "--json",
    ];
    let result = object(&[&["interpreter", "--dump", &dump], &sizes[..]].concat());
    assert_eq!(result["name"], "interpreter");
    assert!(result["device"].as_str().is_some_and(|device| !device.is_empty()), "{result}");
    assert!(number(&result, "seconds") > 0.0);
    let rows = result["rows"].as_array().expect("rows");
    let cell =
        |row: &Value| (whole(row, "instances"), row["population"].clone(), row["cache"].clone());
    let mut expected = Vec::new();
    for instances in [300, 700] {
        for population in ["later", "first", "settled"] {
            // The CPU cannot tell its own time from that of planning, so there is no row of the device
            // alone.
            expected.extend(
                ["fresh", "warm", "flat", "weighted"]
                    .map(|cache| (instances, population.into(), cache.into())),
            );
        }
    }
    assert_eq!(rows.iter().map(cell).collect::<Vec<_>>(), expected);
    for row in rows {
        assert_eq!(whole(row, "rules"), 20);
        let (nodes, seconds, instances) =
            (number(row, "nodes"), number(row, "seconds"), number(row, "instances"));
        assert!(seconds > 0.0, "{row}");
        let close = |found: f64, expected: f64| (found / expected - 1.0).abs() < 1e-9;
        assert!(close(number(row, "nodes_per_second"), nodes * instances / seconds), "{row}");
        assert!(
            close(number(row, "rule_instances_per_second"), 20.0 * instances / seconds),
            "{row}"
        );
        assert!(
            row["paper_4_gpus_nodes_per_second"].is_null(),
            "the paper has no such cell: {row}"
        );
    }
    for population in ["later", "first"] {
        let described = json_file(&Path::new(&dump).join(format!("rules-{population}.json")));
        check_dump(Path::new(&dump), &described);
        let measured =
            rows.iter().find(|row| row["instances"] == 700 && row["population"] == population);
        let measured = measured.expect("the largest cell");
        assert_eq!(measured["nodes"], described["nodes"]);
        assert_eq!(whole(measured, "distinct_comparisons"), distinct_comparisons(&described));
    }
}

/// A comparison of the dump: attribute, direction, value.
fn comparison(parts: &Value) -> (usize, bool, f64) {
    let attribute =
        usize::try_from(parts[0].as_u64().expect("an attribute")).expect("a small number");
    let above = match parts[1].as_str() {
        Some(">") => true,
        Some("<=") => false,
        _ => panic!("{parts}"),
    };
    (attribute, above, parts[2].as_f64().expect("a value"))
}

fn parts(value: &Value) -> &Vec<Value> {
    value.as_array().unwrap_or_else(|| panic!("no list: {value}"))
}

fn distinct_comparisons(described: &Value) -> usize {
    let all = parts(&described["rules"]).iter().flat_map(|rule| parts(&rule["or"])).flat_map(parts);
    all.map(ToString::to_string).collect::<BTreeSet<_>>().len()
}

/// Three nodes a comparison, one for each 'and' and 'or' between two operands; what repeats in a place counts
/// once.
fn size(rule: &Value) -> usize {
    let distinct = |conjunction: &Value| {
        parts(conjunction).iter().map(ToString::to_string).collect::<BTreeSet<_>>()
    };
    let conjunctions: BTreeSet<_> = parts(&rule["or"]).iter().map(distinct).collect();
    conjunctions.iter().map(|conjunction| 4 * conjunction.len() - 1).sum::<usize>()
        + conjunctions.len()
        - 1
}

/// Evaluates dumped rules on dumped data by a plain loop and compares counts and nodes with what is written
/// there.
fn check_dump(folder: &Path, described: &Value) {
    let rows = whole(described, "rows");
    let floats = std::fs::read(folder.join("columns.f32")).expect("columns");
    let (quads, rest) = floats.as_chunks::<4>();
    let values: Vec<f64> =
        quads.iter().map(|bytes| f64::from(f32::from_le_bytes(*bytes))).collect();
    assert_eq!((values.len(), rest.len()), (rows * whole(described, "attributes"), 0));
    let labels = std::fs::read(folder.join("labels.u8")).expect("labels");
    assert_eq!(labels.len(), rows);
    let rules = parts(&described["rules"]);
    assert_eq!(rules.len(), 20);
    let mut covered_in_all = 0;
    let mut nodes = 0;
    for rule in rules {
        let conjunctions: Vec<Vec<_>> = parts(&rule["or"])
            .iter()
            .map(|conjunction| parts(conjunction).iter().map(comparison).collect())
            .collect();
        nodes += size(rule);
        let mut counts = [0u64; 2];
        for row in 0..rows {
            let holds = |&(attribute, above, cut): &(usize, bool, f64)| {
                (values[attribute * rows + row] > cut) == above
            };
            if conjunctions.iter().any(|conjunction| conjunction.iter().all(holds)) {
                counts[usize::from(labels[row])] += 1;
            }
        }
        assert_eq!(rule["counts"], Value::from(counts.to_vec()), "{rule}");
        covered_in_all += counts[0] + counts[1];
    }
    assert!(covered_in_all > 0, "rules that hold nowhere show nothing");
    assert_eq!(whole(described, "nodes"), nodes);
}

#[test]
fn bags() {
    let result = object(&["bags", "--rules", "5", "--seconds", "0", "--json", "--threads", "1"]);
    assert_eq!(result["name"], "bags");
    assert!(number(&result, "seconds") > 0.0);
    let rows = result["rows"].as_array().expect("rows");
    assert_eq!(rows.len(), 4 * 3);
    for row in rows {
        assert_eq!(row["rules"], 5);
        let (ours, plain) = (number(row, "seconds"), number(row, "plain_loop_seconds"));
        assert!(ours > 0.0 && (number(row, "ratio") * ours / plain - 1.0).abs() < 1e-9, "{row}");
        assert!(number(row, "bags_per_second") > 0.0, "{row}");
    }
    let hypotheses: Vec<&Value> = rows[..3].iter().map(|row| &row["hypothesis"]).collect();
    assert_eq!(hypotheses, ["presence", "at least 3", "2 to 4"]);
    assert_eq!(rows[0]["instances"], 100_000);
}

#[test]
fn rules() {
    let small = ["--population", "20", "--generations", "3", "--threads", "1"];
    let sets = ["rules", "--sets", "artificial1,artificial2", "--json"];
    let result = object(&[&sets[..], &small[..]].concat());
    assert_eq!(result["name"], "rules");
    assert!(result["device"].as_str().is_some_and(|device| !device.is_empty()), "{result}");
    let rows = parts(&result["rows"]);
    let shown: Vec<_> = rows
        .iter()
        .map(|row| (row["set"].clone(), whole(row, "bags"), row["hypothesis"].clone()))
        .collect();
    let expected = [
        ("artificial1", 10, "presence"),
        ("artificial1", 10, "count"),
        ("artificial2", 100, "presence"),
        ("artificial2", 100, "count"),
    ];
    assert_eq!(
        shown,
        expected.map(|(set, bags, hypothesis)| (set.into(), bags, hypothesis.into()))
    );
    let mut all = 0.0;
    for row in rows {
        assert_eq!((whole(row, "instances"), whole(row, "attributes")), (1000, 100));
        let (asked, counted) = (whole(row, "asked"), whole(row, "counted"));
        // Four generations of twenty; copies are not asked for, and what is remembered is not counted.
        assert!((21..=80).contains(&asked) && (1..=asked).contains(&counted), "{row}");
        let (seconds, instances) = (number(row, "seconds"), number(row, "instances"));
        let rate = number(row, "rule_instances_per_second");
        #[expect(clippy::cast_precision_loss)]
        let asked = asked as f64;
        assert!((rate * seconds / (asked * instances) - 1.0).abs() < 1e-9, "{row}");
        // A rule has one comparison (3 nodes) to twelve (47).
        assert!((3.0..=47.0).contains(&(number(row, "nodes_per_second") / rate)), "{row}");
        let shares = ["evaluation", "breeding", "replacement", "other"]
            .map(|part| number(&row["profile"], part));
        assert!(shares.iter().all(|share| (0.0..=1.0).contains(share)), "{row}");
        assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{row}");
        assert!(row["paper_gpus_seconds"].is_null(), "the paper bred other numbers: {row}");
        all += seconds;
    }
    assert!(number(&result, "seconds") >= all);
}

#[test]
fn rules_of_a_perfect_generation_are_bred_on() {
    // One comparison tells the bags apart, so the first generation has a perfect rule.
    let folder = Folder::new();
    let mut text = String::from(
        "@relation east\n@attribute bag {1, 2, 3, 4}\n@attribute x real [0.0, 1.0]\n\
         @attribute Class {0, 1}\n@inputs bag, x\n@outputs Class\n@data\n",
    );
    for (bag, x, class) in [(1, 0, 0), (2, 0, 0), (3, 1, 1), (4, 1, 1)] {
        text += &format!("{bag}, {x}.0, {class}\n");
    }
    folder.file("eastWest.dat", &text);
    let data = folder.at("");
    let asked = |generations: &str| {
        let words = ["rules", "--data", &data, "--sets", "eastWest", "--json"];
        let flags =
            ["--hypothesis", "presence", "--population", "20", "--generations", generations];
        let result = object(&[&words[..], &flags[..]].concat());
        whole(&parts(&result["rows"])[0], "asked")
    };
    assert!(asked("1") > 20 && asked("9") > asked("1"), "a run must not end with a perfect rule");
}

#[test]
fn tables_for_people() {
    let text =
        done(["interpreter", "--rules", "3", "--rows", "50", "--seconds", "0", "--quiet"], "");
    assert!(text.contains("100 attributes of 2,000 distinct values"), "{text}");
    let text =
        done(["rules", "--sets", "artificial1", "--population", "20", "--generations", "3"], "");
    assert!(text.contains("artificial1") && text.contains("% (serial)"), "{text}");
}

#[test]
fn concepts_beside_the_paper() {
    let folder = Folder::new();
    folder.file("mtunis.mdg", "main parser\nmain lexer 3\nparser lexer\n");
    let quick = ["--seconds", "0", "--contexts", "wiki,random10,mtunis", "--device", "cpu"];
    let named = ["concepts", "--data", folder.path().to_str().expect("a plain name")];
    let text = done([&named[..], &quick[..], &["--json"]].concat(), "");
    let result = answers(&text).remove(0);
    let rows = result["rows"].as_array().expect("rows");
    assert_eq!((&result["name"], rows.len()), (&Value::from("concepts"), 3));
    assert_eq!((&rows[0]["concepts"], &rows[0]["paper"]["concepts"]), (&14.into(), &14.into()));
    assert_eq!((&rows[2]["objects"], &rows[2]["concepts"]), (&3.into(), &8.into()));
    assert_eq!(rows[2]["paper"]["python_seconds"], 0.05);
    for row in rows {
        assert!(row["seconds"].as_f64().expect("a number") > 0.0);
        assert!(row["seconds_one_thread"].as_f64().expect("a number") > 0.0);
        assert!(row["ratio_to_fastest"].is_null(), "0.00 has no ratio");
    }
    let table = done([&named[..], &quick[..]].concat(), "");
    assert!(table.contains("wiki") && table.contains("C2050"), "{table}");
    let output = run_with(&mut bench(["concepts", "--contexts", "linux"]), b"");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("give --data FOLDER"), "{}", stderr(&output));
}

#[test]
fn logic_beside_the_paper() {
    let result = object(&[
        "logic",
        "--quick",
        "--seconds",
        "0",
        "--threads",
        "1",
        "--device",
        "cpu",
        "--json",
    ]);
    assert_eq!(result["name"], "logic");
    let rows = parts(&result["rows"]);
    let count = |table: &str| rows.iter().filter(|row| row["table"] == table).count();
    assert_eq!(["II", "III", "IV", "V", "VI", "own"].map(count), [16, 8, 8, 18, 2, 17]);
    let mut all = 0.0;
    for row in rows {
        let seconds = number(row, "seconds");
        assert!(seconds > 0.0, "{row}");
        assert!(whole(row, "covered") <= whole(row, "individuals") * whole(row, "hypotheses"));
        let rate = number(row, "hypotheses") / seconds;
        assert!((number(row, "hypotheses_per_second") / rate - 1.0).abs() < 1e-9, "{row}");
        let by = if cfg!(unix) { "cpu" } else { "wall" };
        assert_eq!(row["ratio_by"], by, "one thread: {row}");
        all += seconds;
    }
    assert!(number(&result, "seconds") >= all);
    let find = |table: &str, operation: &str, layout: &str, individuals: usize| {
        let found = rows.iter().find(|row| {
            row["table"] == table
                && row["operation"] == operation
                && row["layout"] == layout
                && whole(row, "individuals") == individuals
                && whole(row, "hypotheses") == 1
        });
        found.unwrap_or_else(|| panic!("no {operation} with {layout}"))
    };
    // One subject has all fillers; the others satisfy 'max 2' and 'only', not 'some' and 'min 2'.
    let covered =
        |table, operation, layout| whole(find(table, operation, layout, 1_000), "covered");
    assert_eq!(covered("III", "some", "single subject"), 1);
    assert_eq!(covered("III", "only", "single subject"), 999);
    assert_eq!(covered("IV", "min 2", "single subject"), 1);
    assert_eq!(covered("IV", "max 2", "single subject"), 999);
    // Every individual has one filler, which is in the concept for half of them.
    let some = covered("III", "some", "unique subjects");
    assert!((400..600).contains(&some), "{some}");
    assert_eq!(covered("III", "only", "unique subjects"), some);
    assert_eq!(covered("IV", "min 2", "unique subjects"), 0);
    assert_eq!(covered("IV", "max 2", "unique subjects"), 1_000);
    // A thousand equal assertions count as one.
    for operation in ["number >=", "text =", "text contains"] {
        let once = find("V", operation, "single subject", 1_000);
        assert_eq!((whole(once, "assertions"), whole(once, "covered")), (1, 1), "{once}");
        let many = find("V", operation, "single subject, many values", 1_000);
        assert_eq!((whole(many, "assertions"), whole(many, "covered")), (1_000, 1), "{many}");
        assert_eq!(covered("V", operation, "unique subjects"), 1_000);
    }
    assert_eq!(covered("own", "number >=", "unique subjects, many values"), 500);
    assert_eq!(covered("own", "text =", "unique subjects, many values"), 1);
    // The paper has these sizes, in whole microseconds.
    let paper = &find("III", "some", "unique subjects", 1_000)["paper"];
    assert_eq!(number(paper, "one_thread_seconds"), 3e-6);
    assert_eq!(number(paper, "gtx_970_seconds"), 21e-6);
    let whole_hypotheses = rows.iter().find(|row| row["table"] == "VI").expect("Table VI");
    assert!(whole_hypotheses["paper"].is_null(), "the paper has a million individuals there");

    let text = done(["logic", "--quick", "--tables", "ii,vi", "--seconds", "0"], "");
    assert!(text.contains("conjunction of 5") && text.contains("GTX 970"), "{text}");
    assert!(!text.contains("unique subjects"), "{text}");
}

#[test]
fn multiplexers_are_timed_and_learned() {
    let output = done(
        ["xcs", "--problems", "multiplexer-6", "--timed", "500", "--most-steps", "4000", "--json"],
        "",
    );
    let result = answers(&output).pop().expect("a result");
    let row = &result["rows"][0];
    assert_eq!((&result["name"], &row["problem"]), (&"xcs".into(), &"multiplexer-6".into()));
    assert!(row["iterations_per_second"].as_f64().is_some_and(|rate| rate > 0.0), "{row}");
    assert!(row["explore_steps_to_99"].as_u64().is_some_and(|steps| steps <= 4000), "{row}");
}

#[test]
fn rungs_of_the_ladder_are_reached_and_not_run_twice() {
    let folder = Folder::new();
    let file = folder.at("ladder.jsonl");
    let words = ["ladder", "--bits", "6", "--out", &file, "--json", "--quiet"];
    let rows = |output: &str| answers(output).pop().expect("a result")["rows"].clone();
    let first = rows(&done(words, ""));
    assert_eq!((&first[0]["mode"], &first[1]["mode"]), (&"reward".into(), &"supervised".into()));
    for row in first.as_array().expect("rungs") {
        assert_eq!(row["reached"], true, "{row}");
        assert!(row["steps"].as_u64().is_some_and(|steps| steps <= 6_000), "{row}");
        assert!(
            row["compact_rules"].as_u64().is_some_and(|rules| (4..=24).contains(&rules)),
            "{row}"
        );
    }
    // Times differ between runs, so equal rows were read from the file.
    assert_eq!(rows(&done(words, "")), first);
    assert_eq!(std::fs::read_to_string(&file).expect("the file").lines().count(), 2);
    folder.file("other.jsonl", "no JSON\n");
    let other = folder.at("other.jsonl");
    let refused = run_with(&mut bench(["ladder", "--bits", "6", "--out", &other]), b"");
    assert!(
        stderr(&refused).contains("line 1 is not a rung of an earlier run"),
        "{}",
        stderr(&refused)
    );
    let refused = run_with(&mut bench(["ladder", "--bits", "7"]), b"");
    assert!(
        stderr(&refused).contains("--bits: found 7; expected 6, 11, 20"),
        "{}",
        stderr(&refused)
    );
}
