//! Exported networks give the same scores as `predict`. The Python module reads the cells of a file,
//! and the query reads the values. `bench/networks_vs_peers.py` compares ONNX models with `predict`
//! if onnxruntime is installed.

use pellucid::data::{MISSING, Values};
use pellucid::device::Machine;
use pellucid::io::{Dataset, Header, ReadOptions, read_from};
use pellucid::learn::learner::{Fit, Inner, learn_with_estimate};
use pellucid::learn::params::Check;
use pellucid::learn::rng::Streams;
use pellucid::learn::run::{Control, Driver, Silent};
use pellucid::networks::Network;
use pellucid::networks::export::{python, sql};
use pellucid::networks::model::NetworkModel;
use pellucid::networks::params::{Nodes, Params};
use pellucid::read::by_schema;
use pellucid::report::networks::svg;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::num::NonZeroUsize;

/// Passes the file to the module via `csv.DictReader`, and its values to a database.
const SCRIPT: &str = r#"
import csv, io, json, sqlite3, sys
case = json.load(sys.stdin)
module = {"__name__": "model"}
exec(case["python"], module)
rows = list(csv.DictReader(io.StringIO(case["text"])))
database = sqlite3.connect(":memory:")
database.execute("CREATE TABLE data (age REAL, town TEXT, member INTEGER)")
database.executemany("INSERT INTO data VALUES (?, ?, ?)", case["values"])
found = database.execute(case["sql"])
names = [head[0] for head in found.description]
columns = [names.index(name) for name in ("score", "probability of yes", "predicted")]
by_query = [[row[column] for column in columns] for row in found]
score, probabilities, predict = module["score"], module["probabilities"], module["predict"]
by_module = [[score(row), probabilities(row)["yes"], predict(row)] for row in rows]
json.dump([by_module, by_query], sys.stdout)
"#;

/// Returns a file with numbers, text, booleans, missing values, and text that needs quoting.
fn file(rows: usize, seed: u64, new_words: bool) -> String {
    let mut stream = Streams::new(seed).stream(&["file".into()]);
    let towns = ["north", "it's", "a \"b\"", "west", "new\\er"];
    let mut text = "age,town,member,answers\n".to_owned();
    for _ in 0..rows {
        let age = stream.range(18.0, 80.0);
        let town = stream.index(if new_words { 5 } else { 4 });
        let member = stream.chance(0.4);
        let likely =
            if (age - 40.0).abs() < 10.0 { 0.8 } else { 0.1 } + if town == 0 { 0.1 } else { 0.0 };
        let drop_some = |cell: String, stream: &mut pellucid::learn::rng::Stream| {
            if stream.chance(0.08) { String::new() } else { cell }
        };
        let age = drop_some(format!("{age:.2}"), &mut stream);
        let town = drop_some(format!("\"{}\"", towns[town].replace('"', "\"\"")), &mut stream);
        let member = drop_some(if member { "true" } else { "false" }.to_owned(), &mut stream);
        let answer = if stream.chance(likely) { "yes" } else { "no" };
        let _ = writeln!(text, "{age},{town},{member},{answer}");
    }
    text
}

fn read(text: &str, options: ReadOptions) -> Dataset {
    read_from(text.as_bytes(), "letters.csv", &options.header(Header::Yes)).expect("a table")
}

fn cell(values: &Values, row: usize) -> Value {
    match values {
        Values::Numeric(numbers) if numbers[row].is_nan() => Value::Null,
        Values::Numeric(numbers) => json!(numbers[row]),
        Values::Nominal { codes, .. } if codes[row] == MISSING => Value::Null,
        Values::Nominal { codes, categories } => json!(categories[codes[row] as usize]),
        Values::Boolean(booleans) => json!(booleans[row]),
    }
}

fn answers(case: &Value) -> [Vec<(f64, f64, String)>; 2] {
    let input = serde_json::to_vec(case).expect("plain data");
    serde_json::from_slice(&pellucid_testdata::python(SCRIPT, &input)).expect("answers")
}

fn model(activation: Nodes, second: usize, table: &Dataset, machine: &Machine) -> NetworkModel {
    let mut params = Params::default();
    params.layers.activation = Some(activation);
    (params.layers.second, params.layers.second_activation) = (second, activation);
    params.layers.nodes = Some(4);
    params.descent.rounds = Some(8);
    (params.breeding.generations, params.breeding.population) = (Some(2), Some(6));
    let (params, inner) =
        (params.check().expect("allowed"), Inner { folds: 3, ..Inner::default() });
    let driver = Driver::new(&Control::new());
    let learned =
        learn_with_estimate::<Network>(table, params, inner, machine, &driver, &mut Silent);
    learned.expect("a model").0.model
}

#[test]
fn exports_give_the_same_scores_as_predict() {
    let machine = Machine::processor(NonZeroUsize::new(1)).expect("a CPU");
    let table = read(&file(500, 1, false), ReadOptions::default().target("answers"));
    for (activation, second) in
        [(Nodes::Rbf, 0), (Nodes::Tanh, 0), (Nodes::Sigmoid, 2), (Nodes::Relu, 0), (Nodes::Rbf, 3)]
    {
        let model = model(activation, second, &table, &machine);
        assert!(model.calibration.is_some(), "three folds score every row");
        let text = file(120, 2, true);
        let data = read(&text, by_schema(ReadOptions::default(), &model.schema));
        let columns: Vec<&Values> = ["age", "town", "member"]
            .iter()
            .map(|name| {
                &data.columns.iter().find(|column| column.name == *name).expect("a column").values
            })
            .collect();
        let values: Vec<Vec<Value>> = (0..data.rows)
            .map(|row| columns.iter().map(|values| cell(values, row)).collect())
            .collect();
        let query = sql(&model, "data", None).expect("a query");
        let case = json!({"python": python(&model), "sql": query, "text": text, "values": values});
        let applied = Network::apply(&model, &data, &machine).expect("the same columns");
        let calibration = model.calibration.as_ref().expect("calibrated");
        for (form, rows) in ["python", "sql"].iter().zip(answers(&case)) {
            assert_eq!(rows.len(), applied.len());
            for (row, (score, probability, class)) in rows.iter().enumerate() {
                let votes = applied.scores().and_then(|all| all.of(row)).expect("scores");
                let own = calibration.probabilities(votes)[1];
                assert!(
                    (score - votes[1]).abs() < 1e-5 * (1.0 + votes[1].abs()),
                    "{form} {activation:?}: {score} and {}",
                    votes[1]
                );
                assert!(
                    (probability - own).abs() < 1e-4,
                    "{form} {activation:?}: {probability} and {own}"
                );
                if votes[1].abs() > 1e-3 {
                    assert_eq!(
                        *class,
                        model.schema.classes[applied.predicted().class(row) as usize]
                    );
                }
            }
        }
        let drawn = svg(&model);
        assert!(drawn.starts_with("<svg") && drawn.ends_with("</svg>\n") && !drawn.contains("NaN"));
    }
}
