//! Writing and reading a data set returns the same data set.

use pellucid_io::{
    Bags, ClassTarget, Column, Dataset, Header, MISSING, ReadOptions, Values, read_from,
    write_arff, write_csv, write_keel,
};
use proptest::prelude::*;

const ROWS: std::ops::Range<usize> = 1..12;

/// Texts that are neither numbers nor marks of missing values, with every character that a writer
/// must escape.
fn texts(count: usize) -> impl Strategy<Value = Vec<String>> {
    let text = "[a-zé][a-z ,;'\"\\\\%{}\n]{0,6}z".prop_map(String::from);
    proptest::collection::btree_set(text, count).prop_map(|set| set.into_iter().collect())
}

fn numeric(rows: usize) -> impl Strategy<Value = Values> {
    let value = prop_oneof![
        4 => any::<f64>(),
        1 => Just(f64::NAN),
        1 => Just(f64::INFINITY),
        2 => (-50..50).prop_map(f64::from),
    ];
    proptest::collection::vec(value, rows).prop_map(|numbers| Values::Numeric(numbers.into()))
}

/// Lists only categories that occur, as a reader does.
fn nominal(rows: usize) -> impl Strategy<Value = Values> {
    (texts(3), proptest::collection::vec(prop_oneof![3 => 0..3u32, 1 => Just(MISSING)], rows))
        .prop_map(|(texts, codes)| {
            let used: Vec<u32> = (0..3).filter(|code| codes.contains(code)).collect();
            let renumber = |code: u32| {
                (0u32..).zip(&used).find(|&(_, &old)| old == code).map_or(MISSING, |(new, _)| new)
            };
            let codes = codes.iter().map(|&code| renumber(code)).collect();
            Values::Nominal {
                codes,
                categories: used.iter().map(|&code| texts[code as usize].clone()).collect(),
            }
        })
}

prop_compose! {
    fn tables()(rows in ROWS)(
        first in numeric(rows),
        second in nominal(rows),
        names in texts(5),
        classes in texts(2),
        labels in proptest::collection::vec(0..2u32, rows),
        starts in proptest::collection::vec(any::<bool>(), rows),
        bagged in any::<bool>(),
        bag_names in texts(12),
    ) -> Dataset {
        let rows = first.len();
        let mut of_row = vec![0u32; rows];
        for row in 1..rows {
            of_row[row] = of_row[row - 1] + u32::from(starts[row]);
        }
        let bag_count = of_row[rows - 1] as usize + 1;
        let bags = Bags { name: names[0].clone(), names: bag_names[..bag_count].to_vec(), of_row };
        let mut codes = labels[..if bagged { bag_count } else { rows }].to_vec();
        // Both classes or only the first, so that all listed classes occur.
        if !codes.contains(&0) {
            codes.iter_mut().for_each(|code| *code = 0);
        }
        let classes = classes[..if codes.contains(&1) { 2 } else { 1 }].to_vec();
        Dataset {
            name: "set".to_owned(),
            columns: vec![
                Column { name: names[1].clone(), values: first },
                Column { name: names[2].clone(), values: second },
            ],
            rows,
            target: Some(ClassTarget { name: names[3].clone(), classes, codes }),
            bags: bagged.then_some(bags),
            notes: Vec::new(),
            ..Dataset::default()
        }
    }
}

/// Compares everything but the notes. NaNs are equal, and a column without values may have any type.
fn same(written: &Dataset, read: &Dataset) -> Result<(), TestCaseError> {
    // Of two classes the positive one is read last; the written ones are sorted.
    let labels = |data: &Dataset| {
        let target = data.target.as_ref()?;
        let label = |&code: &u32| target.classes.get(code as usize).cloned();
        let labels: Vec<Option<String>> = target.codes.iter().map(label).collect();
        let mut classes = target.classes.clone();
        classes.sort();
        Some((target.name.clone(), classes, labels))
    };
    prop_assert_eq!(labels(written), labels(read));
    prop_assert_eq!(&written.bags, &read.bags);
    prop_assert_eq!(written.columns.len(), read.columns.len());
    for (a, b) in written.columns.iter().zip(&read.columns) {
        prop_assert_eq!(&a.name, &b.name);
        match (&a.values, &b.values) {
            (Values::Numeric(a), Values::Numeric(b)) => {
                let bits = |values: &[f64]| {
                    values
                        .iter()
                        .map(|v| if v.is_nan() { 1 } else { v.to_bits() })
                        .collect::<Vec<_>>()
                };
                prop_assert_eq!(bits(a), bits(b));
            }
            (a, b) if a.missing() == a.len() => prop_assert_eq!(b.missing(), b.len()),
            (a, b) => prop_assert_eq!(a, b),
        }
    }
    Ok(())
}

fn options(data: &Dataset) -> ReadOptions {
    let target = data.target.as_ref().expect("target").name.clone();
    let options = ReadOptions::default().header(Header::Yes).target(target).keep_identifiers(true);
    match &data.bags {
        Some(bags) => options.bag(bags.name.clone()),
        None => options,
    }
}

fn back(bytes: &[u8], name: &str, data: &Dataset) -> Result<Dataset, TestCaseError> {
    read_from(bytes, name, &options(data)).map_err(|error| {
        TestCaseError::fail(format!("{error} in {}", String::from_utf8_lossy(bytes)))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(pellucid_testdata::cases(400)))]

    #[test]
    fn csv(data in tables()) {
        let mut bytes = Vec::new();
        write_csv(&data, &mut bytes).expect("memory");
        same(&data, &back(&bytes, "set.csv", &data)?)?;
    }

    #[test]
    fn keel(data in tables()) {
        let mut bytes = Vec::new();
        write_keel(&data, &mut bytes).expect("memory");
        same(&data, &back(&bytes, "set.dat", &data)?)?;
    }

    #[test]
    fn arff(data in tables()) {
        let mut bytes = Vec::new();
        write_arff(&data, &mut bytes).expect("memory");
        same(&data, &back(&bytes, "set.arff", &data)?)?;
    }
}

#[cfg(feature = "parquet")]
proptest! {
    #![proptest_config(ProptestConfig::with_cases(pellucid_testdata::cases(100)))]

    #[test]
    fn parquet(data in tables()) {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("set.parquet");
        pellucid_io::write_parquet(&data, std::fs::File::create(&path).expect("file")).expect("written");
        let read = pellucid_io::read(&path, &options(&data))
            .map_err(|error| TestCaseError::fail(error.to_string()))?;
        prop_assert_eq!(&read.name, "set");
        same(&data, &read)?;
    }
}

#[test]
fn texts_that_look_missing_are_an_error() {
    let values = Values::Nominal { codes: vec![0], categories: vec!["NA".to_owned()] };
    let columns = vec![Column { name: "a".to_owned(), values }];
    let data = Dataset {
        name: "d".to_owned(),
        columns,
        rows: 1,
        target: None,
        bags: None,
        notes: Vec::new(),
        ..Dataset::default()
    };
    let error = write_csv(&data, Vec::new()).expect_err("refused");
    assert_eq!(error.to_string(), "column 'a' contains 'NA', which would be read back as missing");
    let broken = Dataset { rows: 2, ..data };
    let error = write_csv(&broken, Vec::new()).expect_err("refused");
    assert_eq!(
        error.to_string(),
        "d: the data set is inconsistent: column 'a' has 1 values; expected 2"
    );
}
