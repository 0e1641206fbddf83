//! Every file, our own and the real ones beside the checkout, with the flags a user would give, has its true
//! number of examples in each class.

use crate::support::{answers, done};
use pellucid_testdata::file as found;

/// A file, the flags, and the true counts in the order of the classes.
struct File {
    name: &'static str,
    flags: &'static [&'static str],
    counts: [(&'static str, u64); 2],
}

const fn file(
    name: &'static str,
    flags: &'static [&'static str],
    counts: [(&'static str, u64); 2],
) -> File {
    File { name, flags, counts }
}

const BAGS: [File; 12] = [
    file("tests/data/tables/boxes.dat", &[], [("0", 6), ("1", 6)]),
    file("tests/data/tables/boxes.arff", &[], [("0", 6), ("1", 6)]),
    file("mil/musk1.dat.gz", &[], [("0", 45), ("1", 47)]),
    file("mil/clean1.data.gz", &[], [("0", 45), ("1", 47)]),
    file("mil/musk2.csv.gz", &["--target", "1", "--bag", "2"], [("0", 63), ("1", 39)]),
    file("mil/elephant.dat.gz", &[], [("0", 100), ("1", 100)]),
    file("mil/tiger.dat.gz", &[], [("0", 100), ("1", 100)]),
    file("mil/mutagenesis-atoms.dat.gz", &[], [("0", 63), ("1", 125)]),
    file("mil/mutagenesis-chains.dat.gz", &[], [("0", 63), ("1", 125)]),
    file("mil/mutagenesis-atoms.relational.arff", &[], [("0", 63), ("1", 125)]),
    file("mil/eastWest.dat", &[], [("0", 10), ("1", 10)]),
    file("mil/westEast.dat", &[], [("0", 10), ("1", 10)]),
];

const TABLES: [File; 18] = [
    file(
        "tests/data/tables/visits.csv",
        &["--target", "ill", "--ignore", "patient"],
        [("no", 10), ("yes", 14)],
    ),
    file(
        "tests/data/tables/signs.data",
        &["--labels", "tests/data/tables/signs.labels", "--labels-by-position"],
        [("-1", 5), ("1", 5)],
    ),
    file(
        "tabular/ucsd2009_task1.csv.gz",
        &["--ignore", "cvfold", "--nominal", "zip1"],
        [("0", 92588), ("1", 2094)],
    ),
    file("tabular/bank-additional-full.csv.gz", &[], [("no", 36548), ("yes", 4640)]),
    file("tabular/caravan_ticdata2000.txt.gz", &[], [("0", 5474), ("1", 348)]),
    file("tabular/adult-train.csv.gz", &[], [("<=50K", 24720), (">50K", 7841)]),
    file(
        "tabular/arcene_train.data.gz",
        &["--labels", "tabular/arcene_train.labels", "--labels-by-position"],
        [("-1", 56), ("1", 44)],
    ),
    file(
        "tabular/arcene_valid.data.gz",
        &["--labels", "tabular/arcene_valid.labels", "--labels-by-position"],
        [("-1", 56), ("1", 44)],
    ),
    file("tabular/madelon_train.csv.gz", &[], [("-1", 1000), ("1", 1000)]),
    file(
        "tabular/madelon_valid.data.gz",
        &["--labels", "tabular/madelon_valid.labels", "--labels-by-position"],
        [("-1", 300), ("1", 300)],
    ),
    file("tabular/leukemia_golub.csv.gz", &[], [("ALL", 47), ("AML", 25)]),
    file("tabular/prostate_singh.csv.gz", &[], [("Normal", 50), ("Tumor", 52)]),
    file(
        "tabular/parkinsons.data",
        &["--target", "status", "--ignore", "name"],
        [("0", 48), ("1", 147)],
    ),
    file("tabular/hepatitis.data", &["--target", "DIE_LIVE"], [("1", 32), ("2", 123)]),
    file("tabular/pima-indians-diabetes.csv", &[], [("0", 500), ("1", 268)]),
    file("tabular/breast-cancer-wisconsin.data", &["--ignore", "1"], [("2", 458), ("4", 241)]),
    file(
        "tabular/breast-cancer.csv",
        &[],
        [("no-recurrence-events", 201), ("recurrence-events", 85)],
    ),
    file("tabular/ionosphere.csv", &[], [("b", 126), ("g", 225)]),
];

fn check(files: &[File]) {
    for File { name, flags, counts } in files {
        let Some(data) = found(name) else { continue };
        // A flag that names a file means one of the same shelf, and it is there if the data are.
        let placed = |flag: &&str| {
            let path = if flag.contains('/') { found(flag).expect("labels") } else { flag.into() };
            path.display().to_string()
        };
        let data = data.display().to_string();
        let mut arguments =
            vec!["evaluate".to_owned(), data, "--hypotheses".to_owned(), "-".to_owned()];
        arguments.extend(flags.iter().map(placed));
        let text = done(&arguments, "true\nfalse\n");
        let mut counts = counts.to_vec();
        // Of two classes the rarer one is last, unless one has the name of a positive class.
        if counts.len() == 2 {
            let is_named = |class: &str| ["1", "yes", "positive", "true"].contains(&class);
            counts.sort_by_key(|(class, count)| (is_named(class), std::cmp::Reverse(*count)));
        }
        let counts = |of: &dyn Fn(u64) -> u64| {
            let each: Vec<String> =
                counts.iter().map(|(class, count)| format!("\"{class}\":{}", of(*count))).collect();
            format!("\"counts\":{{{}}}", each.join(","))
        };
        assert_eq!(answers(&text).len(), 2, "{name}: {text}");
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[0].contains(&counts(&|count| count)), "{name}: {text}");
        assert!(lines[1].contains(&counts(&|_| 0)), "{name}: {text}");
    }
}

#[test]
fn bag_files() {
    check(&BAGS);
}

#[test]
fn table_files() {
    check(&TABLES);
}
