//! Examples without a label: dropped for training, kept for prediction.

use pellucid_data::MISSING;
use pellucid_io::{ReadOptions, UnlabeledExamples, read_from};
use proptest::prelude::*;

const BAGS: &str = "bag,x,y\na,1,0\na,2,\nb,3,1\nc,4,\nc,5,\n";

#[test]
fn a_bag_has_the_label_of_any_of_its_rows() {
    let options = ReadOptions::default().bag("bag").target("y");
    let data = read_from(BAGS.as_bytes(), "b.csv", &options).expect("bags");
    assert_eq!(
        data.bags.as_ref().map(|bags| bags.names.clone()),
        Some(vec!["a".into(), "b".into()])
    );
    assert_eq!(data.rows, 3);
    let note = "skipped 1 bag without a label in target column 'y'";
    assert!(data.notes.iter().any(|own| own == note), "{:?}", data.notes);
    let kept = read_from(BAGS.as_bytes(), "b.csv", &options.unlabeled(UnlabeledExamples::Keep));
    let kept = kept.expect("bags");
    kept.check().expect("a sound data set");
    assert_eq!(kept.target.map(|target| target.codes), Some(vec![0, 1, MISSING]));
}

#[test]
fn two_labels_of_a_bag_are_an_error() {
    let text = "bag,x,y\na,1,\na,2,1\na,3,0\nb,3,1\n";
    let options = ReadOptions::default().bag("bag").target("y");
    let error = read_from(text.as_bytes(), "b.csv", &options).expect_err("two labels");
    assert!(error.to_string().contains("line 4: bag 'a' has two labels"), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(pellucid_testdata::cases(64)))]

    /// Dropping unlabeled rows gives the same data set as a file without them; keeping them loses no row.
    #[test]
    fn dropping_unlabeled_rows_is_like_removing_their_lines(
        rows in prop::collection::vec((0..50_u32, prop::option::of(0..3_u32)), 2..40),
    ) {
        let line = |(x, y): &(u32, Option<u32>)| {
            let label = y.map(|y| format!("k{y}")).unwrap_or_default();
            format!("{x}.5,{label}\n")
        };
        let all: String = std::iter::once("x,y\n".to_owned()).chain(rows.iter().map(line)).collect();
        let labeled: Vec<_> = rows.iter().filter(|row| row.1.is_some()).collect();
        let some: String =
            std::iter::once("x,y\n".to_owned()).chain(labeled.iter().map(|row| line(row))).collect();
        let options = ReadOptions::default().target("y");
        let found = read_from(all.as_bytes(), "t.csv", &options);
        if labeled.is_empty() {
            let message = found.expect_err("no labels").to_string();
            prop_assert_eq!(
                message,
                "t.csv: target column 'y' is empty in every row; expected at least one label"
            );
            return Ok(());
        }
        let (found, wanted) = (found.expect("a table"), read_from(some.as_bytes(), "t.csv", &options));
        let wanted = wanted.expect("a table");
        prop_assert_eq!(&found.columns, &wanted.columns);
        prop_assert_eq!(found.target, wanted.target);
        let kept = read_from(all.as_bytes(), "t.csv", &options.unlabeled(UnlabeledExamples::Keep));
        let kept = kept.expect("a table");
        prop_assert_eq!(kept.rows, rows.len());
        prop_assert!(kept.check().is_ok());
    }
}
