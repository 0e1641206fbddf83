//! Valid files of each format with random damage: readers do not panic, and return consistent data sets.

use crate::damage::{Damage, damage};
use pellucid_io::{Format, ReadOptions, read_from};
use proptest::prelude::*;

const CSV: &str =
    "id,size,colour,y\na,1.5,red,0\na,-2e3,\"dark, \"\"blue\"\"\",0\nb,?,green,1\nc,.5,red,1\n";
const SPACED: &str = "1 2 3 \n4  5 6 \n7 8 9 \n";
const QUOTED: &str = "'40-49','premeno','3',no\n'50-59',nan,'2',yes\n'40-49','lt40','1',no\n";
const ARFF: &str = "% note\n@relation 'r s'\n@attribute a numeric\n@attribute b {x,'y z'}\n\
    @attribute s string\n@attribute d date 'yyyy'\n\
@attribute class {0,1}\n@data\n1,x,'t\\'u',?,0,{2}\n?,'y z',\"v\",'2001',1\n{0 3,4 1}\n1 x s 2002 0\n";
const RELATIONAL: &str = "@relation r\n@attribute id {p,q}\n@attribute bag relational\n  @attribute \
    f numeric\n  @attribute g {u,v}\n\
@end bag\n@attribute class {0,1}\n@data\np,\"1,u\\n2,v\",1\nq,\"3,?\",0\n";
const KEEL: &str = "@relation r\n@attribute Bag-id {p, q}\n@attribute T=br real [0, 1]\n@attribute \
    n{a, b}\n@attribute c {0, 1}\n\
@inputs Bag-id, T=br real, n\n@outputs c\n@data\np, 0.5, a, 0\n\"p\", 2, <null>, 0\r\nq, ?, b, 1\n";
const UCI: &str = "MUSK-1,1_1,3,-4,1.\nMUSK-1,1_2,5,6,1.\nNON-2,2_1,7,8,0.\n";

/// Reads the damaged text; if that succeeds, the data set must be consistent.
fn survive(
    name: &str,
    text: &str,
    damages: &[Damage],
    options: &ReadOptions,
) -> Result<(), TestCaseError> {
    let mut bytes = text.as_bytes().to_vec();
    damages.iter().for_each(|damage| damage.apply(&mut bytes));
    match read_from(&bytes[..], name, options) {
        Ok(data) => {
            prop_assert!(data.rows > 0);
            if let Err(error) = data.check() {
                return Err(TestCaseError::fail(format!(
                    "{error} in {:?}",
                    String::from_utf8_lossy(&bytes)
                )));
            }
        }
        Err(error) => prop_assert!(error.to_string().starts_with(name), "{error}"),
    }
    Ok(())
}

#[test]
fn undamaged_files_are_valid() {
    let plain = ReadOptions::default();
    let uci = plain.clone().format(Format::Uci);
    let all = [
        ("a.csv", CSV, &plain),
        ("a.data", SPACED, &plain),
        ("b.csv", QUOTED, &plain),
        ("a.arff", ARFF, &plain),
        ("b.arff", RELATIONAL, &plain),
        ("a.dat", KEEL, &plain),
        ("b.data", UCI, &uci),
    ];
    for (name, text, options) in all {
        let data =
            read_from(text.as_bytes(), name, options).unwrap_or_else(|error| panic!("{error}"));
        data.check().unwrap_or_else(|error| panic!("{error}"));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(pellucid_testdata::cases(1500)))]

    #[test]
    fn damaged_csv(damages in proptest::collection::vec(damage(), 1..6)) {
        survive("a.csv", CSV, &damages, &ReadOptions::default())?;
        let bags = ReadOptions::default().bag("id").target("y").dedupe_instances(true);
        survive("a.csv", CSV, &damages, &bags)?;
    }

    #[test]
    fn damaged_spaced_and_quoted(damages in proptest::collection::vec(damage(), 1..6)) {
        survive("a.data", SPACED, &damages, &ReadOptions::default())?;
        survive("b.csv", QUOTED, &damages, &ReadOptions::default())?;
    }

    #[test]
    fn damaged_arff(damages in proptest::collection::vec(damage(), 1..6)) {
        survive("a.arff", ARFF, &damages, &ReadOptions::default())?;
        survive("b.arff", RELATIONAL, &damages, &ReadOptions::default())?;
    }

    #[test]
    fn damaged_keel(damages in proptest::collection::vec(damage(), 1..6)) {
        survive("a.dat", KEEL, &damages, &ReadOptions::default())?;
    }

    #[test]
    fn damaged_uci(damages in proptest::collection::vec(damage(), 1..6)) {
        survive("b.data", UCI, &damages, &ReadOptions::default().format(Format::Uci))?;
    }

    #[test]
    fn any_bytes_under_any_name(
        bytes in proptest::collection::vec(any::<u8>(), 0..200),
        name in proptest::sample::select(vec!["a.csv", "a.tsv", "a.arff", "a.dat", "a.txt", "a", ".gz"]),
    ) {
        let data = read_from(&bytes[..], name, &ReadOptions::default());
        prop_assert!(data.is_err() || data.is_ok_and(|data| data.check().is_ok()));
    }
}
