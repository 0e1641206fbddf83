//! Columns with the names that an exported query uses itself.

use crate::exported_code::table::{Named, answers, case, check, models, predicted, table};
use serde_json::json;

fn named(columns: [&str; 3]) -> Named {
    Named {
        columns: columns.map(str::to_owned),
        word: "this".into(),
        target: "outcome".into(),
        classes: ["no", "yes"].map(str::to_owned),
    }
}

#[test]
fn a_column_may_have_any_name() {
    check(
        &[
            named(["score", "predicted", "probability of yes"]),
            named(["Score", "SCORE 2", "Predicted"]),
            named(["score for no", "SCORE FOR YES", "example"]),
            named(["input 1", "network 1 layer 1 node 1", "output 1"]),
            named(["t", "v", "c"]),
            Named { target: "score".into(), ..named(["rows_1", "all_rows", "mean_1"]) },
        ],
        false,
    );
}

/// A table may have more columns than the model knows.
#[test]
fn an_unknown_column_is_not_mistaken_for_a_score() {
    let data = table(&named(["a", "b", "c"]));
    let (mut cases, mut expected) = (Vec::new(), Vec::new());
    for model in models(&data) {
        for extra in ["score", "score for yes", "score for no", "example"] {
            let mut case = case(&*model, &data, false);
            let list = |case: &mut serde_json::Value, key: &str, value: serde_json::Value| {
                case[key].as_array_mut().expect("a list").push(value);
            };
            list(&mut case, "names", json!(extra));
            list(&mut case, "types", json!("REAL"));
            for row in case["rows"].as_array_mut().expect("rows") {
                row.as_array_mut().expect("cells").push(json!(-1e9));
            }
            // The result has two columns of the same name, so select only the class.
            let query = case["sql"].as_str().expect("a query").replacen(
                "CREATE VIEW \"predictions\" AS\n",
                "",
                1,
            );
            case["sql"] = json!(format!(
                "CREATE VIEW \"predictions\" AS SELECT \"predicted\" FROM (\n{query}\n) w"
            ));
            cases.push(case);
            expected.push((extra, model.learner(), predicted(&*model, &data)));
        }
    }
    for ((extra, learner, expected), [query, ..]) in expected.into_iter().zip(answers(&cases)) {
        assert_eq!(query, expected, "SQL of {learner} with a column {extra}");
    }
}
