//! Valid files of each format with random damage: readers do not panic, and return consistent contexts.

use super::plain;
use crate::damage::{Damage, damage};
use pellucid_io::{ContextFormat, ContextOptions, read_context_from};
use proptest::prelude::*;

const BURMEISTER: &str = "B\n\n3\n2\n\nowl\n bat \n\nflies\nmilk\nX.\nxx\n..\n";
const FIMI: &str = "1 3 9 13\n2 3 \n\n900 1 1\r\n";
const TABLE: &str = "animal,flies,\"mi,lk\"\nowl,1,0\nbat,X,.\n\"c, d\",true,\n";
const PAIRS: &str = "main io.c 2\nio.c  err.c\n\nerr.c err.c 0.5\r\n";

fn survive(name: &str, bytes: &[u8], options: &ContextOptions) -> Result<(), TestCaseError> {
    match read_context_from(bytes, name, options) {
        Ok(context) => {
            let relation = &context.relation;
            prop_assert_eq!(context.objects.len(), relation.objects());
            prop_assert_eq!(context.attributes.len(), relation.attributes());
            for row in relation.rows() {
                prop_assert!(row.is_sorted_by(|a, b| a < b));
                prop_assert!(
                    row.last().is_none_or(|&last| (last as usize) < relation.attributes())
                );
            }
        }
        Err(error) => prop_assert!(error.to_string().starts_with(name), "{error}"),
    }
    Ok(())
}

fn damaged(
    name: &str,
    text: &str,
    damages: &[Damage],
    options: &ContextOptions,
) -> Result<(), TestCaseError> {
    let mut bytes = text.as_bytes().to_vec();
    survive(name, &bytes, options)?;
    damages.iter().for_each(|damage| damage.apply(&mut bytes));
    survive(name, &bytes, options)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(pellucid_testdata::cases(1500)))]

    #[test]
    fn damaged_files(damages in proptest::collection::vec(damage(), 1..6)) {
        damaged("a.cxt", BURMEISTER, &damages, &plain())?;
        damaged("a.dat", FIMI, &damages, &plain())?;
        damaged("a.csv", TABLE, &damages, &plain())?;
        damaged("a.mdg", PAIRS, &damages, &plain().symmetric(true))?;
        for text in [BURMEISTER, FIMI, TABLE, PAIRS] {
            damaged("a", text, &damages, &plain())?;
        }
    }

    #[test]
    fn any_bytes_in_any_format(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        survive("a", &bytes, &plain())?;
        use ContextFormat::{Burmeister, CrossTable, Fimi, Pairs};
        for format in [Burmeister, Fimi, CrossTable, Pairs] {
            survive("a", &bytes, &plain().format(format))?;
        }
    }
}
