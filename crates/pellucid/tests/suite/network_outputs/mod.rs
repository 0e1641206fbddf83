//! Networks for two classes, more classes and numbers: the printed formula and the exported code give the
//! predictions of `predict`.

use pellucid::device::Machine;
use pellucid::io::{Dataset, Header, NumberTarget, ReadOptions, read_from};
use pellucid::learn::learner::{Applied, ExportOptions, Fit, Inner, learn_with_estimate};
use pellucid::learn::params::Check;
use pellucid::learn::rng::Streams;
use pellucid::learn::run::{Control, Driver, Silent};
use pellucid::networks::Network;
use pellucid::networks::export::{formula, latex, python, sql};
use pellucid::networks::model::NetworkModel;
use pellucid::networks::params::{Mode, Nodes, Params};
use pellucid::read::by_schema;
use pellucid::report::networks::{DRAWINGS, svg};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::num::NonZeroUsize;

const SCRIPT: &str = include_str!("formula.py");

/// What is predicted.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Target {
    TwoClasses,
    ThreeClasses,
    Number,
}

/// Returns a file with numbers, text, booleans and missing values.
fn file(target: Target, rows: usize, seed: u64, has_new_words: bool) -> String {
    let mut stream = Streams::new(seed).stream(&["file".into()]);
    let towns = ["north", "it's", "a \"b\"", "west", "new\\er"];
    let mut text = "age,town,member,answer\n".to_owned();
    for _ in 0..rows {
        let age = stream.range(18.0, 80.0);
        let town = stream.index(if has_new_words { 5 } else { 4 });
        let is_member = stream.chance(0.4);
        let score = 4.0 - (age - 40.0).abs() / 6.0 + if town == 0 { 2.0 } else { 0.0 };
        let score = score + if is_member { 1.5 } else { 0.0 } + stream.range(-1.0, 1.0);
        let answer = match target {
            Target::TwoClasses => if score > 2.0 { "yes" } else { "no" }.to_owned(),
            Target::ThreeClasses => {
                let class = if score > 3.5 { "often" } else { "at times" };
                if score < 0.5 { "never" } else { class }.to_owned()
            }
            Target::Number => format!("{:.2}", 1000.0 + 50.0 * score),
        };
        let drop_some = |cell: String, stream: &mut pellucid::learn::rng::Stream| {
            if stream.chance(0.08) { String::new() } else { cell }
        };
        let age = drop_some(format!("{age:.2}"), &mut stream);
        let town = drop_some(format!("\"{}\"", towns[town].replace('"', "\"\"")), &mut stream);
        let member = drop_some(if is_member { "true" } else { "false" }.to_owned(), &mut stream);
        let _ = writeln!(text, "{age},{town},{member},{answer}");
    }
    text
}

fn read(text: &str, options: ReadOptions) -> Dataset {
    read_from(text.as_bytes(), "letters.csv", &options.header(Header::Yes)).expect("a table")
}

fn table(target: Target, rows: usize, seed: u64) -> Dataset {
    let data = read(&file(target, rows, seed, false), ReadOptions::default().target("answer"));
    if target == Target::Number { with_number(data) } else { data }
}

/// Returns the data with its classes as numbers.
fn with_number(mut data: Dataset) -> Dataset {
    let target = data.target.take().expect("a target");
    let number = |&code: &u32| target.classes[code as usize].parse().expect("a number");
    let values = target.codes.iter().map(number).collect();
    data.number = Some(NumberTarget { name: target.name, values });
    data
}

fn trained(params: Params, data: &Dataset, machine: &Machine) -> NetworkModel {
    let inner = Inner { folds: 3, ..Inner::default() };
    let (params, driver) = (params.check().expect("allowed"), Driver::new(&Control::new()));
    let learned =
        learn_with_estimate::<Network>(data, params, inner, machine, &driver, &mut Silent);
    learned.expect("a model").0.model
}

fn params(activation: Nodes, islands: usize, second: usize) -> Params {
    let mut params = Params { islands, ..Params::default() };
    params.layers.activation = Some(activation);
    (params.layers.second, params.layers.second_activation) = (second, activation);
    params.layers.nodes = Some(3);
    params.descent.rounds = Some(12);
    params
}

/// Returns the precision that a formula states.
fn stated_precision(text: &str) -> f64 {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let (_, rest) = text.split_once("by less than ").expect("a precision");
    let number: String = rest.chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect();
    number.trim_end_matches('.').parse().expect("a number")
}

/// Returns the value of a name in an answer.
fn value(answer: &Value, name: &str) -> f64 {
    answer[name].as_f64().unwrap_or_else(|| panic!("{name} in {answer}"))
}

/// Returns the names of the classes as the formula and LaTeX write them.
fn names_of(model: &NetworkModel) -> [Vec<String>; 2] {
    let plain = |class: &String| class.replace(' ', "_");
    let classes = &model.schema.classes;
    let latex = classes.iter().map(|class| format!("P_{}", plain(class))).collect();
    match classes.len() {
        2 => [vec![String::new(), "probability".to_owned()], latex],
        _ => [
            classes.iter().map(|class| format!("probability_of_{}", plain(class))).collect(),
            latex,
        ],
    }
}

fn evaluated(model: &NetworkModel, text: &str) -> Value {
    let javascript =
        DRAWINGS.iter().find(|export| export.name == "javascript").expect("JavaScript");
    let javascript = javascript.bytes(model, &ExportOptions::default()).expect("a module");
    let javascript = String::from_utf8(javascript).expect("text");
    let case = json!({
        "text": text,
        "formula": formula(model),
        "latex": latex(model),
        "python": python(model),
        "sql": sql(model, "data", None).expect("a query"),
        "javascript": javascript,
    });
    let input = serde_json::to_vec(&case).expect("plain data");
    serde_json::from_slice(&pellucid_testdata::python(SCRIPT, &input)).expect("answers")
}

fn compare_classes(model: &NetworkModel, applied: &dyn Applied, answer: &Value) {
    let precision = stated_precision(&formula(model));
    let [by_text, by_latex] = names_of(model);
    let calibration = model.calibration.as_ref().expect("three folds score every row");
    for row in 0..applied.len() {
        let scores = applied.scores().and_then(|all| all.of(row)).expect("scores");
        let shares = calibration.probabilities(scores);
        let class = &model.schema.classes[applied.predicted().class(row) as usize];
        for (code, &share) in shares.iter().enumerate() {
            let (name, printed) = (&model.schema.classes[code], &answer["formula"][row]);
            if !by_text[code].is_empty() {
                let found = value(printed, &by_text[code]);
                assert!(
                    (found - share).abs() < precision,
                    "row {row}, {name}: {found} and {share}"
                );
                let found = value(&answer["latex"][row], &by_latex[code]);
                assert!(
                    (found - share).abs() < precision,
                    "LaTeX, row {row}, {name}: {found}, {share}"
                );
            }
            let found = value(&answer["probabilities"][row], name);
            assert!((found - share).abs() < 1e-5, "Python, row {row}, {name}: {found} and {share}");
            if model.schema.classes.len() > 2 || code == 1 {
                let found = value(&answer["sql"][row], &format!("probability of {name}"));
                assert!(
                    (found - share).abs() < 1e-5,
                    "SQL, row {row}, {name}: {found} and {share}"
                );
            }
            let bits: u64 = answer["javascript"][row][1][code]
                .as_str()
                .and_then(|bits| bits.parse().ok())
                .expect("the bits of a number");
            assert_eq!(bits, share.to_bits(), "JavaScript, row {row}, {name}");
        }
        assert_eq!(answer["javascript"][row][0], **class);
        let mut sorted = shares.clone();
        sorted.sort_by(|one, other| other.total_cmp(one));
        if sorted[0] - sorted[1] > 1e-4 {
            assert_eq!(answer["predicted"][row], **class);
            assert_eq!(answer["sql"][row]["predicted"], **class);
        }
    }
}

fn compare_numbers(model: &NetworkModel, applied: &dyn Applied, answer: &Value) {
    let precision = stated_precision(&formula(model));
    let numbers = applied.predicted().numbers().expect("numbers");
    for (row, &number) in numbers.iter().enumerate() {
        let found = value(&answer["formula"][row], "prediction");
        assert!((found - number).abs() < precision, "row {row}: {found} and {number}");
        let found = value(&answer["latex"][row], "y");
        assert!((found - number).abs() < precision, "LaTeX, row {row}: {found} and {number}");
        for found in [answer["predicted"][row].as_f64(), answer["sql"][row]["predicted"].as_f64()] {
            let found = found.expect("a number");
            assert!(
                (found - number).abs() < 1e-6 * number.abs(),
                "row {row}: {found} and {number}"
            );
        }
        let bits = answer["javascript"][row][0].as_str().and_then(|bits| bits.parse().ok());
        assert_eq!(bits, Some(number.to_bits()), "JavaScript, row {row}");
    }
}

#[test]
fn formulas_and_exported_code_agree_with_predict() {
    let machine = Machine::processor(NonZeroUsize::new(1)).expect("a CPU");
    for (target, activation, islands, second) in [
        (Target::TwoClasses, Nodes::Tanh, 1, 0),
        (Target::TwoClasses, Nodes::Rbf, 2, 0),
        (Target::ThreeClasses, Nodes::Tanh, 1, 0),
        (Target::ThreeClasses, Nodes::Rbf, 2, 2),
        (Target::Number, Nodes::Sigmoid, 1, 0),
        (Target::Number, Nodes::Relu, 2, 3),
    ] {
        let model = trained(params(activation, islands, second), &table(target, 400, 1), &machine);
        let text = file(target, 60, 2, true);
        let data = read(&text, by_schema(ReadOptions::default(), &model.schema));
        let applied = Network::apply(&model, &data, &machine).expect("the same columns");
        // Only ages in the range of the training data have the stated precision.
        let answer = evaluated(&model, &text);
        match target {
            Target::Number => compare_numbers(&model, &*applied, &answer),
            _ => compare_classes(&model, &*applied, &answer),
        }
        let drawn = svg(&model);
        assert!(drawn.ends_with("</svg>\n") && !drawn.contains("NaN"));
    }
}

/// Outputs of the publication's networks may grow exponentially, so there is no bound to state.
#[test]
fn a_formula_of_mode_paper_is_complete() {
    let machine = Machine::processor(NonZeroUsize::new(1)).expect("a CPU");
    let mut params = Params { mode: Mode::Paper, ..Params::default() };
    params.breeding.generations = Some(5);
    let model = trained(params, &table(Target::TwoClasses, 300, 3), &machine);
    let (text, equations) = (formula(&model), latex(&model));
    assert!(text.contains("·ln(1 + |o|)") && equations.contains("\\ln(1 + |o|)"), "{text}");
    assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
}

#[test]
fn a_large_formula_says_how_to_get_a_small_one() {
    let machine = Machine::processor(NonZeroUsize::new(1)).expect("a CPU");
    let data = table(Target::TwoClasses, 300, 4);
    let large = formula(&trained(params(Nodes::Tanh, 3, 0), &data, &machine));
    let flat = large.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flat.contains("The model is an ensemble of 3 networks and has"), "{large}");
    assert!(flat.contains("train with islands 1, nodes 3 and steps 0."), "{large}");
    let mut small = params(Nodes::Tanh, 1, 0);
    small.preparing.steps = Some(0);
    let small = formula(&trained(small, &data, &machine));
    assert!(!small.contains("islands") && small.lines().count() < 50, "{small}");
}
