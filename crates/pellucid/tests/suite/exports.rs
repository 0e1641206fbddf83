//! Exported Python modules and SQL queries predict the same classes as `predict`, for rows and bags.
//! The module reads the cells of the file, and the query reads the values.

use pellucid::data::{DateFormat, MISSING, Values};
use pellucid::device::Machine;
use pellucid::io::{Dataset, ReadOptions, read_from};
use pellucid::learn::model::{Column, Schema};
use pellucid::read::by_schema;
use pellucid::rules::apply::AppliedRules;
use pellucid::rules::export::{python, sql};
use pellucid::rules::model::{LEARNER, Rule, RuleModel, RuleSet};
use pellucid::rules::params::Params;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};
use std::num::NonZeroUsize;

/// Passes each file to the module via `csv.DictReader`, and its values to a database.
const SCRIPT: &str = r#"
import csv, io, json, sqlite3, sys
answers = []
for case in json.load(sys.stdin):
    module = {"__name__": "model"}
    exec(case["python"], module)
    rows = list(csv.DictReader(io.StringIO(case["text"]), delimiter=case["delimiter"]))
    by_module = module["predict_all"](rows)
    database = sqlite3.connect(":memory:")
    database.execute("CREATE TABLE data (bag TEXT, x REAL, word TEXT, day TEXT)")
    database.executemany("INSERT INTO data VALUES (?, ?, ?, ?)", case["values"])
    found = database.execute(case["sql"])
    place = [head[0] for head in found.description].index("predicted")
    found = list(found)
    if case["bags"] is None:
        by_query = [row[place] for row in found]
    else:
        assert len(found) == len(case["bags"]) == len(by_module)
        by_module = [by_module[bag] for bag in case["bags"]]
        by_query = {row[0]: row[place] for row in found}
        by_query = [by_query[bag] for bag in case["bags"]]
    answers.append([by_module, by_query])
json.dump(answers, sys.stdout)
"#;

/// The format of numbers and dates in a file.
#[derive(Clone, Debug)]
struct CellFormat {
    delimiter: char,
    decimal: char,
    thousands: Option<char>,
    format: DateFormat,
    /// The unit of numbers, and whether it comes first.
    unit: Option<(&'static str, bool)>,
}

fn cell_format() -> impl Strategy<Value = CellFormat> {
    let form = select(vec![
        (',', '.', None),
        (';', ',', None),
        (';', ',', Some('.')),
        ('\t', '.', Some(',')),
    ]);
    let format = select(vec!["%Y-%m-%d", "%d.%m.%Y", "%m/%d/%Y", "%Y-%m-%d %H:%M", "%d-%b-%Y"]);
    let unit = select(vec![
        None,
        Some(("%", false)),
        Some(("$", true)),
        Some(("€", true)),
        Some(("mg", false)),
    ]);
    (form, format, unit).prop_map(|((delimiter, decimal, thousands), format, unit)| CellFormat {
        delimiter,
        decimal,
        thousands,
        format: format.parse().expect("a format"),
        unit,
    })
}

impl CellFormat {
    fn number(&self, quarters: i64) -> String {
        let (whole, rest) = (quarters.unsigned_abs() / 4, quarters.unsigned_abs() % 4 * 25);
        let digits = whole.to_string();
        let mut text = if quarters < 0 { "-".to_owned() } else { String::new() };
        // A unit may be separated by a space, and may be missing.
        let (blank, left_out) = (if quarters % 2 == 0 { " " } else { "" }, quarters % 7 == 0);
        let unit = self.unit.filter(|_| !left_out);
        if let Some((unit, true)) = unit {
            text.push_str(unit);
            text.push_str(blank);
        }
        for (place, digit) in digits.chars().enumerate() {
            if let Some(mark) =
                self.thousands.filter(|_| place > 0 && (digits.len() - place) % 3 == 0)
            {
                text.push(mark);
            }
            text.push(digit);
        }
        if rest > 0 {
            text.push_str(&format!("{}{rest:02}", self.decimal));
        }
        match unit {
            Some((unit, false)) => text + blank + unit,
            _ => text,
        }
    }

    fn step(&self) -> f64 {
        if self.format.has_time() { 86_400.0 / 2.0 } else { 1.0 }
    }
}

/// Draws a cell: a valid value, or text that is missing or invalid.
fn cell<T: std::fmt::Debug + Clone>(
    fitting: impl Strategy<Value = T>,
) -> impl Strategy<Value = Result<T, String>> {
    let marks =
        select(vec!["", "?", "n/a", "NULL", "-", "None", "unknown", "soon", "1e", "12.34.56", " "]);
    prop_oneof![9 => fitting.prop_map(Ok), 1 => marks.prop_map(|text| Err(text.to_owned()))]
}

type Cells = (Result<i64, String>, Result<String, String>, Result<i32, String>);

fn rows() -> impl Strategy<Value = Vec<Cells>> {
    let word =
        select(vec!["red", "blue", "dark green", "none", "n.a.", "1"]).prop_map(str::to_owned);
    let row = (cell(-40_000_000i64..40_000_000), cell(word), cell(-200i32..20_000));
    prop::collection::vec(row, 1..25)
}

/// Quantifiers over the rows of a bag.
const QUANTIFIERS: [&str; 9] = [
    "some row",
    "only row",
    "min 1 row",
    "min 2 row",
    "max 0 row",
    "max 1 row",
    "max 3 row",
    "exactly 0 row",
    "exactly 2 row",
];

/// Draws the parameters of a condition on one of the three columns.
fn condition() -> impl Strategy<Value = (u8, i64, u8)> {
    (0u8..6, -40_000_000i64..40_000_000, 0u8..6)
}

#[derive(Clone, Debug)]
struct Case {
    cells: CellFormat,
    text: String,
    model: RuleModel,
}

/// Returns the bag of a row. There are a few bags with several rows each, in mixed order.
fn bag_of(row: usize) -> String {
    format!("b{}", row * row % 5)
}

fn case() -> impl Strategy<Value = Case> {
    (cell_format(), rows(), prop::collection::vec(condition(), 1..6), any::<bool>()).prop_map(
        |(cells, rows, conditions, has_bags)| {
            let join = |values: [String; 4]| values.join(&cells.delimiter.to_string()) + "\n";
            let mut text = join(["bag".into(), "x".into(), "word".into(), "day".into()]);
            for (row, (x, word, day)) in rows.iter().enumerate() {
                let x = x.as_ref().map_or_else(Clone::clone, |&quarters| cells.number(quarters));
                let word = word.as_ref().map_or_else(Clone::clone, Clone::clone);
                let day = day.as_ref().map_or_else(Clone::clone, |&day| {
                    cells.format.show(f64::from(day) * cells.step())
                });
                text += &join([bag_of(row), x, word, day]);
            }
            let ops = [">", "<=", "=", "!=", ">=", "<"];
            let words = ["red", "blue", "dark green", "none", "n.a.", "1"];
            let rules = conditions.iter().map(|&(op, number, word)| {
                let op = ops[op as usize];
                let (x, day) = (number as f64 / 4.0, (number % 20_000) as f64 * cells.step() / 2.0);
                let when = match number % 3 {
                    0 => format!("x {op} {x}"),
                    1 | -1 => format!("day {op} {day}"),
                    _ => format!("word = '{}' or not day {op} {day}", words[word as usize]),
                };
                let drawn = usize::try_from(number.unsigned_abs() % 9).unwrap_or(0);
                let quantifier = QUANTIFIERS[drawn];
                let when = match usize::from(word) % 3 {
                    _ if !has_bags => when,
                    0 if number % 5 == 0 => format!("mean(x) {op} {x}"),
                    0 => format!("not ({quantifier} ({when}))"),
                    _ => format!("{quantifier} ({when})"),
                };
                Rule::new(
                    when.parse().expect("a condition"),
                    u32::from(number % 2 == 0),
                    0.5 + f64::from(word),
                )
            });
            let model =
                RuleSet { base: vec![0.0, 1.0], rules: rules.collect(), ..RuleSet::default() };
            let words = words.map(str::to_owned).to_vec();
            let mut schema = Schema {
                columns: vec![
                    Column::numeric("x"),
                    Column::nominal("word", words),
                    Column::numeric("day"),
                ],
                classes: vec!["no".into(), "yes".into()],
                ..Schema::default()
            };
            schema.bag = has_bags.then(|| "bag".to_owned());
            if let Some((unit, _)) = cells.unit {
                schema.reading.units.insert("x".into(), unit.into());
            }
            schema.reading.decimal = Some(cells.decimal).filter(|&decimal| decimal != '.');
            schema.reading.thousands = cells.thousands;
            schema.reading.dates.insert("day".into(), cells.format.clone());
            let model = RuleModel {
                learner: LEARNER.into(),
                params: Params::default(),
                schema,
                calibration: None,
                body: model,
            };
            Case { cells, text, model }
        },
    )
}

fn read(case: &Case) -> Dataset {
    let options =
        ReadOptions::default().header(pellucid::io::Header::Yes).delimiter(case.cells.delimiter);
    let options = by_schema(options, &case.model.schema);
    read_from(case.text.as_bytes(), "new.csv", &options)
        .unwrap_or_else(|error| panic!("{error} in {:?}", case.text))
}

/// Returns a row as a database stores it: numbers, text, and dates in ISO format.
fn values(data: &Dataset, case: &Case, row: usize) -> Vec<Value> {
    let value = |name: &str| {
        let column = data.columns.iter().find(|column| column.name == name).expect("a column");
        match &column.values {
            Values::Numeric(numbers) if numbers[row].is_nan() => Value::Null,
            Values::Numeric(numbers) if name == "day" => {
                json!(case.cells.format.show_iso(numbers[row]))
            }
            Values::Numeric(numbers) => json!(numbers[row]),
            Values::Nominal { codes, .. } if codes[row] == MISSING => Value::Null,
            Values::Nominal { codes, categories } => json!(categories[codes[row] as usize]),
            Values::Boolean(booleans) => json!(booleans[row]),
        }
    };
    std::iter::once(json!(bag_of(row))).chain(["x", "word", "day"].map(value)).collect()
}

fn answers(cases: &[Value]) -> Vec<[Vec<String>; 2]> {
    let input = serde_json::to_vec(cases).expect("plain data");
    serde_json::from_slice(&pellucid_testdata::python(SCRIPT, &input)).expect("answers")
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: pellucid_testdata::cases(4),
        max_shrink_iters: 200,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn exports_predict_the_same_as_predict(cases in prop::collection::vec(case(), 60)) {
        let machine = Machine::processor(NonZeroUsize::new(1)).expect("a CPU");
        let data: Vec<Dataset> = cases.iter().map(read).collect();
        let inputs: Vec<Value> = cases.iter().zip(&data).map(|(case, data)| json!({
            "text": case.text,
            "delimiter": case.cells.delimiter,
            "bags": data.bags.as_ref().map(|bags| &bags.names),
            "values": (0..data.rows).map(|row| values(data, case, row)).collect::<Vec<_>>(),
            "python": python(&case.model).expect("a module"),
            "sql": sql(&case.model, "data", None).expect("a query"),
        })).collect();
        for ((case, data), [by_module, by_query]) in cases.iter().zip(&data).zip(answers(&inputs)) {
            let applied = AppliedRules::new(&case.model, data, &machine).expect("it fits");
            let classes = applied.predictions().into_iter();
            let expected: Vec<&str> = classes.map(|class| ["no", "yes"][class as usize]).collect();
            let rules = &case.model.body.rules;
            prop_assert_eq!(&by_module, &expected, "Python of {:?} on {}", rules, case.text);
            prop_assert_eq!(&by_query, &expected, "SQL of {:?} on {}", rules, case.text);
        }
    }
}
