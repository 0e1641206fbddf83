//! SQL and Python exports predict the same as the model; and the contents of the text.

use pellucid_data::{ClassTarget, Column, Dataset, MISSING, Values};
use pellucid_device::Machine;
use pellucid_learn::learner::{
    Describe, ExplanationRequest, ExportOptions, Fit, FitResult, FitResultOf, FittedModel,
};
use pellucid_learn::params::Check;
use pellucid_learn::rng::Streams;
use pellucid_learn::run::{Control, Driver, Silent};
use pellucid_xcs::params::{Mode, Params};
use pellucid_xcs::{Xcs, XcsLearner};
use serde_json::{Value, json};
use std::num::NonZeroUsize;

/// Loads the rows into `SQLite`, runs the query and the module, and returns the classes.
const SCRIPT: &str = r#"
import json, sqlite3, sys
case = json.load(sys.stdin)
database = sqlite3.connect(":memory:")
database.execute("CREATE TABLE data (size REAL, weight REAL, colour TEXT, ripe INTEGER)")
database.executemany("INSERT INTO data VALUES (?, ?, ?, ?)", case["rows"])
found = database.execute(case["sql"])
place = [head[0] for head in found.description].index("predicted")
by_query = [row[place] for row in found]
module = {"__name__": "model"}
exec(case["python"], module)
names = ["size", "weight", "colour", "ripe"]
by_module = module["predict_all"]([dict(zip(names, row)) for row in case["rows"]])
json.dump([by_query, by_module], sys.stdout)
"#;

/// Fruit: numbers, a category and a boolean, with some missing values. Three classes.
pub(crate) fn fruit(rows: usize, seed: u64) -> Dataset {
    let mut stream = Streams::new(seed).stream(&[]);
    let (mut sizes, mut weights) = (Vec::new(), Vec::new());
    let (mut colours, mut ripes, mut codes) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..rows {
        let (size, weight) =
            ((stream.unit() * 100.0).floor() / 4.0, (stream.unit() * 30.0).floor());
        let (colour, ripe) = (u32::try_from(stream.below(4)).expect("a code"), stream.chance(0.5));
        let class = match (size > 12.0, colour < 2, ripe) {
            (true, true, _) => 0,
            (true, false, true) => 1,
            _ => 2,
        };
        let mut known = || !stream.chance(0.05);
        sizes.push(if known() { size } else { f64::NAN });
        weights.push(if known() { weight } else { f64::NAN });
        colours.push(if known() { colour } else { MISSING });
        ripes.push(known().then_some(ripe));
        codes.push(class);
    }
    let names = ["red", "it's green", "blue", "white"].map(str::to_owned).to_vec();
    let column = |name: &str, values| Column { name: name.to_owned(), values };
    let classes = ["apple", "plum", "other"].map(str::to_owned).to_vec();
    Dataset {
        name: "fruit".to_owned(),
        columns: vec![
            column("size", Values::Numeric(sizes.into())),
            column("weight", Values::Numeric(weights.into())),
            column("colour", Values::Nominal { codes: colours, categories: names }),
            column("ripe", Values::Boolean(ripes)),
        ],
        rows,
        target: Some(ClassTarget { name: "kind".to_owned(), classes, codes }),
        ..Dataset::default()
    }
}

fn learned(mode: Mode, keep_all: bool) -> FittedModel<Xcs> {
    let learner = XcsLearner::new().mode(mode).keep_all(keep_all).iterations(30_000_u64);
    learner.population(500_u32).seed(3_u64).fit(&fruit(400, 1)).expect("a model")
}

/// Fits a model without inner folds.
pub(crate) fn fitted_alone(data: &Dataset, params: Params) -> FitResultOf<Xcs> {
    let (control, machine) = (Control::new(), Machine::processor(None).expect("a machine"));
    let params = params.check().expect("valid parameters");
    Xcs::fit(data, params, &machine, &Driver::new(&control), &mut Silent).expect("a model")
}

fn row(data: &Dataset, row: usize) -> Value {
    let cell = |values: &Values| match values {
        Values::Numeric(numbers) if numbers[row].is_nan() => Value::Null,
        Values::Numeric(numbers) => json!(numbers[row]),
        Values::Nominal { codes, .. } if codes[row] == MISSING => Value::Null,
        Values::Nominal { codes, categories } => json!(categories[codes[row] as usize]),
        Values::Boolean(truths) => json!(truths[row]),
    };
    data.columns.iter().map(|column| cell(&column.values)).collect()
}

#[test]
fn exported_models_predict_the_same() {
    let other = fruit(300, 2);
    for (mode, keep_all) in
        [(Mode::Supervised, false), (Mode::Supervised, true), (Mode::Reward, false)]
    {
        let model = learned(mode, keep_all);
        let form =
            |name| model.export(name, &ExportOptions::default()).expect("a form").expect("text");
        let rows: Vec<Value> = (0..other.rows).map(|place| row(&other, place)).collect();
        let case = json!({ "rows": rows, "sql": form("sql"), "python": form("python") });
        let input = serde_json::to_vec(&case).expect("plain data");
        let [by_query, by_module]: [Vec<String>; 2] =
            serde_json::from_slice(&pellucid_testdata::python(SCRIPT, &input)).expect("two lists");
        let predicted = model.predict(&other).expect("its own columns");
        let expected = predicted.classes();
        assert_eq!(by_query, expected, "SQL, {mode:?}, all {keep_all}");
        assert_eq!(by_module, expected, "Python, {mode:?}, all {keep_all}");
        let target = other.target.as_ref().expect("labels");
        let truth = target.codes.iter().map(|&code| &target.classes[code as usize]);
        let right = truth.zip(expected).filter(|(truth, predicted)| truth == predicted).count();
        let accuracy = right as f64 / other.rows as f64;
        assert!(accuracy > 0.8, "{mode:?}, all {keep_all}: {accuracy}");
    }
}

#[test]
fn the_csv_table_has_a_line_for_each_rule() {
    let model = learned(Mode::Supervised, false);
    let csv = model.export("csv", &ExportOptions::default()).expect("a form").expect("text");
    let mut lines = csv.lines();
    assert_eq!(
        lines.next(),
        Some(
            "rule,condition,class,points,covers apple,covers plum,covers other,\
             numerosity,experience,accuracy,error,fitness"
        )
    );
    assert_eq!(lines.count(), model.set.rules.len());
}

#[test]
fn a_model_without_folds_reports_training_accuracy_by_number_of_rules() {
    let params = Params { iterations: Some(30_000), ..Params::default() };
    let FitResult { model, train, .. } = fitted_alone(&fruit(400, 1), params);
    let body = &model.body;
    assert_eq!(body.accuracy_by_number.len(), body.set.rules.len() + 1);
    let last = body.accuracy_by_number.last().copied();
    assert_eq!(last, train.get("accuracy"), "all rules are the model");
    let shares: f64 = body.importance.iter().map(|column| column.share).sum();
    assert!((shares - 1.0).abs() < 1e-9);
    let text = Xcs::text(&model);
    assert!(text.contains("Training accuracy by number of rules: 0: "), "{text}");
    assert!(text.contains("Column importance: "), "{text}");
    // The weight does not affect the class.
    let weight = body.importance.iter().find(|column| column.column == "weight");
    assert!(weight.is_none_or(|weight| weight.share < 0.2), "{text}");
}

#[test]
fn all_selected_rules_are_shown_and_the_first_ones_of_a_population() {
    let params = Params { iterations: Some(30_000), most_rules: Some(40), ..Params::default() };
    let FitResult { model, .. } = fitted_alone(&fruit(400, 1), params);
    let all = model.body.set.rules.len();
    assert!(all > 12, "{all}");
    let text = Xcs::text(&model);
    assert!(text.contains(&format!("\n{all}. IF ")), "{text}");
    let text = Xcs::text(&learned(Mode::Supervised, true).model);
    assert_eq!(text.matches(". IF ").count(), 12, "{text}");
    assert!(text.contains("The first 12 of "), "{text}");
}

#[test]
fn the_same_seed_gives_the_same_model_and_the_file_opens() {
    let (one, again) = (learned(Mode::Supervised, false), learned(Mode::Supervised, false));
    let text = one.model.to_json().expect("text");
    assert_eq!(text, again.model.to_json().expect("text"));
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("model.json");
    one.save(&path).expect("written");
    let opened = FittedModel::<Xcs>::open(&path).expect("what was written");
    assert_eq!(
        opened.predict(&fruit(50, 4)).expect("rows"),
        one.predict(&fruit(50, 4)).expect("rows")
    );
    let mut damaged = one.model.clone();
    damaged.body.figures.pop();
    let error = (Xcs::capabilities().check_model)(&damaged).expect_err("a list too short");
    assert!(error.to_string().contains("figures"), "{error}");
}

#[test]
fn tables_without_columns_are_rejected() {
    let mut data = fruit(20, 1);
    data.columns.clear();
    let error = XcsLearner::new().fit(&data).expect_err("nothing to learn from").to_string();
    assert!(error.starts_with("fruit: no column to learn from"), "{error}");
}

#[test]
fn a_missing_value_satisfies_no_test() {
    let model = learned(Mode::Supervised, false);
    let mut blank = fruit(1, 1);
    for column in &mut blank.columns {
        column.values = match &column.values {
            Values::Numeric(_) => Values::Numeric(vec![f64::NAN].into()),
            Values::Nominal { categories, .. } => {
                Values::Nominal { codes: vec![MISSING], categories: categories.clone() }
            }
            Values::Boolean(_) => Values::Boolean(vec![None]),
        };
    }
    let machine = Machine::processor(NonZeroUsize::new(1)).expect("a CPU");
    let applied = Xcs::apply(&model, &blank, &machine).expect("its own columns");
    let text = applied.explain(0, &ExplanationRequest::default()).expect("a reason").text;
    for line in text.lines().filter(|line| line.contains(" applies: ")) {
        assert!(
            line.contains("not ripe"),
            "only a truth value that is not known is not true: {line}"
        );
    }
}
