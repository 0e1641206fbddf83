//! Reads files with typical options and checks their counts: those of the repository, and real ones
//! beside the checkout.

use std::path::Path;

use pellucid_io::{Choice, Dataset, ReadOptions, Values, read};
use pellucid_testdata::file;

fn load(path: &Path, options: &ReadOptions) -> Dataset {
    let data = read(path, options).unwrap_or_else(|error| panic!("{error}"));
    data.check().unwrap_or_else(|error| panic!("{error}"));
    data
}

/// Returns the number of examples of each class.
fn class_counts(data: &Dataset) -> Vec<(String, usize)> {
    let target = data.require_classes().unwrap_or_else(|error| panic!("{error}"));
    let count = |code: u32| target.codes.iter().filter(|&&found| found == code).count();
    (0u32..).zip(&target.classes).map(|(code, class)| (class.clone(), count(code))).collect()
}

fn rows_with_missing(data: &Dataset) -> usize {
    (0..data.rows)
        .filter(|&row| data.columns.iter().any(|column| column.values.is_missing(row)))
        .count()
}

fn nominal_columns(data: &Dataset) -> usize {
    data.columns.iter().filter(|column| matches!(column.values, Values::Nominal { .. })).count()
}

struct Expected {
    file: &'static str,
    options: ReadOptions,
    rows: usize,
    examples: usize,
    features: usize,
    nominal: usize,
    rows_with_missing: usize,
    classes: [(&'static str, usize); 2],
}

fn table(
    file: &'static str,
    options: ReadOptions,
    rows: usize,
    features: usize,
    nominal: usize,
    rows_with_missing: usize,
    classes: [(&'static str, usize); 2],
) -> Expected {
    Expected { file, options, rows, examples: rows, features, nominal, rows_with_missing, classes }
}

fn bags(
    file: &'static str,
    options: ReadOptions,
    examples: usize,
    rows: usize,
    features: usize,
    classes: [(&'static str, usize); 2],
) -> Expected {
    Expected { file, options, rows, examples, features, nominal: 0, rows_with_missing: 0, classes }
}

fn check_all(all: Vec<Expected>) {
    for expected in all {
        let Some(path) = file(expected.file) else { continue };
        let data = load(&path, &expected.options);
        let context = format!("{}: {:?}", expected.file, data.notes);
        assert_eq!(data.rows, expected.rows, "rows of {context}");
        assert_eq!(data.examples(), expected.examples, "examples of {context}");
        assert_eq!(data.columns.len(), expected.features, "features of {context}");
        assert_eq!(nominal_columns(&data), expected.nominal, "nominal features of {context}");
        assert_eq!(rows_with_missing(&data), expected.rows_with_missing, "missing in {context}");
        let mut classes = expected.classes.map(|(class, count)| (class.to_owned(), count));
        // The rarer class is last, unless one has the name of a positive class.
        let is_named = |class: &str| ["1", "yes", "positive", "true"].contains(&class);
        classes.sort_by_key(|(class, count)| (is_named(class), std::cmp::Reverse(*count)));
        assert_eq!(class_counts(&data), classes, "classes of {context}");
        assert_eq!(data.bags.is_some(), expected.rows != expected.examples, "bags of {context}");
    }
}

#[test]
fn bag_files_have_the_right_counts() {
    let plain = ReadOptions::default;
    let positive = |n, p| [("0", n), ("1", p)];
    check_all(vec![
        bags("tests/data/tables/boxes.dat", plain(), 12, 31, 3, positive(6, 6)),
        bags("tests/data/tables/boxes.arff", plain(), 12, 31, 3, positive(6, 6)),
        bags("mil/musk1.dat.gz", plain(), 92, 476, 166, positive(45, 47)),
        bags("mil/clean1.data.gz", plain(), 92, 476, 166, positive(45, 47)),
        bags("mil/musk2.csv.gz", plain().target("1").bag("2"), 102, 6598, 166, positive(63, 39)),
        bags("mil/elephant.dat.gz", plain(), 200, 1391, 230, positive(100, 100)),
        bags("mil/tiger.dat.gz", plain(), 200, 1220, 230, positive(100, 100)),
        bags("mil/mutagenesis-atoms.dat.gz", plain(), 188, 1618, 10, positive(63, 125)),
        bags("mil/mutagenesis-chains.dat.gz", plain(), 188, 5349, 24, positive(63, 125)),
        bags("mil/mutagenesis-atoms.relational.arff", plain(), 188, 1618, 10, positive(63, 125)),
        bags("mil/eastWest.dat", plain(), 20, 213, 24, positive(10, 10)),
        bags("mil/westEast.dat", plain(), 20, 213, 24, positive(10, 10)),
    ]);
}

/// Options for a table with a separate file of labels. If that file is absent, so is the table, which is
/// then skipped.
fn labeled(name: &str) -> ReadOptions {
    let labels = file(name).unwrap_or_default();
    ReadOptions::default().labels(labels).labels_by_position(true)
}

#[test]
fn tables_have_the_right_counts() {
    let plain = ReadOptions::default;
    check_all(vec![
        table(
            "tests/data/tables/visits.csv",
            plain().target("ill").ignore(["patient"]).nominal(["ward"]),
            24,
            4,
            2,
            4,
            [("no", 10), ("yes", 14)],
        ),
        table(
            "tests/data/tables/signs.data",
            labeled("tests/data/tables/signs.labels"),
            10,
            5,
            0,
            0,
            [("-1", 5), ("1", 5)],
        ),
        table(
            "tabular/ucsd2009_task1.csv.gz",
            plain().ignore(["cvfold"]).nominal(["zip1"]),
            94682,
            19,
            3,
            // One row has an empty domain.
            1,
            [("0", 92588), ("1", 2094)],
        ),
        table(
            "tabular/bank-additional-full.csv.gz",
            plain(),
            41188,
            20,
            10,
            0,
            [("no", 36548), ("yes", 4640)],
        ),
        table(
            "tabular/caravan_ticdata2000.txt.gz",
            plain(),
            5822,
            85,
            0,
            0,
            [("0", 5474), ("1", 348)],
        ),
        table(
            "tabular/adult-train.csv.gz",
            plain(),
            32561,
            14,
            8,
            2399,
            [("<=50K", 24720), (">50K", 7841)],
        ),
    ]);
}

#[test]
fn tables_with_many_columns_have_the_right_counts() {
    let plain = ReadOptions::default;
    check_all(vec![
        table(
            "tabular/arcene_train.data.gz",
            labeled("tabular/arcene_train.labels"),
            100,
            10000,
            0,
            0,
            [("-1", 56), ("1", 44)],
        ),
        table(
            "tabular/arcene_valid.data.gz",
            labeled("tabular/arcene_valid.labels"),
            100,
            10000,
            0,
            0,
            [("-1", 56), ("1", 44)],
        ),
        table(
            "tabular/madelon_train.csv.gz",
            plain(),
            2000,
            500,
            0,
            0,
            [("-1", 1000), ("1", 1000)],
        ),
        table(
            "tabular/madelon_valid.data.gz",
            labeled("tabular/madelon_valid.labels"),
            600,
            500,
            0,
            0,
            [("-1", 300), ("1", 300)],
        ),
        table("tabular/leukemia_golub.csv.gz", plain(), 72, 7129, 0, 0, [("ALL", 47), ("AML", 25)]),
        table(
            "tabular/prostate_singh.csv.gz",
            plain(),
            102,
            12600,
            0,
            0,
            [("Normal", 50), ("Tumor", 52)],
        ),
    ]);
}

#[test]
fn small_tables_have_the_right_counts() {
    let plain = ReadOptions::default;
    check_all(vec![
        table(
            "tabular/parkinsons.data",
            plain().target("status").ignore(["name"]),
            195,
            22,
            0,
            0,
            [("0", 48), ("1", 147)],
        ),
        table(
            "tabular/hepatitis.data",
            plain().target("DIE_LIVE"),
            155,
            19,
            0,
            75,
            [("1", 32), ("2", 123)],
        ),
        table("tabular/pima-indians-diabetes.csv", plain(), 768, 8, 0, 0, [("0", 500), ("1", 268)]),
        table(
            "tabular/breast-cancer-wisconsin.data",
            plain().ignore(["1"]),
            699,
            9,
            0,
            16,
            [("2", 458), ("4", 241)],
        ),
        table(
            "tabular/breast-cancer.csv",
            plain().nominal(["x6"]),
            286,
            9,
            9,
            9,
            [("no-recurrence-events", 201), ("recurrence-events", 85)],
        ),
        table("tabular/ionosphere.csv", plain(), 351, 34, 0, 0, [("b", 126), ("g", 225)]),
    ]);
}

/// The name, the label and the sorted instances of a bag.
type Bag = (String, String, Vec<Vec<u64>>);

/// Returns the bags sorted by name, with sorted instances, so that files in different orders can be compared.
fn bags_by_name(data: &Dataset) -> Vec<Bag> {
    let (bags, target) = (data.bags.as_ref().expect("bags"), data.target.as_ref().expect("target"));
    let value = |values: &Values, row: usize| match values {
        Values::Numeric(values) => values[row].to_bits(),
        _ => panic!("expected a number"),
    };
    let mut all: Vec<_> = bags
        .names
        .iter()
        .zip(&target.codes)
        .map(|(name, &code)| (name.clone(), target.classes[code as usize].clone(), Vec::new()))
        .collect();
    for (row, &bag) in bags.of_row.iter().enumerate() {
        all[bag as usize]
            .2
            .push(data.columns.iter().map(|column| value(&column.values, row)).collect());
    }
    all.iter_mut().for_each(|bag| bag.2.sort_unstable());
    all.sort_unstable();
    all
}

fn load_bags(name: &str) -> Option<Vec<Bag>> {
    file(name).map(|path| bags_by_name(&load(&path, &ReadOptions::default())))
}

#[test]
fn the_same_data_in_two_formats_is_equal() {
    let pairs = [
        ("tests/data/tables/boxes.arff", "tests/data/tables/boxes.dat"),
        ("mil/clean1.data.gz", "mil/musk1.dat.gz"),
        ("mil/mutagenesis-atoms.relational.arff", "mil/mutagenesis-atoms.dat.gz"),
    ];
    for (left, right) in pairs {
        let (Some(a), Some(b)) = (load_bags(left), load_bags(right)) else { continue };
        // UCI and KEEL use the same names of molecules, so the names are compared, too.
        assert!(a == b, "{left} and {right} differ");
    }
}

#[test]
fn east_west_and_west_east_have_flipped_labels() {
    let (Some(east), Some(west)) = (load_bags("mil/eastWest.dat"), load_bags("mil/westEast.dat"))
    else {
        return;
    };
    assert_eq!(east.len(), west.len());
    for (e, w) in east.iter().zip(&west) {
        assert_eq!((&e.0, &e.2), (&w.0, &w.2));
        assert_ne!(e.1, w.1, "bag {}", e.0);
    }
}

#[test]
fn the_malformed_input_list_of_east_west_is_noted() {
    let Some(path) = file("mil/eastWest.dat") else { return };
    let data = load(&path, &ReadOptions::default());
    let note = "@inputs names 'C5 real', which is not an attribute; used 'C5' instead";
    assert!(data.notes.iter().any(|found| found == note), "{:?}", data.notes);
}

#[test]
fn no_bag_makes_the_first_attribute_a_feature() {
    for (name, columns, rows) in
        [("tests/data/tables/boxes.dat", 4, 31), ("mil/elephant.dat.gz", 231, 1391)]
    {
        let Some(path) = file(name) else { continue };
        let data = load(&path, &ReadOptions::default().bag(Choice::None));
        assert_eq!((data.bags.is_none(), data.columns.len(), data.rows), (true, columns, rows));
    }
}
