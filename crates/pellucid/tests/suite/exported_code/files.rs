//! Files whose cells are passed as text to the exported module and to a table of text columns.

use crate::exported_code::table::{answers, case_of_rows, models, predicted};
use pellucid::io::{Dataset, ReadOptions, read_from};
use pellucid::read::by_schema;
use std::fmt::Write as _;

fn read(text: &str, options: &ReadOptions) -> Dataset {
    read_from(text.as_bytes(), "file.csv", options).expect("a table")
}

/// Checks that all exports predict the same for the cells of a file as `predict` for the file. The
/// cells have no quotes and no commas.
fn check(text: &str) {
    let data = read(text, &ReadOptions::default().target("class"));
    let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
    let names = lines.next().expect("a header");
    let rows: Vec<Vec<String>> = lines.collect();
    let (mut cases, mut expected) = (Vec::new(), Vec::new());
    for model in models(&data) {
        cases.push(case_of_rows(&*model, &names, &rows));
        let again = read(text, &by_schema(ReadOptions::default(), model.schema()));
        expected.push((model.learner(), predicted(&*model, &again)));
    }
    for ((learner, expected), [query, python, javascript]) in
        expected.into_iter().zip(answers(&cases))
    {
        let distinct: std::collections::BTreeSet<&String> = expected.iter().collect();
        assert!(distinct.len() > 1 || learner != "rules", "the rules must tell rows apart");
        assert_eq!(query, expected, "SQL of {learner}");
        assert_eq!(python, expected, "Python of {learner}");
        assert_eq!(javascript, expected, "JavaScript of {learner}");
    }
}

#[test]
fn blanks_around_a_name_do_not_matter() {
    let mut text = " age , colour ,class\n".to_owned();
    for row in 0..160 {
        let (age, colour) = (row * 37 % 100, ["red", "green", "blue"][row % 3]);
        let class = if age > 50 || colour == "blue" { "yes" } else { "no" };
        let _ = writeln!(text, "{age},{colour},{class}");
    }
    check(&text);
}

/// A date before the year 1000 is missing, in the model and in its exports.
#[test]
fn dates_are_the_same_in_all_exports() {
    for time in ["", " 13:45:10"] {
        let mut text = "day,size,class\n".to_owned();
        for row in 0..200 {
            let (year, month, day) = (1999 + row % 9, 1 + row * 5 % 12, 1 + row * 11 % 28);
            let (year, size) = (if row % 10 == 3 { 1 } else { year }, row * 37 % 100);
            let class = if year > 2003 || size > 80 { "yes" } else { "no" };
            let _ = writeln!(text, "{year:04}-{month:02}-{day:02}{time},{size},{class}");
        }
        check(&text);
    }
}
