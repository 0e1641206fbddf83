//! Columns in memory give the same data set as a file.

use pellucid_io::{
    Column, Dataset, DateUnit, GivenColumn, ReadOptions, Values, describe_columns, from_columns,
    read, read_from,
};
use std::path::Path;

fn given(name: &str, values: Values) -> GivenColumn {
    Column { name: name.to_owned(), values }.into()
}

/// A text column with unsorted categories, one of which never occurs.
fn scrambled(name: &str, codes: &[u32], categories: &[String]) -> GivenColumn {
    let count = u32::try_from(categories.len()).unwrap();
    let codes = codes.iter().map(|&code| if code < count { count - code } else { code }).collect();
    let never = std::iter::once("never".to_owned());
    let categories = never.chain(categories.iter().rev().cloned()).collect();
    given(name, Values::Nominal { codes, categories })
}

fn back_to_columns(data: &Dataset) -> Vec<GivenColumn> {
    let bags = data.bags.as_ref().unwrap();
    let mut columns = vec![scrambled(&bags.name, &bags.of_row, &bags.names)];
    for column in &data.columns {
        columns.push(match &column.values {
            Values::Nominal { codes, categories } => scrambled(&column.name, codes, categories),
            other => given(&column.name, other.clone()),
        });
    }
    let target = data.target.as_ref().unwrap();
    columns.push(scrambled(&target.name, &data.row_codes(), &target.classes));
    columns
}

#[test]
fn bags_of_a_file() {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/trains.csv"));
    let options = ReadOptions::default().target("direction").bag("train");
    let file = read(path, &options).unwrap();
    let memory = from_columns("trains", back_to_columns(&file), &options).unwrap();
    assert_eq!(memory.columns, file.columns);
    assert_eq!((memory.target, memory.bags), (file.target, file.bags));
}

#[test]
fn identifiers_and_dates_are_detected_as_in_a_file() {
    let texts = |texts: Vec<String>| {
        let codes = (0u32..).take(texts.len()).collect();
        Values::Nominal { codes, categories: texts }
    };
    let rows = 0..12;
    let names: Vec<String> = rows.clone().map(|row| format!("person {row}")).collect();
    let days: Vec<String> = rows.clone().map(|row| format!("2024-03-{:02}", row + 1)).collect();
    let ill: Vec<f64> = rows.clone().map(|row| f64::from(row % 2)).collect();
    let mut csv = "name,seen,ill\n".to_owned();
    for row in 0..12 {
        csv += &format!("{},{},{}\n", names[row], days[row], ill[row]);
    }
    let columns = vec![
        given("name", texts(names)),
        given("seen", texts(days)),
        given("ill", Values::Numeric(ill.into())),
    ];
    let options = ReadOptions::default().target("ill");
    let file = read_from(csv.as_bytes(), "visits.csv", &options).unwrap();
    let memory = from_columns("visits", columns.clone(), &options).unwrap();
    assert_eq!((&memory.columns, &memory.target), (&file.columns, &file.target));
    assert_eq!(memory.origin.reading, file.origin.reading);
    assert_eq!(memory.origin.reading.left_out, ["name"]);
    let description = describe_columns("visits", columns, &options).unwrap();
    assert_eq!((description.rows, description.columns.len()), (12, 3));
}

#[test]
fn timestamps_are_dates() {
    let seconds = vec![0.0, 86_400.0, f64::NAN];
    let column = Column { name: "seen".to_owned(), values: Values::Numeric(seconds.into()) };
    let column = GivenColumn { date_unit: Some(DateUnit::Seconds), ..column.into() };
    let other = given("y", Values::Boolean(vec![Some(true), Some(false), Some(true)]));
    let data = from_columns("visits", vec![column, other], &ReadOptions::default().target("y"));
    let data = data.unwrap();
    assert_eq!(data.origin.reading.dates["seen"].to_string(), "%Y-%m-%d");
    let Values::Numeric(days) = &data.columns[0].values else { panic!("dates are numbers") };
    assert_eq!((days[1], days[2].is_nan()), (1.0, true));
    assert_eq!(data.target.unwrap().classes, ["false", "true"]);
}

#[test]
fn declared_categories_are_not_retyped() {
    for texts in [["1 kg", "2 kg", "10 kg"], ["2024-01-01", "2024-02-01", "2024-03-01"]] {
        let categories: Vec<String> = texts.map(str::to_owned).to_vec();
        let values = Values::Nominal { codes: vec![0, 1, 2, 0, 1, 2], categories };
        let y =
            given("y", Values::Boolean([true, false].repeat(3).into_iter().map(Some).collect()));
        for declared in [true, false] {
            let column = GivenColumn { declared, ..given("x", values.clone()) };
            let options = ReadOptions::default().target("y");
            let data = from_columns("data", vec![column, y.clone()], &options).unwrap();
            let is_words = matches!(data.columns[0].values, Values::Nominal { .. });
            assert_eq!(is_words, declared, "{texts:?}");
        }
    }
}

#[test]
fn inconsistent_columns_are_an_error() {
    let numbers = |count: usize| Values::Numeric(vec![1.0; count].into());
    let message =
        |columns| from_columns("data", columns, &ReadOptions::default()).unwrap_err().to_string();
    let ragged = message(vec![given("a", numbers(3)), given("b", numbers(2))]);
    assert!(ragged.contains("column 'b' has 2 rows; expected 3"), "{ragged}");
    let twice = message(vec![given("a", numbers(3)), given("a", numbers(3))]);
    assert!(twice.contains("'a'"), "{twice}");
    assert!(message(Vec::new()).contains("no rows"), "{}", message(Vec::new()));
}
