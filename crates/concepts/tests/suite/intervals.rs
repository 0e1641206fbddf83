//! Closed interval patterns are the concepts of the interordinally scaled table.

use pellucid_close::{ConceptView, SearchStop, Terms, Visitor};
use pellucid_concepts::enumerate::enumerate;
use pellucid_concepts::intervals::{
    Condition, IntervalTable, PatternFormat, PatternView, PatternVisitor, list, search,
};
use pellucid_concepts::scale::{Scaling, scale};
use pellucid_data::{Bags, ClassTarget, Column, Dataset, MISSING, Values};
use pellucid_device::Threads;
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Tables of numbers, categories and flags, with ties and missing values.
fn tables() -> impl Strategy<Value = Dataset> {
    (1usize..70, 1usize..3, 0usize..3).prop_flat_map(|(rows, numeric, nominal)| {
        let number =
            prop_oneof![1 => Just(f64::NAN), 12 => (-6i32..6).prop_map(|n| f64::from(n) / 2.0)];
        let code = prop_oneof![1 => Just(MISSING), 8 => 0u32..3, 2 => 3u32..30];
        let numbers = prop::collection::vec(prop::collection::vec(number, rows), numeric);
        let codes = prop::collection::vec(prop::collection::vec(code, rows), nominal);
        let flags = prop::collection::vec(prop::option::weighted(0.9, any::<bool>()), rows);
        let classes = prop::collection::vec(0u32..2, rows);
        (numbers, codes, flags, classes).prop_map(move |(numbers, codes, flags, classes)| {
            let categories: Vec<String> = (0..30).map(|code| format!("k{code}")).collect();
            let numbers = numbers.into_iter().map(|values| Values::Numeric(values.into()));
            let codes = codes
                .into_iter()
                .map(|codes| Values::Nominal { codes, categories: categories.clone() });
            let all = numbers.chain(codes).chain([Values::Boolean(flags)]);
            let column = |(at, values)| Column { name: format!("c{at}"), values };
            let classes = ClassTarget {
                name: "class".to_owned(),
                codes: classes,
                classes: ["no", "yes"].map(str::to_owned).into(),
            };
            let columns = all.enumerate().map(column).collect();
            Dataset { columns, rows, target: Some(classes), ..Dataset::default() }
        })
    })
}

/// Collects the supports and extents of concepts.
#[derive(Default)]
struct Extents(Vec<(u64, Vec<u64>)>);

impl Visitor for Extents {
    fn visit(&mut self, found: &ConceptView<'_>) {
        self.0.push((found.support, found.extent.to_vec()));
    }
}

/// Collects patterns.
#[derive(Default)]
struct Seen(Vec<SeenPattern>);

/// A support, an extent, and the intervals of numeric columns.
type SeenPattern = (u64, Vec<u64>, Vec<(String, [f64; 2])>);

impl PatternVisitor for &mut Seen {
    fn visit(&mut self, pattern: &PatternView<'_>) {
        let mut bounds = Vec::new();
        pattern.each_condition(|name, condition| {
            if let Condition::Within(interval) = condition {
                bounds.push((name.to_owned(), interval));
            }
        });
        self.0.push((pattern.support, pattern.extent.to_vec(), bounds));
    }
}

fn threads(count: usize) -> Threads {
    Threads::new(NonZeroUsize::new(count)).expect("a few threads")
}

/// Returns the smallest interval with the values of an extent, if all are known.
fn hull(values: &[f64], extent: &[u64]) -> Option<[f64; 2]> {
    let own = |&row: &usize| extent[row / 64] >> (row % 64) & 1 == 1;
    let own = (0..values.len()).filter(own).map(|row| values[row]);
    let start = Some([f64::INFINITY, f64::NEG_INFINITY]);
    own.fold(start, |hull, value| {
        let [low, high] = hull?;
        (!value.is_nan()).then(|| [low.min(value), high.max(value)])
    })
}

proptest! {
    #[test]
    fn patterns_are_the_concepts_of_the_scaled_table(
        data in tables(),
        min_support in 1u64..4,
        count in 1usize..4,
    ) {
        let context = scale(&data, &Scaling::interordinal()).expect("it can be scaled");
        let terms = Terms { min_support, extents: true, ..Terms::default() };
        let mut expected = [Extents::default()];
        enumerate(&context.relation, &terms, &mut expected).expect("a level");
        let [Extents(mut expected)] = expected;
        let table = IntervalTable::new(&data).expect("it is consistent");
        let mut seen: Vec<Seen> = (0..count).map(|_| Seen::default()).collect();
        let (patterns, stop) =
            search(&table, &terms, &threads(count), seen.iter_mut().collect::<Vec<_>>());
        let seen: Vec<_> = seen.into_iter().flat_map(|seen| seen.0).collect();
        prop_assert_eq!((patterns, stop), (seen.len() as u64, SearchStop::Complete));
        for (_, extent, bounds) in &seen {
            for column in &data.columns {
                let Values::Numeric(values) = &column.values else { continue };
                let found = bounds.iter().find(|(name, _)| *name == column.name);
                match (found, hull(values, extent)) {
                    (Some((_, found)), hull) => prop_assert_eq!(Some(*found), hull),
                    // Without a condition, a value is missing or the interval is that of the column.
                    (None, Some(hull)) => {
                        let known = values.iter().copied().filter(|value| !value.is_nan());
                        let [low, high] = known.fold(hull, |[low, high], value| {
                            [low.min(value), high.max(value)]
                        });
                        prop_assert_eq!([low, high], hull);
                    }
                    (None, None) => {}
                }
            }
        }
        let mut found: Vec<(u64, Vec<u64>)> =
            seen.into_iter().map(|(support, extent, _)| (support, extent)).collect();
        found.sort();
        expected.sort();
        prop_assert_eq!(found, expected);
    }
}

fn people() -> Dataset {
    let column = |name: &str, values: Vec<f64>| Column {
        name: name.to_owned(),
        values: Values::Numeric(values.into()),
    };
    let columns = vec![
        column("age", vec![20.0, 30.0, 50.0, f64::NAN]),
        column("a, b", vec![1e20, 1.5, -0.0, 0.0]),
    ];
    Dataset { columns, rows: 4, ..Dataset::default() }
}

fn lines(data: &Dataset, format: PatternFormat, terms: &Terms<'_>) -> Vec<String> {
    let table = IntervalTable::new(data).expect("it is consistent");
    let mut text = Vec::new();
    list(&table, &Threads::callers(), terms, format, &mut text).expect("memory");
    String::from_utf8(text).expect("UTF-8").lines().map(str::to_owned).collect()
}

/// Formats every pattern from its conditions.
#[derive(Default)]
struct Plain(Vec<String>);

impl PatternVisitor for &mut Plain {
    fn visit(&mut self, pattern: &PatternView<'_>) {
        let mut conditions = Vec::new();
        pattern.each_condition(|name, condition| {
            conditions.push(match condition {
                Condition::Within([low, high]) if low == high => format!("{name} = {low}"),
                Condition::Within([low, high]) => format!("{name} [{low}, {high}]"),
                Condition::Is(category) => format!("{name} = {category}"),
            });
        });
        let conditions = conditions.join(", ");
        let shown = if conditions.is_empty() { "{}" } else { &conditions };
        self.0.push(format!("{}\t{shown}", pattern.support));
    }
}

/// Formats every pattern as JSON.
#[derive(Default)]
struct PlainJson(Vec<Value>);

impl PatternVisitor for &mut PlainJson {
    fn visit(&mut self, pattern: &PatternView<'_>) {
        let mut conditions = Map::new();
        pattern.each_condition(|name, condition| {
            let value = match condition {
                Condition::Within(bounds) => json!(bounds),
                Condition::Is(category) => json!(category),
            };
            conditions.insert(name.to_owned(), value);
        });
        self.0.push(json!({"pattern": conditions, "support": pattern.support}));
    }
}

/// Makes whole numbers of JSON equal, whether or not they have a fraction.
fn with_fractions(value: Value) -> Value {
    match value {
        Value::Number(number) => json!(number.as_f64()),
        Value::Array(values) => values.into_iter().map(with_fractions).collect(),
        Value::Object(fields) => {
            fields.into_iter().map(|(name, value)| (name, with_fractions(value))).collect()
        }
        other => other,
    }
}

proptest! {
    #[test]
    fn a_line_has_the_conditions_of_its_pattern(data in tables(), min_support in 1u64..6) {
        let table = IntervalTable::new(&data).unwrap();
        let terms = Terms { min_support, most: Some(2000), ..Terms::default() };
        let (mut plain, mut json) = (Plain::default(), PlainJson::default());
        search(&table, &terms, &threads(1), vec![&mut plain]);
        search(&table, &terms, &threads(1), vec![&mut json]);
        prop_assert_eq!(lines(&data, PatternFormat::Text, &terms), plain.0);
        let written = lines(&data, PatternFormat::Json, &terms);
        let parsed = written.iter().map(|line| with_fractions(line.parse().unwrap()));
        prop_assert_eq!(
            parsed.collect::<Vec<_>>(),
            json.0.into_iter().map(with_fractions).collect::<Vec<_>>()
        );
    }
}

#[test]
fn lines_are_as_documented() {
    let terms = Terms { min_support: 2, extents: true, ..Terms::default() };
    let text = lines(&people(), PatternFormat::Text, &terms);
    assert_eq!(text[0], "4\t{}\t1, 2, 3, 4");
    assert!(text.contains(&"2\tage [30, 50], \"a, b\" [0, 1.5]\t2, 3".to_owned()), "{text:?}");
    assert!(text.contains(&"2\t\"a, b\" = 0\t3, 4".to_owned()), "{text:?}");
    let json = lines(&people(), PatternFormat::Json, &terms);
    let line = r#"{"pattern":{"age":[30,50],"a, b":[0,1.5]},"support":2,"extent":["2","3"]}"#;
    assert!(json.contains(&line.to_owned()), "{json:?}");
    let without =
        lines(&people(), PatternFormat::Json, &Terms { min_support: 4, ..Terms::default() });
    assert_eq!(without, [r#"{"pattern":{},"support":4}"#]);
}

#[test]
fn a_bag_has_the_values_of_all_of_its_rows() {
    let of_row = vec![0, 1, 0, 1];
    let bags = Bags { name: "id".to_owned(), names: ["p", "q"].map(str::to_owned).into(), of_row };
    let data = Dataset { bags: Some(bags), ..people() };
    let terms = Terms { extents: true, ..Terms::default() };
    let text = lines(&data, PatternFormat::Text, &terms);
    assert_eq!(
        text,
        ["2\t{}\tp, q", "1\t\"a, b\" [0, 1.5]\tq"],
        "the age of q is missing, so p has no condition that q does not satisfy"
    );
}

/// A column of names needs memory for its names, not for each pair of a name and an object.
#[test]
fn very_many_categories() {
    const ROWS: u32 = 100_000;
    let categories: Vec<String> = (0..ROWS).map(|row| format!("n{row}")).collect();
    let names = Values::Nominal { codes: (0..ROWS).collect(), categories };
    let numbers: Vec<f64> = (0..ROWS).map(|row| f64::from(row % 3)).collect();
    let column = |name: &str, values| Column { name: name.to_owned(), values };
    let columns = vec![column("name", names), column("x", Values::Numeric(numbers.into()))];
    let data = Dataset { columns, rows: ROWS as usize, ..Dataset::default() };
    let mut found =
        lines(&data, PatternFormat::Text, &Terms { min_support: 2, ..Terms::default() });
    found.sort();
    let expected = [
        "100000\t{}",
        "33333\tx = 1",
        "33333\tx = 2",
        "33334\tx = 0",
        "66666\tx [1, 2]",
        "66667\tx [0, 1]",
    ];
    assert_eq!(found, expected);
}

#[test]
fn a_limit_and_a_stop_end_the_search() {
    let values: Vec<f64> = (0..200).map(|row| f64::from(row * 37 % 200)).collect();
    let other: Vec<f64> = (0..200).map(f64::from).collect();
    let column = |name: &str, values: Vec<f64>| Column {
        name: name.to_owned(),
        values: Values::Numeric(values.into()),
    };
    let columns = vec![column("x", values), column("y", other)];
    let data = Dataset { columns, rows: 200, ..Dataset::default() };
    let table = IntervalTable::new(&data).expect("it is consistent");
    for count in [1, 3] {
        let visitors = || vec![(); count];
        let terms = Terms { most: Some(1000), ..Terms::default() };
        let found = search(&table, &terms, &threads(count), visitors());
        assert_eq!(found, (1000, SearchStop::Limit));
        let is_late = AtomicBool::new(true);
        let stop = || is_late.load(Relaxed);
        let terms = Terms { stop: Some(&stop), ..Terms::default() };
        let (patterns, reason) = search(&table, &terms, &threads(count), visitors());
        assert!(patterns < 1000 && reason == SearchStop::Requested, "{patterns}");
    }
}
