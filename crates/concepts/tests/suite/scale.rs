//! Tests that every attribute means what its name says, and the sizes of contexts of real tables.

use pellucid_close::{ConceptView, Terms};
use pellucid_concepts::enumerate::enumerate;
use pellucid_concepts::scale::{ColumnScaling, Missing, Scale, ScaleError, Scaling, scale};
use pellucid_data::{Bags, ClassTarget, Column, Context, Dataset};
use pellucid_data::{MISSING, Values};
use pellucid_io::{Choice, ReadOptions, read};
use pellucid_testdata::file_in;
use proptest::prelude::*;

fn data(columns: Vec<(&str, Values)>) -> Dataset {
    let rows = columns.first().map_or(0, |(_, values)| values.len());
    let column = |(name, values): (&str, Values)| Column { name: name.to_owned(), values };
    Dataset {
        name: "d".to_owned(),
        columns: columns.into_iter().map(column).collect(),
        rows,
        target: None,
        bags: None,
        notes: Vec::new(),
        ..Dataset::default()
    }
}

fn words(codes: &[u32], categories: &[&str]) -> Values {
    let categories = categories.iter().map(ToString::to_string).collect();
    Values::Nominal { codes: codes.to_vec(), categories }
}

/// The names of each object's attributes.
fn attribute_names(context: &Context) -> Vec<Vec<String>> {
    let name = |&attribute: &u32| context.attributes.get(attribute as usize).into_owned();
    context.relation.rows().map(|row| row.iter().map(name).collect()).collect()
}

fn attributes(context: &Context) -> Vec<String> {
    context.attributes.iter().map(Into::into).collect()
}

fn scaled(data: &Dataset, scaling: &Scaling) -> Context {
    scale(data, scaling).unwrap_or_else(|error| panic!("{error}"))
}

fn own(scale: Scale) -> ColumnScaling {
    ColumnScaling { scale, ..ColumnScaling::default() }
}

/// Whether a value has the attribute of column `v` with this name, decided by the name.
fn is_true(name: &str, value: f64) -> bool {
    let number = |text: &str| text.trim().parse::<f64>().expect("a number");
    if value.is_nan() {
        return name == "v is missing";
    }
    if let Some(limit) = name.strip_prefix("v<=") {
        value <= number(limit)
    } else if let Some(limit) = name.strip_prefix("v>=") {
        value >= number(limit)
    } else if let Some(exact) = name.strip_prefix("v=") {
        value == number(exact)
    } else if let Some(ends) = name.strip_prefix("v in [") {
        let (low, high) = ends.trim_end_matches(']').split_once(", ").expect("two ends");
        number(low) <= value && value <= number(high)
    } else {
        assert_eq!(name, "v is missing");
        false
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(pellucid_testdata::cases(400)))]

    #[test]
    fn numbers_have_the_attributes_that_the_names_say(
        values in prop::collection::vec(
            prop_oneof![
                6 => (-4..5i32).prop_map(f64::from),
                1 => Just(f64::NAN),
                1 => any::<f64>(),
                1 => Just(-0.0),
            ],
            1..25,
        ),
        which in prop::sample::select(
            vec![Scale::Nominal, Scale::AtMost, Scale::AtLeast, Scale::Interordinal]
        ),
        cuts in prop::option::of(0..5usize),
        own_missing in any::<bool>(),
    ) {
        let mut scaling = Scaling::new(which);
        scaling.every.cuts = cuts;
        if own_missing {
            scaling = scaling.missing(Missing::Attribute);
        }
        let context = scaled(&data(vec![("v", Values::Numeric(values.clone().into()))]), &scaling);
        let names = attributes(&context);
        for (row, &value) in context.relation.rows().zip(&values) {
            for (attribute, name) in (0..).zip(&names) {
                prop_assert_eq!(row.contains(&attribute), is_true(name, value), "{} of {}", name, value);
            }
        }
        let missing = values.iter().any(|value| value.is_nan());
        prop_assert_eq!(names.contains(&"v is missing".to_owned()), missing && own_missing);
        let mut different: Vec<f64> = values.iter().filter(|v| !v.is_nan()).map(|v| v + 0.0).collect();
        different.sort_unstable_by(f64::total_cmp);
        different.dedup();
        let gaps = different.len().saturating_sub(1);
        let most = cuts.map_or(gaps, |cuts| cuts.min(gaps));
        let thresholds = names.iter().filter(|name| name.contains("<=")).count();
        prop_assert!(thresholds <= most);
        if cuts.is_none() && matches!(which, Scale::AtMost | Scale::Interordinal) {
            prop_assert_eq!(thresholds, gaps);
        }
        if which == Scale::Nominal {
            prop_assert!(context.relation.rows().zip(&values).all(|(row, v)| v.is_nan() || row.len() == 1));
        }
    }
}

#[test]
fn every_kind_of_column_by_its_values() {
    let table = data(vec![
        ("legs", Values::Numeric(vec![4.0, 0.0, 4.0, f64::NAN].into())),
        ("colour", words(&[2, 0, MISSING, 2], &["red", "unused", "blue"])),
        ("eggs", Values::Boolean(vec![Some(true), Some(false), None, Some(true)])),
    ]);
    let nominal = scaled(&table, &Scaling::nominal());
    let names = ["legs=0", "legs=4", "colour=red", "colour=blue", "eggs=false", "eggs=true"];
    assert_eq!(attributes(&nominal), names);
    assert_eq!(attribute_names(&nominal)[0], ["legs=4", "colour=blue", "eggs=true"]);
    assert_eq!(attribute_names(&nominal)[2], ["legs=4"]);
    let missing = scaled(&table, &Scaling::nominal().missing(Missing::Attribute));
    assert_eq!(attribute_names(&missing)[2], ["legs=4", "colour is missing", "eggs is missing"]);
    assert_eq!(missing.attributes.len(), 9);
    // Thresholds for ordered columns, values for the others.
    let between = scaled(&table, &Scaling::interordinal());
    let names = ["legs<=0", "legs>=4", "colour=red", "colour=blue", "eggs=false", "eggs=true"];
    assert_eq!(attributes(&between), names);
    let mixed = Scaling::new(Scale::Flag).column("colour", own(Scale::Ignore));
    assert_eq!(attributes(&scaled(&table, &mixed)), ["legs=0", "legs=4", "eggs"]);
    let last = mixed.column("legs", own(Scale::AtLeast)).column("legs", own(Scale::AtMost));
    assert_eq!(
        attribute_names(&scaled(&table, &last)),
        [vec!["eggs"], vec!["legs<=0"], vec![], vec!["eggs"]]
    );
}

#[test]
fn cuts_are_quantiles() {
    let values: Vec<f64> = (1..=100).map(f64::from).collect();
    let table = data(vec![("v", Values::Numeric(values.into()))]);
    let quarters = scaled(&table, &Scaling::ordinal().cuts(3));
    assert_eq!(attributes(&quarters), ["v<=25", "v<=50", "v<=75"]);
    let thirds = scaled(&table, &Scaling::nominal().cuts(2));
    assert_eq!(attributes(&thirds), ["v in [1, 34]", "v in [35, 67]", "v in [68, 100]"]);
    let skewed = data(vec![("v", Values::Numeric(vec![1.0, 1.0, 1.0, 1.0, 2.0, 3.0].into()))]);
    assert_eq!(attributes(&scaled(&skewed, &Scaling::interordinal().cuts(2))), ["v<=1", "v>=2"]);
}

#[test]
fn labels_are_a_column_and_bags_are_objects() {
    let target = |codes: &[u32]| {
        let classes = vec!["no".to_owned(), "yes".to_owned()];
        Some(ClassTarget { name: "ill".to_owned(), classes, codes: codes.to_vec() })
    };
    let mut table = data(vec![("dose", Values::Numeric(vec![1.0, 2.0, 3.0].into()))]);
    table.target = target(&[0, 1, 1]);
    let plain = scaled(&table, &Scaling::nominal());
    assert_eq!(attributes(&plain), ["dose=1", "dose=2", "dose=3", "ill=no", "ill=yes"]);
    assert_eq!(attribute_names(&plain)[1], ["dose=2", "ill=yes"]);
    assert_eq!(plain.objects.get(0), "1");

    table.target = target(&[1, 0]);
    let names = vec!["ann".to_owned(), "bob".to_owned()];
    table.bags = Some(Bags { name: "who".to_owned(), names, of_row: vec![0, 1, 0] });
    let bags = scaled(&table, &Scaling::nominal());
    assert_eq!(bags.objects.iter().collect::<Vec<_>>(), ["ann", "bob"]);
    assert_eq!(
        attribute_names(&bags),
        [vec!["dose=1", "dose=3", "ill=yes"], vec!["dose=2", "ill=no"]]
    );
    let without = Scaling::nominal().column("ill", own(Scale::Ignore));
    assert_eq!(scaled(&table, &without).attributes.len(), 3);
}

#[test]
fn unsuitable_scalings_are_errors() {
    let table = data(vec![
        ("legs", Values::Numeric(vec![1.0, 2.0, 3.0].into())),
        ("colour", words(&[0, 1, 0], &["red", "blue"])),
    ]);
    let reason = |scaling: Scaling| scale(&table, &scaling).expect_err("refused").to_string();
    assert_eq!(
        reason(Scaling::nominal().column("wings", own(Scale::Flag))),
        "cannot scale column 'wings': not found; the columns are 'legs', 'colour'"
    );
    assert_eq!(
        reason(Scaling::nominal().column("colour", own(Scale::AtMost))),
        "column 'colour' has categories without an order; expected numbers"
    );
    assert_eq!(
        reason(Scaling::nominal().column("legs", own(Scale::Flag))),
        "column 'legs' contains '2'; expected true or false, yes or no, 1 or 0"
    );
    let mut few = Scaling::nominal();
    few.most_crosses = 5;
    assert_eq!(
        reason(few),
        "with column 'colour' the context has 6 crosses, more than the limit of 5; \
         use fewer cuts or raise most_crosses"
    );
    // A million distinct values would give 10^12 crosses. They are counted but not created.
    let many = data(vec![("v", Values::Numeric((0..1_000_000).map(f64::from).collect()))]);
    let error = scale(&many, &Scaling::interordinal()).expect_err("refused");
    assert!(matches!(error, ScaleError::TooMany { crosses: 999_999_000_000, .. }), "{error}");
    let broken = Dataset { rows: 2, ..table };
    assert!(matches!(scale(&broken, &Scaling::nominal()), Err(ScaleError::Data(_))));
}

/// With a target as the reader finds it, and without a target: the class is an attribute either
/// way.
#[test]
fn real_tables_have_the_known_sizes() {
    for (name, rows, columns) in [
        ("tests/data/contexts/buttons.csv", 10, 10),
        ("zoo.csv", 101, 43),
        ("tic-tac-toe.csv", 958, 29),
        ("nursery.data.gz", 12_960, 32),
        ("agaricus-lepiota.data.gz", 8124, 118),
    ] {
        let Some(file) = file_in("fca/nominal", name) else { continue };
        let mut none = ReadOptions::default();
        none.target = Choice::None;
        for options in [ReadOptions::default(), none] {
            let table = read(&file, &options).unwrap_or_else(|error| panic!("{error}"));
            let context = scaled(&table, &Scaling::nominal());
            assert_eq!(
                (context.objects.len(), context.attributes.len()),
                (rows, columns),
                "{name}"
            );
        }
    }
}

#[test]
fn scaled_tables_have_their_known_numbers_of_concepts() {
    for (name, concepts) in [("tests/data/contexts/buttons.csv", 38), ("zoo.csv", 4579)] {
        let Some(file) = file_in("fca/nominal", name) else { continue };
        let table = read(&file, &ReadOptions::default()).unwrap_or_else(|error| panic!("{error}"));
        let context = scaled(&table, &Scaling::nominal());
        let mut seen = 0;
        let mut count = |_: &ConceptView<'_>| seen += 1;
        let visitors = std::slice::from_mut(&mut count);
        let outcome = enumerate(&context.relation, &Terms::default(), visitors).unwrap();
        assert_eq!((outcome.concepts, seen), (concepts, concepts), "{name}");
    }
}
