//! A small table with configurable names, models of it, and a script that runs their exports.

use pellucid::data::{ClassTarget, Column, Dataset, Values};
use pellucid::device::Machine;
use pellucid::learn::learner::{ExportOptions, Inner, Predictions};
use pellucid::learn::run::{Control, Driver, Silent};
use pellucid::registry::{AnyModel, Data, Registry, Settings};
use serde_json::{Value, json};
use std::num::NonZeroUsize;

/// Runs the exported query and module, and parses HTML, SVG and CSV exports. Prints the predictions
/// of the query and the module. Fails if an export has unexpected effects or content.
pub(crate) const SCRIPT: &str = r#"
import csv, html.parser, io, json, shutil, sqlite3, subprocess, sys, xml.dom.minidom

TAGS = set("html head meta title style body h1 div p table caption thead tbody tr th td abbr code span "
           "pre figure figcaption svg polyline circle text details summary br em".split())

class Page(html.parser.HTMLParser):
    def handle_starttag(self, tag, attributes):
        assert tag in TAGS, tag
        assert not any(name.startswith("on") for name, _ in attributes), attributes

def by_query(case):
    database = sqlite3.connect(":memory:")
    def quoted(name):
        return '"' + name.replace('"', '""') + '"'
    columns = ", ".join(f"{quoted(name)} {kind}" for name, kind in zip(case["names"], case["types"]))
    database.execute(f"CREATE TABLE data ({columns})")
    database.execute("CREATE TABLE secret (x)")
    marks = ", ".join("?" for _ in case["names"])
    database.executemany(f"INSERT INTO data VALUES ({marks})", case["rows"])
    before = {row[0] for row in database.execute("SELECT name FROM sqlite_master")}
    database.executescript(case["sql"])
    after = {row[0] for row in database.execute("SELECT name FROM sqlite_master")}
    assert after == before | {"predictions"}, after
    found = database.execute("SELECT * FROM predictions")
    names = [head[0] for head in found.description]
    folded = [name.lower() for name in names]
    assert len(set(folded)) == len(folded), names
    own = (i for i, name in enumerate(names) if name not in case["names"])
    index = max(i for i in own if names[i].startswith("predicted"))
    return [row[index] for row in found]

def by_module(case):
    module = {"__name__": "model"}
    exec(compile(case["python"], "model.py", "exec"), module)
    return module["predict_all"]([dict(zip(case["names"], row)) for row in case["rows"]])

# Imports each module and predicts its rows.
JAVASCRIPT = """
import { readFileSync } from "node:fs";
const answers = [];
for (const { names, rows, javascript } of JSON.parse(readFileSync(0, "utf8"))) {
  const module = await import("data:text/javascript;base64," + Buffer.from(javascript).toString("base64"));
  const objects = rows.map((row) => Object.fromEntries(row.map((value, at) => [names[at], value])));
  answers.push(objects.map(module.predict));
}
console.log(JSON.stringify(answers));
"""

def by_javascript(cases):
    # Without Node.js, cargo xtask browser still runs such modules.
    if not cases or shutil.which("node") is None:
        return [None] * len(cases)
    wanted = [{name: case[name] for name in ("names", "rows", "javascript")} for case in cases]
    command = ["node", "--input-type=module", "--eval", JAVASCRIPT]
    done = subprocess.run(command, input=json.dumps(wanted).encode(), stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)

answers = []
cases = json.load(sys.stdin)
by_javascript = by_javascript(cases)
for case in cases:
    for page in case["html"]:
        Page().feed(page)
    for picture in case["svg"]:
        xml.dom.minidom.parseString(picture)
    for table in case["csv"]:
        rows = list(csv.reader(io.StringIO(table), strict=True))
        assert all(len(row) == len(rows[0]) for row in rows), table
    answers.append([by_query(case), by_module(case)])
for answer, other in zip(answers, by_javascript):
    answer.append(other if other is not None else answer[1])
json.dump(answers, sys.stdout)
"#;

/// The names in a table: a column of numbers, one of text and one of booleans, a category, the target
/// and its classes.
#[derive(Clone, Debug)]
pub(crate) struct Named {
    pub(crate) columns: [String; 3],
    pub(crate) word: String,
    pub(crate) target: String,
    pub(crate) classes: [String; 2],
}

impl Named {
    /// Returns names that all contain a text.
    pub(crate) fn with(text: &str) -> Named {
        let named = |what: &str| format!("{text} {what}");
        Named {
            columns: ["number", "text", "boolean"].map(named),
            word: named("this"),
            target: named("target"),
            classes: ["no", "yes"].map(named),
        }
    }
}

/// Returns rows whose class depends on the number and the category, with missing values.
pub(crate) fn table(named: &Named) -> Dataset {
    let rows = 160;
    let known = |row: usize| row % 13 != 5;
    let number = |row: usize| if known(row) { (row * 37 % 100) as f64 / 4.0 } else { f64::NAN };
    let word = |row: usize| if row % 17 == 3 { u32::MAX } else { u32::from(row.is_multiple_of(3)) };
    let code =
        |row: usize| u32::from(number(row) > 12.0 || (word(row) == 1 && !row.is_multiple_of(5)));
    let values = [
        Values::Numeric((0..rows).map(number).collect()),
        Values::Nominal {
            codes: (0..rows).map(word).collect(),
            categories: vec!["other".into(), named.word.clone()],
        },
        Values::Boolean(
            (0..rows)
                .map(|row| (!row.is_multiple_of(11)).then_some(row.is_multiple_of(4)))
                .collect(),
        ),
    ];
    let columns = named.columns.iter().zip(values);
    Dataset {
        name: "table".into(),
        columns: columns.map(|(name, values)| Column { name: name.clone(), values }).collect(),
        rows,
        target: Some(ClassTarget {
            name: named.target.clone(),
            classes: named.classes.to_vec(),
            codes: (0..rows).map(code).collect(),
        }),
        ..Dataset::default()
    }
}

/// Trains a model of each learner for tables.
pub(crate) fn models(data: &Dataset) -> Vec<Box<dyn AnyModel>> {
    let quick = Settings::new().with("generations", 1).with("rounds", 20).with("nodes", 3);
    let learners = [
        ("rules", Settings::new().with("most_rules", 6)),
        ("xcs", Settings::new().with("iterations", 4000)),
        ("network", quick.with("rare", 2)),
        ("network", Settings::new().with("mode", "paper").with("generations", 20).with("rare", 2)),
    ];
    learners.into_iter().map(|(name, settings)| model(name, settings, data)).collect()
}

/// Trains a model with probabilities.
pub(crate) fn model(name: &str, settings: Settings, data: &Dataset) -> Box<dyn AnyModel> {
    let (registry, driver) = (Registry::standard(), Driver::new(&Control::new()));
    let learner = registry.find(name).expect("a learner");
    let inner = Inner { folds: 2, ..Inner::default() };
    let data = Data::Table(data.clone());
    let learned = learner.fit(&data, &settings, inner, &machine(), &driver, &mut Silent);
    learned.unwrap_or_else(|error| panic!("{name}: {error}")).model
}

pub(crate) fn machine() -> Machine {
    Machine::processor(NonZeroUsize::new(1)).expect("a CPU")
}

/// Returns a value as a database or Python stores it, or as text.
fn cell(values: &Values, row: usize, as_text: bool) -> Value {
    let text = |value: &dyn std::fmt::Display| json!(value.to_string());
    match values {
        Values::Numeric(numbers) if numbers[row].is_nan() => missing(as_text),
        Values::Numeric(numbers) if as_text => text(&format!(" {} ", numbers[row])),
        Values::Numeric(numbers) => json!(numbers[row]),
        Values::Nominal { codes, categories } => match categories.get(codes[row] as usize) {
            Some(word) => json!(word),
            None => missing(as_text),
        },
        Values::Boolean(booleans) => match booleans[row] {
            Some(value) if as_text => text(&value),
            Some(value) => json!(u8::from(value)),
            None => missing(as_text),
        },
    }
}

fn missing(as_text: bool) -> Value {
    if as_text { json!("") } else { Value::Null }
}

/// Returns a case for the script: the exports of a model, and the rows of a table.
pub(crate) fn case(model: &dyn AnyModel, data: &Dataset, as_text: bool) -> Value {
    let rows: Vec<Vec<Value>> = (0..data.rows)
        .map(|row| data.columns.iter().map(|column| cell(&column.values, row, as_text)).collect())
        .collect();
    let kind = |values: &Values| match values {
        Values::Numeric(_) if !as_text => "REAL",
        Values::Boolean(_) if !as_text => "INTEGER",
        _ => "TEXT",
    };
    let mut case = exports(model);
    case["names"] = data.columns.iter().map(|column| column.name.as_str()).collect();
    case["types"] = data.columns.iter().map(|column| kind(&column.values)).collect();
    case["rows"] = json!(rows);
    case
}

/// Returns a case with rows of text, as in a file.
pub(crate) fn case_of_rows(model: &dyn AnyModel, names: &[String], rows: &[Vec<String>]) -> Value {
    let mut case = exports(model);
    case["names"] = json!(names);
    case["types"] = names.iter().map(|_| "TEXT").collect();
    case["rows"] = json!(rows);
    case
}

/// Returns all exports of a model.
fn exports(model: &dyn AnyModel) -> Value {
    let options = ExportOptions { view: Some("predictions".into()), ..ExportOptions::default() };
    let forms = Registry::standard().find(model.learner()).expect("a learner").forms();
    let written = |name: &str| -> Vec<String> {
        let forms = forms.iter().filter(|form| form.name == name);
        let write = |form: &str| model.write(form, &options).expect("an export");
        forms.map(|form| String::from_utf8(write(form.name)).expect("UTF-8")).collect()
    };
    json!({
        "sql": written("sql").concat(),
        "python": written("python").concat(),
        "javascript": written("javascript").concat(),
        "html": written("html"),
        "svg": written("svg"),
        "csv": written("csv"),
    })
}

/// Returns what `predict` predicts for each row.
pub(crate) fn predicted(model: &dyn AnyModel, data: &Dataset) -> Vec<String> {
    let applied = model.apply(&Data::Table(data.clone()), &machine()).expect("it fits");
    let found = Predictions::new(applied, &model.schema().classes, model.calibration());
    (0..found.len()).map(|row| found.class(row)).collect()
}

/// Runs the script. Returns the class of each row, predicted by the query, by the Python module and by the
/// JavaScript module; without Node.js, the last two are the same.
pub(crate) fn answers(cases: &[Value]) -> Vec<[Vec<String>; 3]> {
    let input = serde_json::to_vec(cases).expect("plain data");
    serde_json::from_slice(&pellucid_testdata::python(SCRIPT, &input)).expect("answers")
}

/// Checks that the exports of all learners predict the same as `predict`.
pub(crate) fn check(tables: &[Named], as_text: bool) {
    let (mut cases, mut expected) = (Vec::new(), Vec::new());
    for named in tables {
        let data = table(named);
        for model in models(&data) {
            cases.push(case(&*model, &data, as_text));
            expected.push((named.clone(), model.learner(), predicted(&*model, &data)));
        }
    }
    for ((named, learner, expected), [query, python, javascript]) in
        expected.into_iter().zip(answers(&cases))
    {
        assert_eq!(query, expected, "SQL of {learner}, {named:?}");
        assert_eq!(python, expected, "Python of {learner}, {named:?}");
        assert_eq!(javascript, expected, "JavaScript of {learner}, {named:?}");
    }
}
