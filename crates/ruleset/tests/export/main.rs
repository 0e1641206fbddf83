//! Exported models predict what the model predicts: the query in `SQLite` and the module in Python.

mod cases;
mod reading;

use cases::{Case, case};
use pellucid_data::{MISSING, Values};
use pellucid_device::Machine;
use pellucid_learn::learner::{Applied, Predicted};
use pellucid_ruleset::apply::AppliedRules;
use pellucid_ruleset::export::{python, sql};
use proptest::prelude::*;
use serde::Deserialize;
use serde_json::{Value, json};
use std::num::NonZeroUsize;

/// Loads each case into `SQLite`, runs its query and its module, and returns the predictions of all examples.
const SCRIPT: &str = r#"
import json, sqlite3, sys
quoted = lambda name: '"' + name.replace('"', '""') + '"'
answers = []
for case in json.load(sys.stdin):
    names, kinds = case["names"], case["kinds"]
    number = lambda v: None if v is None else float(v)
    read = [number if kind == "REAL" else (lambda v: v) for kind in kinds]
    rows = [[convert(value) for convert, value in zip(read, row)] for row in case["rows"]]
    database = sqlite3.connect(":memory:")
    columns = ", ".join(quoted(name) + " " + kind for name, kind in zip(names, kinds))
    database.execute(f"CREATE TABLE {quoted(case['table'])} ({columns})")
    marks = ", ".join("?" * len(names))
    database.executemany(f"INSERT INTO {quoted(case['table'])} VALUES ({marks})", rows)
    found = database.execute(case["sql"])
    heads = [head[0] for head in found.description]
    found = found.fetchall()
    module = {"__name__": "model"}
    exec(case["python"], module)
    # A missing number may come as NaN as well.
    for place, row in enumerate(rows):
        if place % 2:
            rows[place] = [float("nan") if v is None and k == "REAL" else v for v, k in zip(row, kinds)]
    named = [dict(zip(names, row)) for row in rows]
    classes = case["classes"]
    ranked = classes[1:] if len(classes) == 2 else classes
    shares = ["probability of " + name for name in ranked] if case["calibrated"] else []
    scores = ["score for " + name for name in classes]
    if case["bags"] is None:
        # A number comes without scores.
        assert heads == scores + names + ["predicted"] + shares, heads
        examples, whole = found, named
        by_module = module["predict_all"](named)
        assert by_module == [module["predict"](row) for row in named]
    else:
        assert heads == [names[-1], "predicted"] + shares + scores, heads
        assert len(found) == len(case["bags"])
        found = {row[0]: row for row in found}
        examples = [found[bag] for bag in case["bags"]]
        whole = [[row for row in named if row[names[-1]] == bag] for bag in case["bags"]]
        by_bag = module["predict_all"](named)
        by_module = [by_bag[bag] for bag in case["bags"]]
    pick = lambda row, wanted: [row[heads.index(head)] for head in wanted]
    answers.append({
        "by_query": [pick(row, ["predicted"])[0] for row in examples],
        "by_module": by_module,
        "query_scores": [pick(row, scores) for row in examples],
        "module_scores": [[module["scores"](one)[name] for name in classes] for one in whole],
        "query_shares": [pick(row, shares) for row in examples],
        "module_shares": [
            [module["probabilities"](one)[name] for name in ranked] if shares else [] for one in whole
        ],
    })
json.dump(answers, sys.stdout)
"#;

const TABLE: &str = "my \"table\"";

/// Returns a case as the script reads it.
fn to_json(case: &Case) -> Value {
    let data = &case.data;
    let mut names: Vec<&str> = data.columns.iter().map(|column| column.name.as_str()).collect();
    let mut kinds: Vec<&str> = data
        .columns
        .iter()
        .map(|column| match column.values {
            Values::Numeric(_) => "REAL",
            Values::Nominal { .. } => "TEXT",
            Values::Boolean(_) => "INTEGER",
        })
        .collect();
    let cell = |values: &Values, row: usize| match values {
        Values::Numeric(numbers) if numbers[row].is_nan() => Value::Null,
        // JSON has no infinity, so numbers travel as text.
        Values::Numeric(numbers) => json!(numbers[row].to_string()),
        Values::Nominal { codes, .. } if codes[row] == MISSING => Value::Null,
        Values::Nominal { codes, categories } => json!(categories[codes[row] as usize]),
        Values::Boolean(truths) => json!(truths[row]),
    };
    let mut rows: Vec<Vec<Value>> = (0..data.rows)
        .map(|row| data.columns.iter().map(|column| cell(&column.values, row)).collect())
        .collect();
    if let Some(bags) = &data.bags {
        names.push(&bags.name);
        kinds.push("TEXT");
        for (row, &bag) in rows.iter_mut().zip(&bags.of_row) {
            row.push(json!(bags.names[bag as usize]));
        }
    }
    json!({
        "table": TABLE,
        "names": names,
        "kinds": kinds,
        "rows": rows,
        "bags": data.bags.as_ref().map(|bags| &bags.names),
        "sql": sql(&case.model, TABLE, None).unwrap(),
        "python": python(&case.model).unwrap(),
        "classes": &case.model.schema.classes,
        "calibrated": case.model.calibration.is_some(),
    })
}

/// The results of `SQLite` and Python for one case, by example.
#[derive(Debug, Deserialize)]
struct Answer {
    by_query: Vec<Value>,
    by_module: Vec<Value>,
    query_scores: Vec<Vec<f64>>,
    module_scores: Vec<Vec<f64>>,
    query_shares: Vec<Vec<f64>>,
    module_shares: Vec<Vec<f64>>,
}

/// Returns the results of `SQLite` and Python for each case.
fn answers(cases: &[Case]) -> Vec<Answer> {
    let input = serde_json::to_vec(&cases.iter().map(to_json).collect::<Vec<_>>()).unwrap();
    serde_json::from_slice(&pellucid_testdata::python(SCRIPT, &input)).unwrap()
}

fn machine() -> Machine {
    Machine::processor(NonZeroUsize::new(1)).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: pellucid_testdata::cases(4),
        max_shrink_iters: 300,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn exported_models_predict_the_same(cases in prop::collection::vec(case(), 80)) {
        let machine = machine();
        for (case, answer) in cases.iter().zip(answers(&cases)) {
            let applied = AppliedRules::new(&case.model, &case.data, &machine).unwrap();
            let classes = &case.model.schema.classes;
            let expected: Vec<Value> = match applied.predicted() {
                Predicted::Numbers(numbers) => numbers.iter().map(|number| json!(number)).collect(),
                Predicted::Classes(codes) => {
                    codes.iter().map(|&code| json!(classes[code as usize])).collect()
                }
            };
            let rules = &case.model.body;
            prop_assert_eq!(&answer.by_query, &expected, "SQL of {:?} on {:?}", rules, case.data);
            prop_assert_eq!(&answer.by_module, &expected, "Python of {:?} on {:?}", rules, case.data);
            if case.model.schema.number.is_some() {
                continue;
            }
            let votes: Vec<Vec<f64>> =
                (0..applied.examples()).map(|example| applied.votes(example)).collect();
            prop_assert_eq!(&answer.query_scores, &votes, "SQL of {:?} on {:?}", rules, case.data);
            prop_assert_eq!(&answer.module_scores, &votes, "Python of {:?} on {:?}", rules, case.data);
            let Some(calibration) = &case.model.calibration else { continue };
            let first = if classes.len() == 2 { 1 } else { 0 };
            for (example, votes) in votes.iter().enumerate() {
                let shares = &calibration.probabilities(votes)[first..];
                for answer in [&answer.query_shares[example], &answer.module_shares[example]] {
                    prop_assert_eq!(answer.len(), shares.len());
                    let close = |(one, other): (&f64, &f64)| (one - other).abs() < 1e-12;
                    prop_assert!(answer.iter().zip(shares).all(close), "{:?} {:?}", answer, shares);
                }
            }
        }
    }
}
